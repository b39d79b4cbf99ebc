// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, logic, bits and shifts on elements.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>

#include <concepts>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::fn {

namespace detail {

template <class A, class B>
concept signs_differ = integer<A> && integer<B> && std::is_signed_v<A> != std::is_signed_v<B>;

/// Two element types that == takes: all, 64-bit integers of different signedness included.
template <class A, class B>
concept comparable = element<A> && element<B> && (promotable<A, B> || signs_differ<A, B>);
template <class A, class B>
concept ordered = comparable<A, B> && !complex_floating<A> && !complex_floating<B>;

/// An integer against a floating-point number is compared in double where float would lose digits
/// of the integer.
template <class A, class B>
inline constexpr bool needs_double = (integer<A> && sizeof(A) > 2 && real_floating<B>) ||
                                     (integer<B> && sizeof(B) > 2 && real_floating<A>);

template <class A, class B>
consteval auto comparison_type() {
  if constexpr (needs_double<A, B>) {
    return std::type_identity<double>{};
  } else {  // the 16-bit formats compare as floats
    return std::type_identity<compute_t<promote_t<A, B>>>{};
  }
}

template <class A, class B>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_equal(A const& a, B const& b) {
  if constexpr (signs_differ<A, B>) {  // as std::cmp_equal, which is not for devices
    if constexpr (std::is_signed_v<A>) {
      return a >= A(0) && static_cast<std::make_unsigned_t<A>>(a) == b;
    } else {
      return b >= B(0) && a == static_cast<std::make_unsigned_t<B>>(b);
    }
  } else {
    using T = typename decltype(detail::comparison_type<A, B>())::type;
    return fn::convert<T>(a) == fn::convert<T>(b);
  }
}

template <class A, class B>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_less(A const& a, B const& b) {
  if constexpr (signs_differ<A, B>) {
    if constexpr (std::is_signed_v<A>) {
      return a < A(0) || static_cast<std::make_unsigned_t<A>>(a) < b;
    } else {
      return b >= B(0) && a < static_cast<std::make_unsigned_t<B>>(b);
    }
  } else {
    using T = typename decltype(detail::comparison_type<A, B>())::type;
    return fn::convert<T>(a) < fn::convert<T>(b);
  }
}

/// Two element types that & | ^ take.
template <class A, class B>
concept bit_pair = promotable<A, B> && (integer<A> || boolean<A>) && (integer<B> || boolean<B>);
template <class A, class B>
concept shift_pair = bit_pair<A, B> && integer<promote_t<A, B>>;

}  // namespace detail

/// a == b. Mixed signedness is exact; NaN equals nothing; complex numbers compare both parts.
struct equal {
  template <class A, class B>
    requires detail::comparable<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    return detail::is_equal(a, b);
  }
};

/// a != b, true for NaN.
struct not_equal {
  template <class A, class B>
    requires detail::comparable<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    return !detail::is_equal(a, b);
  }
};

/// a < b. Mixed signedness is exact; false for NaN. Complex numbers have no order.
struct less {
  template <class A, class B>
    requires detail::ordered<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    return detail::is_less(a, b);
  }
};

/// a <= b, as less.
struct less_equal {
  template <class A, class B>
    requires detail::ordered<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    return detail::is_less(a, b) || detail::is_equal(a, b);
  }
};

/// a > b, as less.
struct greater {
  template <class A, class B>
    requires detail::ordered<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    return detail::is_less(b, a);
  }
};

/// a >= b, as less.
struct greater_equal {
  template <class A, class B>
    requires detail::ordered<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    return detail::is_less(b, a) || detail::is_equal(a, b);
  }
};

/// Both differ from 0 (NaN does).
struct logical_and {
  template <element A, element B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    bool const x = fn::convert<bool>(a);
    bool const y = fn::convert<bool>(b);
    return x && y;
  }
};

/// One of them differs from 0.
struct logical_or {
  template <element A, element B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    bool const x = fn::convert<bool>(a);
    bool const y = fn::convert<bool>(b);
    return x || y;
  }
};

/// Exactly one of them differs from 0.
struct logical_xor {
  template <element A, element B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    return fn::convert<bool>(a) != fn::convert<bool>(b);
  }
};

/// x == 0
struct logical_not {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(T const& x) const {
    return !fn::convert<bool>(x);
  }
};

/// a & b of integers or bools, in the common type.
struct bit_and {
  template <class A, class B>
    requires detail::bit_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    T const x = fn::convert<T>(a);
    T const y = fn::convert<T>(b);
    if constexpr (boolean<T>) {
      return x && y;
    } else {
      return static_cast<T>(x & y);
    }
  }
};

/// a | b of integers or bools, in the common type.
struct bit_or {
  template <class A, class B>
    requires detail::bit_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    T const x = fn::convert<T>(a);
    T const y = fn::convert<T>(b);
    if constexpr (boolean<T>) {
      return x || y;
    } else {
      return static_cast<T>(x | y);
    }
  }
};

/// a ^ b of integers or bools, in the common type.
struct bit_xor {
  template <class A, class B>
    requires detail::bit_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    return static_cast<T>(fn::convert<T>(a) ^ fn::convert<T>(b));
  }
};

/// ~x of integers; of a bool its negation.
struct bit_not {
  template <class T>
    requires integer<T> || boolean<T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T const& x) const {
    if constexpr (boolean<T>) {
      return !x;
    } else {
      return static_cast<T>(~x);
    }
  }
};

/// a << b in the common type; 0 where b is negative or not less than the width.
struct shift_left {
  template <class A, class B>
    requires detail::shift_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    using U = std::make_unsigned_t<T>;
    auto const count = static_cast<U>(fn::convert<T>(b));
    auto const bits = static_cast<U>(fn::convert<T>(a));
    return count < sizeof(T) * 8 ? static_cast<T>(static_cast<U>(bits << count)) : T(0);
  }
};

/// a >> b in the common type, with copies of the sign bit; 0 or -1 where b is negative or not less
/// than the width.
struct shift_right {
  template <class A, class B>
    requires detail::shift_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(A const& a, B const& b) const {
    using T = promote_t<A, B>;
    auto const count = static_cast<std::make_unsigned_t<T>>(fn::convert<T>(b));
    T const x = fn::convert<T>(a);
    if (count < sizeof(T) * 8)
      return static_cast<T>(x >> count);
    return detail::is_negative(x) ? static_cast<T>(-1) : T(0);
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
