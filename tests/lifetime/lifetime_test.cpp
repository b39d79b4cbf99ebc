// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start-up and shut-down, seen from outside: what a program that misuses tensors prints and how it
// ends.
#include <gtest/gtest.h>
#include <support/child_process.hpp>

#include <string>

namespace {

using namespace karpos_test;

outcome run(std::string const& mode, std::string const& environment = "") {
  return run_child(KARPOS_LIFETIME_CHILD, mode, environment);
}

TEST(cases, a_tensor_outlives_the_runtime) {
  // What outlives finalize is leaked on purpose.
  auto const r = run("across", "ASAN_OPTIONS=detect_leaks=0");
  EXPECT_EQ(r.exit_code, 3) << r.output;
  EXPECT_EQ(count(r.output, "sum 1000\n"), 1) << r.output;
  EXPECT_EQ(count(r.output, "end of main\n"), 1) << r.output;
  EXPECT_EQ(count(r.output, "karpos: a tensor of 4096 bytes in "), 1) << r.output;
  EXPECT_EQ(count(r.output, " outlived Kokkos::finalize; its memory is not returned\n"), 2)
      << r.output;  // and the view's
}

TEST(cases, use_before_initialize_is_refused_by_name) {
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
