// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// View operations: what they share, and what they refuse. (tests/core/slices_test.cpp compares
// random chains of them with a model.)
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>
#include <support/view_model.hpp>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

struct fixture {
  host_array<int> x = counting<int>({2, 3, 4});
  kp::tensor<int, 3> t = upload<3>(x);
  view_model m = view_model::whole({2, 3, 4});
};

TEST(shape, operations_share_the_elements) {
  fixture f;
  EXPECT_EQ(kp::transpose(f.t).data(), f.t.data());
  kp::flip(f.t, -1)(1, 2, all)(range(0, 1)) = -6;
  kp::expand_dims(f.t, 0)(0, 0, 0, range(0, 1)) = -7;
  kp::diagonal(f.t, 0, 1, 2)(0, all) += 100;
  auto want = f.x;
  want.at({1, 2, 3}) = -6;
  want.at({0, 0, 0}) = -7 + 100;
  want.at({0, 1, 1}) += 100;
  want.at({0, 2, 2}) += 100;
  EXPECT_TRUE(same(fetch(f.t), want));
}

TEST(shape, operations_on_const_tensors_are_read_only) {
  fixture f;
  auto const& c = f.t;
  static_assert(std::is_same_v<decltype(kp::transpose(c)), kp::tensor_view<int const, 3>>);
  static_assert(std::is_same_v<decltype(kp::flip(f.t)), kp::tensor_view<int, 3>>);
  static_assert(std::is_same_v<decltype(kp::broadcast_to(f.t, 5, 2, 3, 4)),
                               kp::tensor_view<int const, 4>>);  // may repeat elements
  static_assert(
      std::is_same_v<decltype(kp::squeeze(c(range(0, 1)), 0)), kp::tensor_view<int const, 2>>);
}

TEST(shape, permute_and_its_relatives_agree_with_the_model) {
  fixture f;
  auto const expect = [&](auto const& v, view_model const& m) {
    host_array<int> want(m.shape);
    for (std::size_t i = 0; i < m.where.size(); ++i)
      want.values[i] = static_cast<int>(m.where[i]);
    EXPECT_TRUE(same(fetch(v), want));
  };
  expect(kp::permute(f.t, 2, 0, 1), f.m.permuted({2, 0, 1}));
  expect(kp::permute(f.t, -1, 0, -2), f.m.permuted({2, 0, 1}));
  expect(kp::transpose(f.t, 1, 2, 0), f.m.permuted({1, 2, 0}));
  expect(kp::transpose(f.t), f.m.permuted({2, 1, 0}));
  expect(kp::swapaxes(f.t, 0, -1), f.m.permuted({2, 1, 0}));
  expect(kp::moveaxis(f.t, 0, -1), f.m.permuted({1, 2, 0}));
  expect(kp::moveaxis(f.t, 2, 0), f.m.permuted({2, 0, 1}));
  expect(kp::moveaxis(f.t, -2, 1), f.m);
  expect(kp::flip(f.t), f.m.flipped(0).flipped(1).flipped(2));
  expect(kp::flip(f.t, -2), f.m.flipped(1));
  expect(kp::expand_dims(f.t, -1), f.m.expanded(3));
  expect(kp::expand_dims(f.t, 1), f.m.expanded(1));
  expect(kp::diagonal(f.t), f.m.diagonal(0, 0, 1));
  expect(kp::diagonal(f.t, -1, 2, 1), f.m.diagonal(-1, 2, 1));
  expect(kp::diagonal(f.t, 9), f.m.diagonal(9, 0, 1));
  kp::tensor<int, 0> scalar(4);
  EXPECT_TRUE(same(fetch(kp::transpose(scalar)), host_array<int>({}, {4})));
  EXPECT_TRUE(same(fetch(kp::flip(scalar)), host_array<int>({}, {4})));
}

TEST(cases, explicit_broadcasts_follow_the_rule) {
  kp::tensor<int, 2> const x{{1, 2, 3}};
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::broadcast_to(x, 2, 0); }),
            "karpos::broadcast_to: shape (1, 3) does not broadcast to (2, 0)");
  EXPECT_TRUE(same(fetch(kp::broadcast_to(x, 2, 3)), host_array<int>({2, 3}, {1, 2, 3, 1, 2, 3})));
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::broadcast_to(x, {2, 2}); }),
            "karpos::broadcast_to: shape (1, 3) does not broadcast to (2, 2)");
  EXPECT_TRUE(same(fetch(kp::broadcast_to(x, {0, 3})), host_array<int>({0, 3})));
  EXPECT_TRUE(same(fetch(kp::broadcast_to(x, kp::extents<3>{{2, 1, 3}})),
                   host_array<int>({2, 1, 3}, {1, 2, 3, 1, 2, 3})));
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::broadcast_to(x, -1, 3); }),
            "karpos::broadcast_to: extent of axis 0 is negative: (-1, 3)");
  EXPECT_EQ(
      error_text<kp::shape_error>([&] { (void)kp::broadcast_to(x, kp::extents<2>{{-2, 3}}); }),
      "karpos::broadcast_to: extent of axis 0 is negative: (-2, 3)");
}

TEST(shape, refuses_axes_that_are_not_there) {
  fixture f;
  auto const text = [](auto const& call) { return error_text<kp::index_error>(call); };
  EXPECT_EQ(text([&] { (void)kp::permute(f.t, 0, 1, 3); }),
            "karpos::permute: axis 3 is out of range for rank 3");
  EXPECT_EQ(text([&] { (void)kp::permute(f.t, 0, 1, -2); }),
            "karpos::permute: axis 1 is given twice");
  EXPECT_EQ(text([&] { (void)kp::swapaxes(f.t, 0, 3); }),
            "karpos::swapaxes: axis 3 is out of range for rank 3");
  EXPECT_EQ(text([&] { (void)kp::moveaxis(f.t, -4, 0); }),
            "karpos::moveaxis: axis -4 is out of range for rank 3");
  EXPECT_EQ(text([&] { (void)kp::flip(f.t, 3); }),
            "karpos::flip: axis 3 is out of range for rank 3");
  EXPECT_EQ(text([&] { (void)kp::expand_dims(f.t, 4); }),
            "karpos::expand_dims: axis 4 is out of range for rank 4");
  EXPECT_EQ(text([&] { (void)kp::squeeze(f.t, 3); }),
            "karpos::squeeze: axis 3 is out of range for rank 3");
  EXPECT_EQ(text([&] { (void)kp::diagonal(f.t, 0, 1, 3); }),
            "karpos::diagonal: axis 3 is out of range for rank 3");
  EXPECT_EQ(text([&] { (void)kp::diagonal(f.t, 0, 1, -2); }),
            "karpos::diagonal: the two axes must differ, both are 1");
  EXPECT_EQ(text([&] { (void)kp::extent(f.t, 3); }),
            "karpos::extent: axis 3 is out of range for rank 3");
  EXPECT_EQ(text([&] { (void)kp::stride(f.t, -4); }),
            "karpos::stride: axis -4 is out of range for rank 3");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::squeeze(f.t, 1); }),
            "karpos::squeeze: axis 1 of shape (2, 3, 4) has not extent 1");
}

TEST(shape, is_asked_of_anything) {
  fixture f;
  Kokkos::View<double* [3], Kokkos::LayoutLeft, kp::default_space> v("v", 4);
  EXPECT_EQ(kp::shape(v), (kp::extents<2>{{4, 3}}));
  EXPECT_EQ(kp::extent(v, -1), 3);
  EXPECT_EQ(kp::stride(v, 0), 1);
  EXPECT_EQ(kp::stride(kp::transpose(f.t), 0), 1);
  EXPECT_EQ(kp::size(v), 12);
  EXPECT_EQ(kp::shape(f.t + kp::ones<int>(5, 1, 1, 1)), (kp::extents<4>{{5, 2, 3, 4}}));
}

}  // namespace
