// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/bench/compare.hpp>
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kp = karpos;

namespace {

constexpr kp::bench::measure_options quick{.warm_up = 0, .samples = 3, .budget = 0};

// y = 2 x + y on the instance given; owns its tensors.
struct make_axpy {
  kp::tensor_view<float const, 1, kp::host_space> host;
  template <class Exec>
  auto operator()(Exec const& exec) const {
    return [exec, x = kp::to<Exec>(host), y = kp::to<Exec>(host)]() mutable {
      kp::assign(exec, y, 2.0 * x + y);
    };
  }
};

std::vector<std::string> enabled_names() {
  std::vector<std::string> names;
  kp::kokkos_ext::for_each_space([&]<class Exec>(std::type_identity<Exec>) {
    names.push_back(kp::kokkos_ext::space_name<Exec>());
  });
  return names;
}

}  // namespace

TEST(compare, every_space_of_the_build_has_an_entry) {
  auto const x = kp::to_host(kp::ones<float>(1000));
  auto const table = kp::bench::compare(make_axpy{x.view()},
                                        {.work = {.bytes = 12e3, .flops = 2e3}, .measure = quick});
  auto const names = enabled_names();
  ASSERT_EQ(table.spaces.size(), names.size());
  EXPECT_EQ(table.baseline, names.front());
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const& entry = table.spaces[i];
    EXPECT_EQ(entry.space, names[i]);
    EXPECT_DOUBLE_EQ(entry.gb_per_s, 12e3 / entry.time.median * 1e-9);
    EXPECT_DOUBLE_EQ(entry.gflop_per_s, 2e3 / entry.time.median * 1e-9);
    EXPECT_DOUBLE_EQ(entry.speed_up, table.spaces[0].time.median / entry.time.median);
  }
}

TEST(compare, the_table_names_every_space) {
  auto const x = kp::to_host(kp::ones<float>(10));
  auto const text =
      kp::bench::to_string(kp::bench::compare(make_axpy{x.view()}, {.measure = quick}));
  for (auto const& name : enabled_names())
    EXPECT_NE(text.find(name), std::string::npos) << text;
  EXPECT_NE(text.find("1.00x"), std::string::npos) << text;
}

TEST(compare, a_baseline_that_the_build_has_not_is_refused_with_the_names) {
  auto const x = kp::to_host(kp::ones<float>(10));
  try {
    static_cast<void>(
        kp::bench::compare(make_axpy{x.view()}, {.baseline = "Abacus", .measure = quick}));
    FAIL();
  } catch (kp::argument_error const& e) {
    std::string const text = e.what();
    EXPECT_NE(text.find("'Abacus'"), std::string::npos) << text;
    EXPECT_NE(text.find(enabled_names().front()), std::string::npos) << text;
  }
}

TEST(spaces, an_instance_with_one_thread_says_so) {
  kp::kokkos_ext::for_each_space([]<class Exec>(std::type_identity<Exec>) {
    EXPECT_GE(kp::kokkos_ext::concurrency(Exec{}), 1);
    if constexpr (kp::kokkos_ext::has_one_thread_instance<Exec>) {
      EXPECT_EQ(kp::kokkos_ext::concurrency(Exec(1)), 1);
    }
  });
}

TEST(spaces, the_default_spaces_are_in_the_list) {
  auto const names = enabled_names();
  for (std::string const name :
       {Kokkos::DefaultExecutionSpace::name(), Kokkos::DefaultHostExecutionSpace::name()})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  EXPECT_EQ(static_cast<int>(names.size()), kp::kokkos_ext::enabled_spaces::size);
}
