// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a page shows of a file: its facts and its rows, from Google Benchmark or karpos-compare.
#pragma once
#include "report/row_name.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karpos::tools {

struct measurement {
  std::string name;  ///< as a person reads it
  row_name parts;
  double time_s = 0;
  std::optional<double> spread;  ///< of repetitions: distance of the quartiles over the median
  std::optional<double> bytes, flops, items;  ///< per second
  std::optional<double> of_floor;             ///< the least possible time over the time
  std::string problem;                        ///< an error, or a check that failed
};

struct measured_file {
  std::string path, title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<measurement> rows;
};

/// @throws usage_error with path and field when it is neither.
[[nodiscard]] measured_file read_measurements(std::string const& path);

/// Whether both are of one family, element type, size and space.
[[nodiscard]] bool same_work(measurement const& a, measurement const& b);

/// Rate of `a` over rate of `b`; none where one of them has no time.
[[nodiscard]] std::optional<double> rate_ratio(measurement const& a, measurement const& b);

/// flop per byte, where the counters give both.
[[nodiscard]] std::optional<double> intensity(measurement const& m);

/// "karpos", "raw_kokkos"; "karpos on OpenMP" where a file has several spaces.
[[nodiscard]] std::string way_of(measurement const& m);

}  // namespace karpos::tools
