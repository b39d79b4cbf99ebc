// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half (IEEE 754 binary16) and bfloat16: storage types of 16 bits on every backend. Values are
// computed in float. Include it to name the types; tensors of them come with karpos.hpp.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/detail/native_half.hpp>

#include <cstdint>
#include <limits>
#include <ostream>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// A binary floating-point number of 16 bits with `Mantissa` stored bits and exponent bias `Bias`.
/// Conversion from any arithmetic type rounds once, to nearest even; overflow gives infinity, NaN
/// stays NaN (quiet) and keeps its sign, subnormals are exact. Arithmetic between two numbers is
/// that of float, rounded once.
template <int Mantissa, int Bias>
class small_float {
  static_assert(Mantissa > 0 && Mantissa < 15 && Bias == (1 << (14 - Mantissa)) - 1);

public:
  /// Not initialised, as for float.
  small_float() = default;

  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr small_float(float x) : bits_(narrow(x)) {}
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr small_float(double x) : bits_(narrow(x)) {}
  template <class Int>
    requires std::is_integral_v<Int>
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr small_float(Int i)
      : bits_(narrow(detail::rounding_equivalent(i))) {}
  /// From the other 16-bit format.
  template <int M, int B>
    requires(M != Mantissa)
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr small_float(small_float<M, B> x)
      : small_float(static_cast<float>(x)) {}

  /// Exact.
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr operator float() const { return widen(bits_); }
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr operator double() const { return widen(bits_); }

  /// The number with a given bit pattern, and the pattern of a number.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static constexpr small_float
  from_bits(std::uint16_t bits) {
    return small_float(bits, pattern());
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint16_t bits() const { return bits_; }

  /// Flips the sign bit, also of a NaN.
  KOKKOS_FORCEINLINE_FUNCTION constexpr small_float operator-() const {
    return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000u));
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr small_float operator+() const { return *this; }

  KOKKOS_FORCEINLINE_FUNCTION friend constexpr small_float operator+(small_float a, small_float b) {
    return small_float(float(a) + float(b));
  }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr small_float operator-(small_float a, small_float b) {
    return small_float(float(a) - float(b));
  }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr small_float operator*(small_float a, small_float b) {
    return small_float(float(a) * float(b));
  }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr small_float operator/(small_float a, small_float b) {
    return small_float(float(a) / float(b));
  }

  /// Comparisons of the values: -0 equals +0, NaN is unordered.
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator==(small_float a, small_float b) {
    return float(a) == float(b);
  }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator!=(small_float a, small_float b) {
    return float(a) != float(b);
  }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator<(small_float a, small_float b) {
    return float(a) < float(b);
  }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator<=(small_float a, small_float b) {
    return float(a) <= float(b);
  }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator>(small_float a, small_float b) {
    return float(a) > float(b);
  }
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator>=(small_float a, small_float b) {
    return float(a) >= float(b);
  }

  /// Prints the value as a float.
  friend std::ostream& operator<<(std::ostream& out, small_float x) { return out << float(x); }

private:
  struct pattern {};
  KOKKOS_FORCEINLINE_FUNCTION constexpr small_float(std::uint16_t bits, pattern) : bits_(bits) {}

  template <class Float>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t narrow(Float x) {
    return detail::narrow<Mantissa, Bias>(x);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr float widen(std::uint16_t bits) {
    return detail::widen<Mantissa, Bias>(bits);
  }

  std::uint16_t bits_;
};

/// IEEE 754 binary16: 11 significant bits, largest value 65504, smallest normal 2^-14.
using half = small_float<10, 15>;
/// The upper half of a float: 8 significant bits, the exponent range of float.
using bfloat16 = small_float<7, 127>;

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half> &&
              std::is_trivially_default_constructible_v<half>);
static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);

}  // namespace karpos::inline KARPOS_ABI

/// Limits of the 16-bit formats, derived from the two parameters; usable in device code.
template <int Mantissa, int Bias>
class std::numeric_limits<karpos::small_float<Mantissa, Bias>> {
  using type = karpos::small_float<Mantissa, Bias>;
  static constexpr unsigned infinity_bits = unsigned(2 * Bias + 1) << Mantissa;
  KOKKOS_FUNCTION static constexpr type of(unsigned bits) {
    return type::from_bits(static_cast<std::uint16_t>(bits));
  }

public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr float_denorm_style has_denorm = denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr float_round_style round_style = round_to_nearest;
  static constexpr bool is_iec559 = Mantissa == 10;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr int radix = 2;
  static constexpr int digits = Mantissa + 1;
  static constexpr int digits10 = Mantissa * 30103 / 100000;
  static constexpr int max_digits10 = 2 + digits * 30103 / 100000;
  static constexpr int min_exponent = 2 - Bias;
  static constexpr int min_exponent10 = -((Bias - 1) * 30103 / 100000);
  static constexpr int max_exponent = Bias + 1;
  static constexpr int max_exponent10 = max_exponent * 30103 / 100000;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;

  KOKKOS_FUNCTION static constexpr type min() noexcept { return of(1u << Mantissa); }
  KOKKOS_FUNCTION static constexpr type max() noexcept { return of(infinity_bits - 1); }
  KOKKOS_FUNCTION static constexpr type lowest() noexcept {
    return of(0x8000u | (infinity_bits - 1));
  }
  KOKKOS_FUNCTION static constexpr type epsilon() noexcept {
    return of(unsigned(Bias - Mantissa) << Mantissa);
  }
  KOKKOS_FUNCTION static constexpr type round_error() noexcept {
    return of(unsigned(Bias - 1) << Mantissa);
  }
  KOKKOS_FUNCTION static constexpr type infinity() noexcept { return of(infinity_bits); }
  KOKKOS_FUNCTION static constexpr type quiet_NaN() noexcept {
    return of(infinity_bits | (1u << (Mantissa - 1)));
  }
  KOKKOS_FUNCTION static constexpr type signaling_NaN() noexcept { return of(infinity_bits | 1u); }
  KOKKOS_FUNCTION static constexpr type denorm_min() noexcept { return of(1u); }
};
