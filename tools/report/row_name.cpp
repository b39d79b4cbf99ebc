// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/row_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace karpos::tools {

namespace {

constexpr std::string_view digits = "0123456789";
constexpr double largest_extent = 1e18;

bool is_dtype(std::string_view text) {
  constexpr std::array<std::string_view, 9> kinds{"f",   "bf",   "c",     "i",      "u",
                                                  "int", "uint", "float", "complex"};
  auto const number = text.find_first_of(digits);
  return number != std::string_view::npos &&
         text.find_first_not_of(digits, number) == std::string_view::npos &&
         std::ranges::find(kinds, text.substr(0, number)) != kinds.end();
}

bool is_size(std::string_view text) {
  return !text.empty() && digits.find(text.front()) != std::string_view::npos;
}

bool is_suffix(std::string_view text) {
  constexpr std::array<std::string_view, 3> words{"manual_time", "real_time", "process_time"};
  constexpr std::array<std::string_view, 4> settings{
      "repeats:", "min_time:", "min_warmup_time:", "iterations:"};
  auto const begins = [&](std::string_view s) { return text.starts_with(s); };
  return std::ranges::find(words, text) != words.end() || std::ranges::any_of(settings, begins);
}

// Takes the part behind the last '/' off `head` where it is what is looked for.
template <class Predicate>
std::string take_last(std::string_view& head, Predicate const& wanted) {
  auto const slash = head.rfind('/');
  if (slash == std::string_view::npos || slash == 0 || !wanted(head.substr(slash + 1)))
    return {};
  std::string last(head.substr(slash + 1));
  head = head.substr(0, slash);
  return last;
}

}  // namespace

std::string without_suffixes(std::string_view name) {
  while (!take_last(name, is_suffix).empty()) {
  }
  return std::string(name);
}

row_name split_head(std::string_view head) {
  row_name parts;
  parts.size = take_last(head, is_size);
  parts.dtype = take_last(head, is_dtype);
  parts.family = head;
  return parts;
}

std::optional<double> extent_of(std::string_view size) {
  double product = 1;
  auto const* const end = size.data() + size.size();
  for (auto const* from = size.data();;) {
    std::uint32_t factor = 0;
    auto const [stop, error] = std::from_chars(from, end, factor);
    if (error != std::errc() || factor == 0)
      return std::nullopt;
    product *= factor;
    if (product > largest_extent)
      return std::nullopt;
    if (stop == end)
      return product;
    if (*stop != 'x')
      return std::nullopt;
    from = stop + 1;
  }
}

}  // namespace karpos::tools
