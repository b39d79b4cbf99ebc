// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers against exact 128-bit arithmetic, over all pairs of values of the 8-bit types and the
// ends of the wider ones.
#include <karpos/fn/arithmetic.hpp>

#include <fn/evaluate.hpp>

#include <cmath>
#include <string>

namespace {

namespace kp = karpos;
using namespace karpos_test;
__extension__ using wide = __int128;

template <class T>
struct integer_arithmetic : testing::Test {};
using integer_types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                     std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(integer_arithmetic, integer_types);

/// Applies f to all pairs on host and device and compares with the oracle, reduced modulo 2^n.
template <class T, class F, class Oracle>
void expect_pairs(F f, Oracle oracle) {
  auto const values = integer_values<T>();
  auto const [x, y] = all_pairs(values, values);
  auto const host = on_host(f, x, y);
  auto const device = on_device(f, x, y);
  static_assert(std::is_same_v<decltype(host), array<T> const>);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    auto const expected = static_cast<T>(oracle(static_cast<wide>(x(i)), static_cast<wide>(y(i))));
    ASSERT_EQ(host(i), expected) << +x(i) << ' ' << +y(i);
    ASSERT_EQ(device(i), expected) << +x(i) << ' ' << +y(i);
  }
}

wide floor_quotient(wide a, wide b) {
  if (b == 0)
    return 0;
  wide const q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

TYPED_TEST(integer_arithmetic, wraps) {
  // The product of 64-bit values needs unsigned 128 bits only in its low half, where wrapping is
  // right.
  expect_pairs<TypeParam>(kp::fn::plus{}, [](wide a, wide b) { return a + b; });
  expect_pairs<TypeParam>(kp::fn::minus{}, [](wide a, wide b) { return a - b; });
  expect_pairs<TypeParam>(kp::fn::multiplies{}, [](wide a, wide b) {
    __extension__ using unsigned_wide = unsigned __int128;
    return static_cast<wide>(static_cast<unsigned_wide>(a) * static_cast<unsigned_wide>(b));
  });
}

TYPED_TEST(integer_arithmetic, quotients_truncate_and_a_zero_divisor_gives_zero) {
  expect_pairs<TypeParam>(kp::fn::divides{}, [](wide a, wide b) { return b == 0 ? 0 : a / b; });
  expect_pairs<TypeParam>(kp::fn::modulus{}, [](wide a, wide b) { return b == 0 ? 0 : a % b; });
}

TYPED_TEST(integer_arithmetic, floor_divide_and_remainder_take_the_sign_of_the_divisor) {
  expect_pairs<TypeParam>(kp::fn::floor_divide{}, floor_quotient);
  expect_pairs<TypeParam>(kp::fn::remainder{},
                          [](wide a, wide b) { return b == 0 ? 0 : a - b * floor_quotient(a, b); });
}

template <class T>
void expect_unary_wraps() {
  auto const x = integer_values<T>();
  auto const got = on_device(kp::fn::negate{}, x);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    ASSERT_EQ(got(i), static_cast<T>(-static_cast<wide>(x(i))));
    ASSERT_EQ(kp::fn::negate{}(x(i)), got(i));
    ASSERT_EQ(kp::fn::identity{}(x(i)), x(i));
  }
}
TYPED_TEST(integer_arithmetic, negate_wraps) { expect_unary_wraps<TypeParam>(); }

template <class T>
void expect_powers() {
  auto const x = integer_values<T>();
  for (int exponent = 0; exponent < 80; ++exponent) {
    array<T> e("e", x.extent(0));
    Kokkos::deep_copy(e, static_cast<T>(exponent));
    auto const got = on_device(kp::fn::integer_power{}, x, e);
    for (std::size_t i = 0; i < x.extent(0); ++i) {
      T expected = 1;
      for (int k = 0; k < exponent; ++k)
        expected = kp::fn::multiplies{}(expected, x(i));
      ASSERT_EQ(got(i), expected) << +x(i) << '^' << exponent;
    }
  }
}
TYPED_TEST(integer_arithmetic, powers_are_repeated_products) { expect_powers<TypeParam>(); }

TEST(arithmetic, negative_exponents_give_the_truncated_value) {
  kp::fn::integer_power const power;
  EXPECT_EQ(power(1, -2), 1);
  EXPECT_EQ(power(2, -1), 0);
  EXPECT_EQ(power(0, -1), 0);
  EXPECT_EQ(power(-1, -3), -1);
  EXPECT_EQ(power(-1, -4), 1);
  EXPECT_EQ(power(std::int64_t(123456789), std::int64_t(2)), 15241578750190521);
}

TEST(arithmetic, results_have_the_common_type) {
  static_assert(
      std::is_same_v<decltype(kp::fn::plus{}(std::int8_t(1), std::int8_t(1))), std::int8_t>);
  static_assert(
      std::is_same_v<decltype(kp::fn::plus{}(std::int8_t(1), std::uint8_t(1))), std::int16_t>);
  static_assert(std::is_same_v<decltype(kp::fn::multiplies{}(true, 2.0f)), float>);
  static_assert(std::is_same_v<decltype(kp::fn::divides{}(kp::half(1), kp::bfloat16(1))), float>);
  EXPECT_EQ(kp::fn::minus{}(std::uint8_t(3), std::uint8_t(5)), 254);
  EXPECT_EQ(kp::fn::negate{}(std::uint8_t(5)), 251);
  EXPECT_EQ(kp::fn::plus{}(std::int8_t(100), std::uint8_t(200)), 300);
  EXPECT_EQ(kp::fn::multiplies{}(true, std::int64_t(-7)), -7);
  EXPECT_EQ(kp::fn::minus{}(1, false), 1);
  EXPECT_EQ(kp::fn::plus{}(3, 0.5f), 3.5f);
}

template <class F, class... A>
concept callable = requires(F f, A... a) { f(a...); };
static_assert(!callable<kp::fn::plus, bool, bool> && !callable<kp::fn::negate, bool> &&
              callable<kp::fn::plus, bool, int>);
static_assert(!callable<kp::fn::plus, std::int64_t, std::uint64_t> &&
              callable<kp::fn::plus, std::int64_t, std::uint32_t>);
static_assert(!callable<kp::fn::modulus, Kokkos::complex<float>, int> &&
              !callable<kp::fn::integer_power, int, float>);
static_assert(kp::fn::plus{}(2, 3) == 5 &&
              kp::fn::divides{}(7, -2) == -3);  // usable in constant expressions

TEST(arithmetic, known_floor_quotients_and_remainders) {
  EXPECT_EQ(kp::fn::floor_divide{}(-1, 2), -1);
  EXPECT_EQ(kp::fn::floor_divide{}(7, -2), -4);
  EXPECT_EQ(kp::fn::floor_divide{}(std::int64_t(-7), std::int64_t(2)), -4);
  int const expected[] = {1, 2, 0, 1, 2};
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(kp::fn::remainder{}(i - 2, 3), expected[i]);
  EXPECT_EQ(kp::fn::remainder{}(7, -2), -1);
}

/// Python's divmod on finite values: exact remainder by fmod in long double, then the definition.
template <class T>
void expect_float_floor_division() {
  auto const values = to_array<T>({T(0.0f), T(1.0f), T(-1.0f), T(0.5f), T(-2.5f), T(3.0f), T(-7.0f),
                                   T(0.1f), T(-0.3f), T(100.0f), T(1e-3f), T(6.0f)});
  auto const [x, y] = all_pairs(values, values);
  auto const quotient = on_device(kp::fn::floor_divide{}, x, y);
  auto const remainder = on_device(kp::fn::remainder{}, x, y);
  auto const truncated = on_device(kp::fn::modulus{}, x, y);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    auto const a = static_cast<long double>(static_cast<double>(x(i)));
    auto const b = static_cast<long double>(static_cast<double>(y(i)));
    auto const r = static_cast<double>(remainder(i));
    if (b == 0) {
      EXPECT_TRUE(std::isnan(r));
      EXPECT_TRUE(std::isnan(static_cast<double>(truncated(i))));
      continue;
    }
    long double exact = std::fmod(a, b);
    EXPECT_EQ(static_cast<double>(truncated(i)), static_cast<double>(exact));
    if (exact != 0 && (exact < 0) != (b < 0))
      exact += b;
    auto const q = (a - exact) / b;
    EXPECT_EQ(r, static_cast<double>(static_cast<T>(static_cast<double>(exact)))) << a << ' ' << b;
    EXPECT_EQ(std::signbit(r), b < 0 || (b == 0 && std::signbit(b)) ? true : r < 0)
        << a << ' ' << b;
    EXPECT_EQ(static_cast<double>(quotient(i)),
              static_cast<double>(static_cast<T>(static_cast<double>(std::rint(q)))))
        << a << ' ' << b;
  }
}

TEST(arithmetic, floating_point_floor_division_is_pythons) {
  expect_float_floor_division<float>();
  expect_float_floor_division<double>();
  expect_float_floor_division<kp::half>();
  expect_float_floor_division<kp::bfloat16>();
  EXPECT_EQ(kp::fn::floor_divide{}(1.0, 0.1), 9.0);  // floor(1.0 / 0.1) would be 10
  EXPECT_EQ(kp::fn::floor_divide{}(1.0, 0.0), INFINITY);
  EXPECT_EQ(kp::fn::remainder{}(5.0, INFINITY), 5.0);
  EXPECT_EQ(kp::fn::remainder{}(-5.0, INFINITY), INFINITY);
}

template <class R>
void expect_complex_quotients() {
  using C = Kokkos::complex<R>;
  R const big = std::numeric_limits<R>::max() / 2;
  R const tiny = std::numeric_limits<R>::min() * 4;
  auto const values =
      to_array<C>({C(1, 2), C(-3, 0.5), C(0, 1), C(big, big), C(tiny, -tiny), C(5, 0)});
  auto const [x, y] = all_pairs(values, values);
  auto const got = on_device(kp::fn::divides{}, x, y);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    std::complex<long double> const exact = std::complex<long double>(x(i).real(), x(i).imag()) /
                                            std::complex<long double>(y(i).real(), y(i).imag());
    if (std::abs(exact) > static_cast<long double>(std::numeric_limits<R>::max()) ||
        std::abs(exact) < std::numeric_limits<R>::min())
      continue;
    auto const error =
        std::abs(std::complex<long double>(got(i).real(), got(i).imag()) - exact) / std::abs(exact);
    EXPECT_LE(error, 8 * std::numeric_limits<R>::epsilon()) << x(i) << ' ' << y(i);
  }
}

TEST(arithmetic, complex_quotients_do_not_overflow_on_the_way) {
  expect_complex_quotients<float>();
  expect_complex_quotients<double>();
  using C = Kokkos::complex<double>;
  EXPECT_EQ(kp::fn::divides{}(C(1, 0), C(0, 0)).real(), INFINITY);
  EXPECT_EQ(kp::fn::multiplies{}(C(1, 2), C(3, 4)), C(-5, 10));
  EXPECT_EQ(kp::fn::plus{}(C(1, 2), 1), C(2, 2));
  EXPECT_EQ(kp::fn::negate{}(C(1, -2)), C(-1, 2));
}

}  // namespace
