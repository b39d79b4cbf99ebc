// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index type, the largest rank, and `dim`: an extent as callers write it.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI {

/// Type of extents, strides (in elements) and indices.
using index_t = std::int64_t;

/// a * b modulo 2^64: products of extents may pass through more than 64 bits before an extent of 0.
KOKKOS_FORCEINLINE_FUNCTION constexpr index_t wrapping_product(index_t a, index_t b) {
  return static_cast<index_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// a + b modulo 2^64: strides and offsets that no element is ever reached by may be of any size.
KOKKOS_FORCEINLINE_FUNCTION constexpr index_t wrapping_sum(index_t a, index_t b) {
  return static_cast<index_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Largest rank of a tensor.
inline constexpr int max_rank = 8;

/// An integer type that may be used as an index (bool and characters may not).
template <class I>
concept index_like =
    std::integral<std::remove_cvref_t<I>> && !std::same_as<std::remove_cvref_t<I>, bool>;

/// One extent or axis in a braced list such as `full({n, 4}, 1.0)`: takes every integer type
/// without narrowing errors.
/// @throws argument_error when an unsigned value exceeds the range of index_t.
struct dim {
  index_t value;

  template <index_like I>
  constexpr dim(I i)  // NOLINT(google-explicit-constructor): it stands for the integer
      : value(static_cast<index_t>(i)) {
    if (!std::in_range<index_t>(i))
      throw argument_error("karpos: extent " + std::to_string(i) +
                           " does not fit a signed 64-bit integer");
  }
};

}  // namespace karpos::inline KARPOS_ABI
