// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of several builds, side by side: one column for each execution space of each file, and
// one for each usual space that none of them has.
#pragma once
#include "common/results.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace karpos::tools {

struct named_results {
  std::string path;
  results content;
};

/// A column of the merged table. Without `file` nobody ran it.
struct merged_column {
  std::string space;
  std::optional<std::size_t> file;
};

/// What one column has to say about one row: nothing at all, "has not got this row", or the row.
struct merged_cell {
  bool run = false;  ///< the column has this problem
  std::optional<measured_row> row;
  std::optional<double> speed_up;  ///< against the baseline column
};

struct merged_row {
  std::string operation, name;
  std::vector<merged_cell> cells;  ///< one for each column
};

struct merged_problem {
  problem head;      ///< without rows
  std::string path;  ///< of the first file that has it
  std::vector<merged_row> rows;
};

struct merged_results {
  std::vector<named_results> files;
  std::vector<merged_column> columns;
  std::optional<std::size_t> baseline;  ///< the column that speed-ups refer to
  std::vector<merged_problem> problems;
  bool passed = true;
};

/// @throws usage_error when two files had different inputs for one operation, element type and
/// shape, or nothing in common.
[[nodiscard]] merged_results merge(std::vector<named_results> files);

/// The facts of a column's space; null for one that nobody ran.
[[nodiscard]] space_facts const* facts_of(merged_results const& m, merged_column const& c);

}  // namespace karpos::tools
