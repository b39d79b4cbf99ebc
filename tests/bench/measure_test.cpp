// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/bench/measure.hpp>
#include <karpos/core/spaces.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace kp = karpos;

namespace {

// Takes at least this long, and counts.
struct work {
  int* calls;
  double seconds;
  void operator()() const {
    ++*calls;
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
};

}  // namespace

TEST(measure, calls_are_the_first_the_warm_up_and_the_samples) {
  int calls = 0;
  auto const m = kp::bench::measure(kp::default_space{}, work{&calls, 0},
                                    {.warm_up = 4, .samples = 7, .sample_time = 0});
  EXPECT_EQ(calls, 1 + 4 + 7);
  EXPECT_EQ(m.warm_up, 4);
  EXPECT_EQ(m.samples, 7);
  EXPECT_EQ(m.repeats, 1);
}

TEST(measure, short_calls_are_repeated_within_a_sample) {
  int calls = 0;
  auto const m = kp::bench::measure(kp::default_space{}, work{&calls, 1e-4},
                                    {.warm_up = 1, .samples = 3, .sample_time = 1e-3});
  EXPECT_GT(m.repeats, 1);
  EXPECT_EQ(calls, 1 + 1 + 1 + 3 * m.repeats);
  EXPECT_GE(m.min, 1e-4);  // per call
}

TEST(measure, a_spent_budget_ends_the_samples_but_not_below_the_least) {
  int calls = 0;
  auto const m =
      kp::bench::measure(kp::default_space{}, work{&calls, 1e-3},
                         {.warm_up = 100, .samples = 100, .budget = 0, .sample_time = 0});
  EXPECT_EQ(m.samples, 3);
  EXPECT_EQ(m.warm_up, 0);
  EXPECT_EQ(calls, 4);
}

TEST(measure, quartiles_are_in_order_and_no_shorter_than_the_work) {
  int calls = 0;
  auto const m = kp::bench::measure(kp::default_space{}, work{&calls, 1e-3}, {.samples = 5});
  EXPECT_GE(m.first, 1e-3);
  EXPECT_GE(m.min, 1e-3);
  EXPECT_LE(m.min, m.q1);
  EXPECT_LE(m.q1, m.median);
  EXPECT_LE(m.median, m.q3);
  EXPECT_GE(m.spread(), 0);
}

TEST(measure, quantiles_are_interpolated_as_numpy_does) {
  std::vector<double> const values{1, 2, 4, 8};  // numpy.percentile(values, [0, 25, 50, 75, 100])
  EXPECT_DOUBLE_EQ(kp::bench::detail::quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(kp::bench::detail::quantile(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(kp::bench::detail::quantile(values, 0.5), 3);
  EXPECT_DOUBLE_EQ(kp::bench::detail::quantile(values, 0.75), 5);
  EXPECT_DOUBLE_EQ(kp::bench::detail::quantile(values, 1), 8);
}

TEST(measure, options_without_sense_are_refused) {
  int calls = 0;
  auto const run = [&](kp::bench::measure_options const& o) {
    static_cast<void>(kp::bench::measure(kp::default_space{}, work{&calls, 0}, o));
  };
  EXPECT_THROW(run({.warm_up = -1}), kp::argument_error);
  EXPECT_THROW(run({.samples = 2}), kp::argument_error);
  EXPECT_THROW(run({.least_samples = 0}), kp::argument_error);
  EXPECT_THROW(run({.budget = -1}), kp::argument_error);
  EXPECT_THROW(run({.sample_time = -1}), kp::argument_error);
  EXPECT_EQ(calls, 0);
}
