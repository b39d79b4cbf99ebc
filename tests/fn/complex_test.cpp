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
  if (z == exact(0))
    return z;
  return std::abs(z) < 1e-2L ? series(
                                   z, [](int k) { return 1 / std::tgamma(k + 1.0L); })
                             : std::exp(z) - exact(1);
}
exact log1p(exact z) {
  return std::abs(z) < 1e-2L && z != exact(0)
             ? series(
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

/// A part is right to within `bound` epsilon of its own size, and a part too large for R is
/// infinite, whatever the other part is.
template <class R>
void expect_part(R got, long double expected, double bound) {
  constexpr long double largest = std::numeric_limits<R>::max();
  constexpr long double epsilon = std::numeric_limits<R>::epsilon();
  auto const size = std::abs(expected);
  if (size > largest * (1 - bound * epsilon)) {
    EXPECT_EQ(std::signbit(got), std::signbit(expected));
    EXPECT_GE(std::abs(got), largest * (1 - 2 * bound * epsilon));
  } else {
    EXPECT_LE(std::abs(got - expected),
              bound * epsilon * size + 4 * std::numeric_limits<R>::denorm_min());
  }
}

template <class Case, class R>
void expect_parts_at(array<Kokkos::complex<R>> const& z, double bound) {
  typename Case::functor const f;
  auto const host = on_host(f, z);
  auto const device = on_device(f, z);
  for (std::size_t i = 0; i < z.extent(0) && !testing::Test::HasFailure(); ++i) {
    exact const expected = Case::reference(exact(z(i).real(), z(i).imag()));
    for (auto const& got : {f(z(i)), host(i), device(i)}) {
      SCOPED_TRACE(testing::Message()
                   << Case::name << z(i) << " = " << got << ", not " << expected);
      expect_part(got.real(), expected.real(), bound);
      expect_part(got.imag(), expected.imag(), bound);
    }
  }
}

/// All pairs of numbers at which an intermediate result overflows, underflows or cancels.
template <class R>
array<Kokkos::complex<R>> edges() {
  using limits = std::numeric_limits<R>;
  R const log_max = std::log(limits::max());
  std::vector<R> parts;
  for (R p : {R(0),
              limits::denorm_min(),
              limits::min(),
              8 * limits::min(),
              std::sqrt(limits::min()) / 1024,
              limits::epsilon() / 4,
              R(1),
              R(1.5),
              R(1.5707963267948966),
              log_max - 1,
              log_max,
              log_max + R(0.25),
              log_max + 1,
              R(1.9) * log_max,
              R(limits::max_exponent),
              R(limits::max_exponent + 1),
              R(0.9) / limits::epsilon(),
              R(1.1) / limits::epsilon(),
              std::sqrt(limits::max()),
              limits::max() / 16,
              limits::max() / 3,
              limits::max()}) {
    parts.push_back(p);
    parts.push_back(-p);
  }
  std::vector<Kokkos::complex<R>> result;
  for (R x : parts)
    for (R y : parts)
      result.emplace_back(x, y);
  return to_array(result);
}

/// Functions whose parts are each accurate at the edges; 2^z is not, its angle Im z log 2 being
/// rounded.
template <class Case>
struct complex_edges : testing::Test {};
using edge_cases =
    testing::Types<sqrt_case, exp_case, expm1_case, log_case, log2_case, log10_case, log1p_case,
                   sin_case, cos_case, tan_case, asin_case, acos_case, atan_case, sinh_case,
                   cosh_case, tanh_case, asinh_case, acosh_case, atanh_case>;
TYPED_TEST_SUITE(complex_edges, edge_cases, case_names);

TYPED_TEST(complex_edges, only_results_overflow) {
  expect_parts_at<TypeParam>(edges<float>(), 16);
  expect_parts_at<TypeParam>(edges<double>(), 16);
}

/// Where rounding the angle does no harm: not large, not subnormal.
template <class R>
array<Kokkos::complex<R>> edges_of_small_angle() {
  auto const all = edges<R>();
  std::vector<Kokkos::complex<R>> result;
  for (std::size_t i = 0; i < all.extent(0); ++i)
    if (all(i).imag() == 0 || (std::isnormal(all(i).imag()) && std::abs(all(i).imag()) < 2))
      result.push_back(all(i));
  return to_array(result);
}

TEST(complex, exp2_overflows_only_where_the_result_does) {
  expect_parts_at<exp2_case>(edges_of_small_angle<float>(), 16);
  expect_parts_at<exp2_case>(edges_of_small_angle<double>(), 16);
}

template <class R>
void expect_class(R got, long double expected, bool with_sign) {
  EXPECT_EQ(std::fpclassify(got), std::fpclassify(static_cast<R>(expected)));
  EXPECT_TRUE(!with_sign || std::isnan(expected) || std::signbit(got) == std::signbit(expected));
}

template <class T>
bool has_nan(T const& z) {
  return std::isnan(z.real()) || std::isnan(z.imag());
}

/// The C library's special values (Annex G). C leaves signs open beside a NaN, and of a zero where
/// both parts are infinite.
TYPED_TEST(complex_edges, special_values_are_those_of_c) {
  std::vector<Kokkos::complex<double>> list;
  double const parts[] = {0.0, -0.0, 1.0, -1.0, 2.5, INFINITY, -INFINITY, NAN};
  for (double x : parts)
    for (double y : parts)
      list.emplace_back(x, y);
  auto const z = to_array(list);
  typename TypeParam::functor const f;
  auto const host = on_host(f, z);
  auto const device = on_device(f, z);
  for (std::size_t i = 0; i < z.extent(0); ++i) {
    exact const e = TypeParam::reference(exact(z(i).real(), z(i).imag()));
    bool const nan = has_nan(z(i)) || has_nan(e);
    bool const infinite = std::isinf(z(i).real()) && std::isinf(z(i).imag());
    for (auto const& got : {f(z(i)), host(i), device(i)}) {
      SCOPED_TRACE(testing::Message() << TypeParam::name << z(i) << " = " << got << ", not " << e);
      expect_class(got.real(), e.real(), !nan && !(infinite && e.real() == 0));
      expect_class(got.imag(), e.imag(), !nan && !(infinite && e.imag() == 0));
    }
  }
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

template <class F, class C>
void expect_value(F f, C z, exact expected) {
  for (C const& got : {f(z), on_host(f, to_array<C>({z}))(0), on_device(f, to_array<C>({z}))(0)}) {
    SCOPED_TRACE(testing::Message() << z << " gives " << got << ", not " << expected);
    expect_part(got.real(), expected.real(), 8);
    expect_part(got.imag(), expected.imag(), 8);
  }
}

/// Values of mpmath.
TEST(complex, results_at_the_ends_of_the_range) {
  using d = Kokkos::complex<double>;
  using f = Kokkos::complex<float>;
  constexpr double largest = std::numeric_limits<double>::max();
  constexpr long double pi = 3.141592653589793238L;
  expect_value(kp::fn::exp{}, d(710, 1.5), exact(1.5802653829857375821e307L, INFINITY));
  expect_value(kp::fn::exp{}, f(89, 1.5f), exact(3.1758264739983985826e37L, INFINITY));
  expect_value(kp::fn::exp2{}, d(1024, 1.5),
               exact(9.1046154529492017334e307L, 1.5500839918115039845e308L));
  expect_value(kp::fn::cosh{}, d(711, 1.5707963), exact(8.1357711292844387886e300L, INFINITY));
  expect_value(kp::fn::sin{}, d(1.5, 711), exact(INFINITY, 2.1478033373565020736e307L));
  expect_value(kp::fn::atan{}, d(1e308, 0), exact(pi / 2, 0));
  expect_value(kp::fn::atan{}, d(5e307, 5e307), exact(pi / 2, 1e-308L));
  expect_value(kp::fn::atanh{}, d(1e308, 0), exact(1e-308L, pi / 2));
  expect_value(kp::fn::atanh{}, d(1, 1e-160), exact(184.55338102980362738L, pi / 4));
  expect_value(kp::fn::atanh{}, f(1, 1e-22f), exact(25.675009613214475155L, pi / 4));
  expect_value(kp::fn::asin{}, d(-largest, largest), exact(-pi / 4, 710.8224336642239147L));
  expect_value(kp::fn::log{}, d(5e-324, 5e-324), exact(-744.09349833110128966L, pi / 4));
}

/// C has no such functions: limits along the real axis, as far as they exist.
TEST(complex, exponentials_at_infinity) {
  using C = Kokkos::complex<double>;
  EXPECT_EQ(kp::fn::exp2{}(C(-INFINITY, INFINITY)), C(0, 0));
  EXPECT_EQ(kp::fn::exp2{}(C(INFINITY, NAN)).real(), INFINITY);
  EXPECT_EQ(kp::fn::expm1{}(C(-INFINITY, NAN)), C(-1, 0));
  EXPECT_EQ(kp::fn::expm1{}(C(INFINITY, INFINITY)).real(), INFINITY);
  C const below = kp::fn::exp{}(C(-1e308, -1));
  EXPECT_EQ(below, C(0, 0));
  EXPECT_FALSE(std::signbit(below.real()));
  EXPECT_TRUE(std::signbit(below.imag()));
}

TEST(complex, sign_is_the_direction) {
  using d = Kokkos::complex<double>;
  using f = Kokkos::complex<float>;
  constexpr double largest = std::numeric_limits<double>::max();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  constexpr long double root = 0.70710678118654752440L;
  kp::fn::sign const sign;
  expect_value(sign, d(3, -4), exact(0.6L, -0.8L));
  expect_value(sign, d(0, 0), exact(0, 0));
  expect_value(sign, d(0, INFINITY), exact(0, 1));
  expect_value(sign, d(1, -INFINITY), exact(0, -1));
  expect_value(sign, d(-INFINITY, NAN), exact(-1, 0));
  expect_value(sign, f(-INFINITY, INFINITY), exact(-root, root));
  expect_value(sign, d(-largest, largest), exact(-root, root));
  expect_value(sign, f(3e38f, -3e38f), exact(root, -root));
  expect_value(sign, d(tiny, tiny), exact(root, root));
  EXPECT_TRUE(has_nan(sign(d(NAN, 1))));
  EXPECT_TRUE(has_nan(sign(d(1, NAN))));
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
  EXPECT_EQ(power(C(1e200, 0), 2), C(INFINITY, 0));
  EXPECT_EQ(power(C(-1e200, 0), 3), C(-INFINITY, 0));
  EXPECT_EQ(power(C(0, 1e200), 3), C(0, -INFINITY));
  EXPECT_EQ(power(C(INFINITY, 0), 0.5), C(INFINITY, 0));
  EXPECT_EQ(power(C(1e-200, 0), -2), C(INFINITY, 0));
  EXPECT_FALSE(has_nan(power(C(1e200, 1e200), 3)));
  for (C w : {C(0.5, 0), C(1.5, -2), C(-3.25, 0.1), C(200, 0)}) {
    C const z(0.8, -1.1);
    exact const expected = std::pow(exact(z.real(), z.imag()), exact(w.real(), w.imag()));
    C const got = power(z, w);
    EXPECT_LE(std::abs(exact(got.real(), got.imag()) - expected) / std::abs(expected), 1e-13) << w;
  }
}

TEST(complex, powers_overflow_only_where_the_result_does) {
  using C = Kokkos::complex<double>;
  kp::fn::pow const power;
  EXPECT_NEAR(power(C(1e160, 0), -2).real(), 1e-320, 5e-324);
  EXPECT_NEAR(power(C(1e160, 1e160), -2).imag(), -5e-321, 1e-323);
  C const large = power(C(9e153, 9e153), 2);
  EXPECT_EQ(large.real(), 0);
  EXPECT_DOUBLE_EQ(large.imag(), 1.62e308);
  C const got = power(C(0.8, -1.1), C(2000.5, 1));
  EXPECT_NEAR(got.real() / 3.1201806991247325267e267, 1, 1e-12);
  EXPECT_NEAR(got.imag() / 3.1623119203618770419e267, 1, 1e-12);
}

}  // namespace
