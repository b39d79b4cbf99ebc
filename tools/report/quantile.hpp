// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantiles of a few numbers.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace karpos::tools {

/// The value at `part` of the way through the sorted values, between two of them in proportion.
/// @pre There is a value; 0 <= part <= 1.
[[nodiscard]] inline double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  double const place = part * static_cast<double>(values.size() - 1);
  auto const below = static_cast<std::size_t>(place);
  auto const above = std::min(below + 1, values.size() - 1);
  double const fraction = place - static_cast<double>(below);
  return values[below] + fraction * (values[above] - values[below]);
}

}  // namespace karpos::tools
