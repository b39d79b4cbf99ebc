// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshape, ravel, flatten, view_as.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>
#include <support/view_model.hpp>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

template <class E>
auto value(E const& e) {
  return fetch(kp::eval(e));
}

TEST(reshape, keeps_the_order_of_elements) {
  auto t = upload<2>(counting<int>({3, 4}));
  EXPECT_TRUE(same(value(kp::reshape(t, 2, 6)), counting<int>({2, 6})));
  EXPECT_TRUE(same(value(kp::reshape(t, -1, 2, 2)), counting<int>({3, 2, 2})));
  EXPECT_TRUE(same(value(kp::reshape(t, {12})), counting<int>({12})));
  EXPECT_TRUE(same(value(kp::ravel(t)), counting<int>({12})));
  EXPECT_TRUE(same(value(kp::flatten(kp::transpose(t))),
                   host_array<int>({12}, {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11})));
  EXPECT_TRUE(same(value(kp::reshape(t(range(0, 0)), 0, 7)), host_array<int>({0, 7})));
  EXPECT_TRUE(same(value(kp::reshape(t(range(0, 0)), -1, 4)), host_array<int>({0, 4})));
  kp::tensor<int, 0> scalar(5);
  EXPECT_TRUE(same(value(kp::reshape(scalar, 1, 1)), host_array<int>({1, 1}, {5})));
  EXPECT_TRUE(same(value(kp::reshape(kp::reshape(scalar, 1, 1))), host_array<int>({}, {5})));
}

/// Random views reshaped: C order of the view, whether or not that takes a copy.
TEST(reshape, of_any_view_is_its_c_order) {
  for (int i = 0; i < rounds(300); ++i) {
    std::mt19937_64 random(seed_of(i));
    SCOPED_TRACE("seed " + std::to_string(seed_of(i)));
    auto t = upload<3>(counting<int>({4, 3, 6}));
    auto v = t.view();
    auto m = view_model::whole({4, 3, 6});
    for (int k = 0; k < 2; ++k)
      random_step(v, m, random);
    host_array<int> flat({static_cast<index_t>(m.where.size())});
    for (std::size_t k = 0; k < m.where.size(); ++k)
      flat.values[k] = static_cast<int>(m.where[k]);
    ASSERT_TRUE(same(value(kp::ravel(v)), flat));
    auto const twice = apply<int>([](int x) { return 2 * x; }, flat);
    ASSERT_TRUE(same(value(kp::ravel(v + v)), twice));
    auto pairs = twice;
    if (flat.size() % 2 == 0) {
      pairs.shape = {flat.size() / 2, 2};
      ASSERT_TRUE(same(value(kp::reshape(v, flat.size() / 2, 2) * 2), pairs));
    }
  }
}

TEST(reshape, without_a_copy_where_strides_allow) {
  auto& pool = kp::detail::memory_pool<kp::default_space::memory_space>::get();
  auto t = upload<3>(counting<int>({4, 6, 5}));
  auto d = kp::empty<int>(24, 5);
  auto const allocations = [&](auto const& e) {
    auto const before = pool.stats().allocations;
    d = e;
    return pool.stats().allocations - before;
  };
  EXPECT_EQ(allocations(kp::reshape(t, 24, 5) + 1), 0u);
  EXPECT_EQ(allocations(kp::reshape(t, -1, 5)), 0u);
  EXPECT_EQ(allocations(kp::reshape(kp::flip(kp::reshape(t, 24, 5)), 24, 5)), 0u);
  EXPECT_EQ(allocations(kp::reshape(kp::transpose(t), 24, 5)), 1u);
}

TEST(reshape, refuses_other_sizes) {
  auto t = upload<2>(counting<int>({3, 4}));
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::reshape(t, 5, 2); }),
            "karpos::reshape: shape (3, 4) has 12 elements, not those of (5, 2)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::reshape(t, -1, 5); }),
            "karpos::reshape: shape (3, 4) has 12 elements, not those of (-1, 5)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::reshape(t, -1, -1); }),
            "karpos::reshape: only one extent may be -1");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::reshape(t, -2, -6); }),
            "karpos::reshape: extent of axis 0 is negative: (-2, -6)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::reshape(t(range(0, 0)), 0, -1); }),
            "karpos::reshape: shape (0, 4) has 0 elements, not those of (0, -1)");
}

TEST(cases, a_wrapped_product_does_not_fit) {
  auto t = upload<1>(counting<int>({20}));
  EXPECT_EQ(error_text<kp::shape_error>([&] {
              (void)kp::reshape(t(range(0, 20, 2)), 2, 13, 419, 691, 823, index_t{2977518503});
            }),
            "karpos::reshape: the number of elements overflows 64 bits: shape (2, 13, 419, 691, "
            "823, 2977518503)");
}

TEST(view_as, gives_a_view_or_throws) {
  auto t = upload<2>(counting<int>({4, 6}));
  auto v = kp::view_as(t, 2, -1, 3);
  EXPECT_EQ(v.data(), t.data());
  EXPECT_TRUE(same(fetch(v), counting<int>({2, 4, 3})));
  v(1) = 0;
  EXPECT_EQ(kp::item(t, 3, 5), 0);
  EXPECT_EQ(kp::item(t, 1, 5), 11);
  auto const rows = kp::view_as(t(range(0, 4, 2)), 2, 3, 2);
  EXPECT_EQ(rows.strides(), (kp::extents<3>{{12, 2, 1}}));
  auto const& c = t;
  static_assert(std::is_same_v<decltype(kp::view_as(c, 24)), kp::tensor_view<int const, 1>>);
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::view_as(kp::transpose(t), 24); }),
            "karpos::view_as: a view of shape (6, 4) and strides (1, 6) cannot show shape (24,) "
            "without a copy: use reshape");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::view_as(t, 5, 5); }),
            "karpos::view_as: shape (4, 6) has 24 elements, not those of (5, 5)");
}

}  // namespace
