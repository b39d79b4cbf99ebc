// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs run by a test and seen from outside: what they print and how they end.
#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace karpos_test {

struct outcome {
  std::string output;  // with the errors
  int exit_code = -1;  // -1: a signal ended it
};

/// Runs a program with one argument; `environment` as in NAME=value.
inline outcome run_child(std::string const& program, std::string const& argument,
                         std::string const& environment = "") {
  outcome r;
  std::string const command = environment + " '" + program + "' " + argument + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr)
    return r;
  std::array<char, 512> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr)
    r.output += buffer.data();
  int const status = pclose(pipe);
  r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return r;
}

/// How often `part` stands in `text`.
inline int count(std::string const& text, std::string const& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

}  // namespace karpos_test
