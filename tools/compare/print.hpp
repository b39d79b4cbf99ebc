// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results for people.
#pragma once
#include "common/results.hpp"

#include <iosfwd>
#include <string>

namespace karpos::tools {

/// Machine, build, threads, devices, environment.
void print_facts(std::ostream& out, results const& r);

/// The yardsticks of the percentages for one element type.
void print_peaks(std::ostream& out, results const& r, std::string const& dtype);

void print_problem(std::ostream& out, results const& r, problem const& p);

/// PASS or FAIL, with the first wrong place of each failure.
void print_verdict(std::ostream& out, results const& r);

}  // namespace karpos::tools
