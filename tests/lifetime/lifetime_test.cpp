// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start-up and shut-down, seen from outside: what a program that misuses tensors prints and how it
// ends.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

struct outcome {
  std::string output;
  int exit_code = -1;
};

/// The child (path from CMake) with an argument; output and errors together.
outcome run(std::string const& mode, std::string const& environment = "") {
  outcome r;
  std::string const command = environment + " '" KARPOS_LIFETIME_CHILD "' " + mode + " 2>&1";
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

int count(std::string const& text, std::string const& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

TEST(cases, G081_a_tensor_outlives_the_runtime) {
  // What outlives finalize is leaked on purpose.
  auto const r = run("across", "ASAN_OPTIONS=detect_leaks=0");
  EXPECT_EQ(r.exit_code, 3) << r.output;
  EXPECT_EQ(count(r.output, "sum 1000\n"), 1) << r.output;
  EXPECT_EQ(count(r.output, "end of main\n"), 1) << r.output;
  EXPECT_EQ(count(r.output, "karpos: a tensor of 4096 bytes in "), 1) << r.output;
  EXPECT_EQ(count(r.output, " outlived Kokkos::finalize; its memory is not returned\n"), 2)
      << r.output;  // and the view's
}

TEST(cases, G081_use_before_initialize_is_refused_by_name) {
  for (std::string const mode : {"before", "after"}) {
    auto const r = run(mode);
    EXPECT_EQ(r.exit_code, 3) << r.output;
    EXPECT_EQ(count(r.output,
                    "karpos::tensor: used before Kokkos::initialize or after Kokkos::finalize\n"),
              4)
        << mode << ":\n"
        << r.output;
    EXPECT_EQ(
        count(r.output, "karpos::eval: used before Kokkos::initialize or after Kokkos::finalize\n"),
        1)
        << mode << ":\n"
        << r.output;
  }
}

TEST(pool, is_switched_off_by_the_environment) {
  auto const r = run("many", "KARPOS_POOL=off");
  EXPECT_EQ(r.exit_code, 3) << r.output;
  EXPECT_EQ(count(r.output, "finite 1\n"), 1) << r.output;
  EXPECT_EQ(count(r.output, "outlived"), 0) << r.output;
}

}  // namespace
