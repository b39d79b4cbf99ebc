// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform numbers in [low, high) by element index, from Philox4x32-10: bit-identical on every
// device. The upper end is never returned.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/philox.hpp>

#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::fn {

/// 32 random bits as a float in [0, 1): the upper 24 bits, so 1 - 2^-24 is the largest.
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr float unit_float(std::uint32_t bits) {
  return static_cast<float>(bits >> 8) * 0x1p-24f;
}
/// 64 random bits as a double in [0, 1): the upper 53 bits.
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr double unit_double(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

namespace detail {

template <class T>
using bits_of_t =
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// The largest number below a finite x. The pattern of a positive number is an integer that grows
/// with it.
template <real_floating T>
KOKKOS_FORCEINLINE_FUNCTION T next_below(T x) {
  using bits = bits_of_t<T>;
  constexpr bits sign = static_cast<bits>(bits(1) << (sizeof(bits) * 8 - 1));
  auto const pattern = Kokkos::bit_cast<bits>(x);
  bool const zero = (pattern & static_cast<bits>(~sign)) == 0;
  auto const step = static_cast<bits>(static_cast<bits>((pattern & sign) != 0) * 2u - 1u);
  auto const below = static_cast<bits>(zero ? sign | 1u : pattern + step);
  return Kokkos::bit_cast<T>(below);
}

/// Rounded down, so that a value below a number of type T stays below it.
template <real_floating T>
KOKKOS_FORCEINLINE_FUNCTION T narrow_down(compute_t<T> x) {
  if constexpr (is_half_v<T>) {
    T const nearest = static_cast<T>(x);
    return static_cast<float>(nearest) > x ? detail::next_below(nearest) : nearest;
  } else {
    return x;
  }
}

/// low + (high - low) u with both operations rounded, but less than high. The absolute value
/// changes nothing (the product is not negative) and keeps compilers from fusing product and sum,
/// which some targets have an instruction for and others not.
template <real_floating T>
KOKKOS_FORCEINLINE_FUNCTION T scale_unit(compute_t<T> u, T low, T high, T below_high) {
  using C = compute_t<T>;
  auto const a = static_cast<C>(low);
  auto const b = static_cast<C>(high);
  C const x = a + Kokkos::abs((b - a) * u);
  using bits = bits_of_t<T>;
  auto const inside = static_cast<bits>(-static_cast<bits>(x < b));  // a mask, for vector code
  auto const chosen = Kokkos::bit_cast<bits>(detail::narrow_down<T>(x)) & inside;
  auto const last = Kokkos::bit_cast<bits>(below_high) & static_cast<bits>(~inside);
  return Kokkos::bit_cast<T>(static_cast<bits>(chosen | last));
}

}  // namespace detail

/// A stream of uniform numbers in [low, high). Element i of float and of the 16-bit formats
/// (rounded down) uses word i % 4 of block i / 4; of double words 2 (i % 2), the low half, and 2 (i
/// % 2) + 1 of block i / 2.
/// @pre low < high, both finite and their difference too
template <real_floating T>
struct uniform {
  std::uint64_t seed;
  std::uint64_t stream = 0;
  T low = static_cast<T>(0.0f);
  T high = static_cast<T>(1.0f);

  /// How many elements one block of random bits yields.
  static constexpr int per_block = sizeof(T) == 8 ? 2 : 4;

  /// Element i. Computes a whole block: loops over many elements take `block`.
  KOKKOS_FORCEINLINE_FUNCTION T operator()(index_t i) const {
    auto const u = static_cast<std::uint64_t>(i);
    return element_of(fn::philox_bits(seed, stream, u / per_block), static_cast<int>(u % per_block),
                      detail::next_below(high));
  }

  /// Elements b * per_block to (b + 1) * per_block - 1.
  KOKKOS_FORCEINLINE_FUNCTION void block(index_t b, T* out) const {
    philox_block const bits = fn::philox_bits(seed, stream, static_cast<std::uint64_t>(b));
    T const below = detail::next_below(high);
    out[0] =
        element_of(bits, 0, below);  // no loop: with one, loops over blocks would not vectorise
    out[1] = element_of(bits, 1, below);
    if constexpr (per_block == 4) {
      out[2] = element_of(bits, 2, below);
      out[3] = element_of(bits, 3, below);
    }
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION T element_of(philox_block const& bits, int k, T below) const {
    if constexpr (sizeof(T) == 8) {
      std::uint64_t const first = (std::uint64_t(bits.word[1]) << 32) | bits.word[0];
      std::uint64_t const second = (std::uint64_t(bits.word[3]) << 32) | bits.word[2];
      return detail::scale_unit<T>(fn::unit_double(k == 0 ? first : second), low, high, below);
    } else {  // selections, since an array indexed at run time would leave the registers
      std::uint32_t const even = k < 2 ? bits.word[0] : bits.word[2];
      std::uint32_t const odd = k < 2 ? bits.word[1] : bits.word[3];
      return detail::scale_unit<T>(fn::unit_float(k % 2 == 0 ? even : odd), low, high, below);
    }
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
