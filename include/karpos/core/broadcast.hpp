// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's broadcasting rule for shapes: right-aligned, the extent that is not 1 wins.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/extents.hpp>

#include <string>

namespace karpos::inline KARPOS_ABI {

namespace detail {
[[noreturn]] KARPOS_COLD inline void throw_broadcast(char const* function, std::string const& a,
                                                     std::string const& b) {
  throw shape_error(std::string("karpos::") + function + ": shapes do not broadcast: " + a +
                    " and " + b);
}
// out = common shape of a (rank ra) and b (rank rb), right-aligned; false when they do not fit.
constexpr bool broadcast_into(index_t* out, index_t const* a, int ra, index_t const* b, int rb) {
  int const rank = ra > rb ? ra : rb;
  for (int k = 0; k < rank; ++k) {
    index_t const x = k < rank - ra ? 1 : a[k - (rank - ra)],
                  y = k < rank - rb ? 1 : b[k - (rank - rb)];
    if (x != y && x != 1 && y != 1)
      return false;
    out[k] = x == 1 ? y : x;
  }
  return true;
}
}  // namespace detail

/// Common shape of two operands. @throws shape_error naming the function and both shapes.
template <int A, int B>
constexpr extents<(A > B ? A : B)> broadcast_shapes(char const* function, extents<A> const& a,
                                                    extents<B> const& b) {
  extents<(A > B ? A : B)> out;
  if (!detail::broadcast_into(out.values, a.values, A, b.values, B))
    detail::throw_broadcast(function, to_string(a), to_string(b));
  if (!detail::count_fits(out.values, out.rank))
    detail::throw_overflow(function, out.values, out.rank);
  return out;
}
template <int A>
constexpr extents<A> broadcast_shapes(char const*, extents<A> const& a) {
  return a;
}
template <int A, int B, int... C>
  requires(sizeof...(C) > 0)
constexpr auto broadcast_shapes(char const* function, extents<A> const& a, extents<B> const& b,
                                extents<C> const&... c) {
  return broadcast_shapes(function, broadcast_shapes(function, a, b), c...);
}

/// True when an operand of shape `from` may be written into, or stretched to, shape `to`.
template <int From, int To>
constexpr bool broadcasts_to(extents<From> const& from, extents<To> const& to) {
  if constexpr (From > To) {
    return false;
  } else {
    for (int k = 0; k < From; ++k)
      if (from[k] != 1 && from[k] != to[To - From + k])
        return false;
    return true;
  }
}

}  // namespace karpos::inline KARPOS_ABI
