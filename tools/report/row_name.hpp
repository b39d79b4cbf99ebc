// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of benchmark rows: family/dtype/size/way, as in "sum(x*y)/f32/4096/raw_kokkos".
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace karpos::tools {

struct row_name {
  std::string family, dtype, size;
  std::string way;    ///< who does it: "karpos", or the baseline beside it
  std::string space;  ///< where a file has several
};

/// Without what Google Benchmark appends: "/manual_time", "/repeats:3".
[[nodiscard]] std::string without_suffixes(std::string_view name);

/// "family/dtype/size"; what is not there stays empty.
[[nodiscard]] row_name split_head(std::string_view head);

/// The elements that a size stands for: "4096" or "32x128x128". None for other texts.
[[nodiscard]] std::optional<double> extent_of(std::string_view size);

}  // namespace karpos::tools
