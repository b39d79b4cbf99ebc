// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// extents<Rank>: a shape or a list of strides, usable on host and device, and its text form "(3,
// 4)".
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>

#include <cstddef>
#include <string>

namespace karpos::inline KARPOS_ABI {

/// Rank integers: extents, strides or a multi-index. Aggregate; host and device.
template <int Rank>
struct extents {
  static_assert(Rank >= 0 && Rank <= max_rank, "karpos: the rank of a tensor is 0 to 8");
  static constexpr int rank = Rank;
  index_t values[Rank > 0 ? Rank : 1]{};

  KOKKOS_FORCEINLINE_FUNCTION constexpr index_t& operator[](int i) { return values[i]; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr index_t const& operator[](int i) const { return values[i]; }
  /// Product of the extents; 1 for rank 0.
  KOKKOS_FORCEINLINE_FUNCTION constexpr index_t size() const {
    index_t n = 1;
    for (int i = 0; i < Rank; ++i)
      n = wrapping_product(n, values[i]);
    return n;
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr index_t const* begin() const { return values; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr index_t const* end() const { return values + Rank; }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator==(extents const& a, extents const& b) {
    for (int i = 0; i < Rank; ++i)
      if (a.values[i] != b.values[i])
        return false;
    return true;
  }
};

/// "(3, 4)", "(3,)", "()": NumPy's spelling of a shape.
inline std::string to_string(index_t const* values, int rank) {
  std::string text = "(";
  for (int i = 0; i < rank; ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + (rank == 1 ? ",)" : ")");
}
template <int Rank>
std::string to_string(extents<Rank> const& e) {
  return to_string(e.values, Rank);
}

/// Row-major (C order) strides of a shape, in elements.
template <int Rank>
KOKKOS_FUNCTION constexpr extents<Rank> row_major_strides(extents<Rank> const& shape) {
  extents<Rank> strides;
  index_t step = 1;
  for (int i = Rank - 1; i >= 0; --i) {
    strides[i] = step;
    step = wrapping_product(step, shape[i]);
  }
  return strides;
}

namespace detail {
// True when 64 bits hold unit times the number of elements.
constexpr bool count_fits(index_t const* shape, int rank, index_t unit = 1) {
  bool overflow = false;
  for (int i = 0; i < rank; ++i) {
    if (shape[i] == 0)
      return true;
    overflow |= __builtin_mul_overflow(unit, shape[i], &unit);
  }
  return !overflow;
}
[[noreturn]] KARPOS_COLD inline void throw_overflow(char const* function, index_t const* shape,
                                                    int rank) {
  throw shape_error(std::string("karpos::") + function +
                    ": the number of elements overflows 64 bits: shape " + to_string(shape, rank));
}
// The rule for shapes that callers give: no negative extent, and a number of elements that 64 bits
// hold.
inline void check_shape(char const* function, index_t const* shape, int rank) {
  for (int i = 0; i < rank; ++i)
    if (shape[i] < 0)
      throw shape_error(std::string("karpos::") + function + ": extent of axis " +
                        std::to_string(i) + " is negative: " + to_string(shape, rank));
  if (!count_fits(shape, rank))
    throw_overflow(function, shape, rank);
}
}  // namespace detail

/// A shape from a braced list of integers, checked: no negative extent, no overflow of the element
/// count.
template <int Rank>
extents<Rank> make_shape(char const* function, dim const* dims) {
  extents<Rank> shape;
  for (int i = 0; i < Rank; ++i)
    shape[i] = dims[i].value;
  detail::check_shape(function, shape.values, Rank);
  return shape;
}

}  // namespace karpos::inline KARPOS_ABI
