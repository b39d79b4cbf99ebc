// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of others: raw pointers and Kokkos::Views of every kind, as operands and as destinations.
#include <karpos/karpos.hpp>

#include <Kokkos_DualView.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <type_traits>
#include <vector>

namespace {

using namespace karpos_test;
using kp::all;
using exec = kp::default_space;

// -- pointers (host memory)

TEST(wrap, shows_a_pointer_as_a_view) {
  std::vector<double> memory(24);
  for (int i = 0; i < 24; ++i)
    memory[static_cast<std::size_t>(i)] = i;
  auto const v = kp::wrap<kp::host_space>(memory.data(), {4, 6});
  static_assert(std::is_same_v<decltype(v), kp::tensor_view<double, 2, kp::host_space> const>);
  EXPECT_TRUE(same(fetch(v), counting<double>({4, 6})));
  auto const left = kp::wrap<kp::host_space>(memory.data(), {4, 6}, {1, 4});
  EXPECT_EQ(left(3, 2), 11.0);
  auto const backwards = kp::wrap<kp::host_space>(memory.data() + 23, {24}, {-1});
  EXPECT_EQ(backwards(0), 23.0);
  v = v + 1.0;
  left(0, all) += 100.0;
  EXPECT_EQ(memory[1], 2.0);
  EXPECT_EQ(memory[8], 109.0);
  double const* const constant = memory.data();
  static_assert(std::is_same_v<decltype(kp::wrap<kp::host_space>(constant, {4})),
                               kp::tensor_view<double const, 1, kp::host_space>>);
}

TEST(wrap, refuses_nonsense) {
  double* const null = nullptr;
  double x = 0;
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)kp::wrap(null, {2, 3}); }),
            "karpos::wrap: null pointer for shape (2, 3)");
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)kp::wrap(null, {2}, {1}); }),
            "karpos::wrap: null pointer for shape (2,)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::wrap(&x, {-1}); }),
            "karpos::wrap: extent of axis 0 is negative: (-1,)");
  EXPECT_EQ(kp::wrap(null, {0, 3}).size(), 0);
}

// -- Kokkos::Views

template <class View>
void fill_counting(View const& v) {
  auto const h = Kokkos::create_mirror(Kokkos::HostSpace(), v);
  for (std::size_t i = 0; i < v.extent(0); ++i)
    for (std::size_t j = 0; j < v.extent(1); ++j)
      h(i, j) = static_cast<typename View::non_const_value_type>(static_cast<double>(10 * i + j));
  Kokkos::deep_copy(v, h);
}
host_array<double> tens(index_t rows, index_t columns) {
  host_array<double> a({rows, columns});
  for_each_index(a.shape,
                 [&](shape_t const& i) { a.at(i) = static_cast<double>(10 * i[0] + i[1]); });
  return a;
}

/// v (3 x 4, holding 10 i + j) as an operand of operators and functions, and as a destination of
/// named functions.
template <class View>
void expect_operand(View const& v) {
  auto const want = tens(3, 4);
  EXPECT_TRUE(same(fetch(kp::wrap(v)), want));
  kp::tensor<double, 2> ones = kp::ones(3, 4);
  kp::tensor<double, 2> a = ones + v;
  kp::tensor<double, 2> b = v * ones;
  kp::tensor<double, 2> c = kp::sqrt(v);
  kp::tensor<double, 1> s = kp::sum(v, 1);
  kp::tensor<double, 2> t = kp::transpose(v);
  kp::tensor<double, 2> m = kp::matmul(v, kp::transpose(v));
  EXPECT_TRUE(same(fetch(a), apply<double>([](double x) { return x + 1; }, want)));
  EXPECT_TRUE(same(fetch(b), want));
  EXPECT_TRUE(close(fetch(c), apply<double>([](double x) { return std::sqrt(x); }, want), 1e-15));
  EXPECT_TRUE(same(fetch(s), host_array<double>({3}, {6, 46, 86})));
  EXPECT_TRUE(same(fetch(kp::transpose(t)), want));
  EXPECT_EQ(kp::item(m, 1, 2), 10 * 20 + 11 * 21 + 12 * 22 + 13 * 23);
  EXPECT_EQ(kp::item(kp::max(v)), 23.0);
  EXPECT_EQ(kp::item(v, -1, 0), 20.0);
}
template <class View>
void expect_destination(View const& v) {
  kp::tensor<double, 1> row = kp::arange(4) * 1.0;
  kp::assign(v, row);
  EXPECT_TRUE(same(fetch(kp::wrap(v)), stretched(counting<double>({4}), {3, 4})));
  kp::assign(exec(), v, 2.5);
  EXPECT_EQ(kp::item(kp::sum(v)), 30.0);
  kp::gemm(1.0, kp::ones(3, 2), kp::ones(2, 4), 0.0, v);
  EXPECT_EQ(kp::item(kp::sum(v)), 24.0);
  kp::copy(v, row);
  EXPECT_EQ(kp::item(kp::sum(v)), 18.0);
  auto w = kp::wrap(v);
  w += 1.0;
  w(all, 0) = -1.0;
  EXPECT_EQ(kp::item(kp::sum(v)), 24.0);
  fill_counting(v);
}

TEST(kokkos_views, of_both_layouts_are_operands_and_destinations) {
  Kokkos::View<double**, Kokkos::LayoutRight, exec> right("right", 3, 4);
  Kokkos::View<double**, Kokkos::LayoutLeft, exec> left("left", 3, 4);
  fill_counting(right);
  fill_counting(left);
  expect_destination(right);
  expect_destination(left);
  expect_operand(right);
  expect_operand(left);
}

TEST(kokkos_views, with_strides_and_static_extents_are_operands_and_destinations) {
  Kokkos::View<double[3][4], exec> fixed("fixed");
  Kokkos::View<double* [4], Kokkos::LayoutLeft, exec> half_fixed("half_fixed", 3);
  Kokkos::View<double***, Kokkos::LayoutRight, exec> parent("parent", 3, 2, 4);
  auto const strided = Kokkos::subview(parent, Kokkos::ALL, 1, Kokkos::ALL);
  Kokkos::View<double**, Kokkos::LayoutStride, exec> explicit_strides(
      "explicit", Kokkos::LayoutStride(3, 1, 4, 5));
  fill_counting(fixed);
  fill_counting(half_fixed);
  kp::assign(strided, kp::wrap(fixed));
  kp::assign(explicit_strides, fixed);
  expect_operand(fixed);
  expect_operand(half_fixed);
  expect_operand(strided);
  expect_operand(explicit_strides);
  kp::assign(strided, 1.0);
  EXPECT_EQ(kp::item(kp::sum(parent)), 12.0);  // the other half is untouched
  kp::assign(explicit_strides, kp::transpose(kp::reshape(kp::arange(12) * 1.0, 4, 3)));
  EXPECT_EQ(kp::item(explicit_strides, 1, 2), 7.0);
  expect_destination(fixed);
}

TEST(kokkos_views, that_are_const_random_access_or_unmanaged_are_operands) {
  Kokkos::View<double**, exec> v("v", 3, 4);
  fill_counting(v);
  expect_operand(Kokkos::View<double const**, exec>(v));
  expect_operand(Kokkos::View<double const**, exec, Kokkos::MemoryTraits<Kokkos::RandomAccess>>(v));
  expect_operand(Kokkos::View<double**, exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(v));
  expect_operand(Kokkos::View<double**, exec, Kokkos::MemoryTraits<Kokkos::Restrict>>(v));
  static_assert(std::is_same_v<decltype(kp::wrap(Kokkos::View<double const**, exec>(v))),
                               kp::tensor_view<double const, 2>>);
}

TEST(kokkos_views, sides_of_dual_views_are_operands_and_destinations) {
  Kokkos::DualView<double**, exec> dual("dual", 3, 4);
  kp::assign(dual.view_device(), kp::ones(3, 4));
  kp::assign(dual.view_host(), 2.0 * kp::ones(3, 4));
  dual.modify_device();
  EXPECT_EQ(kp::item(kp::sum(dual.view_device())),
            dual.view_device().data() == dual.view_host().data() ? 24.0 : 12.0);
  EXPECT_EQ(kp::item(kp::sum(dual.view_host())), 24.0);
}

TEST(kokkos_views, of_rank_zero_and_eight_are_operands) {
  Kokkos::View<double, exec> scalar("scalar");
  Kokkos::deep_copy(scalar, 3.0);
  kp::tensor<double, 1> a = kp::ones(4);
  kp::tensor<double, 1> b = a * scalar;
  EXPECT_TRUE(same(fetch(b), host_array<double>({4}, {3, 3, 3, 3})));
  kp::assign(scalar, kp::sum(b));
  EXPECT_EQ(kp::item(scalar), 12.0);
  Kokkos::View<int********, Kokkos::LayoutLeft, exec> eight("eight", 2, 1, 2, 3, 1, 2, 1, 2);
  kp::assign(eight, kp::reshape(kp::arange(48), 2, 1, 2, 3, 1, 2, 1, 2));
  EXPECT_TRUE(same(fetch(kp::wrap(eight)), counting<int>({2, 1, 2, 3, 1, 2, 1, 2})));
}

TEST(kokkos_views, are_kept_alive_by_what_refers_to_them) {
  auto e = [] {
    Kokkos::View<double*, exec> v("gone", 5);
    Kokkos::deep_copy(v, 2.0);
    return kp::wrap(v) * 3.0;
  }();
  Kokkos::View<double*, exec> other("other", 5);
  EXPECT_EQ(kp::item(kp::sum(e)), 30.0);
  Kokkos::View<double*, exec> counted("counted", 5);
  {
    auto const w = kp::wrap(counted);
    auto const copy = w;
    EXPECT_GE(counted.use_count(), 2);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(kokkos_views, of_zero_extents_are_operands_and_destinations) {
  Kokkos::View<double**, exec> none("none", 0, 4);
  Kokkos::View<double**, exec> unallocated;
  kp::assign(none, 1.0);
  kp::assign(none, kp::ones(4));
  EXPECT_EQ(kp::item(kp::sum(none)), 0.0);
  EXPECT_EQ(kp::item(kp::sum(unallocated)), 0.0);
  EXPECT_TRUE(same(fetch(kp::eval(kp::sum(none, 0))), host_array<double>({4})));
}

TEST(cases, equal_spans_are_copied_by_index) {
  auto a = upload<2>(counting<double>({2, 3}));
  Kokkos::View<double**, Kokkos::LayoutLeft, exec> b("b", 2, 3);
  kp::copy(exec(), b, a);
  EXPECT_TRUE(same(fetch(kp::wrap(b)), counting<double>({2, 3})));
  auto c = kp::empty<double>(3, 2);
  kp::copy(c, kp::transpose(a));
  EXPECT_TRUE(same(fetch(c), host_array<double>({3, 2}, {0, 3, 1, 4, 2, 5})));
  auto const h = kp::to_host(kp::transpose(a));
  EXPECT_TRUE(same(fetch(h), host_array<double>({3, 2}, {0, 3, 1, 4, 2, 5})));
}

}  // namespace
