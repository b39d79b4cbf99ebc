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

/// Relative error below `units` (1 + x^2) epsilon: the argument's own rounding is amplified by x^2
/// in the normal tail.
template <class T, class F, class Reference>
void expect_close(F f, Reference reference, double units) {
  auto const x = values<T>();
  auto const host = on_host(f, x);
  auto const device = on_device(f, x);
  auto const eps = static_cast<double>(static_cast<float>(std::numeric_limits<T>::epsilon()));
  auto const tiny = static_cast<double>(std::numeric_limits<T>::min());
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    auto const v = static_cast<double>(x(i));
    auto const expected = static_cast<double>(
        static_cast<T>(static_cast<double>(reference(static_cast<long double>(v)))));
    for (auto const got : {static_cast<double>(host(i)), static_cast<double>(device(i))}) {
      ASSERT_EQ(std::isnan(got), std::isnan(v)) << v;
      if (std::isnan(v) || got == expected)
        continue;
      double const bound = units * eps * std::abs(expected) * (1 + std::min(v * v, 1e6)) + 2 * tiny;
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
      6);
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
