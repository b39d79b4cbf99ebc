// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex functions against std::complex<long double>, and laws on the branch cuts.
#include <karpos/fn/complex.hpp>
#include <karpos/fn/math.hpp>

#include <fn/evaluate.hpp>

#include <cmath>
#include <complex>
#include <string>
#include <string_view>

namespace {

namespace kp = karpos;
using namespace karpos_test;
using exact = std::complex<long double>;

/// Horner's scheme for z + c2 z^2 + ... + c9 z^9: small arguments, where the plain expression
/// cancels.
template <class Coefficient>
exact series(exact z, Coefficient c) {
  exact sum = 0;
  for (int k = 9; k >= 1; --k)
    sum = (sum + c(k)) * z;
  return sum;
}
exact expm1(exact z) {
  return std::abs(z) < 1e-2L ? series(
                                   z, [](int k) { return 1 / std::tgamma(k + 1.0L); })
                             : std::exp(z) - exact(1);
}
exact log1p(exact z) {
  return std::abs(z) < 1e-2L ? series(
                                   z, [](int k) { return (k % 2 != 0 ? 1.0L : -1.0L) / k; })
                             : std::log(exact(1 + z.real(), z.imag()));
}

#define KARPOS_TEST_CASE(NAME, EXPRESSION)                                                         \
  struct NAME##_case {                                                                             \
    using functor = kp::fn::NAME;                                                                  \
    static constexpr char const* name = #NAME;                                                     \
    static exact reference(exact z) { return EXPRESSION; }                                         \
  };
KARPOS_TEST_CASE(sqrt, std::sqrt(z))
KARPOS_TEST_CASE(rsqrt, exact(1) / std::sqrt(z))
KARPOS_TEST_CASE(exp, std::exp(z))
KARPOS_TEST_CASE(exp2, std::exp(z* std::log(2.0L)))
KARPOS_TEST_CASE(expm1, expm1(z))
KARPOS_TEST_CASE(log, std::log(z))
KARPOS_TEST_CASE(log2, std::log(z) / std::log(2.0L))
KARPOS_TEST_CASE(log10, std::log(z) / std::log(10.0L))
KARPOS_TEST_CASE(log1p, log1p(z))
KARPOS_TEST_CASE(sin, std::sin(z))
KARPOS_TEST_CASE(cos, std::cos(z))
KARPOS_TEST_CASE(tan, std::tan(z))
KARPOS_TEST_CASE(asin, std::asin(z))
KARPOS_TEST_CASE(acos, std::acos(z))
KARPOS_TEST_CASE(atan, std::atan(z))
KARPOS_TEST_CASE(sinh, std::sinh(z))
KARPOS_TEST_CASE(cosh, std::cosh(z))
KARPOS_TEST_CASE(tanh, std::tanh(z))
KARPOS_TEST_CASE(asinh, std::asinh(z))
KARPOS_TEST_CASE(acosh, std::acosh(z))
KARPOS_TEST_CASE(atanh, std::atanh(z))
KARPOS_TEST_CASE(square, z* z)
KARPOS_TEST_CASE(reciprocal, exact(1) / z)
#undef KARPOS_TEST_CASE

using cases = testing::Types<sqrt_case, rsqrt_case, exp_case, exp2_case, expm1_case, log_case,
                             log2_case, log10_case, log1p_case, sin_case, cos_case, tan_case,
                             asin_case, acos_case, atan_case, sinh_case, cosh_case, tanh_case,
                             asinh_case, acosh_case, atanh_case, square_case, reciprocal_case>;
struct case_names {
  template <class Case>
  static std::string GetName(int) {
    return Case::name;
  }
};
template <class Case>
struct complex_math : testing::Test {};
TYPED_TEST_SUITE(complex_math, cases, case_names);

/// Points of the plane: a polar grid from tiny to huge, the neighbourhood of the unit circle,
/// random ones, the axes.
template <class R>
array<Kokkos::complex<R>> points() {
  std::vector<Kokkos::complex<R>> result;
  int const decades = std::numeric_limits<R>::max_exponent10 - 2;
  for (int e : {-decades, -12, -8, -4, -1, 0, 1, 2, 8, decades / 2 - 1, decades})
    for (int k = 0; k < 32; ++k) {
      auto const angle = k * 0.19634954084936207 + 0.01;
      auto const radius = std::pow(10.0, e);
      result.emplace_back(static_cast<R>(radius * std::cos(angle)),
                          static_cast<R>(radius * std::sin(angle)));
    }
  std::mt19937 random(31);
  std::uniform_real_distribution<R> unit(-1, 1);
  for (int i = 0; i < 3000; ++i) {
    result.emplace_back(unit(random), unit(random));
    result.emplace_back(20 * unit(random), 20 * unit(random));
    auto const angle = 3 * unit(random);
    auto const radius = 1 + unit(random) / 1000;
    result.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    result.emplace_back(unit(random) * 4, R(0));
    result.emplace_back(unit(random) * 4, R(-0.0));
    result.emplace_back(R(0), unit(random) * 4);
  }
  return to_array(result);
}

/// The error relative to the modulus of the result, in units of epsilon. The angle of 2^z is Im z
/// log 2: its rounding counts.
template <class Case, class R>
void expect_close(double bound) {
  auto const z = points<R>();
  auto const host = on_host(typename Case::functor{}, z);
  auto const device = on_device(typename Case::functor{}, z);
  constexpr long double largest = std::numeric_limits<R>::max() / 4;
  constexpr long double smallest = std::numeric_limits<R>::min() * 4;
  for (std::size_t i = 0; i < z.extent(0); ++i) {
    exact const expected = Case::reference(exact(z(i).real(), z(i).imag()));
    if (!(std::abs(expected) < largest) || std::abs(expected) < smallest)
      continue;
    for (auto const& got : {host(i), device(i)}) {
      auto const error = std::abs(exact(got.real(), got.imag()) - expected) / std::abs(expected) /
                         std::numeric_limits<R>::epsilon();
      ASSERT_LE(error, bound + std::abs(z(i).imag()) * (std::string_view(Case::name) == "exp2"))
          << Case::name << z(i) << " = " << got << ", not " << expected;
    }
  }
}

TYPED_TEST(complex_math, is_close_to_long_double) {
  expect_close<TypeParam, float>(16);
  expect_close<TypeParam, double>(16);
}

template <class R>
void expect_modulus() {
  using C = Kokkos::complex<R>;
  auto const z = points<R>();
  auto const length = on_device(kp::fn::abs{}, z);
  auto const angle = on_device(kp::fn::angle{}, z);
  auto const conj = on_device(kp::fn::conj{}, z);
  auto const re = on_device(kp::fn::real{}, z);
  auto const im = on_device(kp::fn::imag{}, z);
  static_assert(std::is_same_v<decltype(length), array<R> const>);
  for (std::size_t i = 0; i < z.extent(0); ++i) {
    exact const e(z(i).real(), z(i).imag());
    ASSERT_LE(ulp_error(length(i), std::abs(e)), 4) << z(i);
    ASSERT_LE(ulp_error(angle(i), std::arg(e)), 4) << z(i);
    ASSERT_EQ(conj(i), C(z(i).real(), -z(i).imag()));
    ASSERT_EQ(re(i), z(i).real());
    ASSERT_EQ(im(i), z(i).imag());
  }
}

TEST(complex, parts_and_modulus) {
  expect_modulus<float>();
  expect_modulus<double>();
}

template <class T>
auto device_abs(T z) {
  return on_device(kp::fn::abs{}, to_array<T>({z}))(0);
}

TEST(complex, modulus_does_not_overflow_on_the_way) {
  using d = Kokkos::complex<double>;
  using f = Kokkos::complex<float>;
  for (auto const got : {kp::fn::abs{}(d(3e200, 4e200)), device_abs(d(3e200, 4e200))})
    EXPECT_DOUBLE_EQ(got, 5e200);
  for (auto const got :
       {kp::fn::abs{}(d(1, 1.7976931348623157e308)), device_abs(d(1, 1.7976931348623157e308))})
    EXPECT_EQ(got, 1.7976931348623157e308);
  for (auto const got : {kp::fn::abs{}(f(2e38f, 2e38f)), device_abs(f(2e38f, 2e38f))})
    EXPECT_FLOAT_EQ(got, 2.828427e38f);
}

TEST(complex, real_elements_have_imaginary_part_zero) {
  EXPECT_EQ(kp::fn::conj{}(-3), -3);
  EXPECT_EQ(kp::fn::real{}(kp::half(2)), kp::half(2));
  EXPECT_EQ(kp::fn::imag{}(2.5f), 0.0f);
  EXPECT_DOUBLE_EQ(kp::fn::angle{}(-2), 3.141592653589793);
  EXPECT_EQ(kp::fn::angle{}(2.0f), 0.0f);
  static_assert(std::is_same_v<decltype(kp::fn::angle{}(kp::half(1))), kp::half>);
}

/// The sign of a zero imaginary part chooses the side of the cut, as in C.
TEST(complex, signed_zeros_choose_the_side_of_a_cut) {
  using C = Kokkos::complex<double>;
  EXPECT_EQ(kp::fn::sqrt{}(C(-4, 0.0)), C(0, 2));
  EXPECT_EQ(kp::fn::sqrt{}(C(-4, -0.0)), C(0, -2));
  EXPECT_GT(kp::fn::log{}(C(-1, 0.0)).imag(), 3);
  EXPECT_LT(kp::fn::log{}(C(-1, -0.0)).imag(), -3);
  for (double sign : {0.0, -0.0}) {
    std::complex<double> const std_asin = std::asin(std::complex<double>(2, sign));
    EXPECT_EQ(std::signbit(kp::fn::asin{}(C(2, sign)).imag()), std::signbit(std_asin.imag()));
    std::complex<double> const std_acosh = std::acosh(std::complex<double>(-2, sign));
    EXPECT_EQ(std::signbit(kp::fn::acosh{}(C(-2, sign)).imag()), std::signbit(std_acosh.imag()));
    std::complex<double> const std_atanh = std::atanh(std::complex<double>(2, sign));
    EXPECT_EQ(std::signbit(kp::fn::atanh{}(C(2, sign)).imag()), std::signbit(std_atanh.imag()));
  }
  EXPECT_TRUE(std::signbit(kp::fn::sqrt{}(C(0, -0.0)).imag()));
}

TEST(complex, infinities_do_not_become_nan) {
  using C = Kokkos::complex<double>;
  EXPECT_EQ(kp::fn::exp{}(C(INFINITY, 0)), C(INFINITY, 0));
  EXPECT_EQ(kp::fn::exp{}(C(-INFINITY, INFINITY)), C(0, 0));
  EXPECT_EQ(kp::fn::sqrt{}(C(NAN, INFINITY)), C(INFINITY, INFINITY));
  EXPECT_EQ(kp::fn::tanh{}(C(800, 1)).real(), 1.0);
  EXPECT_EQ(kp::fn::log{}(C(INFINITY, 1)).real(), INFINITY);
  EXPECT_EQ(kp::fn::abs{}(C(INFINITY, NAN)), INFINITY);
}

TEST(complex, powers_follow_numpys_rules) {
  using C = Kokkos::complex<double>;
  kp::fn::pow const power;
  EXPECT_EQ(power(C(0, 0), C(0, 0)), C(1, 0));
  EXPECT_EQ(power(C(0, 0), C(2, 1)), C(0, 0));
  EXPECT_TRUE(std::isnan(power(C(0, 0), C(-1, 0)).real()));
  EXPECT_EQ(power(C(1, 2), 2), C(-3, 4));
  EXPECT_EQ(power(C(0, 1), -2), C(-1, 0));
  for (C w : {C(0.5, 0), C(1.5, -2), C(-3.25, 0.1), C(200, 0)}) {
    C const z(0.8, -1.1);
    exact const expected = std::pow(exact(z.real(), z.imag()), exact(w.real(), w.imag()));
    C const got = power(z, w);
    EXPECT_LE(std::abs(exact(got.real(), got.imag()) - expected) / std::abs(expected), 1e-13) << w;
  }
}

}  // namespace
