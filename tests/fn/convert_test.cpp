// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions for every value: exact long double arithmetic with clamping is the oracle.
#include <karpos/fn/convert.hpp>

#include <fn/evaluate.hpp>

#include <cmath>
#include <tuple>

namespace {

namespace kp = karpos;
using namespace karpos_test;

using integer_types = std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                 std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;

template <class To>
To saturated(long double x) {
  using limits = std::numeric_limits<To>;
  if (std::isnan(x))
    return 0;
  if (x >= static_cast<long double>(limits::max()))
    return limits::max();  // long double holds 64 bits
  if (x <= static_cast<long double>(limits::min()))
    return limits::min();
  return static_cast<To>(x);
}

/// The values around every power of two, where a type's range may end.
template <class From>
array<From> boundary_values() {
  std::vector<From> values = {From(NAN),  From(INFINITY), From(-INFINITY), From(0.0f),  From(-0.0f),
                              From(0.5f), From(-0.9f),    From(1e20f),     From(-1e20f)};
  for (int e = -1; e <= 66; ++e) {
    auto const p = std::ldexp(1.0, e);
    for (double v : {p, std::nextafter(p, 0.0),
                     static_cast<double>(std::nextafter(static_cast<float>(p), 0.0f)), p + 0.5,
                     p - 0.5, p - 1, p + 1, p * 1.5}) {
      values.push_back(static_cast<From>(v));
      values.push_back(static_cast<From>(-v));
    }
  }
  return to_array(values);
}

template <class To, class From>
void expect_saturation() {
  auto const x = boundary_values<From>();
  auto const host = on_host(kp::fn::cast_to<To>{}, x);
  auto const device = on_device(kp::fn::cast_to<To>{}, x);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    auto const expected = saturated<To>(static_cast<double>(x(i)));
    ASSERT_EQ(host(i), expected) << kp::dtype_name<From>() << ' ' << static_cast<double>(x(i))
                                 << " to " << kp::dtype_name<To>();
    ASSERT_EQ(device(i), expected) << kp::dtype_name<From>() << ' ' << static_cast<double>(x(i))
                                   << " to " << kp::dtype_name<To>();
  }
}

template <class From, class... To>
void expect_saturation_to_all(std::tuple<To...>*) {
  (expect_saturation<To, From>(), ...);
}

TEST(convert, floating_point_to_integer_truncates_and_saturates_and_nan_is_zero) {
  expect_saturation_to_all<float>(static_cast<integer_types*>(nullptr));
  expect_saturation_to_all<double>(static_cast<integer_types*>(nullptr));
  expect_saturation_to_all<kp::half>(static_cast<integer_types*>(nullptr));
  expect_saturation_to_all<kp::bfloat16>(static_cast<integer_types*>(nullptr));
}

template <class To, class From>
void expect_wrapping() {
  __extension__ using wide = __int128;
  auto const x = integer_values<From>();
  auto const got = on_device(kp::fn::cast_to<To>{}, x);
  wide const modulus = wide(1) << (8 * sizeof(To));
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    wide expected = ((wide(x(i)) % modulus) + modulus) % modulus;
    if (expected > wide(std::numeric_limits<To>::max()))
      expected -= modulus;
    ASSERT_TRUE(wide(got(i)) == expected) << +x(i);
  }
}
template <class From, class... To>
void expect_wrapping_to_all(std::tuple<To...>*) {
  (expect_wrapping<To, From>(), ...);
}
template <class... From>
void expect_all_wrapping(std::tuple<From...>* all) {
  (expect_wrapping_to_all<From>(all), ...);
}

TEST(convert, integer_to_integer_is_modulo_two_to_the_n) {
  expect_all_wrapping(static_cast<integer_types*>(nullptr));
}

TEST(convert, to_bool_is_unequal_zero) {
  using kp::fn::convert;
  EXPECT_TRUE(convert<bool>(0.25f));
  EXPECT_TRUE(convert<bool>(NAN));
  EXPECT_TRUE(convert<bool>(256));
  EXPECT_FALSE(convert<bool>(-0.0));
  EXPECT_FALSE(convert<bool>(kp::half(-0.0f)));
  EXPECT_TRUE(convert<bool>(kp::bfloat16(1e-30f)));
  EXPECT_TRUE(convert<bool>(Kokkos::complex<float>(0, 1)));
  EXPECT_EQ(convert<int>(true), 1);
}

TEST(convert, to_floating_point_rounds_once) {
  using kp::fn::convert;
  EXPECT_EQ(convert<float>(16777217), 16777216.0f);
  EXPECT_EQ(convert<float>(1 + 0x1p-24 + 0x1p-50), 1 + 0x1p-23f);
  EXPECT_EQ(convert<kp::half>(1 + 0x1p-11 + 0x1p-40), kp::half(1 + 0x1p-10f));
  EXPECT_EQ(convert<kp::bfloat16>(kp::half(3.0f)), kp::bfloat16(3));
  EXPECT_EQ(convert<double>(kp::half(-0.5f)), -0.5);
  EXPECT_EQ(convert<float>(1e300), INFINITY);
}

TEST(convert, complex_numbers) {
  using kp::fn::convert;
  using C = Kokkos::complex<double>;
  EXPECT_EQ(convert<C>(2), C(2, 0));
  EXPECT_EQ(convert<C>(kp::half(0.5f)), C(0.5, 0));
  EXPECT_EQ(convert<C>(Kokkos::complex<float>(1, 2)), C(1, 2));
  EXPECT_EQ(convert<Kokkos::complex<float>>(C(1, 1e300)).imag(), INFINITY);
}

static_assert(kp::fn::convert<std::uint8_t>(300.7) == 255 &&
              kp::fn::convert<std::int8_t>(-200.0f) == -128);

}  // namespace
