// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/fn/uniform.hpp>

#include <fn/evaluate.hpp>

#include <cmath>

namespace {

namespace kp = karpos;
using namespace karpos_test;

template <class T>
struct uniform : testing::Test {};
using types = testing::Types<float, double, kp::half, kp::bfloat16>;
TYPED_TEST_SUITE(uniform, types);

array<kp::index_t> indices(int n, kp::index_t first = 0) {
  array<kp::index_t> result("indices", n);
  for (int i = 0; i < n; ++i)
    result(i) = first + i;
  return result;
}

TEST(uniform_bits, the_largest_draws_stay_below_one) {
  EXPECT_EQ(kp::fn::unit_float(0xffffffffu), 0.99999994f);
  EXPECT_EQ(kp::fn::unit_double(0xffffffffffffffffu), 1 - 0x1p-53);
  EXPECT_EQ(kp::fn::unit_float(0), 0.0f);
  auto const below_one = kp::fn::detail::narrow_down<kp::half>(0.99999994f);
  EXPECT_EQ(static_cast<float>(below_one), 1 - 0x1p-11f);
}

TEST(uniform_bits, next_below_is_nextafter) {
  for (float x :
       {1.0f, 0.0f, -0.0f, -1.0f, 0x1p-149f, -0x1p-149f, 3.0f, std::numeric_limits<float>::min()})
    EXPECT_EQ(kp::fn::detail::next_below(x), std::nextafter(x, -INFINITY)) << x;
  EXPECT_EQ(kp::fn::detail::next_below(kp::half(1)).bits(), 0x3bff);
  EXPECT_EQ(kp::fn::detail::next_below(kp::half(-1)).bits(), 0xbc01);
}

/// The words of the block that an element uses.
template <class T>
double expected_unit(std::uint64_t seed, std::uint64_t stream, std::uint64_t i) {
  if constexpr (sizeof(T) == 8) {
    auto const b = kp::fn::philox_bits(seed, stream, i / 2);
    std::uint64_t const bits = b.word[2 * (i % 2)] | (std::uint64_t(b.word[2 * (i % 2) + 1]) << 32);
    return static_cast<double>(std::floor(std::ldexp(static_cast<long double>(bits), -11)) *
                               0x1p-53L);
  } else {
    return std::floor(kp::fn::philox_bits(seed, stream, i / 4).word[i % 4] / 256.0) * 0x1p-24;
  }
}

template <class T>
void expect_elements() {
  for (kp::index_t first : {kp::index_t(0), kp::index_t(1) << 35}) {
    kp::fn::uniform<T> const f{42, 7};
    auto const x = indices(4097, first);
    auto const host = on_host(f, x);
    auto const device = on_device(f, x);
    for (int i = 0; i < 4097; ++i) {
      double const unit = expected_unit<T>(42, 7, static_cast<std::uint64_t>(x(i)));
      auto const got = static_cast<double>(host(i));
      ASSERT_LE(got, unit);  // rounded down
      ASSERT_GE(got, unit * (1 - static_cast<double>(std::numeric_limits<T>::epsilon())) -
                         0x1p-24 * (sizeof(T) == 2));
      if constexpr (sizeof(T) >= 4) {
        ASSERT_EQ(got, unit);
      }
      ASSERT_EQ(static_cast<double>(device(i)), got);
    }
    T block[kp::fn::uniform<T>::per_block];
    f.block(first / f.per_block + 3, block);
    for (int k = 0; k < f.per_block; ++k)
      ASSERT_EQ(block[k], host(3 * f.per_block + k));
  }
}

TYPED_TEST(uniform, an_element_uses_its_words_of_its_block) { expect_elements<TypeParam>(); }

template <class T>
void expect_moments(T low, T high) {
  int const n = 400000;
  auto const got = on_device(kp::fn::uniform<T>{1234, 0, low, high}, indices(n));
  double const a = static_cast<double>(low);
  double const b = static_cast<double>(high);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    ASSERT_TRUE(got(i) >= low && got(i) < high) << i << ' ' << got(i);
    double const u = (static_cast<double>(got(i)) - a) / (b - a);
    sum += u;
    squares += u * u;
    ASSERT_EQ(got(i), (kp::fn::uniform<T>{1234, 0, low, high}(i)));  // the same bits on this thread
  }
  double const rounding = static_cast<double>(std::numeric_limits<T>::epsilon());
  EXPECT_NEAR(sum / n, 0.5, 5 * 0.289 / std::sqrt(n) + rounding);
  EXPECT_NEAR(squares / n, 1.0 / 3, 5 * 0.298 / std::sqrt(n) + rounding);
}

TYPED_TEST(uniform, covers_the_interval_without_its_upper_end) {
  using T = TypeParam;
  expect_moments<T>(T(0.0f), T(1.0f));
  expect_moments<T>(T(-3.0f), T(5.0f));
  expect_moments<T>(T(0.0f), T(100.0f));
}

TYPED_TEST(uniform, two_adjacent_numbers_leave_only_the_lower_one) {
  using T = TypeParam;
  T const high(8.0f);
  T const low = kp::fn::detail::next_below(high);
  for (kp::index_t i = 0; i < 1000; ++i)
    ASSERT_EQ((kp::fn::uniform<T>{9, 0, low, high}(i)), low);
}

TEST(uniform_streams, differ) {
  int equal = 0;
  for (kp::index_t i = 0; i < 1000; ++i)
    equal += kp::fn::uniform<float>{3, 0}(i) == kp::fn::uniform<float>{3, 1}(i);
  EXPECT_LT(equal, 3);
}

}  // namespace
