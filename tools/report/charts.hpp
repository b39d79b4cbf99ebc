// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which charts a file's rows give.
#pragma once
#include "report/measurements.hpp"
#include "report/svg.hpp"

#include <optional>
#include <string>
#include <vector>

namespace karpos::tools {

/// What the rows of a family are shown by: the rate that limits them.
struct shown_rate {
  std::string title, unit;                                 ///< "flop per second", "flop/s"
  std::optional<double> measurement::* counter = nullptr;  ///< null: calls per second
};

/// The ways of a file, in the order of their colours: Karpos first.
[[nodiscard]] std::vector<std::string> ways_of(measured_file const& file);

/// The rows of one family, in the order of the file.
struct family {
  std::string name;
  std::vector<measurement> rows;
};

/// The families of a file, in its order.
[[nodiscard]] std::vector<family> families_of(measured_file const& file);

/// flop/s for rows of many flop per byte, else bytes/s, items/s, calls per second: the first that
/// all rows without a problem have.
[[nodiscard]] shown_rate rate_of(family const& f);

/// A bar for each row: a group for each element type and size.
[[nodiscard]] bar_chart bars_of(family const& f, std::vector<std::string> const& ways);

/// Rate against size, a chart for each element type that has several sizes.
[[nodiscard]] std::vector<xy_chart> curves_of(family const& f,
                                              std::vector<std::string> const& ways);

/// flop/s against flop per byte, a chart for each element type that has both.
[[nodiscard]] std::vector<xy_chart> rooflines_of(measured_file const& file,
                                                 std::vector<std::string> const& ways);

}  // namespace karpos::tools
