// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of the 16-bit formats that use a device's instructions where Kokkos reaches them,
// else bit operations.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/detail/narrow_float.hpp>

#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::detail {

/// Kokkos' type of the format with `Mantissa` stored bits: a class around the device's type, or an
/// alias of float.
template <int Mantissa>
using kokkos_half =
    std::conditional_t<Mantissa == 10, Kokkos::Experimental::half_t, Kokkos::Experimental::bhalf_t>;
template <int Mantissa>
inline constexpr bool has_native_half = sizeof(kokkos_half<Mantissa>) == 2;

/// Device only: as narrow_float. The instructions lose the sign of a NaN, so it is put back.
template <class Native>
KOKKOS_FORCEINLINE_FUNCTION std::uint16_t narrow_native(float x) {
  auto const result = bits_as<std::uint16_t>(static_cast<typename Native::impl_type>(Native(x)));
  return static_cast<std::uint16_t>((result & 0x7fffu) |
                                    ((bits_as<std::uint32_t>(x) >> 16) & 0x8000u));
}

/// Device only: as widen_float.
template <class Native>
KOKKOS_FORCEINLINE_FUNCTION float widen_native(std::uint16_t pattern) {
  auto const value = static_cast<float>(Native(bits_as<typename Native::impl_type>(pattern)));
  return bits_as<float>((bits_as<std::uint32_t>(value) & 0x7fffffffu) |
                        (std::uint32_t(pattern & 0x8000u) << 16));
}

/// `x` rounded once; double takes the bit operations everywhere, since HIP's conversion goes
/// through float.
template <int Mantissa, int Bias, class Float>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint16_t narrow(Float x) {
  if constexpr (has_native_half<Mantissa> && std::is_same_v<Float, float>) {
    KOKKOS_IF_ON_DEVICE((
        if (!__builtin_is_constant_evaluated()) return detail::narrow_native<kokkos_half<Mantissa>>(
            x);))
  }
  return detail::narrow_float<Mantissa, Bias>(x);
}

/// Exact. bfloat16 is a shift and needs no instruction of its own.
template <int Mantissa, int Bias>
KOKKOS_FORCEINLINE_FUNCTION constexpr float widen(std::uint16_t pattern) {
  if constexpr (has_native_half<Mantissa> && Mantissa == 10) {
    KOKKOS_IF_ON_DEVICE(
        (if (!__builtin_is_constant_evaluated()) return detail::widen_native<kokkos_half<Mantissa>>(
             pattern);))
  }
  return detail::widen_float<Mantissa, Bias>(pattern);
}

}  // namespace karpos::inline KARPOS_ABI::detail
