// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion between element types, defined for every value and the same on host and device.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>

#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::fn {

namespace detail {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_negative(T x) {
  if constexpr (std::is_unsigned_v<T>) {
    return false;
  } else {
    return x < T(0);
  }
}

/// Saturates; NaN gives 0. The value is clamped before the cast, so no operation here is undefined.
template <integer To, class Float>
KOKKOS_FORCEINLINE_FUNCTION constexpr To saturate(Float x) {
  constexpr To largest = Kokkos::Experimental::finite_max_v<To>;
  constexpr int excess = Kokkos::Experimental::digits_v<To> - Kokkos::Experimental::digits_v<Float>;
  // The largest Float that does not exceed `largest`, and the smallest value of To, are both exact.
  constexpr Float high = static_cast<Float>(
      excess > 0 ? largest - ((To(1) << (excess > 0 ? excess : 0)) - 1) : largest);
  constexpr Float low = static_cast<Float>(Kokkos::Experimental::finite_min_v<To>);
  Float const above = x > low ? x : low;  // also a NaN becomes `low`
  To const truncated = static_cast<To>(above < high ? above : high);
  To const saturated = x > high ? largest : truncated;
  return x == x ? saturated : To(0);
}

template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION constexpr To convert_real(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (boolean<To>) {  // NaN is true, as in C++
    if constexpr (is_half_v<From>) {
      return static_cast<float>(x) != 0.0f;
    } else {
      return x != From(0);
    }
  } else if constexpr (integer<To> && is_half_v<From>) {
    return saturate<To>(static_cast<float>(x));
  } else if constexpr (integer<To> && real_floating<From>) {
    return saturate<To>(x);
  } else {  // integer to integer is modulo 2^n; to floating-point rounds to nearest
    return static_cast<To>(x);
  }
}

}  // namespace detail

/// `x` as a To. Floating-point to integer truncates, saturates and turns NaN into 0; integer to
/// integer wraps (modulo 2^n); anything to bool is `x != 0`; to a 16-bit format rounds once.
/// Complex to real does not compile.
template <element To, element From>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr To convert(From const& x) {
  if constexpr (complex_floating<From> && complex_floating<To>) {
    using real = real_of_t<To>;
    return To(static_cast<real>(x.real()), static_cast<real>(x.imag()));
  } else if constexpr (complex_floating<From>) {
    static_assert(
        boolean<To>,
        "karpos::cast: complex to real would drop the imaginary part; take kp::real or kp::abs");
    return x.real() != 0 || x.imag() != 0;
  } else if constexpr (complex_floating<To>) {
    using real = real_of_t<To>;
    return To(detail::convert_real<real>(x), real(0));
  } else {
    return detail::convert_real<To>(x);
  }
}

/// convert<To> as a functor.
template <element To>
struct cast_to {
  template <element From>
  KOKKOS_FORCEINLINE_FUNCTION constexpr To operator()(From const& x) const {
    return fn::convert<To>(x);
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
