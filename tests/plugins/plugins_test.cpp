// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program, two shared libraries and a plugin, all with hidden visibility, seen from outside: one
// pool, one set of handles, one shut-down.
#include <gtest/gtest.h>
#include <support/child_process.hpp>

#include <string>

namespace {

using namespace karpos_test;

class plugins : public testing::TestWithParam<char const*> {};

TEST_P(plugins, exchange_tensors_and_finalise_once) {
  auto const r = run_child(GetParam(), "exchange");
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(count(r.output, "0 failures\n"), 1) << r.output;
  EXPECT_EQ(count(r.output, "karpos:"), 0) << r.output;
}

TEST_P(plugins, stay_usable_after_dlclose) {
  auto const r = run_child(GetParam(), "unload");
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(count(r.output, "0 failures\n"), 1) << r.output;
  EXPECT_EQ(count(r.output, "karpos:"), 0) << r.output;
}

TEST_P(plugins, are_not_confused_by_what_a_program_before_left_in_the_environment) {
  auto const r = run_child(GetParam(), "exec");
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(count(r.output, "0 failures\n"), 2) << r.output;
  EXPECT_EQ(count(r.output, "karpos:"), 0) << r.output;
}

TEST_P(plugins, report_tensors_in_their_static_storage_that_outlive_the_runtime) {
  // What outlives finalize is leaked on purpose.
  auto const r = run_child(GetParam(), "outlive", "ASAN_OPTIONS=detect_leaks=0");
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(count(r.output, "0 failures\n"), 1) << r.output;
  EXPECT_EQ(count(r.output, "karpos: a tensor of 20480 bytes in "), 4) << r.output;
  EXPECT_EQ(count(r.output, " outlived Kokkos::finalize; its memory is not returned\n"), 4)
      << r.output;
}

INSTANTIATE_TEST_SUITE_P(, plugins, testing::Values(KARPOS_TEST_LINKED, KARPOS_TEST_OPENED),
                         [](auto const& which) { return which.index == 0 ? "linked" : "opened"; });

}  // namespace
