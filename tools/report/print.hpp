// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merged results as tables and as JSON.
#pragma once
#include "common/table.hpp"
#include "report/merge.hpp"

#include <iosfwd>
#include <string>

namespace karpos::tools {

void print_merged(std::ostream& out, merged_results const& m, table_style style);

/// The merged table as JSON: columns, and for each row one cell per column, "never run" where there
/// is none.
[[nodiscard]] std::string merged_json(merged_results const& m);

}  // namespace karpos::tools
