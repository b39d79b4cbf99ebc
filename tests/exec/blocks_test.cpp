// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of several stages, block by block: when they are cut, and that the cut changes
// nothing.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace karpos_test;
namespace ke = karpos::exec::detail;
using kp::keepdims;
using exec = kp::host_space;
using tensor2 = kp::tensor<double, 2, exec>;

template <class E>
int blocks_of(tensor2& dst, E const& e) {
  auto const cut = ke::choose_blocks(dst.view(), kp::expr::as_node(e), 2);
  return cut.axis < 0 ? 0 : static_cast<int>(cut.count);
}

tensor2 random_tensor(index_t rows, index_t columns, int seed) {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  return upload<2, exec>(random_integers<double>({rows, columns}, random, -50, 50));
}

TEST(blocks, are_made_of_rows_that_several_stages_walk_over) {
  auto x = random_tensor(1000, 300, 1);
  tensor2 r(1000, 300), column(1000, 1);
  EXPECT_GT(blocks_of(r, x - kp::mean(x, 1, keepdims)), 8);
  EXPECT_GT(blocks_of(column, kp::var(x, 1, keepdims)), 8);
  EXPECT_GT(blocks_of(r, kp::softmax(x)), 8);
  EXPECT_EQ(blocks_of(r, x - kp::mean(x, 0, keepdims)), 0);  // every row needs all others
  EXPECT_EQ(blocks_of(r, x - kp::mean(x)), 0);
  EXPECT_EQ(blocks_of(r, x - kp::mean(x, 1, keepdims) - kp::mean(x, 0)), 0);
  EXPECT_EQ(blocks_of(column, kp::mean(x, 1, keepdims)), 0);  // one stage
  EXPECT_EQ(blocks_of(r, kp::transpose(random_tensor(300, 1000, 2)) + kp::sum(x, 1, keepdims)), 0);
  auto small = random_tensor(20, 30, 3);
  tensor2 r_small(20, 30);
  EXPECT_EQ(blocks_of(r_small, small - kp::mean(small, 1, keepdims)), 0);
  auto wide = random_tensor(4, 100000, 4);
  tensor2 r_wide(4, 100000);
  EXPECT_EQ(blocks_of(r_wide, wide - kp::mean(wide, 1, keepdims)), 0);
}

TEST(blocks, are_not_made_where_rows_are_written_that_others_read) {
  auto x = random_tensor(1001, 300, 5);
  auto const upper = x(kp::range(0, 1000)), lower = x(kp::range(1, 1001));
  auto const e = upper - kp::mean(upper, 1, keepdims);
  EXPECT_LT(ke::choose_blocks(lower, e, 2).axis, 0);
  EXPECT_EQ(ke::choose_blocks(upper, e, 2).axis, 0);  // the same rows
}

TEST(blocks, are_not_made_where_the_destination_is_read_along_another_axis) {
  index_t const n = 600;
  auto const a = random_tensor(n, n, 11);
  kp::tensor<double, 1, exec> v = kp::arange(n);
  auto const e = kp::sum(a * v, 1) - kp::mean(a * v, 1);  // every row of the result needs all of v
  EXPECT_LT(ke::choose_blocks(v.view(), kp::expr::as_node(e), 2).axis, 0);
  kp::tensor<double, 1, exec> const expected = kp::eval(e);
  v = e;
  EXPECT_TRUE(same(fetch(v), fetch(expected)));
}

TEST(blocks, of_nothing_are_none) {
  auto x = random_tensor(300, 300, 12);
  tensor2 r(0, 1);
  r = r + kp::mean(x) - kp::max(x);
  EXPECT_EQ(r.size(), 0);
}

/// Each stage by itself, into tensors of its own.
template <class X>
auto in_steps(X const& x) {
  tensor2 const mean = kp::mean(x, 1, keepdims);
  tensor2 const centred = x - mean;
  tensor2 const total = kp::sum(kp::square(centred), 1, keepdims);
  tensor2 result = centred / kp::sqrt(total + 1.0);
  return fetch(result);
}

TEST(blocks, give_what_the_stages_give_one_by_one) {
  for (auto const& [rows, columns] :
       {std::pair<index_t, index_t>{1000, 300}, {70000, 3}, {64, 5000}, {333, 1001}}) {
    SCOPED_TRACE(rows);
    auto x = random_tensor(rows, columns, 6);
    auto const centred = x - kp::mean(x, 1, keepdims);
    auto const e = centred / kp::sqrt(kp::sum(kp::square(centred), 1, keepdims) + 1.0);
    tensor2 r(rows, columns);
    EXPECT_GT(blocks_of(r, e), 1);
    auto const expected = in_steps(x);
    r = e;
    EXPECT_TRUE(close(fetch(r), expected, 1e-13));
    tensor2 target(rows, 2 * columns);
    auto const every_second = target(kp::all, kp::range(kp::none, kp::none, 2));
    kp::assign(every_second, e);
    EXPECT_TRUE(close(fetch(every_second), expected, 1e-13));
    x = e;
    EXPECT_TRUE(close(fetch(x), expected, 1e-13));
  }
}

TEST(blocks, cut_the_second_axis_where_the_first_is_short) {
  std::mt19937_64 random(8);
  auto const a = random_integers<double>({2, 500, 200}, random, -9, 9);
  auto const t = upload<3, exec>(a);
  kp::tensor<double, 3, exec> r(2, 500, 200);
  auto const e = t - kp::max(t, 2, keepdims);
  auto const cut = ke::choose_blocks(r.view(), e, 2);
  EXPECT_EQ(cut.axis, 1);
  r = e;
  auto const got = fetch(r);
  for (index_t row = 0; row < 1000; ++row) {
    double most = a[row * 200];
    for (index_t j = 0; j < 200; ++j)
      most = std::max(most, a[row * 200 + j]);
    for (index_t j = 0; j < 200; ++j)
      ASSERT_EQ(got[row * 200 + j], a[row * 200 + j] - most);
  }
}

TEST(blocks, that_find_no_memory_throw_as_others_do) {
  namespace mem = kp::memory;
  auto x = random_tensor(1000, 300, 9);
  tensor2 r(1000, 300);
  r = 7.0;
  mem::trim<exec>();
  mem::set_limit<exec>(mem::stats<exec>().in_use);
  auto const text = error_text<kp::memory_error>([&] { r = kp::softmax(x); });
  mem::set_limit<exec>(mem::no_limit);
  EXPECT_EQ(text.find("karpos::memory: cannot allocate"), 0u) << text;
  r = kp::softmax(x);
  EXPECT_NEAR(kp::item(kp::sum(r)), 1000.0, 1e-9);
}

TEST(blocks, run_on_several_threads_at_once) {
  auto x = random_tensor(1000, 300, 10);
  auto const expected = in_steps(x);
  std::vector<tensor2> results;
  for (int i = 0; i < 4; ++i)
    results.emplace_back(1000, 300);
  std::vector<std::thread> threads;
  for (auto& r : results)
    threads.emplace_back([&] {
      auto const centred = x - kp::mean(x, 1, keepdims);
      r = centred / kp::sqrt(kp::sum(kp::square(centred), 1, keepdims) + 1.0);
    });
  for (auto& t : threads)
    t.join();
  for (auto const& r : results)
    EXPECT_TRUE(close(fetch(r), expected, 1e-13));
}

}  // namespace
