// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions as values: what they own, what they see, and what the types of nodes say.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <complex>
#include <type_traits>
#include <vector>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

// -- concepts

using tensor2 = kp::tensor<double, 2>;
using view2 = kp::tensor_view<double, 2>;
using sum_of_views = decltype(std::declval<view2>() + std::declval<view2>());

static_assert(kp::expression<tensor2> && kp::expression<view2> && kp::expression<sum_of_views>);
static_assert(kp::expression<decltype(kp::zeros(2, 3))> &&
              kp::expression<decltype(kp::sum(std::declval<view2>()))>);
static_assert(!kp::expression<double> && !kp::expression<std::vector<double>> &&
              !kp::expression<Kokkos::View<double*>>);
static_assert(kp::kokkos_view<Kokkos::View<double*>> && !kp::kokkos_view<view2>);
static_assert(kp::array_operand<Kokkos::View<double const**>> && !kp::array_operand<float>);
static_assert(kp::operand<float> && kp::operand<bool> && kp::operand<Kokkos::complex<float>>);
static_assert(kp::operand<long double> && kp::operand<std::complex<float>>);
static_assert(!kp::operand<char const*> && !kp::operand<std::vector<int>> && !kp::operand<void*>);
static_assert(kp::operator_operands<tensor2, int> &&
              kp::operator_operands<Kokkos::View<double*>, tensor2>);
static_assert(!kp::operator_operands<int, int> &&
              !kp::operator_operands<Kokkos::View<double*>, double>);
static_assert(kp::function_operands<Kokkos::View<double*>, double> &&
              !kp::function_operands<double, double>);

template <class A, class B>
concept can_add = requires(A const& a, B const& b) { a + b; };
static_assert(can_add<tensor2, double> && can_add<double, tensor2> &&
              can_add<tensor2, Kokkos::View<double**>>);
static_assert(!can_add<tensor2, char const*> && !can_add<tensor2, std::vector<double>>);
static_assert(!can_add<Kokkos::View<double*>, Kokkos::View<double*>>);

static_assert(std::is_same_v<sum_of_views::space, kp::default_space>);
static_assert(std::is_same_v<decltype(kp::zeros(2))::space, kp::any_space>);
static_assert(std::is_same_v<decltype(kp::zeros(2) + 1)::space, kp::any_space>);
static_assert(
    std::is_same_v<decltype(kp::zeros(2) + std::declval<view2>())::space, kp::default_space>);
static_assert(kp::expr::leaf_count<sum_of_views> == 2 &&
              kp::expr::leaf_count<decltype(std::declval<view2>() * 2.0)> == 1);

static_assert(std::is_copy_constructible_v<sum_of_views> &&
              std::is_nothrow_destructible_v<sum_of_views>);

// -- ranks and shapes

TEST(expression, has_the_broadcast_shape_and_rank) {
  auto a = kp::empty<float>(4, 1, 3);
  auto b = kp::empty<float>(5, 1);
  auto const e = a + b * 2.0f;
  static_assert(std::remove_cvref_t<decltype(e)>::rank == 3);
  EXPECT_EQ(e.shape(), (kp::extents<3>{{4, 5, 3}}));
  EXPECT_EQ(kp::shape(e), (kp::extents<3>{{4, 5, 3}}));
  EXPECT_EQ(kp::extent(e, -2), 5);
  EXPECT_EQ(kp::size(e), 60);
}

// -- lifetime

auto mesh_of_locals() {
  kp::tensor<int, 1> x{0, 1, 2};
  kp::tensor<int, 1> y{-3, -2, -1};
  return x(all, kp::newaxis) + 0 * y;
}
template <class C>
auto local_intermediate(C const& c) {
  auto t = c + 1.0;
  return (1.0 - t) / (1.0 + t);
}
auto product_of_a_local() {
  kp::tensor<double, 2> k = kp::broadcast_to(kp::arange<double>(1, 5), 4, 4);
  return k * k;
}
auto deep_expression_of_locals(index_t n) {
  kp::tensor<double, 2> a = kp::ones(n, n);
  auto s = kp::sum(a, 0) + kp::matmul(a, kp::ones(n));
  auto const v = a(range(0, n, 2), all);
  return kp::sqrt(kp::transpose(v)(0, range(0, 1)) + s(range(0, 1)) +
                  kp::reshape(a + 1.0, -1)(range(0, 1)));
}

TEST(cases, a_function_returns_an_expression_of_locals) {
  EXPECT_TRUE(same(fetch(kp::eval(mesh_of_locals())),
                   host_array<int>({3, 3}, {0, 0, 0, 1, 1, 1, 2, 2, 2})));
}

TEST(cases, an_intermediate_inside_a_generic_function) {
  kp::tensor<double, 1> c{0, 1, 2, 3};
  auto e = local_intermediate(c);
  EXPECT_TRUE(close(fetch(kp::eval(e)), host_array<double>({4}, {0, -1.0 / 3, -0.5, -0.6}), 1e-15));
  auto of_an_expression = local_intermediate(local_intermediate(c * 1.0));
  host_array<double> want({4});
  for (index_t i = 0; i < 4; ++i) {
    double const t = 1.0 + static_cast<double>(i);
    double const u = (1 - t) / (1 + t) + 1;
    want[i] = (1 - u) / (1 + u);
  }
  EXPECT_TRUE(close(fetch(kp::eval(of_an_expression)), want, 1e-15));
}

TEST(cases, an_evaluation_is_bound_to_auto_ref_ref) {
  kp::tensor<int, 1> a{1, 2};
  kp::tensor<int, 2> b{{1, 2, 3}, {1, 2, 4}};
  auto&& r = kp::eval(kp::matmul(a, b));
  auto dirt = kp::eval(kp::full({3}, 77));
  EXPECT_TRUE(same(fetch(r), host_array<int>({3}, {3, 6, 11})));
}

TEST(cases, a_product_of_a_local_is_returned_as_auto) {
  auto const e = product_of_a_local();
  auto dirt = kp::eval(kp::zeros(4, 4));
  host_array<double> const row({4}, {1, 4, 9, 16});
  EXPECT_TRUE(same(fetch(kp::eval(e)), stretched(row, {4, 4})));
}

TEST(expression, keeps_everything_below_it_alive) {
  auto const e = deep_expression_of_locals(6);
  auto dirt = kp::eval(kp::zeros(6, 6));
  EXPECT_EQ(kp::item(e, 0), std::sqrt(1.0 + 12.0 + 2.0));
}

TEST(expression, is_stored_copied_and_assigned_to_members) {
  struct model {
    kp::tensor<double, 1> weights = kp::eval(kp::arange(3) * 1.0);
    auto loss() const { return kp::sum(weights * weights); }
  };
  model m;
  auto const recipe = m.loss();
  auto const copy = recipe;
  EXPECT_EQ(kp::item(copy), 5.0);
  m.weights += 1.0;
  EXPECT_EQ(kp::item(copy), 14.0);  // a recipe: computes at each evaluation
  EXPECT_EQ(kp::item(recipe), 14.0);
}

// -- what a recipe sees

TEST(expression, sees_updates_in_place_but_no_reallocation) {
  auto a = upload<1>(counting<int>({3}));
  auto const e = a * 10;
  a += 1;
  EXPECT_TRUE(same(fetch(kp::eval(e)), host_array<int>({3}, {10, 20, 30})));
  a.reset(kp::full({3}, 100));
  EXPECT_TRUE(same(fetch(kp::eval(e)), host_array<int>({3}, {10, 20, 30})));
  auto b = upload<1>(counting<int>({3}, 5));
  a = std::move(b);
  EXPECT_TRUE(same(fetch(kp::eval(e)), host_array<int>({3}, {10, 20, 30})));
}

TEST(expression, of_random_numbers_is_fixed_when_it_is_built) {
  auto const e = kp::random::uniform<double>({100});
  EXPECT_TRUE(same(fetch(kp::eval(e)), fetch(kp::eval(e))));
  EXPECT_EQ(kp::item(kp::sum(e - e)), 0.0);
  auto const other = kp::random::uniform<double>({100});
  EXPECT_FALSE(kp::array_equal(e, other));
}

}  // namespace
