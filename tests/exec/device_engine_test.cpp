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

/// argmax over everything and along each axis of a random view with many equal elements.
template <class T, int Rank>
void expect_positions(std::uint64_t seed, shape_t const& shape, int steps) {
  std::mt19937_64 random(seed);
  auto const x = random_integers<T>(shape, random, -3, 3);
  auto t = upload<Rank>(x);
  auto const v = random_view(t, random, steps);
  if (v.model.where.empty())
    return;
  auto const of = [&](index_t i) { return x[v.model.where[static_cast<std::size_t>(i)]]; };
  index_t first = 0;
  for (index_t i = 1; i < size_of(v.model.shape); ++i)
    if (of(i) > of(first))
      first = i;
  ASSERT_EQ(kp::item(kp::argmax(v.view)), first) << seed;
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    auto kept = v.model.shape;
    kept[axis] = 1;
    host_array<index_t> want(kept);
    for_each_index(v.model.shape, [&](shape_t const& index) {
      auto to = index;
      to[axis] = 0;
      auto best = index;
      best[axis] = want.at(to);
      if (of(position(v.model.shape, index)) > of(position(v.model.shape, best)))
        want.at(to) = index[axis];
    });
    kp::tensor<index_t, Rank> const found =
        kp::argmax(v.view, static_cast<index_t>(axis), kp::keepdims);
    ASSERT_TRUE(same(fetch(found), want)) << seed << ", axis " << axis;
  }
}

TEST(device_engine, finds_the_first_of_equal_positions) {
  for (int i = 0; i < rounds(40); ++i) {
    expect_positions<float, 2>(seed_of(i), {1 + i % 40, 41 - i % 40}, 2);
    expect_positions<std::int8_t, 3>(seed_of(i), {1 + i % 5, 7, 1 + i % 9}, 3);
    ASSERT_FALSE(HasFailure());
  }
  expect_positions<double, 1>(seed_of(0), {200001}, 1);
  expect_positions<float, 2>(seed_of(1), {20003, 9}, 1);
}

TEST(device_engine, finds_positions_of_nan_infinity_and_truth) {
  double const nan = NAN, inf = INFINITY;
  host_array<double> const x(
      {5, 3}, {1, nan, nan, inf, 1, inf, -inf, -inf, -inf, -inf, 0, -0.0, 2, 1, nan});
  auto const d = upload<2>(x);
  kp::tensor<index_t, 1> const largest = kp::argmax(d, 1), smallest = kp::argmin(d, 1);
  EXPECT_TRUE(same(fetch(largest), host_array<index_t>({5}, {1, 0, 0, 1, 2})));
  EXPECT_TRUE(same(fetch(smallest), host_array<index_t>({5}, {1, 1, 0, 0, 2})));
  EXPECT_EQ(kp::item(kp::argmax(d)), 1);
  EXPECT_EQ(kp::item(kp::argmax(kp::transpose(d))), 5);
  kp::tensor<index_t, 1> const truth = kp::argmax(d > 0, 1);
  EXPECT_TRUE(same(fetch(truth), host_array<index_t>({5}, {0, 0, 0, 0, 0})));
  EXPECT_EQ(kp::item(1 + kp::argmin(kp::cast<kp::half>(d(4)))), 3);
}

TEST(device_engine, tells_several_positions_of_one_expression_apart) {
  kp::tensor<float, 2> const x{{1, 5, 3}, {9, 4, 4}}, y{{7, 1, 2}, {1, 2, 7}};
  kp::tensor<index_t, 1> r = kp::argmax(x, 1) - kp::argmin(x, 1);
  EXPECT_TRUE(same(fetch(r), host_array<index_t>({2}, {1, -1})));
  r = kp::argmax(x, 1) + 10 * kp::argmax(y, 1);
  EXPECT_TRUE(same(fetch(r), host_array<index_t>({2}, {1, 20})));
  auto const once = kp::argmax(x, 1);
  r = once + once;
  EXPECT_TRUE(same(fetch(r), host_array<index_t>({2}, {2, 0})));
  kp::tensor<index_t, 2> sum(2, 3);
  sum = kp::argmax(x, 0) + kp::argmax(x, 1, kp::keepdims) + kp::argmin(y);
  EXPECT_TRUE(same(fetch(sum), host_array<index_t>({2, 3}, {3, 2, 3, 2, 1, 2})));
}

TEST(device_engine, tiles_transposes_of_every_element_size) {
  for (int i = 0; i < rounds(4); ++i) {
    expect_mixed_assignment<kp::half, 2>(seed_of(i), {129 - i, 130}, 1);
    expect_mixed_assignment<float, 2>(seed_of(i), {64, 129 + i}, 1);
    expect_mixed_assignment<double, 2>(seed_of(i), {65 + i, 64}, 1);
    expect_mixed_assignment<Kokkos::complex<double>, 2>(seed_of(i), {40, 64 + i}, 1);
    expect_mixed_assignment<float, 3>(seed_of(i), {64 + i, 3, 70}, 2);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(device_engine, tiles_transposes_at_odd_addresses_and_of_many_operands) {
  index_t const rows = 70, columns = 90;
  auto const x = counting<float>({columns + 1, rows + 3});
  auto const t = upload<2>(x);
  // 16-byte accesses are not aligned there.
  auto const v = t(kp::range(1, columns + 1), kp::range(3, rows + 3));
  kp::tensor<float, 2> r(rows, columns);
  r = kp::transpose(v);
  EXPECT_EQ(kp::exec::last_plan(), kp::exec::plan_kind::tiled);
  auto const turned = fetch(r);
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j)
      ASSERT_EQ(turned.at({i, j}), x.at({j + 1, i + 3}));
  // More operands than the scratch of a team has tiles for, of other sizes than the destination.
  auto const wide = upload<2>(counting<double>({columns, rows}));
  auto const w = kp::transpose(kp::view(wide));
  r = kp::transpose(v) + w + w + w + w - 4 * w;
  EXPECT_EQ(kp::exec::last_plan(), kp::exec::plan_kind::tiled);
  EXPECT_TRUE(same(fetch(r), turned));
}

TEST(device_engine, sums_fused_expressions) {
  for (int i = 0; i < rounds(60); ++i) {
    expect_fused_sum<double, 3>(seed_of(i), {i % 7, 1 + i % 5, 1 + i % 9}, 2);
    ASSERT_FALSE(HasFailure());
  }
  expect_fused_sum<double, 3>(seed_of(0), {31, 29, 50}, 1);
}

}  // namespace
