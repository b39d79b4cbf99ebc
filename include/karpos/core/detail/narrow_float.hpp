// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit patterns of the 16-bit floating-point formats from and to float and double. No branches, and
// no floating-point operation (which may trap) under a condition, so that loops vectorise.
#pragma once
#include <karpos/base/config.hpp>

#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::detail {

/// Reinterprets the bytes; usable in constant expressions and in device code.
template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION constexpr To bits_as(From const& from) {
  return __builtin_bit_cast(To, from);
}

/// All bits set or none. Compilers turn selections of constants into branches, but not this.
template <class Bits>
KOKKOS_FORCEINLINE_FUNCTION constexpr Bits ones_if(bool condition) {
  return Bits(0) - static_cast<Bits>(condition);
}

/// `a` where the mask is set, else `b`.
template <class Bits>
KOKKOS_FORCEINLINE_FUNCTION constexpr Bits blend(Bits mask, Bits a, Bits b) {
  return (mask & a) | (~mask & b);
}

/// Layout of an IEEE interchange format of float or double.
template <class Float>
struct wide_format;
template <>
struct wide_format<float> {
  using bits = std::uint32_t;
  static constexpr int mantissa = 23;
  static constexpr int bias = 127;
};
template <>
struct wide_format<double> {
  using bits = std::uint64_t;
  static constexpr int mantissa = 52;
  static constexpr int bias = 1023;
};

/// `x` rounded once, to nearest even, to a 16-bit format with `Mantissa` stored bits and exponent
/// bias `Bias`. Overflow gives infinity; a NaN stays one (quiet) with its sign and the upper part
/// of its payload. Subnormal results: adding a number whose last place is the unit of the result's
/// subnormals lets the hardware round.
template <int Mantissa, int Bias, class Float>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint16_t narrow_float(Float x) {
  using wide = wide_format<Float>;
  using bits = typename wide::bits;
  constexpr int shift = wide::mantissa - Mantissa;
  constexpr bits sign_bit = bits(1) << (sizeof(bits) * 8 - 1);
  constexpr bits infinity = bits(2 * wide::bias + 1) << wide::mantissa;
  constexpr bits overflow = bits(wide::bias + Bias + 1) << wide::mantissa;
  constexpr bits rebias = bits(wide::bias - Bias) << wide::mantissa;
  constexpr bits narrow_infinity = bits(2 * Bias + 1) << Mantissa;
  constexpr bits quiet = bits(1) << (Mantissa - 1);

  bits const all = bits_as<bits>(x);
  bits const magnitude = all & ~sign_bit;
  bits const half_unit = (bits(1) << (shift - 1)) - 1 + ((magnitude >> shift) & 1);
  bits result = (magnitude - rebias + half_unit) >> shift;
  if constexpr (wide::bias != Bias) {  // equal biases: subnormals look like normal numbers
    constexpr bits smallest_normal = bits(wide::bias + 1 - Bias) << wide::mantissa;
    constexpr bits aligner = bits(wide::bias + wide::mantissa + 1 - Bias - Mantissa)
                             << wide::mantissa;
    bits const tiny = ones_if<bits>(magnitude < smallest_normal);
    Float const aligned = bits_as<Float>(magnitude) + bits_as<Float>(tiny & aligner);
    result = blend(tiny, bits_as<bits>(aligned) - aligner, result);
  }
  result = blend(ones_if<bits>(magnitude >= overflow), narrow_infinity, result);
  bits const payload = narrow_infinity | quiet | ((magnitude >> shift) & (quiet - 1));
  result = blend(ones_if<bits>(magnitude > infinity), payload, result);
  return static_cast<std::uint16_t>(result | ((all & sign_bit) >> (sizeof(bits) * 8 - 16)));
}

/// The float with the value of a 16-bit pattern; exact. A NaN stays one (quiet) with sign and
/// payload.
template <int Mantissa, int Bias>
KOKKOS_FORCEINLINE_FUNCTION constexpr float widen_float(std::uint16_t pattern) {
  using wide = wide_format<float>;
  constexpr int shift = wide::mantissa - Mantissa;
  constexpr std::uint32_t narrow_infinity = std::uint32_t(2 * Bias + 1) << Mantissa;
  std::uint32_t const magnitude = pattern & 0x7fffu;
  std::uint32_t const sign = std::uint32_t(pattern & 0x8000u) << 16;
  std::uint32_t result = magnitude << shift;
  if constexpr (wide::bias != Bias) {  // equal biases: the pattern is the upper half of the float
    constexpr std::uint32_t aligner = std::uint32_t(wide::bias + shift + 1 - Bias)
                                      << wide::mantissa;
    constexpr std::uint32_t rebias = std::uint32_t(wide::bias - Bias) << wide::mantissa;
    std::uint32_t const tiny = ones_if<std::uint32_t>(magnitude < (1u << Mantissa));
    std::uint32_t const raised = blend(tiny, aligner | magnitude, result + rebias);
    result = bits_as<std::uint32_t>(bits_as<float>(raised) - bits_as<float>(tiny & aligner));
    result |= magnitude >= narrow_infinity ? 0x7f800000u : 0u;
  }
  result |= magnitude > narrow_infinity ? 0x00400000u : 0u;
  return bits_as<float>(result | sign);
}

/// |value| with at most 53 significant bits and the same rounding to any format of 51 bits or
/// fewer: the bits that a double cannot hold are replaced by one that says whether any of them was
/// set.
KOKKOS_FORCEINLINE_FUNCTION constexpr double sticky_double(std::uint64_t magnitude) {
  std::uint64_t const dropped = magnitude & 0x7ffu;
  std::uint64_t const kept = (magnitude & ~std::uint64_t(0x7ff)) | (dropped != 0 ? 0x800u : 0u);
  return static_cast<double>(magnitude >> 53 != 0 ? kept : magnitude);
}

/// An integer as the double that rounds to the same 16-bit number.
template <class Int>
KOKKOS_FORCEINLINE_FUNCTION constexpr double rounding_equivalent(Int i) {
  if constexpr (sizeof(Int) < 8) {  // exact in a double
    return static_cast<double>(i);
  } else if constexpr (std::is_signed_v<Int>) {  // the magnitude of the smallest value needs the
                                                 // unsigned type
    auto const u = static_cast<std::uint64_t>(i);
    return i < 0 ? -sticky_double(0 - u) : sticky_double(u);
  } else {
    return sticky_double(i);
  }
}

}  // namespace karpos::inline KARPOS_ABI::detail
