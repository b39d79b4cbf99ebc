// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Axis arguments of reductions: an integer, `axes(0, 2)`, `keepdims`.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>

#include <concepts>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// N axes; their number is part of the type, so that the rank of a reduction is known at compile
/// time.
template <int N>
struct axes_list {
  index_t values[N > 0 ? N : 1]{};
};

/// Axes of a reduction; negative ones count from the end: `sum(a, axes(0, -1))`. `axes()` reduces
/// nothing.
template <index_like... I>
[[nodiscard]] constexpr axes_list<static_cast<int>(sizeof...(I))> axes(I... axis) {
  return {{static_cast<index_t>(axis)...}};
}

/// Keeps reduced axes with extent 1: `sum(a, 1, keepdims)`.
struct keepdims_t {
  explicit keepdims_t() = default;
};
inline constexpr keepdims_t keepdims{};

}  // namespace karpos::inline KARPOS_ABI
