// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of a printed array as texts of one width, by NumPy's rules: one format for all, 8
// digits at most, scientific for large, small or widely spread values.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/ops/detail/decimal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace karpos::inline KARPOS_ABI::ops::detail {

inline constexpr int print_precision = 8;

inline void pad_left(std::string& text, std::size_t width) {
  if (text.size() < width)
    text.insert(0, width - text.size(), ' ');
}

/// Formats real numbers that stand below each other.
template <class R>
class real_column {
public:
  /// `plus`: positive numbers carry a sign (imaginary parts).
  real_column(std::span<R const> values, bool plus)
      : plus_(plus), scientific_(needs_exponent(values)) {
    std::vector<number_text> texts;
    bool special = false, negative_infinity = plus;
    for (R x : values) {
      if (std::isfinite(double(x)))
        texts.push_back(text(x));
      else
        special = true;
      negative_infinity = negative_infinity || (std::isinf(double(x)) && double(x) < 0);
    }
    measure(texts);
    if (special)
      make_room(negative_infinity);
  }

  [[nodiscard]] std::string operator()(R x) const {
    return std::isfinite(double(x)) ? finite(x) : not_finite(double(x));
  }

private:
  static bool needs_exponent(std::span<R const> values) {
    R largest(0), smallest(0);
    for (R x : values) {
      R const magnitude = double(x) < 0 ? R(-x) : x;
      if (!std::isfinite(double(x)) || magnitude == R(0))
        continue;
      if (largest < magnitude)
        largest = magnitude;
      if (smallest == R(0) || magnitude < smallest)
        smallest = magnitude;
    }
    // In the precision of R, as NumPy compares.
    return largest != R(0) &&
           (largest >= R(1e8) || smallest < R(1e-4) || R(largest / smallest) > R(1000));
  }

  [[nodiscard]] number_text text(R x) const {
    decimal const digits = detail::shortest(x);
    number_text result = scientific_ ? detail::scientific(double(x), digits, print_precision)
                                     : detail::positional(double(x), digits, print_precision);
    if (plus_ && !digits.negative)
      result.whole.insert(0, "+");
    return result;
  }

  void measure(std::vector<number_text> const& texts) {
    for (number_text const& t : texts) {
      whole_ = std::max(whole_, t.whole.size());
      fraction_ = std::max(fraction_, t.fraction.size());
      exponent_ = std::max(exponent_, t.exponent.size());
    }
  }

  // nan and inf take the width of the other numbers where that is enough.
  void make_room(bool negative_infinity) {
    std::size_t const right = fraction_ + exponent_ + 1, longest = negative_infinity ? 4 : 3;
    if (whole_ + right < longest)
      whole_ = longest - right;
  }

  [[nodiscard]] std::string finite(R x) const {
    number_text t = text(x);
    // In scientific form all have the same number of digits, those beyond the shortest being the
    // exact value's.
    if (scientific_ && t.fraction.size() < fraction_)
      t = exact(x);
    detail::pad_left(t.whole, whole_);
    t.fraction.resize(fraction_, ' ');
    while (t.exponent.size() < exponent_)
      t.exponent.insert(2, "0");
    return t.whole + "." + t.fraction + t.exponent;
  }

  [[nodiscard]] number_text exact(R x) const {
    number_text t = detail::scientific(
        detail::parse_decimal(detail::rounded_scientific(double(x), static_cast<int>(fraction_))));
    if (plus_ && t.whole[0] != '-')
      t.whole.insert(0, "+");
    return t;
  }

  [[nodiscard]] std::string not_finite(double x) const {
    std::string result = std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
    if (plus_ && result[0] != '-')
      result.insert(0, "+");
    detail::pad_left(result, whole_ + fraction_ + exponent_ + 1);
    return result;
  }

  bool plus_;
  bool scientific_;
  std::size_t whole_ = 0, fraction_ = 0, exponent_ = 0;
};

template <complex_floating T>
std::vector<std::string> complex_texts(std::span<T const> values) {
  using R = real_of_t<T>;
  std::vector<R> re, im;
  for (T const& z : values) {
    re.push_back(z.real());
    im.push_back(z.imag());
  }
  real_column<R> const real(re, false), imaginary(im, true);
  std::vector<std::string> result;
  for (T const& z : values) {
    std::string text = imaginary(z.imag());
    text.insert(text.find_last_not_of(' ') + 1, "j");
    result.push_back(real(z.real()) + text);
  }
  return result;
}

/// The texts of the elements of an array of rank 1 or more, in order.
template <element T>
std::vector<std::string> element_texts(std::span<T const> values) {
  std::vector<std::string> result;
  if constexpr (complex_floating<T>) {
    return detail::complex_texts(values);
  } else if constexpr (boolean<T>) {
    for (T x : values)
      result.push_back(x ? " True" : "False");
  } else if constexpr (integer<T>) {
    std::size_t width = 0;
    for (T x : values)
      width = std::max(width, result.emplace_back(std::to_string(x)).size());
    for (std::string& text : result)
      detail::pad_left(text, width);
  } else {
    real_column<T> const column(values, false);
    for (T x : values)
      result.push_back(column(x));
  }
  return result;
}

/// A real number that stands alone: all its digits, scientific below 1e-4 and from 1e16 on.
/// `whole_number` ends a number without a fraction: ".0", or nothing inside a complex one.
template <class R>
std::string lone_real(R value, char const* whole_number) {
  auto const x = double(value);
  if (std::isnan(x))
    return "nan";
  if (std::isinf(x))
    return x < 0 ? "-inf" : "inf";
  decimal const digits = detail::shortest(value);
  bool const exponent = x != 0 && (std::abs(x) < 1e-4 || std::abs(x) >= 1e16);
  number_text const t =
      exponent ? detail::scientific(x, digits, -1) : detail::positional(x, digits, -1);
  return t.whole + (t.fraction.empty() ? (exponent ? "" : whole_number) : "." + t.fraction) +
         t.exponent;
}

/// The text of a 0-d array.
template <element T>
std::string lone_text(T value) {
  if constexpr (complex_floating<T>) {
    std::string im = detail::lone_real(value.imag(), "");
    if (value.real() == 0 && !std::signbit(value.real()))
      return im + "j";
    if (im[0] != '-')
      im.insert(0, "+");
    return "(" + detail::lone_real(value.real(), "") + im + "j)";
  } else if constexpr (boolean<T>) {
    return value ? "True" : "False";
  } else if constexpr (integer<T>) {
    return std::to_string(value);
  } else {
    return detail::lone_real(value, ".0");
  }
}

}  // namespace karpos::inline KARPOS_ABI::ops::detail
