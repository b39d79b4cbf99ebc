// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine as its operating system describes it, and the environment that decides about threads
// and devices. No Kokkos.
#pragma once
#include "common/results.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace karpos::tools {

[[nodiscard]] machine_facts describe_machine();

/// OMP_*, KOKKOS_*, the BLAS libraries' and the device runtimes' variables, where they are set.
[[nodiscard]] std::map<std::string, std::string> describe_environment();

/// "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

/// "0-3,8" for the processors that the calling thread may run on.
[[nodiscard]] std::string allowed_processors();

/// What the device's own tool says about the device at a PCI address; empty fields where there is
/// no such tool.
[[nodiscard]] device describe_nvidia_device(int pci_domain, int pci_bus, int pci_device);

/// A partition of a device carries its profile in the name, "NVIDIA H200 MIG 1g.18gb": moves it to
/// where it belongs.
void split_partition(device& d);

/// The lines of a command's output; none when it cannot be run.
[[nodiscard]] std::vector<std::string> lines_of_command(std::string const& command);

}  // namespace karpos::tools
