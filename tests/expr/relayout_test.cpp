// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// View operations on expressions reach the leaves: the same elements as after an evaluation.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>
#include <support/view_model.hpp>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

/// Elements of an array picked by a model.
template <class T>
host_array<T> picked(host_array<T> const& a, view_model const& m) {
  host_array<T> out(m.shape);
  for (std::size_t i = 0; i < m.where.size(); ++i)
    out.values[i] = a.values[static_cast<std::size_t>(m.where[i])];
  return out;
}

struct fixture {
  host_array<double> x = counting<double>({3, 4, 5});
  host_array<double> row = counting<double>({5}, 100);
  host_array<double> column = counting<double>({4, 1}, 1000);
  kp::tensor<double, 3> a = upload<3>(x);
  kp::tensor<double, 1> r = upload<1>(row);
  kp::tensor<double, 2> c = upload<2>(column);

  /// a + r * 2 - c + generator + rank-0 tensor
  auto expression() const {
    return a + r * 2.0 - c + kp::reshape(kp::arange(60), 3, 4, 5) + kp::sum(r) * 0.0;
  }
  [[nodiscard]] host_array<double> value() const {
    auto out = x;
    for_each_index(
        x.shape, [&](shape_t const& i) { out.at(i) = x.at(i) * 2 + row[i[2]] * 2 - column[i[1]]; });
    return out;
  }
};

TEST(relayout, slices_expressions) {
  fixture f;
  auto const e = f.expression();
  auto const v = f.value();
  auto const m = view_model::whole({3, 4, 5});
  EXPECT_TRUE(same(fetch(kp::eval(e)), v));
  EXPECT_TRUE(same(fetch(kp::eval(e(1))), picked(v, m.fixed(0, 1))));
  EXPECT_TRUE(same(fetch(kp::eval(e(all, -1))), picked(v, m.fixed(1, 3))));
  EXPECT_TRUE(same(fetch(kp::eval(e(all, range(kp::none, kp::none, -2), 3))),
                   picked(v, m.sliced(1, 3, 2, -2).fixed(2, 3))));
  EXPECT_TRUE(same(fetch(kp::eval(e(range(1, 3), kp::newaxis, all, range(0, 5, 2)))),
                   picked(v, m.sliced(0, 1, 2, 1).sliced(2, 0, 3, 2).expanded(1))));
  EXPECT_TRUE(same(fetch(kp::eval(e(1, 2, 3))), picked(v, m.fixed(0, 1).fixed(0, 2).fixed(0, 3))));
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)e(3); }),
            "karpos::tensor: index 3 is out of range for axis 0 of shape (3, 4, 5)");
}

TEST(relayout, turns_and_stretches_expressions) {
  fixture f;
  auto const e = f.expression();
  auto const v = f.value();
  auto const m = view_model::whole({3, 4, 5});
  EXPECT_TRUE(same(fetch(kp::eval(kp::transpose(e))), picked(v, m.permuted({2, 1, 0}))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::permute(e, 1, 2, 0))), picked(v, m.permuted({1, 2, 0}))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::flip(e, 1))), picked(v, m.flipped(1))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::flip(e))), picked(v, m.flipped(0).flipped(1).flipped(2))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::swapaxes(e, 0, -1))), picked(v, m.permuted({2, 1, 0}))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::moveaxis(e, 0, 2))), picked(v, m.permuted({1, 2, 0}))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::expand_dims(e, 1))), picked(v, m.expanded(1))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::squeeze(e(range(2, 3)), 0))), picked(v, m.fixed(0, 2))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::diagonal(e, 1, 1, 2))), picked(v, m.diagonal(1, 1, 2))));
  EXPECT_TRUE(same(fetch(kp::eval(kp::broadcast_to(e, 2, 3, 4, 5))), stretched(v, {2, 3, 4, 5})));
}

TEST(relayout, composes) {
  fixture f;
  auto const v = f.value();
  auto const m = view_model::whole({3, 4, 5});
  auto const e = kp::flip(kp::transpose(f.expression() * 1.0)(range(1, 5, 2), all, 1), 1) + 1.0;
  auto want = picked(v, m.permuted({2, 1, 0}).sliced(0, 1, 2, 2).fixed(2, 1).flipped(1));
  for (auto& x : want.values)
    x += 1;
  EXPECT_TRUE(same(fetch(kp::eval(e)), want));
}

TEST(relayout, picks_from_whole_array_operations) {
  auto a = upload<2>(counting<int>({4, 3}));
  auto const s = kp::sum(a, 1, kp::keepdims);  // (4, 1): 3, 12, 21, 30
  EXPECT_TRUE(same(fetch(kp::eval(s(range(kp::none, kp::none, -1), 0))),
                   host_array<index_t>({4}, {30, 21, 12, 3})));
  EXPECT_TRUE(
      same(fetch(kp::eval(kp::transpose(s) + 1)), host_array<index_t>({1, 4}, {4, 13, 22, 31})));
  auto const p = kp::matmul(kp::transpose(a), a);
  EXPECT_TRUE(same(fetch(kp::eval(kp::transpose(p)(1))), host_array<int>({3}, {144, 166, 188})));
  EXPECT_TRUE(same(fetch(kp::eval(kp::diagonal(p))), host_array<int>({3}, {126, 166, 214})));
  EXPECT_EQ(kp::item(p, 2, -1), 214);
  auto const r = kp::reshape(kp::transpose(a), 2, 6);  // a copy when it is evaluated
  EXPECT_TRUE(
      same(fetch(kp::eval(kp::transpose(r)(range(4, 6)))), host_array<int>({2, 2}, {1, 8, 4, 11})));
  auto const inner = kp::sum(kp::flip(p)(range(0, 2)) * 1, 0);
  EXPECT_TRUE(
      same(fetch(kp::eval(inner)), host_array<index_t>({3}, {214 + 188, 188 + 166, 162 + 144})));
}

TEST(relayout, of_generators_moves_their_index) {
  auto const e = kp::reshape(kp::arange(12), 3, 4);
  EXPECT_TRUE(same(fetch(kp::eval(kp::transpose(kp::eye<int>(2, 3, 1)))),
                   host_array<int>({3, 2}, {0, 0, 1, 0, 0, 1})));
  EXPECT_TRUE(same(fetch(kp::eval(kp::flip(kp::linspace(0, 1, 5)))),
                   host_array<double>({5}, {1, 0.75, 0.5, 0.25, 0})));
  EXPECT_TRUE(same(fetch(kp::eval(e(all, 1))), host_array<index_t>({3}, {1, 5, 9})));
  auto const u = kp::random::uniform<float>({6, 7}, {.seed = 4});
  auto const whole = fetch(kp::eval(u));
  auto const m = view_model::whole({6, 7});
  EXPECT_TRUE(same(fetch(kp::eval(kp::transpose(u)(range(1, 7, 2)))),
                   picked(whole, m.permuted({1, 0}).sliced(0, 1, 3, 2))));
}

}  // namespace
