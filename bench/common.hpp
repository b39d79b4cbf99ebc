// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every benchmark needs: times from an idle instance to an idle instance, inputs that several
// rows share, the facts that belong to a result, and main.
#pragma once
#include <karpos/backend/blas/gemm.hpp>
#include <karpos/bench/device.hpp>
#include <karpos/bench/measure.hpp>
#include <karpos/bench/peaks.hpp>
#include <karpos/karpos.hpp>

#include <benchmark/benchmark.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#define KARPOS_BENCH_TEXT_(x) #x
#define KARPOS_BENCH_TEXT(x) KARPOS_BENCH_TEXT_(x)

namespace karpos_bench {

namespace kp = karpos;
using space = kp::default_space;

// The sizes: the larger fill a device's memory bandwidth, and are beyond the caches of a host.
inline constexpr bool on_host = kp::host_accessible<kp::default_space>;
/// rows times columns elements, a power of two.
struct matrix_size {
  std::int64_t rows, columns;
  [[nodiscard]] std::int64_t count() const { return rows * columns; }
};
inline constexpr matrix_size matrix_sizes[] = {{1024, 1024},
                                               {on_host ? 4096 : 16384, on_host ? 8192 : 16384}};

inline std::string by(std::int64_t a, std::int64_t b) {
  return std::to_string(a) + "x" + std::to_string(b);
}

/// Which side a row measures.
enum class side { karpos, baseline };

template <class T>
char const* dtype() {
  if constexpr (kp::complex_floating<T>)
    return sizeof(T) == 8 ? "c64" : "c128";
  else
    return sizeof(T) == 2 ? "f16" : sizeof(T) == 4 ? "f32" : "f64";
}

/// The end of a row's name.
inline std::string row_end(side which) { return which == side::karpos ? "/karpos" : "/raw_kokkos"; }

/// Seconds that moving the bytes takes at the rate of the better copy in this process.
inline double copy_floor(double bytes) {
  static double const rate = kp::bench::copy_peak<float>(space()).rate;
  return bytes / rate;
}

/// The same for a product of T: at least as long as its operations take at the rate of a large one.
template <class T>
double product_floor(double bytes, double flops) {
  static double const rate = kp::bench::gemm_peak<T>(space()).rate;
  return std::max(copy_floor(bytes), flops / rate);
}

/// Runs f() as often as the state asks for and reports rates per second and the part of the time
/// that is the floor's (0: there is no floor to say). On devices each sample is as many calls as
/// take some 10 ms, so that the launch and the wait, which a program with more than one call
/// overlaps with work, do not count for each.
template <class F>
void measure(benchmark::State& state, double bytes, double flops, double floor_seconds,
             F const& f) {
  using namespace kp::bench::detail;
  space const exec;
  f();  // set-up of libraries and loading of kernels
  int const calls = on_host ? 1 : repeats_for(time_calls(exec, f, 1), 1e-2);
  for ([[maybe_unused]] auto _ : state)
    state.SetIterationTime(time_calls(exec, f, calls) / calls);
  auto const runs = static_cast<double>(state.iterations());
  state.counters["bytes/s"] =
      benchmark::Counter(bytes * runs, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000);
  if (flops > 0)
    state.counters["flop/s"] =
        benchmark::Counter(flops * runs, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000);
  if (floor_seconds > 0)
    state.counters["of_floor"] =
        benchmark::Counter(floor_seconds * runs, benchmark::Counter::kIsRate);
}
template <class F>
void measure(benchmark::State& state, double bytes, double flops, F const& f) {
  karpos_bench::measure(state, bytes, flops, copy_floor(bytes), f);
}

/// For calls of microseconds: runs f() in batches with a fence on both sides of each. The time of
/// the row is that of one call.
template <class F>
void measure_calls(benchmark::State& state, F const& f) {
  constexpr int batch = 100;
  space const exec;
  f();  // set-up of libraries and loading of kernels
  while (state.KeepRunningBatch(batch))
    state.SetIterationTime(kp::bench::detail::time_calls(exec, f, batch));
}

/// The inputs of size n: made once for all rows in a sequence that use them, gone before Kokkos is.
template <class Inputs>
Inputs& inputs(std::int64_t n) {
  static std::unique_ptr<Inputs> kept;
  if (kept == nullptr || kept->n != n) {
    kept.reset();
    kept = std::make_unique<Inputs>(n);
  }
  // After the first allocation: hooks run last in, first out, and the pool has one.
  static bool const hooked = (Kokkos::push_finalize_hook([] { kept.reset(); }), true);
  static_cast<void>(hooked);
  return *kept;
}

/// A row with a wrong result fails the whole run; main returns 1 then.
inline bool& all_checked() {
  static bool good = true;
  return good;
}
inline bool checked(benchmark::State& state, bool right, char const* why = "the result is wrong") {
  if (!right) {
    all_checked() = false;
    state.SkipWithError(why);
  }
  return right;
}

template <class F>
void add_row(std::string const& name, F const& f) {
  benchmark::RegisterBenchmark(name.c_str(), f)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

/// "Linux 6.1.0 x86_64".
inline std::string system_name() {
  utsname name{};
  if (uname(&name) != 0)
    return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

/// A fact that not every build has.
inline void add_known(char const* name, std::string const& text) {
  if (!text.empty())
    benchmark::AddCustomContext(name, text);
}

/// Google Benchmark itself adds the host's name, its number of processors and the date.
inline void add_context() {
  using benchmark::AddCustomContext;
  AddCustomContext("device", kp::bench::device_name(space()));
  AddCustomContext("processor", kp::bench::processor_name());
  AddCustomContext("system", system_name());
  AddCustomContext("kokkos", KARPOS_BENCH_TEXT(KOKKOS_VERSION));
  AddCustomContext("karpos", KARPOS_VERSION_STRING);
  AddCustomContext("execution_space", space::name());
  AddCustomContext("concurrency", std::to_string(space().concurrency()));
  AddCustomContext("host_threads",
                   std::to_string(Kokkos::DefaultHostExecutionSpace().concurrency()));
  AddCustomContext("blas", kp::backend::blas::library<space>());
  AddCustomContext("blas_threads", std::to_string(kp::backend::blas::threads<space>()));
#ifdef KARPOS_BENCH_GIT_HASH
  AddCustomContext("revision", KARPOS_BENCH_GIT_HASH);
  AddCustomContext("build_type", KARPOS_BENCH_BUILD_TYPE);
  AddCustomContext("compiler", KARPOS_BENCH_COMPILER);
  add_known("device_compiler", KARPOS_BENCH_DEVICE_COMPILER);
  add_known("kokkos_kernels", KARPOS_BENCH_KOKKOS_KERNELS);
  add_known("flags", KARPOS_BENCH_FLAGS);
#endif
}

/// main of a benchmark program. @param add_rows registers its rows.
inline int run(int argc, char** argv, void (*add_rows)()) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  try {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
      return 2;
    add_context();
    add_rows();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return EXIT_FAILURE;
  }
  return all_checked() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace karpos_bench
