// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a machine can do at best, measured: the rates that other measurements are read against.
#pragma once
#include <karpos/backend/blas/path.hpp>
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/bench/measure.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/ops/evaluate.hpp>
#include <karpos/ops/matmul.hpp>
#include <karpos/ops/random.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace karpos::inline KARPOS_ABI::bench {

/// The best rate that was seen, and what reached it.
struct peak {
  double rate = 0;  ///< per second
  std::string method;
};

namespace detail {

template <class T>
struct copy_loop {
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(index_t i) const { to[i] = from[i]; }
};

inline void check_size(char const* function, index_t n) {
  if (n < 1)
    throw argument_error(std::string("karpos::bench::") + function +
                         ": a size of at least 1: got " + std::to_string(n));
}

}  // namespace detail

/// Elements for which copies read and write the memory and not the caches: 256 MiB of them.
template <class T>
inline constexpr index_t beyond_caches = (index_t{256} << 20) / static_cast<index_t>(sizeof(T));

/// Bytes per second of copies within the memory of `exec`, read and written bytes both counted: the
/// better of Kokkos::deep_copy and of a loop, over `count` elements. Takes twice that memory.
/// Fences.
/// @throws argument_error for a count below 1; memory_error.
template <element T, execution_space Exec>
[[nodiscard]] peak copy_peak(Exec const& exec, index_t count = beyond_caches<T>,
                             measure_options const& options = {}) {
  detail::check_size("copy_peak", count);
  using array = tensor<T, 1, Exec>;
  array from(array::uninitialised, {count}, exec), to(array::uninitialised, {count}, exec);
  karpos::assign(exec, from, random::uniform<real_of_t<T>>({count}, {.seed = 10}));
  karpos::assign(exec, to, T(0));
  auto const source = from.kokkos();
  auto const target = to.kokkos();
  Kokkos::RangePolicy<Exec, Kokkos::IndexType<index_t>> const all(exec, 0, count);
  detail::copy_loop<T> const body{from.data(), to.data()};
  auto const copied =
      bench::measure(exec, [&] { Kokkos::deep_copy(exec, target, source); }, options);
  auto const looped = bench::measure(
      exec, [&] { Kokkos::parallel_for("karpos::bench::copy_peak", all, body); }, options);
  double const bytes = 2.0 * static_cast<double>(count) * sizeof(T);
  if (copied.median <= looped.median)
    return {bytes / copied.median, "Kokkos::deep_copy"};
  return {bytes / looped.median, "loop"};
}

/// Operations per second of gemm on n x n matrices: 2 n^3 (of complex numbers too) over the median
/// time. n = 0: 8192 on devices, 2048 on hosts. Fences. @throws argument_error for n below 0;
/// memory_error; backend_error.
template <element T, execution_space Exec>
[[nodiscard]] peak gemm_peak(Exec const& exec, index_t n = 0, measure_options const& options = {}) {
  if (n == 0)
    n = kokkos_ext::is_device_space<Exec> ? 8192 : 2048;
  detail::check_size("gemm_peak", n);
  using matrix = tensor<T, 2, Exec>;
  matrix a(matrix::uninitialised, {n, n}, exec), b(matrix::uninitialised, {n, n}, exec),
      c(matrix::uninitialised, {n, n}, exec);
  using real = real_of_t<T>;
  karpos::assign(exec, a, random::uniform<real>({n, n}, {.seed = 11}));
  karpos::assign(exec, b, random::uniform<real>({n, n}, {.seed = 12}));
  auto const time = bench::measure(exec, [&] { karpos::gemm(exec, T(1), a, b, T(0), c); }, options);
  auto const extent = static_cast<double>(n);
  return {2.0 * extent * extent * extent / time.median,
          std::string(backend::blas::to_string(backend::blas::last_path())) +
              ", n = " + std::to_string(n)};
}

}  // namespace karpos::inline KARPOS_ABI::bench
