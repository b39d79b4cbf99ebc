// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/facts.hpp"
#include "compare/operations.hpp"
#include <karpos/backend/blas/path.hpp>
#include <karpos/karpos.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace karpos::tools {

namespace {

template <class T, class Exec>
struct copy_loop {
  Kokkos::View<T const*, Exec> from;
  Kokkos::View<T*, Exec> to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = from(i); }
};

// The better of Kokkos' own copy and of a loop that copies: bytes read and bytes written.
template <class Exec, class T>
void measure_copy(session const& s, peak& p) {
  Exec const exec;
  auto const count =
      static_cast<std::size_t>(std::max(1.0, s.options.copy_mib * 1048576.0 / sizeof(T)));
  Kokkos::View<T*, Exec> const from(
      Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "peak::from"), count);
  Kokkos::View<T*, Exec> const to(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "peak::to"),
                                  count);
  Kokkos::deep_copy(exec, from, T(1));
  Kokkos::deep_copy(exec, to, T(2));
  Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>> const work(
      exec, 0, static_cast<std::int64_t>(count));
  auto const library =
      bench::measure(exec, [&] { Kokkos::deep_copy(exec, to, from); }, s.timing_options());
  auto const loop = bench::measure(
      exec, [&] { Kokkos::parallel_for("peak::copy", work, copy_loop<T, Exec>{from, to}); },
      s.timing_options());
  bool const library_wins = library.median <= loop.median;
  p.copy_gb_per_s =
      2.0 * static_cast<double>(count * sizeof(T)) / (library_wins ? library : loop).median * 1e-9;
  p.copy_method = library_wins ? "Kokkos::deep_copy" : "loop";
  exec.fence("karpos-compare: copy");
}

template <class Exec, class T>
void measure_gemm(session const& s, peak& p) {
  Exec const exec;
  index_t const usual = kokkos_ext::is_device_space<Exec> ? 8192 : 2048;
  index_t const n = s.options.peak_size > 0 ? s.options.peak_size : usual;
  using matrix = tensor<T, 2, Exec>;
  matrix a(matrix::uninitialised, {n, n}, exec), b(matrix::uninitialised, {n, n}, exec),
      c(matrix::uninitialised, {n, n}, exec);
  karpos::assign(exec, a, random::uniform<T>({n, n}, {.seed = 11}));
  karpos::assign(exec, b, random::uniform<T>({n, n}, {.seed = 12}));
  auto const time =
      bench::measure(exec, [&] { karpos::gemm(exec, T(1), a, b, T(0), c); }, s.timing_options());
  auto const extent = static_cast<double>(n);
  p.gemm_gflop_per_s = 2.0 * extent * extent * extent / time.median * 1e-9;
  p.gemm_method = std::string(backend::blas::to_string(backend::blas::last_path())) +
                  ", n = " + std::to_string(n);
}

}  // namespace

template <class T>
void measure_peaks(session const& s) {
  for_each_chosen_space(s, [&]<class Exec>() {
    peak p;
    p.space = kokkos_ext::space_name<Exec>();
    p.dtype = dtype_name<T>();
    measure_copy<Exec, T>(s, p);
    measure_gemm<Exec, T>(s, p);
    s.found.peaks.push_back(p);
  });
  refresh_clocks(s.found.spaces);  // while the device is still warm
}

template void measure_peaks<float>(session const&);
template void measure_peaks<double>(session const&);

}  // namespace karpos::tools
