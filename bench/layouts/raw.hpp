// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baselines: MDRangePolicy loops over Kokkos::Views of the default layout. Where that is
// LayoutLeft the axes are given in reverse, so that both sides have the same bytes in memory.
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karpos_bench {

inline constexpr bool row_major =
    std::is_same_v<Kokkos::DefaultExecutionSpace::array_layout, Kokkos::LayoutRight>;

template <int Rank>
using md_range = Kokkos::MDRangePolicy<Kokkos::Rank<Rank>, Kokkos::IndexType<std::int64_t>>;

enum class matrix_kind { transpose, add_transposed, every_second };

template <class T>
using raw_matrix = Kokkos::View<T**, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class T>
using raw_cube = Kokkos::View<T***, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
raw_matrix<T> matrix_of(T* data, std::int64_t rows, std::int64_t columns) {
  auto const a = static_cast<std::size_t>(rows), b = static_cast<std::size_t>(columns);
  return row_major ? raw_matrix<T>(data, a, b) : raw_matrix<T>(data, b, a);
}
template <class T>
raw_cube<T> cube_of(T* data, std::int64_t outer, std::int64_t middle, std::int64_t inner) {
  auto const a = static_cast<std::size_t>(outer), b = static_cast<std::size_t>(middle),
             c = static_cast<std::size_t>(inner);
  return row_major ? raw_cube<T>(data, a, b, c) : raw_cube<T>(data, c, b, a);
}

template <class T, matrix_kind Kind>
struct matrix_kernel {
  raw_matrix<T const> x;
  raw_matrix<T> r;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    if constexpr (Kind == matrix_kind::transpose)
      r(i, j) = x(j, i);
    if constexpr (Kind == matrix_kind::add_transposed)
      r(i, j) = x(i, j) + x(j, i);
    if constexpr (Kind == matrix_kind::every_second && row_major)
      r(i, j) = x(i, 2 * j) + x(i, 2 * j);
    if constexpr (Kind == matrix_kind::every_second && !row_major)
      r(i, j) = x(2 * i, j) + x(2 * i, j);
  }
};

/// Axis q of r is axis Pq of x, both as they lie in memory: axis 0 has the largest stride.
template <class T, int P0, int P1, int P2>
struct permute_kernel {
  raw_cube<T const> x;
  raw_cube<T> r;
  KOKKOS_FUNCTION void operator()(std::int64_t a, std::int64_t b, std::int64_t c) const {
    std::int64_t from[3];
    from[P0] = row_major ? a : c;
    from[P1] = b;
    from[P2] = row_major ? c : a;
    r(a, b, c) = row_major ? x(from[0], from[1], from[2]) : x(from[2], from[1], from[0]);
  }
};

template <class T, matrix_kind Kind>
void run_raw(raw_matrix<T const> const& x, raw_matrix<T> const& r) {
  auto const m = static_cast<std::int64_t>(r.extent(0)), n = static_cast<std::int64_t>(r.extent(1));
  Kokkos::parallel_for("raw", md_range<2>({0, 0}, {m, n}), matrix_kernel<T, Kind>{x, r});
}

template <int P0, int P1, int P2, class T>
void run_raw(raw_cube<T const> const& x, raw_cube<T> const& r) {
  auto const m = static_cast<std::int64_t>(r.extent(0)), n = static_cast<std::int64_t>(r.extent(1)),
             k = static_cast<std::int64_t>(r.extent(2));
  Kokkos::parallel_for("raw", md_range<3>({0, 0, 0}, {m, n, k}),
                       permute_kernel<T, P0, P1, P2>{x, r});
}

}  // namespace karpos_bench
