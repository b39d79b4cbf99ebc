// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/bench/device.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <type_traits>

namespace kp = karpos;

TEST(device, every_space_of_the_build_runs_on_something_with_a_name) {
  kp::kokkos_ext::for_each_space([]<class Exec>(std::type_identity<Exec>) {
    auto const name = kp::bench::device_name(Exec{});
    EXPECT_FALSE(name.empty());
    if constexpr (kp::host_execution<Exec>) {
      EXPECT_EQ(name, kp::bench::processor_name());
    } else {
      EXPECT_NE(name, kp::bench::processor_name());
    }
  });
}

TEST(device, fields_are_found_by_their_whole_name_and_without_blanks) {
  std::string const path = testing::TempDir() + "karpos_device_test.txt";
  std::ofstream(path) << ":\n: nameless\nno field\nmodel\t\t: 17\nmodel name\t: Some CPU : 3 GHz\n"
                         "model name\t: another\nempty\t:\nfull:x";
  auto const field = [&](char const* name) {
    return kp::bench::detail::field_of(path.c_str(), name);
  };
  EXPECT_EQ(field("model"), "17");
  EXPECT_EQ(field("model name"), "Some CPU : 3 GHz");
  EXPECT_EQ(field("full"), "x");
  EXPECT_EQ(field("empty"), "");
  EXPECT_EQ(field("name"), "");
  EXPECT_EQ(field("no field"), "");
  std::remove(path.c_str());
  EXPECT_EQ(field("model"), "");
}
