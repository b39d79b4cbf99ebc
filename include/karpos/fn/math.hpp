// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions of elements: one line each. Integers and bool are computed in double and
// give double, the 16-bit formats in float and are rounded once; NaN gives NaN unless stated.
// Special values are those of C (Annex F and G).
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/arithmetic.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/detail/complex_math.hpp>
#include <karpos/fn/math_types.hpp>
#include <karpos/fn/vector_math.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI::fn {

namespace detail {

template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> rsqrt(complex<R> const& z) {
  return detail::quotient(complex<R>(R(1), R(0)), detail::sqrt(z));
}

template <class A, class B>
using pair_result_t = math_result_t<promote_t<A, B>>;
template <class A, class B>
using pair_compute_t = math_compute_t<promote_t<A, B>>;

}  // namespace detail

// A functor NAME that calls detail::NAME; the 16-bit formats pass through float.
#define KARPOS_MATH_FUNCTOR(NAME, ACCEPTS)                                                         \
  struct NAME {                                                                                    \
    template <element T>                                                                           \
      requires(ACCEPTS<T>)                                                                         \
    KOKKOS_FORCEINLINE_FUNCTION math_result_t<T> operator()(T const& x) const {                    \
      return static_cast<math_result_t<T>>(detail::NAME(fn::convert<math_compute_t<T>>(x)));       \
    }                                                                                              \
  };
#define KARPOS_REAL_MATH_FUNCTOR(NAME) KARPOS_MATH_FUNCTOR(NAME, !complex_floating)
#define KARPOS_COMPLEX_MATH_FUNCTOR(NAME) KARPOS_MATH_FUNCTOR(NAME, element)

/// Square root; -0 stays -0, negative numbers give NaN. Complex: the root with a real part >= 0.
KARPOS_COMPLEX_MATH_FUNCTOR(sqrt)
/// 1 / sqrt(x); infinity at 0.
KARPOS_COMPLEX_MATH_FUNCTOR(rsqrt)
/// Cube root, also of negative numbers.
KARPOS_REAL_MATH_FUNCTOR(cbrt)
/// e^x
KARPOS_COMPLEX_MATH_FUNCTOR(exp)
/// 2^x
KARPOS_COMPLEX_MATH_FUNCTOR(exp2)
/// e^x - 1, accurate near 0.
KARPOS_COMPLEX_MATH_FUNCTOR(expm1)
/// Natural logarithm; -infinity at 0, NaN below. Complex: the imaginary part is in [-pi, pi].
KARPOS_COMPLEX_MATH_FUNCTOR(log)
/// Logarithm to base 2, domain as log.
KARPOS_COMPLEX_MATH_FUNCTOR(log2)
/// Logarithm to base 10, domain as log.
KARPOS_COMPLEX_MATH_FUNCTOR(log10)
/// log(1 + x), accurate near 0; -infinity at -1, NaN below.
KARPOS_COMPLEX_MATH_FUNCTOR(log1p)
/// Sine of x radians; NaN at infinity.
KARPOS_COMPLEX_MATH_FUNCTOR(sin)
/// Cosine of x radians; NaN at infinity.
KARPOS_COMPLEX_MATH_FUNCTOR(cos)
/// Tangent of x radians; NaN at infinity.
KARPOS_COMPLEX_MATH_FUNCTOR(tan)
/// Arc sine in [-pi/2, pi/2]; NaN outside [-1, 1].
KARPOS_COMPLEX_MATH_FUNCTOR(asin)
/// Arc cosine in [0, pi]; NaN outside [-1, 1].
KARPOS_COMPLEX_MATH_FUNCTOR(acos)
/// Arc tangent in [-pi/2, pi/2].
KARPOS_COMPLEX_MATH_FUNCTOR(atan)
/// Hyperbolic sine.
KARPOS_COMPLEX_MATH_FUNCTOR(sinh)
/// Hyperbolic cosine.
KARPOS_COMPLEX_MATH_FUNCTOR(cosh)
/// Hyperbolic tangent.
KARPOS_COMPLEX_MATH_FUNCTOR(tanh)
/// Inverse hyperbolic sine.
KARPOS_COMPLEX_MATH_FUNCTOR(asinh)
/// Inverse hyperbolic cosine, >= 0; NaN below 1.
KARPOS_COMPLEX_MATH_FUNCTOR(acosh)
/// Inverse hyperbolic tangent; infinite at +-1, NaN outside [-1, 1].
KARPOS_COMPLEX_MATH_FUNCTOR(atanh)
/// Error function.
KARPOS_REAL_MATH_FUNCTOR(erf)
/// 1 - erf(x), accurate for large x.
KARPOS_REAL_MATH_FUNCTOR(erfc)
/// log|gamma(x)|; infinity at 0 and the negative integers.
KARPOS_REAL_MATH_FUNCTOR(lgamma)
#undef KARPOS_COMPLEX_MATH_FUNCTOR
#undef KARPOS_REAL_MATH_FUNCTOR
#undef KARPOS_MATH_FUNCTOR

/// sqrt(a^2 + b^2) without overflow on the way; infinity if either is infinite, even with NaN.
struct hypot {
  template <class A, class B>
    requires real_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION detail::pair_result_t<A, B> operator()(A const& a, B const& b) const {
    using C = detail::pair_compute_t<A, B>;
    return static_cast<detail::pair_result_t<A, B>>(
        detail::length(fn::convert<C>(a), fn::convert<C>(b)));
  }
};

/// The angle of the point (x, y) in [-pi, pi]; arguments in the order of C: y first.
struct atan2 {
  template <class A, class B>
    requires real_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION detail::pair_result_t<A, B> operator()(A const& y, B const& x) const {
    using C = detail::pair_compute_t<A, B>;
    return static_cast<detail::pair_result_t<A, B>>(
        detail::atan2(fn::convert<C>(y), fn::convert<C>(x)));
  }
};

/// Remainder of a / b with the sign of a, exact; NaN for b = 0. Integers are computed in double:
/// `modulus` keeps their type.
struct fmod {
  template <class A, class B>
    requires real_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION detail::pair_result_t<A, B> operator()(A const& a, B const& b) const {
    using C = detail::pair_compute_t<A, B>;
    return static_cast<detail::pair_result_t<A, B>>(
        detail::fmod(fn::convert<C>(a), fn::convert<C>(b)));
  }
};

/// a^b. Two integers give an integer (see integer_power, also for negative exponents). Real: pow(x,
/// 0) and pow(1, y) are 1 even for NaN, a negative base with a fractional exponent is NaN. Complex:
/// z^0 = 1, 0^w = 0 for Re w > 0 and else NaN.
struct pow {
  template <class A, class B>
    requires arithmetic_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    if constexpr (integer<T>) {
      return integer_power{}(a, b);
    } else {
      using C = compute_t<T>;
      return static_cast<T>(detail::pow(fn::convert<C>(a), fn::convert<C>(b)));
    }
  }
};

/// x * x; integers wrap.
struct square {
  template <element T>
    requires(!boolean<T>)
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T const& x) const {
    return multiplies{}(x, x);
  }
};

/// 1 / x; of an integer as a double.
struct reciprocal {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION math_result_t<T> operator()(T const& x) const {
    using R = math_result_t<T>;
    return divides{}(fn::convert<R>(1), fn::convert<R>(x));
  }
};

/// |x| in the element's type (the real type for complex numbers, without overflow on the way). The
/// smallest signed integer wraps.
struct abs {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION real_of_t<T> operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return detail::modulus(x);
    } else if constexpr (integer<T>) {
      return detail::is_negative(x) ? negate{}(x) : x;
    } else if constexpr (is_half_v<T>) {
      return T::from_bits(static_cast<std::uint16_t>(x.bits() & 0x7fffu));
    } else if constexpr (boolean<T>) {
      return x;
    } else {
      return detail::abs(x);
    }
  }
};

/// -1, 0 or 1 in the element's type, NaN for NaN; sign(-0) is +0. Complex: z / |z|, 0 for 0; of an
/// infinite number its direction, sign(1 + i inf) = i.
struct sign {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return detail::direction(x);
    } else if constexpr (boolean<T>) {
      return x;
    } else if constexpr (integer<T>) {
      return static_cast<T>(x == T(0) ? 0 : detail::is_negative(x) ? -1 : 1);
    } else {
      using C = compute_t<T>;
      C const v = fn::convert<C>(x);
      C const unit = v > C(0) ? C(1) : v < C(0) ? C(-1) : C(0);
      return static_cast<T>(v == v ? unit : v);
    }
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
