// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of the build, of each execution space and of its device. Kokkos is initialised, except
// for device_is_missing.
#pragma once
#include "common/results.hpp"

#include <string>
#include <vector>

namespace karpos::tools {

/// Why this build's device space cannot run here; empty where it can or where there is none. Before
/// Kokkos::initialize, which ends the program in that case.
[[nodiscard]] std::string device_is_missing();

[[nodiscard]] build_facts describe_build();

/// One entry for each execution space of the build.
[[nodiscard]] std::vector<space_facts> describe_spaces();

/// Clocks as they are now.
void refresh_clocks(std::vector<space_facts>& spaces);

}  // namespace karpos::tools
