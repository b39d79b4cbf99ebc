// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device engine's kernels on the host's execution space: the random assignments and reductions
// of engine_test.cpp, where no device is needed to see a wrong element. The switch changes the
// inline namespace, so that this source and the others of the program do not share code.
#undef KARPOS_DEVICE_ENGINE_ON_HOST
#define KARPOS_DEVICE_ENGINE_ON_HOST 1
#include <exec/engine_cases.hpp>

namespace {

using namespace karpos_test;

TEST(device_engine, assigns_between_overlapping_views) {
  for (int i = 0; i < rounds(150); ++i) {
    expect_overlapping_assignment<int, 1>(seed_of(i), {i % 41}, 2);
    expect_overlapping_assignment<int, 2>(seed_of(i), {i % 13, i % 17}, 2);
    expect_overlapping_assignment<int, 3>(seed_of(i), {i % 5, i % 7, i % 11}, 3);
    ASSERT_FALSE(HasFailure());
  }
  expect_overlapping_assignment<int, 2>(seed_of(0), {300, 310}, 1);
  expect_overlapping_assignment<int, 1>(seed_of(1), {70000}, 1);
}

TEST(device_engine, mixes_strided_broadcast_and_generated_operands) {
  for (int i = 0; i < rounds(100); ++i) {
    expect_mixed_assignment<int, 1>(seed_of(i), {i % 37}, 2);
    expect_mixed_assignment<int, 2>(seed_of(i), {i % 19, i % 23}, 2);
    expect_mixed_assignment<std::int8_t, 2>(seed_of(i), {60 + i % 5, 70 - i % 3}, 1);
    expect_mixed_assignment<Kokkos::complex<double>, 2>(seed_of(i), {i % 19, i % 23}, 1);
    expect_mixed_assignment<int, 4>(seed_of(i), {3, 1 + i % 3, 4, i % 4}, 3);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(device_engine, copies_whole_tiles_of_transposes) {
  for (int i = 0; i < rounds(6); ++i) {
    expect_mixed_assignment<int, 2>(seed_of(i), {257 + i, 300}, 1);
    expect_mixed_assignment<std::int8_t, 2>(seed_of(i), {256, 256 + i}, 1);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(device_engine, sums_over_every_subset_of_axes) {
  for (int i = 0; i < rounds(25); ++i) {
    expect_reductions<sum_model, int, 1>(sum_call{}, seed_of(i), {i * 3}, 2, 100);
    expect_reductions<sum_model, int, 2>(sum_call{}, seed_of(i), {i, 2 * i}, 2, 100);
    expect_reductions<sum_model, int, 3>(sum_call{}, seed_of(i), {i % 5, 7, i % 9}, 2, 100);
    ASSERT_FALSE(HasFailure());
  }
  for (int i = 0; i < rounds(2); ++i) {
    expect_reductions<sum_model, int, 1>(sum_call{}, seed_of(i), {200001}, 1, 100);
    // The last piece has fewer packets than segments, or none.
    for (index_t const rest : {1, 2, 5, 9})
      expect_reductions<sum_model, int, 1>(sum_call{}, seed_of(i), {(12 << 14) + rest}, 1, 100);
    expect_reductions<sum_model, int, 2>(sum_call{}, seed_of(i), {9, 20003}, 1, 100);
    expect_reductions<sum_model, int, 2>(sum_call{}, seed_of(i), {20003, 9}, 1, 100);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(device_engine, reduces_truth_values_and_bytes) {
  for (index_t n : {0, 1, 5, 1000, 300001}) {
    auto ones = upload<1>(apply<std::uint8_t>([](int) { return 200; }, counting<int>({n})));
    EXPECT_EQ(kp::item(kp::any(ones)), n > 0);
    EXPECT_TRUE(kp::item(kp::all(ones)));
    if (n == 0)
      continue;
    EXPECT_EQ(kp::item(kp::min(ones)), 200);
    ones(kp::range(n / 2, n / 2 + 1)) = 0;
    EXPECT_FALSE(kp::item(kp::all(ones)));
    EXPECT_EQ(kp::item(kp::any(ones)), n > 1);
    EXPECT_EQ(kp::item(kp::min(ones)), 0);
  }
}

TEST(device_engine, finds_extrema) {
  for (int i = 0; i < rounds(25); ++i) {
    expect_reductions<min_model, int, 2>(min_call{}, seed_of(i), {i % 40, 40 - i % 40}, 2, 1000);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(device_engine, sums_fused_expressions) {
  for (int i = 0; i < rounds(60); ++i) {
    expect_fused_sum<double, 3>(seed_of(i), {i % 7, 1 + i % 5, 1 + i % 9}, 2);
    ASSERT_FALSE(HasFailure());
  }
  expect_fused_sum<double, 3>(seed_of(0), {31, 29, 50}, 1);
}

}  // namespace
