// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From main's arguments to the exit code, the same for both programs: 0 done, 1 a check failed,
// 2 the request cannot be carried out, with one line that says why.
#pragma once
#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace karpos::tools {

/// Parses `arguments` (without the program's name) and runs `body`, whose value is the exit code.
[[nodiscard]] int run_command(CLI::App& app, std::vector<std::string> arguments,
                              std::function<int()> const& body);

}  // namespace karpos::tools
