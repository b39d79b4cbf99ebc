// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace karpos::tools {

std::string number_text(double value) {
  if (!std::isfinite(value))
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  double const size = std::fabs(value);
  std::array<char, 64> text{};
  if (size != 0 && (size < 1e-3 || size >= 1e6)) {
    std::snprintf(text.data(), text.size(), "%.2e", value);
    return text.data();
  }
  // The digits after the point that leave three significant ones (999.7 counts as 1000).
  int const digits = size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string exact_text(double value) {
  std::array<char, 64> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string duration_text(double seconds) {
  struct step {
    double size;
    char const* unit;
  };
  constexpr std::array<step, 3> steps{{{1.0, " s"}, {1e-3, " ms"}, {1e-6, " us"}}};
  for (auto const& s : steps)
    if (seconds >= 0.9995 * s.size)
      return number_text(seconds / s.size) + s.unit;
  return number_text(seconds * 1e9) + " ns";
}

std::string rate_text(double value, std::string const& unit) {
  if (value >= 999.5 && unit.starts_with('G'))
    return number_text(value / 1e3) + " T" + unit.substr(1);
  if (value < 0.1 && unit.starts_with('G'))
    return number_text(value * 1e3) + " M" + unit.substr(1);
  return number_text(value) + " " + unit;
}

std::string shape_text(std::vector<std::int64_t> const& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string bytes_text(double bytes) {
  constexpr std::array<char const*, 5> units{" B", " KiB", " MiB", " GiB", " TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit)
    bytes /= 1024;
  return number_text(bytes) + units[unit];
}

std::string join(std::vector<std::string> const& parts, std::string_view separator) {
  std::string text;
  for (auto const& part : parts) {
    if (!text.empty())
      text += separator;
    text += part;
  }
  return text;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos)
    return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::string one_line(std::string_view text) {
  std::string line;
  for (char const c : text) {
    auto const code = static_cast<unsigned char>(c);
    if (code > ' ' && code != 0x7f) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return trimmed(line);
}

bool same_word(std::string_view a, std::string_view b) {
  auto const lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace karpos::tools
