// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/arguments.hpp"

#include "common/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ios>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

namespace karpos::tools {

namespace {

std::optional<std::uint64_t> as_whole_number(std::string const& text) {
  std::uint64_t value = 0;
  auto const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

// A stream of the classic locale takes neither "nan" nor "inf", and fails on overflow. (Not every
// library has from_chars for double.)
std::optional<double> as_real_number(std::string const& text) {
  constexpr auto characters = "0123456789+-.eE";
  if (text.empty() || text.find_first_not_of(characters) != std::string::npos)
    return std::nullopt;
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  double value = 0;
  in >> value;
  if (in.fail() || in.peek() != std::istringstream::traits_type::eof() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::vector<std::string> items_of(std::string const& list) {
  std::vector<std::string> items;
  for (std::size_t begin = 0;;) {
    auto const comma = list.find(',', begin);
    items.push_back(list.substr(begin, comma - begin));
    if (comma == std::string::npos)
      return items;
    begin = comma + 1;
  }
}

// Why `text` cannot be the next item; empty when it can.
std::string objection(std::string& text, CLI::Validator const& item,
                      std::vector<std::string> const& before) {
  if (text.empty())
    return "an empty item";
  if (auto why = item(text); !why.empty())
    return why;
  auto const is_it = [&](std::string const& other) { return same_word(other, text); };
  return std::ranges::any_of(before, is_it) ? text + " twice" : "";
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  auto const range = "[" + std::to_string(least) + ", " + std::to_string(most) + "]";
  return {[least, most, range](std::string& text) -> std::string {
            auto const value = as_whole_number(text);
            if (!value || *value < least || *value > most)
              return "'" + text + "' is not a whole number in " + range;
            text = std::to_string(*value);
            return {};
          },
          "in " + range};
}

CLI::Validator real_number(double least, double most) {
  auto const range = "[" + exact_text(least) + ", " + exact_text(most) + "]";
  return {[least, most, range](std::string& text) -> std::string {
            auto const value = as_real_number(text);
            if (!value || *value < least || *value > most)
              return "'" + text + "' is not a number in " + range;
            return {};
          },
          "in " + range};
}

CLI::Validator not_empty() {
  return {[](std::string& text) -> std::string { return text.empty() ? "an empty name" : ""; }, ""};
}

CLI::Option* add_list(CLI::App& app, std::string const& name, std::string const& help,
                      CLI::Validator const& item,
                      std::function<void(std::vector<std::string> const&)> take) {
  CLI::callback_t const read = [name, item, take = std::move(take)](CLI::results_t const& lists) {
    std::vector<std::string> all;
    for (auto const& list : lists)
      for (auto& text : items_of(list)) {
        if (auto const why = objection(text, item, all); !why.empty())
          throw CLI::ValidationError(name, list == text ? why : "'" + list + "': " + why);
        all.push_back(std::move(text));
      }
    take(all);
    return true;
  };
  // One word each time, so that what follows can be a file.
  return app.add_option(name, read, help)
      ->type_name("LIST")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args(false);
}

}  // namespace karpos::tools
