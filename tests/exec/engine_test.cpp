// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine as a whole: random assignments and reductions of random views. A failure prints the
// seed; KARPOS_TEST_SEED and KARPOS_TEST_ROUNDS look for more.
#include <exec/engine_cases.hpp>

namespace {

using namespace karpos_test;

TEST(engine, assigns_between_overlapping_views_as_if_the_right_side_came_first) {
  for (int i = 0; i < rounds(150); ++i) {
    expect_overlapping_assignment<int, 1>(seed_of(i), {i % 41}, 2);
    expect_overlapping_assignment<int, 2>(seed_of(i), {i % 13, i % 17}, 2);
    expect_overlapping_assignment<int, 3>(seed_of(i), {i % 5, i % 7, i % 11}, 3);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(engine, assigns_between_overlapping_views_of_many_tiles) {
  for (int i = 0; i < rounds(3); ++i) {
    expect_overlapping_assignment<int, 1>(seed_of(i), {70000}, 1);
    expect_overlapping_assignment<int, 2>(seed_of(i), {300, 310}, 1);
    expect_overlapping_assignment<int, 3>(seed_of(i), {60, 40, 35}, 2);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(engine, mixes_strided_broadcast_and_generated_operands) {
  for (int i = 0; i < rounds(100); ++i) {
    expect_mixed_assignment<int, 1>(seed_of(i), {i % 37}, 2);
    expect_mixed_assignment<int, 2>(seed_of(i), {i % 19, i % 23}, 2);
    expect_mixed_assignment<int, 3>(seed_of(i), {i % 6, 3 + i % 4, i % 13}, 3);
    expect_mixed_assignment<int, 5>(seed_of(i), {3, 1 + i % 3, 4, i % 4, 2}, 3);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(engine, mixes_operands_of_every_element_size) {
  for (int i = 0; i < rounds(20); ++i) {
    shape_t const shape = {20 + i % 3, 30 - i % 5};
    expect_mixed_assignment<std::int8_t, 2>(seed_of(i), shape, 2);
    expect_mixed_assignment<std::int16_t, 2>(seed_of(i), shape, 2);
    expect_mixed_assignment<double, 2>(seed_of(i), shape, 2);
    expect_mixed_assignment<Kokkos::complex<double>, 2>(seed_of(i), shape, 2);
    ASSERT_FALSE(HasFailure());
  }
  for (int i = 0; i < rounds(2); ++i) {
    expect_mixed_assignment<std::int8_t, 2>(seed_of(i), {257, 300}, 1);
    expect_mixed_assignment<double, 2>(seed_of(i), {257, 300}, 1);
    expect_mixed_assignment<Kokkos::complex<double>, 2>(seed_of(i), {200, 129}, 1);
    ASSERT_FALSE(HasFailure());
  }
}

// Large enough for a destination that the host engine writes past the caches, in patches of tiles.
template <class T>
void expect_large_transpose(index_t rows, index_t columns) {
  std::vector<T> values(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(i % 113);
  auto const source =
      kp::to<kp::default_space>(kp::wrap<kp::host_space>(values.data(), {columns, rows}));
  kp::tensor<T, 2> target = kp::zeros<T>(rows + 2, columns + 3);
  auto inner = target(kp::range(1, rows + 1), kp::range(2, columns + 2));
  kp::assign(inner, kp::transpose(source));
  auto const got = kp::to_host(target);
  index_t wrong = 0;
  for (index_t i = 0; i < rows + 2; ++i)
    for (index_t j = 0; j < columns + 3; ++j) {
      bool const inside = i >= 1 && i <= rows && j >= 2 && j < columns + 2;
      T const want = inside ? values[static_cast<std::size_t>((j - 2) * rows + i - 1)] : T(0);
      wrong += got(i, j) == want ? 0 : 1;
    }
  EXPECT_EQ(wrong, 0) << rows << " x " << columns << ", " << sizeof(T) << " bytes";
}

TEST(engine, turns_large_matrices) {
  expect_large_transpose<std::int8_t>(2917, 3011);
  expect_large_transpose<std::int16_t>(2311, 2003);
  expect_large_transpose<float>(1409, 1601);
  expect_large_transpose<double>(1217, 1031);
  expect_large_transpose<double>(17, 70001);
  expect_large_transpose<Kokkos::complex<double>>(801, 777);
}

TEST(engine, sums_over_every_subset_of_axes) {
  for (int i = 0; i < rounds(25); ++i) {
    expect_reductions<sum_model, int, 1>(sum_call{}, seed_of(i), {i * 3}, 2, 100);
    expect_reductions<sum_model, int, 2>(sum_call{}, seed_of(i), {i, 2 * i}, 2, 100);
    expect_reductions<sum_model, int, 3>(sum_call{}, seed_of(i), {i % 5, 7, i % 9}, 2, 100);
    expect_reductions<sum_model, int, 4>(sum_call{}, seed_of(i), {3, i % 4, 5, 2 + i % 3}, 3, 100);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(engine, sums_many_tiles) {
  for (int i = 0; i < rounds(2); ++i) {
    expect_reductions<sum_model, int, 1>(sum_call{}, seed_of(i), {200001}, 1, 100);
    expect_reductions<sum_model, int, 2>(sum_call{}, seed_of(i), {9, 20003}, 1, 100);
    expect_reductions<sum_model, int, 2>(sum_call{}, seed_of(i), {20003, 9}, 1, 100);
    expect_reductions<sum_model, int, 2>(sum_call{}, seed_of(i), {401, 399}, 1, 100);
    expect_reductions<sum_model, int, 3>(sum_call{}, seed_of(i), {60, 40, 50}, 2, 100);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(engine, finds_extrema_and_products) {
  for (int i = 0; i < rounds(25); ++i) {
    expect_reductions<min_model, int, 2>(min_call{}, seed_of(i), {i % 40, 40 - i % 40}, 2, 1000);
    expect_reductions<max_model, double, 2>(max_call{}, seed_of(i), {40 - i % 40, i % 40}, 2, 1000);
    expect_reductions<prod_model, double, 2>(prod_call{}, seed_of(i), {2 + i % 3, 3 + i % 2}, 1, 3);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(engine, sums_fused_expressions) {
  for (int i = 0; i < rounds(60); ++i) {
    expect_fused_sum<double, 2>(seed_of(i), {i % 23, 1 + i % 31}, 2);
    expect_fused_sum<double, 3>(seed_of(i), {i % 7, 1 + i % 5, 1 + i % 9}, 2);
    ASSERT_FALSE(HasFailure());
  }
  expect_fused_sum<double, 2>(seed_of(0), {301, 299}, 1);
  expect_fused_sum<double, 2>(seed_of(1), {7, 9001}, 1);
}

}  // namespace
