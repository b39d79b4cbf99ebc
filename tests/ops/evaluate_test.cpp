// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// assign, eval, clone, item, fence, record_use.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

TEST(assign, writes_into_tensors_views_and_kokkos_views) {
  auto t = upload<2>(counting<int>({2, 3}));
  auto const row = upload<1>(host_array<int>({3}, {7, 8, 9}));
  kp::assign(t, row);
  EXPECT_TRUE(same(fetch(t), host_array<int>({2, 3}, {7, 8, 9, 7, 8, 9})));
  auto v = t(all, range(0, 2));
  kp::assign(v, 0);
  kp::assign(t(1), row * 2);
  EXPECT_TRUE(same(fetch(t), host_array<int>({2, 3}, {0, 0, 9, 14, 16, 18})));
  Kokkos::View<int**, Kokkos::LayoutLeft, kp::default_space> k("k", 2, 3);
  kp::assign(k, t);
  kp::assign(kp::default_space{}, Kokkos::subview(k, 0, Kokkos::ALL), 5);
  EXPECT_TRUE(same(fetch(kp::wrap(k)), host_array<int>({2, 3}, {5, 5, 5, 14, 16, 18})));
  auto const view_of_t = t.view();
  kp::assign(view_of_t, kp::view(t) + 1);  // a const handle to elements that are not const
  EXPECT_EQ(kp::item(t, 0, 0), 1);
}

TEST(eval, makes_a_tensor_in_the_space_of_the_operands) {
  kp::tensor<float, 1, kp::host_space> h{1, 2};
  static_assert(std::is_same_v<decltype(kp::eval(h + 1.0f)), kp::tensor<float, 1, kp::host_space>>);
  static_assert(std::is_same_v<decltype(kp::eval(kp::zeros(2, 2))), kp::tensor<double, 2>>);
  static_assert(std::is_same_v<decltype(kp::eval(kp::host_space{}, kp::zeros(2, 2))),
                               kp::tensor<double, 2, kp::host_space>>);
  EXPECT_TRUE(same(fetch(kp::eval(h + 1.0f)), host_array<float>({2}, {2, 3})));
  auto const e = kp::eval(kp::transpose(upload<2>(counting<int>({2, 3}))));
  EXPECT_TRUE(e.is_contiguous());
  EXPECT_EQ(e.strides(), (kp::extents<2>{{2, 1}}));
}

TEST(clone, copies_views_and_kokkos_views) {
  auto t = upload<2>(counting<int>({3, 4}));
  auto c = kp::clone(t(all, range(kp::none, kp::none, -1)));
  t = 0;
  EXPECT_TRUE(same(fetch(c), host_array<int>({3, 4}, {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8})));
  Kokkos::View<int[2], kp::default_space> k("k");
  Kokkos::deep_copy(k, 4);
  auto const d = kp::clone(k);
  Kokkos::deep_copy(k, 5);
  EXPECT_TRUE(same(fetch(d), host_array<int>({2}, {4, 4})));
}

TEST(item, reads_one_value) {
  auto t = upload<2>(counting<int>({3, 4}));
  EXPECT_EQ(kp::item(t, 1, 2), 6);
  EXPECT_EQ(kp::item(t, -1, -4), 8);
  EXPECT_EQ(kp::item(t * 2 + 1, 0, 3), 7);
  EXPECT_EQ(kp::item(kp::sum(t)), 66);
  EXPECT_EQ(kp::item(kp::matmul(t, kp::transpose(t)), 0, 1), 1 * 5 + 2 * 6 + 3 * 7);
  EXPECT_EQ(kp::item(t(1, 2, kp::newaxis), 0), 6);
  static_assert(std::is_same_v<decltype(kp::item(t, 0, 0)), int>);
  static_assert(std::is_same_v<decltype(kp::item(t(0) > 1, 0)), bool>);
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)kp::item(t, 3, 0); }),
            "karpos::tensor: index 3 is out of range for axis 0 of shape (3, 4)");
}

TEST(item, reads_a_reduction_of_the_elements_of_now) {
  kp::tensor<double, 1> x(1000);
  kp::tensor<double, 0> total(0.0);
  for (int i = 0; i < 1000; ++i) {
    x = i;
    total = kp::sum(x);
    ASSERT_EQ(kp::item(total), 1000.0 * i);
    x += 1;
    ASSERT_EQ(kp::item(kp::sum(x)), 1000.0 * (i + 1));
    ASSERT_EQ(kp::item(total), 1000.0 * i);
  }
}

TEST(fence, waits_for_what_was_queued) {
  kp::tensor<double, 1> t = kp::ones(1000);
  kp::fence();
  kp::default_space const exec;
  kp::assign(exec, t, 2.0);
  kp::record_use(exec, t);
  kp::record_use(exec, t.view());
  kp::fence(exec);
  EXPECT_TRUE(same(fetch(t(range(0, 2))), host_array<double>({2}, {2, 2})));
}

}  // namespace
