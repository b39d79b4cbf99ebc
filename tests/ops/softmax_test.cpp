// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// softmax, log_softmax, layer_norm against their definitions in double.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <cmath>

namespace {

using namespace karpos_test;

template <class E>
auto value(E const& e) {
  return fetch(kp::eval(e));
}

/// f changes the elements of each slice along an axis.
template <class R, class T, class F>
host_array<R> along(host_array<T> const& a, std::size_t axis, F const& f) {
  host_array<R> out(a.shape);
  for_each_index(a.shape, [&](shape_t const& index) {
    if (index[axis] != 0)
      return;
    std::vector<double> slice;
    shape_t at = index;
    for (at[axis] = 0; at[axis] < a.shape[axis]; ++at[axis])
      slice.push_back(static_cast<double>(a.at(at)));
    f(slice);
    for (at[axis] = 0; at[axis] < a.shape[axis]; ++at[axis])
      out.at(at) =
          static_cast<stored<R>>(static_cast<R>(slice[static_cast<std::size_t>(at[axis])]));
  });
  return out;
}

void log_softmax_of(std::vector<double>& x) {
  double most = -INFINITY, sum = 0;
  for (double const v : x)
    most = std::max(most, v);
  for (double const v : x)
    sum += std::exp(v - most);
  for (double& v : x)
    v = v - most - std::log(sum);
}
void softmax_of(std::vector<double>& x) {
  log_softmax_of(x);
  for (double& v : x)
    v = std::exp(v);
}
auto layer_norm_of(double epsilon) {
  return [epsilon](std::vector<double>& x) {
    double mean = 0, variance = 0;
    for (double const v : x)
      mean += v / static_cast<double>(x.size());
    for (double const v : x)
      variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
    for (double& v : x)
      v = (v - mean) / std::sqrt(variance + epsilon);
  };
}

template <class T>
class softmax : public testing::Test {};
using element_types = testing::Types<float, double, kp::half, kp::bfloat16, int>;
TYPED_TEST_SUITE(softmax, element_types);

TYPED_TEST(softmax, along_every_axis) {
  using T = TypeParam;
  using R = kp::math_result_t<T>;
  double const tolerance = std::is_same_v<R, kp::bfloat16> ? 2e-2
                           : kp::is_half_v<R>              ? 3e-3
                           : std::is_same_v<R, float>      ? 2e-6
                                                           : 1e-13;
  std::mt19937_64 random(11);
  for (shape_t const& shape : {shape_t{2, 3, 5}, {4, 1, 1}, {3, 60, 500}, {100, 9, 100}}) {
    SCOPED_TRACE(testing::PrintToString(shape));
    auto const a = random_integers<T>(shape, random, -8, 8);
    auto const t = upload<3>(a);
    for (int axis = 0; axis < 3; ++axis) {
      SCOPED_TRACE(axis);
      auto const k = static_cast<std::size_t>(axis);
      EXPECT_TRUE(close(value(kp::softmax(t, axis)), along<R>(a, k, softmax_of), tolerance));
      EXPECT_TRUE(
          close(value(kp::log_softmax(t, axis)), along<R>(a, k, log_softmax_of), tolerance));
      EXPECT_TRUE(close(value(kp::layer_norm(t, axis)), along<R>(a, k, layer_norm_of(1e-5)),
                        2 * tolerance));
    }
    EXPECT_TRUE(same(value(kp::softmax(t)), value(kp::softmax(t, 2))));
    EXPECT_TRUE(same(value(kp::layer_norm(t)), value(kp::layer_norm(t, kp::axes(2)))));
  }
}

TEST(softmax_limits, are_those_of_the_definition) {
  kp::tensor<double, 2> t{{1000, 999}, {0, -INFINITY}, {-1e300, -1e300}};
  double const e = 1 / (1 + std::exp(-1.0));
  EXPECT_TRUE(
      close(value(kp::softmax(t)), host_array<double>({3, 2}, {e, 1 - e, 1, 0, 0.5, 0.5}), 1e-15));
  EXPECT_TRUE(close(value(kp::log_softmax(t)),
                    host_array<double>({3, 2}, {std::log(e), std::log(1 - e), 0, -INFINITY,
                                                -std::log(2.0), -std::log(2.0)}),
                    1e-15));
  kp::tensor<float, 2> nan{{1, NAN}, {1, 1}};
  EXPECT_TRUE(same(value(kp::softmax(nan)), host_array<float>({2, 2}, {NAN, NAN, 0.5f, 0.5f})));
}

TEST(softmax_limits, of_nothing_is_nothing) {
  EXPECT_TRUE(same(value(kp::softmax(kp::tensor<float, 2>(3, 0))), host_array<float>({3, 0})));
  EXPECT_TRUE(same(value(kp::log_softmax(kp::tensor<float, 2>(3, 0))), host_array<float>({3, 0})));
  EXPECT_TRUE(same(value(kp::layer_norm(kp::tensor<float, 2>(0, 3))), host_array<float>({0, 3})));
  EXPECT_EQ(error_text<kp::index_error>([] { (void)kp::softmax(kp::ones(2, 3), 2); }),
            "karpos::softmax: axis 2 is out of range for rank 2");
}

TEST(layer_norm, takes_axes_an_epsilon_and_a_weight) {
  std::mt19937_64 random(5);
  auto const a = random_integers<double>({6, 4, 5}, random, -9, 9);
  auto const t = upload<3>(a);
  host_array<double> const joined({6, 20}, a.values);
  auto expected = along<double>(joined, 1, layer_norm_of(0.5));
  expected.shape = a.shape;
  EXPECT_TRUE(close(value(kp::layer_norm(t, kp::axes(1, 2), {.epsilon = 0.5})), expected, 1e-13));
  kp::tensor<double, 1> weight{1, 2, 3, 4, 5};
  auto const weighted = value(kp::layer_norm(t, -1, {.epsilon = 0}) * weight + 1.0);
  auto const plain = along<double>(a, 2, layer_norm_of(0));
  EXPECT_NEAR(weighted[7], plain[7] * 3 + 1, 1e-12);
}

TEST(softmax_in_place, gives_the_same) {
  std::mt19937_64 random(17);
  auto const a = random_integers<float>({400, 500}, random, -8, 8);
  auto const expected = along<float>(a, 1, softmax_of);
  auto t = upload<2>(a);
  t = kp::softmax(t);
  EXPECT_TRUE(close(fetch(t), expected, 1e-6));
  // Rows move down by one: what is written is read elsewhere.
  auto u = upload<2>(a);
  u(kp::range(1, 400)) = kp::softmax(u(kp::range(0, 399)));
  auto const moved = fetch(u(kp::range(1, 400)));
  for (index_t i = 0; i < 399 * 500; ++i)
    ASSERT_NEAR(moved[i], expected[i], 1e-6) << i;
}

}  // namespace
