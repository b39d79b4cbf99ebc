// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about floating-point values, and the sign bit. Integers are finite; a complex number is
// NaN or infinite if one of its parts is, and finite if both are.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/arithmetic.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/math_types.hpp>
#include <karpos/fn/vector_math.hpp>

#include <cstdint>

namespace karpos::inline KARPOS_ABI::fn {

namespace detail {

template <class R>
KOKKOS_FORCEINLINE_FUNCTION bool sign_bit(R x) {
  if constexpr (is_half_v<R>) {
    return (x.bits() & 0x8000u) != 0;
  } else if constexpr (sizeof(R) == 4) {
    return (Kokkos::bit_cast<std::uint32_t>(x) >> 31) != 0;
  } else {
    return (Kokkos::bit_cast<std::uint64_t>(x) >> 63) != 0;
  }
}

}  // namespace detail

/// x is NaN.
struct isnan {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return x.real() != x.real() || x.imag() != x.imag();
    } else {
      auto const v = fn::convert<compute_t<T>>(x);
      return v != v;
    }
  }
};

/// x is +-infinity.
struct isinf {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return isinf{}(x.real()) || isinf{}(x.imag());
    } else if constexpr (real_floating<T>) {
      using C = compute_t<T>;
      return detail::abs(fn::convert<C>(x)) == Kokkos::Experimental::infinity_v<C>;
    } else {
      return false;
    }
  }
};

/// x is neither NaN nor infinite.
struct isfinite {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return isfinite{}(x.real()) && isfinite{}(x.imag());
    } else if constexpr (real_floating<T>) {
      using C = compute_t<T>;
      return detail::abs(fn::convert<C>(x)) < Kokkos::Experimental::infinity_v<C>;
    } else {
      return true;
    }
  }
};

/// The sign bit is set: true for -0 and for negative NaN; of an integer x < 0.
struct signbit {
  template <element T>
    requires(!complex_floating<T>)
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& x) const {
    if constexpr (real_floating<T>) {
      return detail::sign_bit(x);
    } else {
      return detail::is_negative(x);
    }
  }
};

/// The magnitude of a with the sign of b, also for zeros and NaN; integers in double.
struct copysign {
  template <class A, class B>
    requires real_pair<A, B>
  KOKKOS_FORCEINLINE_FUNCTION math_result_t<promote_t<A, B>> operator()(A const& a,
                                                                        B const& b) const {
    using R = math_result_t<promote_t<A, B>>;
    using C = compute_t<R>;
    return static_cast<R>(detail::copysign(fn::convert<C>(a), fn::convert<C>(b)));
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
