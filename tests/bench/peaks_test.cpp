// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/bench/peaks.hpp>
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>

#include <string>

namespace kp = karpos;

namespace {

kp::bench::measure_options const quick{
    .warm_up = 0, .samples = 3, .least_samples = 3, .budget = 0, .sample_time = 0};

template <class F>
std::string text_of(F&& f) {
  try {
    f();
  } catch (kp::argument_error const& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

// The rate is of the time that the same copy takes here: within a wide band, for the machine is
// shared.
TEST(peaks, copies_have_the_rate_of_a_copy) {
  kp::default_space const exec;
  kp::index_t const n = 1 << 20;
  auto const peak = kp::bench::copy_peak<double>(exec, n, quick);
  kp::tensor<double, 1> const x = kp::ones<double>(n);
  kp::tensor<double, 1> y(n);
  auto const time = kp::bench::measure(exec, [&] { kp::assign(exec, y, x); }, quick);
  EXPECT_GT(peak.rate * time.median, 16.0 * n / 1000);
  EXPECT_LT(peak.rate * time.median, 16.0 * n * 1000);
  EXPECT_TRUE(peak.method == "loop" || peak.method == "Kokkos::deep_copy") << peak.method;
}

TEST(peaks, products_say_the_path_and_the_size) {
  kp::default_space const exec;
  auto const peak = kp::bench::gemm_peak<float>(exec, 32, quick);
  EXPECT_GT(peak.rate, 0.0);
  EXPECT_NE(peak.method.find(", n = 32"), std::string::npos) << peak.method;
  EXPECT_GT(kp::bench::gemm_peak<Kokkos::complex<double>>(exec, 5, quick).rate, 0.0);
}

TEST(peaks, sizes_that_are_none_are_refused) {
  kp::default_space const exec;
  EXPECT_EQ(text_of([&] { (void)kp::bench::copy_peak<float>(exec, 0); }),
            "karpos::bench::copy_peak: a size of at least 1: got 0");
  EXPECT_EQ(text_of([&] { (void)kp::bench::gemm_peak<float>(exec, -1); }),
            "karpos::bench::gemm_peak: a size of at least 1: got -1");
}
