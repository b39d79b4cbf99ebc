// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One page of HTML for files of measurements: it needs neither network nor script, and is XML.
#pragma once
#include "report/measurements.hpp"

#include <string>
#include <vector>

namespace karpos::tools {

[[nodiscard]] std::string html_of(std::vector<measured_file> const& files);

}  // namespace karpos::tools
