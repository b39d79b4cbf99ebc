// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/fn/rounding.hpp>

#include <fn/evaluate.hpp>

#include <cmath>

namespace {

namespace kp = karpos;
using namespace karpos_test;

template <class T>
struct rounding_of_floats : testing::Test {};
using floating_types = testing::Types<float, double>;
TYPED_TEST_SUITE(rounding_of_floats, floating_types);

template <class F, class T, class Reference>
void expect_same(F f, array<T> const& x, Reference reference) {
  auto const host = on_host(f, x);
  auto const device = on_device(f, x);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    T const expected = reference(x(i));
    for (T const got : {host(i), device(i)}) {
      ASSERT_EQ(std::isnan(got), std::isnan(expected)) << x(i);
      if (std::isnan(expected))
        continue;
      ASSERT_EQ(got, expected) << std::hexfloat << x(i);
      ASSERT_EQ(std::signbit(got), std::signbit(expected)) << std::hexfloat << x(i);
    }
  }
}

/// Halves and their neighbours around every power of two, beside the usual values.
template <class T>
array<T> rounding_values() {
  std::vector<T> values;
  auto const usual = test_values<T>(20000);
  for (std::size_t i = 0; i < usual.extent(0); ++i)
    values.push_back(usual(i));
  for (int e = -2; e < std::numeric_limits<T>::digits + 2; ++e)
    for (T base : {std::ldexp(T(1), e), std::ldexp(T(1.5), e)})
      for (T offset : {T(-1), T(-0.5), T(0), T(0.5), T(0.75)})
        for (T v : {base + offset, std::nextafter(base + offset, T(0)),
                    std::nextafter(base + offset, T(INFINITY))}) {
          values.push_back(v);
          values.push_back(-v);
        }
  return to_array(values);
}

TYPED_TEST(rounding_of_floats, is_that_of_the_standard_library_with_signed_zeros) {
  auto const x = rounding_values<TypeParam>();
  expect_same(kp::fn::floor{}, x, [](TypeParam v) { return std::floor(v); });
  expect_same(kp::fn::ceil{}, x, [](TypeParam v) { return std::ceil(v); });
  expect_same(kp::fn::rint{}, x, [](TypeParam v) { return std::nearbyint(v); });
  expect_same(kp::fn::trunc{}, x, [](TypeParam v) { return std::trunc(v); });
}

TEST(rounding, of_16_bit_formats) {
  for (unsigned p = 0; p < 0x10000u; ++p) {
    kp::half const x = kp::half::from_bits(static_cast<std::uint16_t>(p));
    auto const v = static_cast<float>(x);
    if (std::isnan(v)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(kp::fn::floor{}(x))));
      continue;
    }
    ASSERT_EQ(kp::fn::floor{}(x).bits(), kp::half(std::floor(v)).bits()) << v;
    ASSERT_EQ(kp::fn::ceil{}(x).bits(), kp::half(std::ceil(v)).bits()) << v;
    ASSERT_EQ(kp::fn::rint{}(x).bits(), kp::half(std::nearbyint(v)).bits()) << v;
    ASSERT_EQ(kp::fn::trunc{}(x).bits(), kp::half(std::trunc(v)).bits()) << v;
  }
}

TEST(rounding, leaves_integers_alone) {
  static_assert(std::is_same_v<decltype(kp::fn::floor{}(std::int8_t(3))), std::int8_t>);
  EXPECT_EQ(kp::fn::ceil{}(std::numeric_limits<std::int64_t>::max()),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(kp::fn::rint{}(true), true);
  EXPECT_TRUE(std::signbit(kp::fn::rint{}(-0.4)));
}

}  // namespace
