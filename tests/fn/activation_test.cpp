// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/fn/activation.hpp>

#include <fn/evaluate.hpp>

#include <cmath>

namespace {

namespace kp = karpos;
using namespace karpos_test;

template <class T>
struct activation : testing::Test {};
using types = testing::Types<float, double, kp::half, kp::bfloat16>;
TYPED_TEST_SUITE(activation, types);

template <class T>
array<T> values() {
  if constexpr (sizeof(T) == 2) {
    array<T> all("all", 0x10000);
    for (unsigned p = 0; p < 0x10000u; ++p)
      all(p) = T::from_bits(static_cast<std::uint16_t>(p));
    return all;
  } else {
    return test_values<T>(20000);
  }
}

long double sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }

/// Error below `units` epsilon of the result, and for subnormal results below (2 + slack) of the
/// smallest number.
template <class T, class F, class Reference>
void expect_close(F f, Reference reference, double units, double slack_per_x = 0) {
  auto const x = values<T>();
  auto const host = on_host(f, x);
  auto const device = on_device(f, x);
  auto const eps = static_cast<double>(static_cast<float>(std::numeric_limits<T>::epsilon()));
  auto const smallest = static_cast<double>(std::numeric_limits<T>::denorm_min());
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    auto const v = static_cast<double>(x(i));
    auto const expected = static_cast<double>(
        static_cast<T>(static_cast<double>(reference(static_cast<long double>(v)))));
    for (T const result : {f(x(i)), host(i), device(i)}) {
      auto const got = static_cast<double>(result);
      ASSERT_EQ(std::isnan(got), std::isnan(v)) << v;
      if (std::isnan(v) || got == expected)
        continue;
      double const bound = units * eps * std::abs(expected) +
                           (2 + slack_per_x * std::min(std::abs(v), 40.0)) * smallest;
      ASSERT_LE(std::abs(got - expected), bound) << v << ": " << got << ", not " << expected;
    }
  }
}

TYPED_TEST(activation, sigmoid_is_accurate_in_both_tails) {
  expect_close<TypeParam>(kp::fn::sigmoid{}, sigmoid, 6);
}
TYPED_TEST(activation, silu_vanishes_at_minus_infinity) {
  expect_close<TypeParam>(
      kp::fn::silu{}, [](long double x) { return x == -INFINITY ? 0 : x * sigmoid(x); }, 7);
}
TYPED_TEST(activation, gelu_is_the_exact_form) {
  expect_close<TypeParam>(
      kp::fn::gelu{},
      [](long double x) { return x == -INFINITY ? 0 : x * 0.5L * std::erfc(-x / std::sqrt(2.0L)); },
      6, 0.75);
}

/// Every step of the tails, from where the results cancel to where they are subnormal. Values with
/// few bits have no rounding errors to show.
template <class T>
void expect_left_tails(T last) {
  std::vector<T> list;
  std::mt19937 random(5);
  std::uniform_real_distribution<T> unit(0, 1);
  for (T x = 0; x > last; x -= unit(random) / 32)
    list.push_back(x);
  auto const x = to_array(list);
  auto const gelu = on_host(kp::fn::gelu{}, x);
  auto const silu = on_host(kp::fn::silu{}, x);
  constexpr long double epsilon = std::numeric_limits<T>::epsilon();
  constexpr long double smallest = std::numeric_limits<T>::denorm_min();
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    auto const v = static_cast<long double>(x(i));
    auto const exact_gelu = v * 0.5L * std::erfc(-v / std::sqrt(2.0L));
    auto const exact_silu = v * sigmoid(v);
    for (T const got : {gelu(i), kp::fn::gelu{}(x(i))})
      ASSERT_LE(std::abs(got - exact_gelu),
                6 * epsilon * -exact_gelu - 0.75L * std::max(v, -40.0L) * smallest)
          << v;
    for (T const got : {silu(i), kp::fn::silu{}(x(i))})
      ASSERT_LE(std::abs(got - exact_silu), 6 * epsilon * -exact_silu + smallest) << v;
  }
}
TEST(activation, left_tails_keep_their_digits) {
  expect_left_tails<float>(-120);
  expect_left_tails<double>(-760);
}

/// Values of mpmath.
TEST(activation, gelu_does_not_amplify_the_rounding_of_its_argument) {
  EXPECT_NEAR(kp::fn::gelu{}(-36.0) / -1.5057446636870219994e-282, 1, 2e-15);
  EXPECT_NEAR(kp::fn::gelu{}(-10.0) / -7.619853024160526066e-23, 1, 2e-15);
  EXPECT_NEAR(kp::fn::gelu{}(-13.0f) / -7.952313719414843587e-38, 1, 1e-6);
}
TEST(activation, silu_is_right_where_the_sigmoid_is_subnormal) {
  EXPECT_NEAR(kp::fn::silu{}(-745.13), -1.848e-321, 5e-324);
}
TYPED_TEST(activation, softplus_neither_overflows_nor_cancels) {
  expect_close<TypeParam>(
      kp::fn::softplus{},
      [](long double x) { return x > 50 ? x + std::exp(-x) : std::log1p(std::exp(x)); }, 6);
}
TYPED_TEST(activation, relu_keeps_nan) {
  expect_close<TypeParam>(kp::fn::relu{}, [](long double x) { return x > 0 ? x : 0; }, 0);
}

TEST(activation, integers) {
  EXPECT_EQ(kp::fn::relu{}(std::int8_t(-5)), 0);
  EXPECT_EQ(kp::fn::relu{}(7u), 7u);
  EXPECT_EQ(kp::fn::sigmoid{}(0), 0.5);
  static_assert(std::is_same_v<decltype(kp::fn::gelu{}(1)), double> &&
                std::is_same_v<decltype(kp::fn::gelu{}(kp::half(1))), kp::half>);
}

}  // namespace
