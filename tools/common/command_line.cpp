// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/command_line.hpp"

#include "common/text.hpp"

#include <algorithm>
#include <exception>
#include <iostream>

namespace karpos::tools {

namespace {

constexpr int cannot_be_carried_out = 2;

int refuse(CLI::App const& app, std::string const& why) {
  std::cout.flush();
  std::cerr << app.get_name() << ": " << one_line(why) << '\n';
  return cannot_be_carried_out;
}

}  // namespace

int run_command(CLI::App& app, std::vector<std::string> arguments,
                std::function<int()> const& body) {
  try {
    std::ranges::reverse(arguments);  // as CLI11 wants them
    app.parse(arguments);
    int const code = body();
    if (!std::cout.flush())
      return refuse(app, "cannot write to the standard output");
    return code;
  } catch (CLI::ParseError const& e) {
    if (e.get_exit_code() == 0)
      return app.exit(e);  // --help
    return refuse(app, std::string(e.what()) + " (" + app.get_name() + " --help)");
  } catch (std::exception const& e) {
    return refuse(app, e.what());
  }
}

}  // namespace karpos::tools
