// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions against long double, in host loops (which call the vector library) and on
// the execution space.
#include <karpos/fn/math.hpp>

#include <fn/evaluate.hpp>

#include <cmath>

namespace {

namespace kp = karpos;
using namespace karpos_test;

// A case: the functor, the reference, the largest error in units of the last place for the vector
// library and for devices.
#define KARPOS_TEST_CASE(NAME, DEVICE_ULP, EXPRESSION)                                             \
  struct NAME##_case {                                                                             \
    using functor = kp::fn::NAME;                                                                  \
    static constexpr char const* name = #NAME;                                                     \
    static constexpr double device_ulp = DEVICE_ULP;                                               \
    static long double reference([[maybe_unused]] long double x) { return EXPRESSION; }            \
  };
KARPOS_TEST_CASE(sqrt, 1, std::sqrt(x))
KARPOS_TEST_CASE(rsqrt, 3, 1 / std::sqrt(x))
KARPOS_TEST_CASE(cbrt, 4, std::cbrt(x))
KARPOS_TEST_CASE(exp, 4, std::exp(x))
KARPOS_TEST_CASE(exp2, 4, std::exp2(x))
KARPOS_TEST_CASE(expm1, 4, std::expm1(x))
KARPOS_TEST_CASE(log, 4, std::log(x))
KARPOS_TEST_CASE(log2, 4, std::log2(x))
KARPOS_TEST_CASE(log10, 4, std::log10(x))
KARPOS_TEST_CASE(log1p, 4, std::log1p(x))
KARPOS_TEST_CASE(sin, 4, std::sin(x))
KARPOS_TEST_CASE(cos, 4, std::cos(x))
KARPOS_TEST_CASE(tan, 5, std::tan(x))
KARPOS_TEST_CASE(asin, 4, std::asin(x))
KARPOS_TEST_CASE(acos, 4, std::acos(x))
KARPOS_TEST_CASE(atan, 4, std::atan(x))
KARPOS_TEST_CASE(sinh, 4, std::sinh(x))
KARPOS_TEST_CASE(cosh, 4, std::cosh(x))
KARPOS_TEST_CASE(tanh, 4, std::tanh(x))
KARPOS_TEST_CASE(asinh, 4, std::asinh(x))
KARPOS_TEST_CASE(acosh, 5, std::acosh(x))
KARPOS_TEST_CASE(atanh, 5, std::atanh(x))
KARPOS_TEST_CASE(erf, 4, std::erf(x))
KARPOS_TEST_CASE(erfc, 6, std::erfc(x))
#undef KARPOS_TEST_CASE

using cases = testing::Types<sqrt_case, rsqrt_case, cbrt_case, exp_case, exp2_case, expm1_case,
                             log_case, log2_case, log10_case, log1p_case, sin_case, cos_case,
                             tan_case, asin_case, acos_case, atan_case, sinh_case, cosh_case,
                             tanh_case, asinh_case, acosh_case, atanh_case, erf_case, erfc_case>;

struct case_names {
  template <class Case>
  static std::string GetName(int) {
    return Case::name;
  }
};

template <class Case>
struct math_test : testing::Test {};
TYPED_TEST_SUITE(math_test, cases, case_names);

template <class Case, class T>
void expect_close(array<T> const& got, array<T> const& x, double bound) {
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    long double const exact = Case::reference(static_cast<long double>(x(i)));
    double const error = ulp_error(got(i), exact);
    ASSERT_LE(error, bound) << std::hexfloat << Case::name << '(' << x(i) << ") = " << got(i)
                            << ", not " << exact;
  }
}

TYPED_TEST(math_test, host_loops_are_within_4_ulp) {
  auto const f = test_values<float>(40000);
  auto const d = test_values<double>(40000);
  expect_close<TypeParam>(on_host(typename TypeParam::functor{}, f), f, 4.01);
  expect_close<TypeParam>(on_host(typename TypeParam::functor{}, d), d, 4.01);
}

TYPED_TEST(math_test, kernels_are_within_the_devices_bound) {
  auto const f = test_values<float>(40000);
  auto const d = test_values<double>(40000);
  double const bound = std::max(4.01, TypeParam::device_ulp);
  expect_close<TypeParam>(on_device(typename TypeParam::functor{}, f), f, bound);
  expect_close<TypeParam>(on_device(typename TypeParam::functor{}, d), d, bound);
}

template <class H>
array<H> all_patterns() {
  array<H> x("x", 0x10000);
  for (unsigned p = 0; p < 0x10000u; ++p)
    x(p) = H::from_bits(static_cast<std::uint16_t>(p));
  return x;
}

// Computed in float and rounded once: at most a hair more than half a unit of the last place.
template <class Case, class H>
void expect_rounded_once() {
  auto const x = all_patterns<H>();
  auto const host = on_host(typename Case::functor{}, x);
  auto const device = on_device(typename Case::functor{}, x);
  static_assert(std::is_same_v<decltype(host), array<H> const>);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    auto const exact = Case::reference(static_cast<long double>(static_cast<float>(x(i))));
    for (auto const got : {host(i), device(i)}) {
      auto const value = static_cast<float>(got);
      if (std::isnan(exact)) {
        ASSERT_TRUE(std::isnan(value)) << Case::name << '(' << x(i) << ')';
        continue;
      }
      // The neighbours of the result enclose the exact value, up to the error of float.
      auto const best = static_cast<float>(H(static_cast<double>(exact)));
      auto const slack = 4e-7L * std::fabs(exact);
      ASSERT_TRUE(value == best || std::fabs(value - exact) <= std::fabs(best - exact) + slack)
          << Case::name << '(' << x(i) << ") = " << value << ", not " << exact;
    }
  }
}

TYPED_TEST(math_test, sixteen_bit_formats_are_rounded_once) {
  expect_rounded_once<TypeParam, kp::half>();
  expect_rounded_once<TypeParam, kp::bfloat16>();
}

template <class T>
void expect_double_results() {
  auto const x = to_array<T>({T(0), T(1), T(2), T(100)});
  auto const got = on_device(kp::fn::exp{}, x);
  static_assert(std::is_same_v<decltype(got), array<double> const>);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_LE(ulp_error(got(i), std::exp(static_cast<long double>(x(i)))), 4.0);
}

TEST(math, integers_and_bool_are_computed_in_double) {
  expect_double_results<std::int8_t>();
  expect_double_results<std::uint64_t>();
  EXPECT_EQ(kp::fn::sqrt{}(true), 1.0);
  EXPECT_EQ(kp::fn::reciprocal{}(4), 0.25);
  static_assert(std::is_same_v<decltype(kp::fn::hypot{}(3, std::int8_t(4))), double>);
  EXPECT_EQ(kp::fn::hypot{}(3, std::int8_t(4)), 5.0);
}

template <class F, class T, class Reference>
void expect_close_pairs(F f, Reference reference, double bound) {
  auto const special = to_array(special_values<T>());
  auto const [sx, sy] = all_pairs(special, special);
  auto const random = test_values<T>(20000);
  array<T> shifted("shifted", random.extent(0));
  for (std::size_t i = 0; i < random.extent(0); ++i)
    shifted(i) = random((i * 7919 + 13) % random.extent(0));
  auto const check = [&](array<T> const& x, array<T> const& y) {
    auto const host = on_host(f, x, y);
    auto const device = on_device(f, x, y);
    for (std::size_t i = 0; i < x.extent(0); ++i) {
      long double const exact =
          reference(static_cast<long double>(x(i)), static_cast<long double>(y(i)));
      ASSERT_LE(ulp_error(host(i), exact), bound)
          << std::hexfloat << x(i) << ' ' << y(i) << ' ' << host(i) << ' ' << exact;
      ASSERT_LE(ulp_error(device(i), exact), bound)
          << std::hexfloat << x(i) << ' ' << y(i) << ' ' << device(i) << ' ' << exact;
    }
  };
  check(sx, sy);
  check(random, shifted);
}

template <class F, class Reference>
void expect_close_pairs_of_both(F f, Reference reference, double float_bound, double double_bound) {
  expect_close_pairs<F, float>(f, reference, float_bound);
  expect_close_pairs<F, double>(f, reference, double_bound);
}

TEST(math, pow_is_that_of_c_including_all_special_pairs) {
  expect_close_pairs_of_both(
      kp::fn::pow{}, [](long double x, long double y) { return std::pow(x, y); }, 4.01, 4.01);
}
TEST(math, hypot_does_not_overflow_on_the_way) {
  expect_close_pairs_of_both(
      kp::fn::hypot{}, [](long double x, long double y) { return std::hypot(x, y); }, 4.01, 4.01);
  EXPECT_DOUBLE_EQ(kp::fn::hypot{}(1e303, 1e303), 1.414213562373095e303);
}
TEST(math, atan2_knows_the_quadrants_and_signed_zeros) {
  expect_close_pairs_of_both(
      kp::fn::atan2{}, [](long double x, long double y) { return std::atan2(x, y); }, 4.01, 4.01);
}
TEST(math, fmod_is_exact) {
  expect_close_pairs_of_both(
      kp::fn::fmod{}, [](long double x, long double y) { return std::fmod(x, y); }, 0, 0);
}

TEST(math, lgamma_matches_long_double) {
  auto const x = to_array<double>({0.1, 0.5, 1, 1.5, 2, 3.25, 10, 100, 1e5, 1e300, -0.5, -1.5, -3.3,
                                   INFINITY, -INFINITY, NAN, 0.0, -1.0});
  auto const got = on_device(kp::fn::lgamma{}, x);
  for (std::size_t i = 0; i < x.extent(0); ++i)
    EXPECT_LE(ulp_error(got(i), std::lgamma(static_cast<long double>(x(i)))), 6.0) << x(i);
}

template <class T>
void expect_signed_zeros() {
  for (std::size_t n : {1, 7, 1000}) {
    array<T> negative("x", n);
    array<T> positive("x", n);
    array<T> half("x", n);
    array<T> minus_one("x", n);
    for (std::size_t i = 0; i < n; ++i) {
      negative(i) = T(-0.0f);
      half(i) = T(0.5f);
      minus_one(i) = T(-1.0f);
    }
    auto const check = [](array<T> const& got, bool sign) {
      for (std::size_t i = 0; i < got.extent(0); ++i) {
        ASSERT_EQ(static_cast<float>(got(i)), 0.0f) << i;
        ASSERT_EQ(std::signbit(static_cast<float>(got(i))), sign) << i;
      }
    };
    check(on_host(kp::fn::negate{}, positive), true);
    check(on_device(kp::fn::negate{}, positive), true);
    check(on_host(kp::fn::pow{}, negative, half), false);
    check(on_device(kp::fn::pow{}, negative, half), false);
    check(on_host(kp::fn::sqrt{}, negative), true);
    check(on_device(kp::fn::sqrt{}, negative), true);
    check(on_host(kp::fn::multiplies{}, minus_one, positive), true);
    check(on_device(kp::fn::multiplies{}, minus_one, positive), true);
    check(on_host(kp::fn::minus{}, positive, positive), false);
    check(on_device(kp::fn::minus{}, positive, positive), false);
  }
}

TEST(math, signed_zeros_survive_at_every_position) {
  expect_signed_zeros<float>();
  expect_signed_zeros<double>();
  expect_signed_zeros<kp::half>();
  expect_signed_zeros<kp::bfloat16>();
}

TEST(math, pow_of_integers_is_exact) {
  EXPECT_EQ(kp::fn::pow{}(std::int64_t(123456789), std::int64_t(2)), 15241578750190521);
  static_assert(
      std::is_same_v<decltype(kp::fn::pow{}(std::int8_t(2), std::int8_t(3))), std::int8_t>);
  static_assert(std::is_same_v<decltype(kp::fn::pow{}(2, 0.5f)), float>);
}

TEST(math, abs_and_sign_of_every_kind) {
  using kp::fn::abs;
  using kp::fn::sign;
  EXPECT_EQ(kp::fn::abs{}(std::int8_t(-128)), -128);
  EXPECT_EQ(kp::fn::abs{}(std::uint32_t(0xffffffffu)), 0xffffffffu);
  EXPECT_EQ(kp::fn::abs{}(kp::half(-2)).bits(), kp::half(2).bits());
  EXPECT_EQ(kp::fn::abs{}(-2.5), 2.5);
  EXPECT_FALSE(std::signbit(kp::fn::abs{}(-0.0f)));
  EXPECT_EQ(sign{}(std::int16_t(-7)), -1);
  EXPECT_EQ(sign{}(3u), 1u);
  EXPECT_EQ(sign{}(-1e-300), -1.0);
  EXPECT_TRUE(std::isnan(sign{}(NAN)));
  EXPECT_FALSE(std::signbit(sign{}(-0.0)));
  EXPECT_EQ(sign{}(kp::half(-8)), kp::half(-1));
  EXPECT_EQ(sign{}(Kokkos::complex<double>(3, -4)), Kokkos::complex<double>(0.6, -0.8));
  EXPECT_EQ(kp::fn::square{}(std::uint16_t(0xffff)), 1);
}

template <class F, class... A>
concept callable = requires(F f, A... a) { f(a...); };
static_assert(callable<kp::fn::exp, Kokkos::complex<float>> &&
              !callable<kp::fn::erf, Kokkos::complex<float>>);
static_assert(!callable<kp::fn::pow, bool, bool> && callable<kp::fn::pow, bool, int> &&
              !callable<kp::fn::exp, char>);

}  // namespace
