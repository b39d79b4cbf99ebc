// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/fn/classify.hpp>

#include <fn/evaluate.hpp>

#include <cmath>

namespace {

namespace kp = karpos;
using namespace karpos_test;

template <class T>
struct classify : testing::Test {};
using types = testing::Types<float, double, kp::half, kp::bfloat16>;
TYPED_TEST_SUITE(classify, types);

template <class T>
array<T> values() {
  if constexpr (sizeof(T) == 2) {
    array<T> all("all", 0x10000);
    for (unsigned p = 0; p < 0x10000u; ++p)
      all(p) = T::from_bits(static_cast<std::uint16_t>(p));
    return all;
  } else {
    auto result = test_values<T>(20000);
    result(0) = std::copysign(std::numeric_limits<T>::quiet_NaN(), T(-1));
    return result;
  }
}

template <class T>
void expect_classes() {
  auto const x = values<T>();
  auto const check = [&](auto f, auto reference) {
    auto const host = on_host(f, x);
    auto const device = on_device(f, x);
    for (std::size_t i = 0; i < x.extent(0); ++i) {
      ASSERT_EQ(host(i), reference(static_cast<double>(x(i)))) << x(i);
      ASSERT_EQ(device(i), reference(static_cast<double>(x(i)))) << x(i);
    }
  };
  check(kp::fn::isnan{}, [](double v) { return std::isnan(v); });
  check(kp::fn::isinf{}, [](double v) { return std::isinf(v); });
  check(kp::fn::isfinite{}, [](double v) { return std::isfinite(v); });
  check(kp::fn::signbit{}, [](double v) { return std::signbit(v); });
}

TYPED_TEST(classify, agrees_with_the_standard_library) { expect_classes<TypeParam>(); }

template <class T>
void expect_copysign() {
  auto const values = to_array<T>({T(0.0f), T(-0.0f), T(3.5f), T(-2.0f), T(NAN), T(INFINITY)});
  auto const [x, y] = all_pairs(values, values);
  auto const got = on_device(kp::fn::copysign{}, x, y);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    double const expected = std::copysign(static_cast<double>(x(i)), static_cast<double>(y(i)));
    auto const value = static_cast<double>(got(i));
    EXPECT_TRUE(value == expected || std::isnan(expected));
    EXPECT_EQ(std::signbit(value), std::signbit(expected));
  }
}

TYPED_TEST(classify, copysign_copies_the_sign_of_zeros_and_nan) { expect_copysign<TypeParam>(); }

TEST(classify, integers_are_finite) {
  EXPECT_FALSE(kp::fn::isnan{}(3));
  EXPECT_FALSE(kp::fn::isinf{}(true));
  EXPECT_TRUE(kp::fn::isfinite{}(std::uint64_t(-1)));
  EXPECT_TRUE(kp::fn::signbit{}(std::int8_t(-1)));
  EXPECT_FALSE(kp::fn::signbit{}(0xffffffffu));
  EXPECT_EQ(kp::fn::copysign{}(3, -1), -3.0);
}

TEST(classify, complex_numbers_by_their_parts) {
  using C = Kokkos::complex<double>;
  EXPECT_TRUE(kp::fn::isnan{}(C(1, NAN)));
  EXPECT_TRUE(kp::fn::isinf{}(C(-INFINITY, NAN)));
  EXPECT_FALSE(kp::fn::isfinite{}(C(1, NAN)));
  EXPECT_TRUE(kp::fn::isfinite{}(C(1, 2)));
}

}  // namespace
