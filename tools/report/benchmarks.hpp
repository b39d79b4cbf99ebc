// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON files of Google Benchmark, as `./dev bench --out` joins them: repetitions and aggregates
// of a row become one row.
#pragma once
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karpos::tools {

/// A row of a benchmark: the medians of its repetitions.
struct benchmark_row {
  std::string name;              ///< run_name: equal names are the same row in two files
  double time_s = 0;             ///< real time of one iteration
  std::optional<double> spread;  ///< of the repetitions: distance of the quartiles over the median
  std::optional<double> bytes, flops, items;  ///< per second
  std::optional<double> of_floor;             ///< the least possible time over the time
  std::string error;  ///< not empty: the benchmark reported an error and there are no times
};

struct benchmark_file {
  std::string path;
  /// The texts and numbers of "context", in the order of the file.
  std::vector<std::pair<std::string, std::string>> context;
  std::vector<benchmark_row> rows;  ///< in the order of the file
};

/// What "context" has under this name; empty when nothing.
[[nodiscard]] std::string context_of(benchmark_file const& file, std::string const& name);

/// The JSON of a file; NaN and Infinity, which Google Benchmark writes and JSON has not, are null.
/// @throws usage_error with the path.
[[nodiscard]] nlohmann::ordered_json read_json(std::string const& path);

/// @throws usage_error with path and field when this is something else.
[[nodiscard]] benchmark_file benchmarks_of(std::string const& path,
                                           nlohmann::ordered_json const& json);

}  // namespace karpos::tools
