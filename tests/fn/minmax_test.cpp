// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/fn/minmax.hpp>

#include <fn/evaluate.hpp>

#include <algorithm>
#include <cmath>

namespace {

namespace kp = karpos;
using namespace karpos_test;

template <class T>
struct minmax : testing::Test {};
using types = testing::Types<std::int8_t, std::uint8_t, std::int64_t, std::uint64_t, float, double,
                             kp::half, kp::bfloat16>;
TYPED_TEST_SUITE(minmax, types);

template <class T>
array<T> values() {
  if constexpr (std::is_integral_v<T>) {
    return integer_values<T>();
  } else {
    std::vector<T> result;
    for (float v : {NAN, 0.0f, -1.5f, 2.0f, INFINITY, -INFINITY, 1e-3f, -7.0f, 42.0f})
      result.push_back(static_cast<T>(v));
    return to_array(result);
  }
}

template <class T>
bool is_nan(T x) {
  return x != x;
}
template <class T>
bool same(T a, T b) {
  return a == b || (is_nan(a) && is_nan(b));
}

template <class T>
void expect_definitions() {
  auto const [x, y] = all_pairs(values<T>(), values<T>());
  auto const check = [&](auto f, auto reference) {
    auto const host = on_host(f, x, y);
    auto const device = on_device(f, x, y);
    static_assert(std::is_same_v<decltype(host), array<T> const>);
    for (std::size_t i = 0; i < x.extent(0); ++i) {
      ASSERT_TRUE(same(host(i), reference(x(i), y(i)))) << x(i) << ' ' << y(i);
      ASSERT_TRUE(same(device(i), reference(x(i), y(i)))) << x(i) << ' ' << y(i);
    }
  };
  auto const smaller = [](T a, T b) { return b < a ? b : a; };
  auto const larger = [](T a, T b) { return a < b ? b : a; };
  check(kp::fn::minimum{}, [=](T a, T b) { return is_nan(a) ? a : is_nan(b) ? b : smaller(a, b); });
  check(kp::fn::maximum{}, [=](T a, T b) { return is_nan(a) ? a : is_nan(b) ? b : larger(a, b); });
  check(kp::fn::fmin{}, [=](T a, T b) { return is_nan(a) ? b : is_nan(b) ? a : smaller(a, b); });
  check(kp::fn::fmax{}, [=](T a, T b) { return is_nan(a) ? b : is_nan(b) ? a : larger(a, b); });
}

TYPED_TEST(minmax, follows_the_definitions_for_all_pairs) { expect_definitions<TypeParam>(); }

template <class T>
void expect_clip() {
  auto const [x, low] = all_pairs(values<T>(), values<T>());
  array<T> high("high", x.extent(0));
  for (std::size_t i = 0; i < x.extent(0); ++i)
    high(i) = low((i * 31 + 7) % x.extent(0));
  auto const device = on_device(kp::fn::clip{}, x, low, high);
  auto const host = on_host(kp::fn::clip{}, x, low, high);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    T expected = x(i);
    if (is_nan(x(i)) || is_nan(low(i)) || is_nan(high(i))) {
      ASSERT_TRUE(is_nan(device(i)) && is_nan(host(i)));
      continue;
    }
    if (expected < low(i))
      expected = low(i);
    if (high(i) < expected)
      expected = high(i);
    ASSERT_EQ(device(i), expected);
    ASSERT_EQ(host(i), expected);
  }
}

TYPED_TEST(minmax, clip_takes_the_upper_bound_last_and_passes_nan_on) { expect_clip<TypeParam>(); }

TEST(minmax, mixed_types_and_bool) {
  static_assert(
      std::is_same_v<decltype(kp::fn::maximum{}(std::int8_t(1), std::uint8_t(2))), std::int16_t>);
  EXPECT_EQ(kp::fn::maximum{}(std::int8_t(-1), std::uint8_t(200)), 200);
  EXPECT_EQ(kp::fn::minimum{}(true, false), false);
  EXPECT_EQ(kp::fn::clip{}(2.5f, 0, 1), 1.0f);
}

template <class F, class... A>
concept callable = requires(F f, A... a) { f(a...); };
static_assert(!callable<kp::fn::minimum, Kokkos::complex<float>, float> &&
              !callable<kp::fn::fmax, std::int64_t, std::uint64_t>);

}  // namespace
