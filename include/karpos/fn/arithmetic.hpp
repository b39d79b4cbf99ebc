// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// + - * / % and their relatives on elements. The result has the common type of the operands without
// integral promotion; integers wrap (the arithmetic is that of the unsigned type), so nothing here
// is undefined for any value.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/detail/complex_math.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::fn {

/// Two element types that + - * / take: they have a common type, and it is not bool.
template <class A, class B>
concept arithmetic_pair = promotable<A, B> && !(boolean<A> && boolean<B>);
/// As arithmetic_pair, without complex numbers.
template <class A, class B>
concept real_pair = arithmetic_pair<A, B> && !complex_floating<A> && !complex_floating<B>;

namespace detail {

/// The unsigned type that integers of type T are computed in: never narrower than unsigned int,
/// because uint16_t * uint16_t would be done in int and overflow.
template <class T>
using wrapping_t =
    std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;

// Quotients in the given type; a zero divisor gives 0, and the smallest value over -1 wraps.
template <integer T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T quotient(T a, T b) {
  if (b == T(0))
    return T(0);
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1))
      return static_cast<T>(wrapping_t<T>(0) - static_cast<wrapping_t<T>>(a));
  return static_cast<T>(a / b);
}

template <integer T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T truncated_remainder(T a, T b) {
  if (b == T(0))
    return T(0);
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1))
      return T(0);
  return static_cast<T>(a % b);
}

// Remainder with the sign of the divisor (Python's %); NaN for a zero divisor, `a` for an infinite
// divisor of its sign.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T floored_remainder(T a, T b) {
  T const r = detail::fmod(a, b);
  if (r == T(0))
    return detail::copysign(T(0), b);
  return (b < T(0)) != (r < T(0)) ? r + b : r;
}

// Python's //: exact where the quotient is an integer, which floor(a / b) is not. After NumPy's
// npy_divmod.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T floored_quotient(T a, T b) {
  if (b == T(0))
    return a / b;
  T const r = detail::fmod(a, b);
  T q = (a - r) / b;
  if (r != T(0) && (b < T(0)) != (r < T(0)))
    q -= T(1);
  if (q == T(0))
    return detail::copysign(T(0), a / b);
  T const whole = detail::floor(q);
  return q - whole > T(0.5) ? whole + T(1) : whole;
}

// Square and multiply; wraps. A negative exponent gives the truncated value of the true power: 0
// unless |base| is 1.
template <integer T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T integer_power(T base, T exponent) {
  using U = wrapping_t<T>;
  if constexpr (std::is_signed_v<T>) {
    if (exponent < T(0)) {
      if (base == T(-1))
        return exponent % 2 == 0 ? T(1) : T(-1);
      return base == T(1) ? T(1) : T(0);
    }
  }
  U result = 1;
  U square = static_cast<U>(base);
  for (auto left = static_cast<std::make_unsigned_t<T>>(exponent); left != 0;
       left = static_cast<decltype(left)>(left >> 1)) {
    if ((left & 1u) != 0)
      result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

}  // namespace detail

/// a + b
struct plus {
  template <class A, class B>
    requires arithmetic_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    if constexpr (integer<T>) {
      using U = detail::wrapping_t<T>;
      return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
      return fn::convert<T>(a) + fn::convert<T>(b);
    }
  }
};

/// a - b
struct minus {
  template <class A, class B>
    requires arithmetic_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    if constexpr (integer<T>) {
      using U = detail::wrapping_t<T>;
      return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
    } else {
      return fn::convert<T>(a) - fn::convert<T>(b);
    }
  }
};

/// a * b. A complex product is the textbook formula: infinities in one part may give NaN in the
/// other.
struct multiplies {
  template <class A, class B>
    requires arithmetic_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    if constexpr (integer<T>) {
      using U = detail::wrapping_t<T>;
      return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    } else {
      return fn::convert<T>(a) * fn::convert<T>(b);
    }
  }
};

/// a / b. Integers: truncates toward zero; a zero divisor gives 0; the smallest value over -1
/// wraps.
struct divides {
  template <class A, class B>
    requires arithmetic_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    if constexpr (integer<T> || complex_floating<T>) {
      return detail::quotient(fn::convert<T>(a), fn::convert<T>(b));
    } else {
      return fn::convert<T>(a) / fn::convert<T>(b);
    }
  }
};

/// a % b: the remainder of `divides`, with the sign of a; a zero divisor gives 0. Floating-point:
/// fmod (NaN for a zero divisor).
struct modulus {
  template <class A, class B>
    requires real_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    if constexpr (integer<T>) {
      return detail::truncated_remainder<T>(fn::convert<T>(a), fn::convert<T>(b));
    } else {
      using C = compute_t<T>;
      return static_cast<T>(detail::fmod(fn::convert<C>(a), fn::convert<C>(b)));
    }
  }
};

/// The largest integer not above a / b (Python's //). Integers: a zero divisor gives 0; the
/// smallest value over -1 wraps. Floating-point: a / b for a zero divisor.
struct floor_divide {
  template <class A, class B>
    requires real_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    if constexpr (integer<T>) {
      T const x = fn::convert<T>(a);
      T const y = fn::convert<T>(b);
      T const q = detail::quotient(x, y);
      bool const inexact = detail::truncated_remainder<T>(x, y) != T(0);
      return inexact && detail::is_negative(x) != detail::is_negative(y) ? static_cast<T>(q - T(1))
                                                                         : q;
    } else {
      using C = compute_t<T>;
      return static_cast<T>(detail::floored_quotient<C>(fn::convert<C>(a), fn::convert<C>(b)));
    }
  }
};

/// a - b * floor_divide(a, b), with the sign of b (Python's %). Integers: a zero divisor gives 0.
/// Floating-point: NaN there.
struct remainder {
  template <class A, class B>
    requires real_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    if constexpr (integer<T>) {
      T const y = fn::convert<T>(b);
      T const r = detail::truncated_remainder<T>(fn::convert<T>(a), y);
      return r != T(0) && detail::is_negative(r) != detail::is_negative(y) ? static_cast<T>(r + y)
                                                                           : r;
    } else {
      using C = compute_t<T>;
      return static_cast<T>(detail::floored_remainder<C>(fn::convert<C>(a), fn::convert<C>(b)));
    }
  }
};

/// base^exponent of integers, exact modulo 2^n. A negative exponent gives the truncated true value:
/// 1 and -1 have one, every other base gives 0 (0 included).
struct integer_power {
  template <class A, class B>
    requires real_pair<A, B> && integer<promote_t<A, B>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& base,
                                                                   B const& exponent) const {
    using T = promote_t<A, B>;
    return detail::integer_power<T>(fn::convert<T>(base), fn::convert<T>(exponent));
  }
};

/// -x. Integers wrap (the smallest value is its own negative); the sign of zeros and NaNs flips.
struct negate {
  template <element T>
    requires(!boolean<T>)
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T const& x) const {
    if constexpr (integer<T>) {
      using U = detail::wrapping_t<T>;
      return static_cast<T>(U(0) - static_cast<U>(x));
    } else {
      return -x;
    }
  }
};

/// +x, the element itself.
struct identity {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T const& x) const {
    return x;
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
