// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of two benchmark files against each other, and which of them fell.
#pragma once
#include "report/benchmarks.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace karpos::tools {

enum class change { none, slower, faster, fails, failed_before };

struct compared_row {
  std::string name;
  std::string error;            ///< of the new file, else of the old one
  double old_s = 0, new_s = 0;  ///< times
  double ratio = 0;             ///< old time over new time: below 1 is slower
  double limit = 0;  ///< of the ratio: below it the row is slower, above 1 / limit faster
  std::optional<double> old_spread, new_spread;
  tools::change change = change::none;
};

struct comparison {
  benchmark_file before, after;
  double noise = 0;  ///< the least band: 0.1 is 10 %
  std::vector<compared_row> rows;
  std::vector<std::string> only_before, only_after;
  bool fell = false;  ///< a row is slower, or fails
};

/// @throws usage_error when the machines or the backends of the files differ.
void check_same_machine(benchmark_file const& before, benchmark_file const& after);

/// @throws usage_error when no row is in both files.
[[nodiscard]] comparison compare_benchmarks(benchmark_file before, benchmark_file after,
                                            double noise);

void print_comparison(std::ostream& out, comparison const& c);

}  // namespace karpos::tools
