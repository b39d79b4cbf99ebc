// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baselines: kernels as a Kokkos user writes them first, on Kokkos::Views of the default
// layout.
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karpos_bench {

enum class row_kind {
  copy,
  axpy,
  expression,
  add,
  multiply,
  add_row,
  add_column,
  transpose,
  sum,
  dot
};

template <class T>
struct raw_views {
  Kokkos::View<T**> x, y, r;
  Kokkos::View<T*> row, column;
  Kokkos::View<T> total;
};

/// Element i of matrices of one layout, in the order of memory.
template <class T, row_kind Kind>
struct flat_kernel {
  T const* x;
  T const* y;
  T* r;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if constexpr (Kind == row_kind::copy)
      r[i] = x[i];
    if constexpr (Kind == row_kind::axpy)
      r[i] = r[i] + T(0.5) * x[i];
    if constexpr (Kind == row_kind::expression)
      r[i] = Kokkos::exp(-x[i] * x[i]) * Kokkos::sin(y[i]) + T(0.5) * x[i];
    if constexpr (Kind == row_kind::add)
      r[i] = x[i] + y[i];
    if constexpr (Kind == row_kind::multiply)
      r[i] = x[i] * y[i];
  }
};

template <class T, row_kind Kind>
struct total_kernel {
  T const* x;
  T const* y;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& total) const {
    if constexpr (Kind == row_kind::sum)
      total += x[i];
    if constexpr (Kind == row_kind::dot)
      total += x[i] * y[i];
  }
};

template <class T, row_kind Kind>
struct plane_kernel {
  raw_views<T> v;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    if constexpr (Kind == row_kind::add_row)
      v.r(i, j) = v.x(i, j) + v.row(j);
    if constexpr (Kind == row_kind::add_column)
      v.r(i, j) = v.x(i, j) + v.column(i);
    if constexpr (Kind == row_kind::transpose)
      v.r(i, j) = v.x(j, i);
  }
};

/// Runs one kernel over the whole of v, asynchronously, on the default instance.
template <row_kind Kind, class T>
void run_raw(raw_views<T> const& v) {
  auto const n = static_cast<std::int64_t>(v.x.extent(0));
  if constexpr (Kind == row_kind::add_row || Kind == row_kind::add_column ||
                Kind == row_kind::transpose) {
    using policy = Kokkos::MDRangePolicy<Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for("raw", policy({0, 0}, {n, n}), plane_kernel<T, Kind>{v});
  } else {
    Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>> const policy(0, n * n);
    if constexpr (Kind == row_kind::sum || Kind == row_kind::dot)
      Kokkos::parallel_reduce("raw", policy, total_kernel<T, Kind>{v.x.data(), v.y.data()},
                              v.total);
    else
      Kokkos::parallel_for("raw", policy, flat_kernel<T, Kind>{v.x.data(), v.y.data(), v.r.data()});
  }
}

}  // namespace karpos_bench
