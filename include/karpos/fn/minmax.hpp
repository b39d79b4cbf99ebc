// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smaller and the larger of two elements, with NaN passed on (minimum, maximum, clip) or
// ignored (fmin, fmax). Complex numbers have no order. Which of two zeros of different sign is
// returned is not specified.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>

namespace karpos::inline KARPOS_ABI::fn {

/// Two element types that minimum and its relatives take; bool is ordered false < true.
template <class A, class B>
concept minmax_pair = promotable<A, B> && !complex_floating<A> && !complex_floating<B>;

namespace detail {

// Values are compared in the type they are computed in, and returned unchanged.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr compute_t<T> comparable_value(T const& x) {
  return fn::convert<compute_t<T>>(x);
}

/// b, if it is the smaller one or NaN, else a: one selection, and a test of b alone for NaN, so
/// that loops over nested calls (clip) vectorise.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T lesser(T const& a, T const& b) {
  auto const y = detail::comparable_value(b);
  return ((y < detail::comparable_value(a)) | (y != y)) ? b : a;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T greater_one(T const& a, T const& b) {
  auto const y = detail::comparable_value(b);
  return ((y > detail::comparable_value(a)) | (y != y)) ? b : a;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_nan(T const& a) {
  auto const x = detail::comparable_value(a);
  return x != x;
}

}  // namespace detail

/// The smaller one; NaN if either is NaN.
struct minimum {
  template <class A, class B>
    requires minmax_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    return detail::lesser(fn::convert<T>(a), fn::convert<T>(b));
  }
};

/// The larger one; NaN if either is NaN.
struct maximum {
  template <class A, class B>
    requires minmax_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    return detail::greater_one(fn::convert<T>(a), fn::convert<T>(b));
  }
};

/// The smaller one; a NaN counts as missing.
struct fmin {
  template <class A, class B>
    requires minmax_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    T const x = fn::convert<T>(a);
    T const y = fn::convert<T>(b);
    return detail::is_nan(y) ? x : detail::is_nan(x) ? y : detail::lesser(x, y);
  }
};

/// The larger one; a NaN counts as missing.
struct fmax {
  template <class A, class B>
    requires minmax_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    T const x = fn::convert<T>(a);
    T const y = fn::convert<T>(b);
    return detail::is_nan(y) ? x : detail::is_nan(x) ? y : detail::greater_one(x, y);
  }
};

/// minimum(maximum(x, low), high): `high` wins where low > high; NaN in any operand gives NaN.
struct clip {
  template <class X, class L, class H>
    requires minmax_pair<X, L> && minmax_pair<promote_t<X, L>, H>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(X const& x, L const& low,
                                                        H const& high) const
      -> promote_t<promote_t<X, L>, H> {
    return minimum{}(maximum{}(x, low), high);
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
