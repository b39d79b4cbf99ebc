// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units and axes: round numbers.
#include "common/text.hpp"
#include "report/svg.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace karpos::tools {

std::string si_text(double value, std::string const& unit) {
  constexpr std::array<char const*, 6> prefixes{"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  for (; value >= 999.5 && prefix + 1 < prefixes.size(); ++prefix)
    value /= 1000;
  return concat(number_text(value), " ", prefixes[prefix], unit);
}

namespace {

// The number of si_text without the zeros at its end.
std::string tick_text(double value, std::string const& unit) {
  auto text = si_text(value, unit);
  auto const end = text.find(' ');
  if (auto const point = text.find('.'); point < end && text.find('e') == std::string::npos) {
    auto const last = text.find_last_not_of('0', end - 1);
    text.erase(last == point ? point : last + 1, end - (last == point ? point : last + 1));
  }
  return trimmed(text);
}

}  // namespace

axis linear_axis(std::string title, std::string const& unit, double high) {
  axis a{std::move(title), 0, 1, {}};
  if (!(high > 0))
    high = 1;
  double const decade = std::pow(10, std::floor(std::log10(high / 4)));
  double step = decade;
  for (double const factor : {2.0, 5.0, 10.0})
    if (step * 4 < high)
      step = factor * decade;
  int const steps = static_cast<int>(std::ceil(high / step * (1 - 1e-12)));
  a.high = step * steps;
  for (int i = 0; i <= steps; ++i)
    a.ticks.push_back({step * i, i == 0 ? "0" : tick_text(step * i, unit)});
  return a;
}

axis log_axis(std::string title, std::string const& unit, double low, double high) {
  int const first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  if (last <= first)
    last = first + 1;
  axis a{std::move(title), std::pow(10, first), std::pow(10, last), {}};
  for (int i = first; i <= last; ++i)
    a.ticks.push_back({std::pow(10, i), tick_text(std::pow(10, i), unit)});
  return a;
}

}  // namespace karpos::tools
