// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values on the command line, taken as they stand or not at all. CLI11's own reading takes "010"
// for 8, "1_000" and " 1" for numbers, NaN for a number of any range, and passes over empty list
// items.
#pragma once
#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace karpos::tools {

/// Decimal digits and nothing else, in [least, most]. For transform(): leading zeros go.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

/// A finite number in [least, most] and nothing else. For check().
[[nodiscard]] CLI::Validator real_number(double least, double most);

/// Text of at least one character. For check().
[[nodiscard]] CLI::Validator not_empty();

/// An option whose value is a list "a,b,c"; the option given again goes on with it. `take` gets the
/// items. Refused: an empty item, one that `item` refuses, one given twice (in any case).
CLI::Option* add_list(CLI::App& app, std::string const& name, std::string const& help,
                      CLI::Validator const& item,
                      std::function<void(std::vector<std::string> const&)> take);

}  // namespace karpos::tools
