// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slice arguments: `all`, `range(begin, end, step)`, `newaxis`, and integers.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>

#include <climits>
#include <concepts>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// Inserts an axis of extent 1: `t(newaxis, all)`.
struct newaxis_t {
  explicit newaxis_t() = default;
};
inline constexpr newaxis_t newaxis{};

/// The missing bound of a range: `range(none, none, -1)` is Python's `[::-1]`.
struct none_t {
  explicit none_t() = default;
};
inline constexpr none_t none{};

/// Python's slice `begin:end:step`. Negative bounds count from the end; bounds beyond the axis are
/// clipped.
/// @throws argument_error when step is 0, in the constructor or (a member set later) where it is
/// used.
struct range {
  static constexpr index_t missing = INT64_MIN;
  index_t begin = missing, end = missing, step = 1;

  constexpr range() = default;
  template <class B, class E>
    requires((index_like<B> || std::same_as<B, none_t>) &&
             (index_like<E> || std::same_as<E, none_t>))
  constexpr range(B b, E e, index_t s = 1) : begin(bound(b)), end(bound(e)), step(s) {
    if (s == 0)
      throw argument_error("karpos::range: step must not be 0");
  }

private:
  template <class B>
  static constexpr index_t bound(B b) {
    if constexpr (std::same_as<B, none_t>)
      return missing;
    else
      return dim(b).value == missing ? missing + 1 : dim(b).value;  // clipped alike
  }
};

struct all_t;  // defined in ops/reduce.hpp: the object `all` is the whole-axis slice and the
               // reduction

/// What may stand between the parentheses of `t(...)`.
template <class A>
concept slice_arg =
    index_like<A> || std::same_as<std::remove_cvref_t<A>, all_t> ||
    std::same_as<std::remove_cvref_t<A>, range> || std::same_as<std::remove_cvref_t<A>, newaxis_t>;

namespace detail {
// Number of axes that an argument consumes, and of those that it leaves in the result.
template <class A>
inline constexpr int axes_used = std::same_as<std::remove_cvref_t<A>, newaxis_t> ? 0 : 1;
template <class A>
inline constexpr int axes_left = index_like<A> ? 0 : 1;
}  // namespace detail

}  // namespace karpos::inline KARPOS_ABI
