// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers as decimal digits: the shortest that identify the number among those of
// its type, or rounded.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

namespace karpos::inline KARPOS_ABI::ops::detail {

/// A number in three parts: sign and digits before the point, digits after it without trailing
/// zeros, exponent ("e+08").
struct number_text {
  std::string whole;
  std::string fraction;
  std::string exponent;
};

/// d.ddd * 10^exponent as digits without the point; "0" and 0 for zero.
struct decimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

// to_chars does not look at the locale and rounds the exact value to nearest even. A double needs
// 24 digits; the longest text asked for here has 17 before the point and 8 after it, or is
// scientific.
inline constexpr int number_buffer = 64;

/// From "-1.25e-05".
inline decimal parse_decimal(std::string_view text) {
  decimal result;
  result.negative = text.front() == '-';
  if (result.negative)
    text.remove_prefix(1);
  auto const e = text.find('e');
  for (char c : text.substr(0, e))
    if (c != '.')
      result.digits += c;
  result.exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  return result;
}

/// x in scientific form with `precision` digits after the point.
inline std::string rounded_scientific(double x, int precision) {
  char buffer[number_buffer];
  auto const end =
      std::to_chars(buffer, buffer + number_buffer, x, std::chars_format::scientific, precision)
          .ptr;
  return {buffer, end};
}

/// True when the decimal, rounded to the type of x, is x.
template <int Mantissa, int Bias>
bool names(decimal const& d, small_float<Mantissa, Bias> x) {
  std::string const text = (d.negative ? "-" : "") + d.digits + "e" +
                           std::to_string(d.exponent + 1 - static_cast<int>(d.digits.size()));
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return small_float<Mantissa, Bias>(value) == x;
}

/// The fewest digits that name x among the numbers of its type.
inline decimal shortest(double x) {
  char buffer[number_buffer];
  return parse_decimal(
      {buffer,
       std::to_chars(buffer, buffer + number_buffer, x, std::chars_format::scientific).ptr});
}
inline decimal shortest(float x) {
  char buffer[number_buffer];
  return parse_decimal(
      {buffer,
       std::to_chars(buffer, buffer + number_buffer, x, std::chars_format::scientific).ptr});
}
// At a power of two the numbers above lie twice as far apart as those below: then the next decimal
// above may name x where the nearest, which lies below, does not.
template <int Mantissa, int Bias>
decimal shortest(small_float<Mantissa, Bias> x) {
  for (int precision = 0;; ++precision) {
    decimal nearest = detail::parse_decimal(detail::rounded_scientific(double(x), precision));
    if (detail::names(nearest, x))
      return nearest;
    decimal above = nearest;
    above.digits = std::to_string(std::stol(nearest.digits) + 1);
    if (above.digits.size() == nearest.digits.size() && detail::names(above, x))
      return above;
  }
}

inline void trim_zeros(std::string& fraction) {
  fraction.erase(fraction.find_last_not_of('0') + 1);
}

/// x in fixed form with `precision` digits after the point.
inline number_text rounded_fixed(double x, int precision) {
  char buffer[number_buffer];
  auto const end =
      std::to_chars(buffer, buffer + number_buffer, x, std::chars_format::fixed, precision).ptr;
  std::string const text(buffer, end);
  auto const point = text.find('.');
  return {text.substr(0, point), point == std::string::npos ? "" : text.substr(point + 1), {}};
}

/// The digits around the point, zeros where there are none.
inline number_text around_point(decimal const& d) {
  std::string digits(static_cast<std::size_t>(d.exponent < 0 ? -d.exponent : 0), '0');
  digits += d.digits;
  std::size_t const before = d.exponent < 0 ? 1 : static_cast<std::size_t>(d.exponent) + 1;
  if (digits.size() < before)
    digits.append(before - digits.size(), '0');
  return {(d.negative ? "-" : "") + digits.substr(0, before), digits.substr(before), {}};
}

/// x (shortest digits given) with its digits around the point: all digits before it are x's, and at
/// most `precision` stand after it. A negative precision is none: the shortest digits, then zeros.
inline number_text positional(double x, decimal const& d, int precision) {
  int const after = static_cast<int>(d.digits.size()) - 1 - d.exponent;
  bool const round = precision >= 0 && (after > precision || after < 0);
  number_text result =
      round ? detail::rounded_fixed(x, after < 0 ? 0 : precision) : detail::around_point(d);
  detail::trim_zeros(result.fraction);
  return result;
}

/// d.ddde+xx with all the digits given.
inline number_text scientific(decimal const& d) {
  std::string const power = std::to_string(std::abs(d.exponent));
  return {(d.negative ? "-" : "") + d.digits.substr(0, 1), d.digits.substr(1),
          (d.exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" + power : power)};
}

/// x (shortest digits given) as d.ddde+xx with at most `precision` digits after the point. A
/// negative precision is none.
inline number_text scientific(double x, decimal const& d, int precision) {
  bool const round = precision >= 0 && static_cast<int>(d.digits.size()) - 1 > precision;
  number_text result =
      detail::scientific(round ? parse_decimal(rounded_scientific(x, precision)) : d);
  detail::trim_zeros(result.fraction);
  return result;
}

}  // namespace karpos::inline KARPOS_ABI::ops::detail
