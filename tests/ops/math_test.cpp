// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise functions through the engine (tests/fn looks at the functors): values over vector
// loops and their tails, result types, special values at every position.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <cfloat>
#include <cmath>
#include <limits>

namespace {

using namespace karpos_test;
using c64 = Kokkos::complex<float>;
using c128 = Kokkos::complex<double>;

template <class E>
auto value(E const& e) {
  return fetch(kp::eval(e));
}
template <class T>
host_array<T> list(std::initializer_list<stored<T>> values) {
  host_array<T> a({static_cast<index_t>(values.size())});
  std::copy(values.begin(), values.end(), a.values.begin());
  return a;
}
template <class T>
kp::tensor<T, 1> vector(std::initializer_list<stored<T>> values) {
  return upload<1>(list<T>(values));
}

// -- every function of the table against libm in long double

using reference = long double (*)(long double);

/// `n` values from low to high, in the element type.
template <class T>
host_array<T> spread(index_t n, double low, double high) {
  host_array<T> x({n});
  for (index_t i = 0; i < n; ++i)
    x[i] = static_cast<T>(low +
                          (high - low) * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
  return x;
}

template <class T, class F>
void expect_function(char const* name, F const& build, reference exact, double low, double high) {
  for (index_t n : {1, 7, 1000}) {
    auto const x = spread<T>(n, low, high);
    auto const got = value(build(upload<1>(x)));
    static_assert(std::is_same_v<decltype(got), host_array<T> const>);
    for (index_t i = 0; i < n; ++i) {
      auto const want = exact(static_cast<long double>(x[i]));
      ASSERT_NEAR(static_cast<double>(got[i]), static_cast<double>(want),
                  8 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                      std::max(1.0, std::fabs(static_cast<double>(want))))
          << name << '(' << x[i] << "), element " << i << " of " << n;
    }
  }
}

#define FUNCTION(T, name, exact, low, high)                                                        \
  expect_function<T>(#name, [](auto const& t) { return kp::name(t); }, exact, low, high)

TEST(math, of_doubles_is_right_in_vector_loops_and_tails) {
  FUNCTION(double, abs, [](long double x) { return fabsl(x); }, -5, 5);
  FUNCTION(double, sqrt, [](long double x) { return sqrtl(x); }, 0, 50);
  FUNCTION(double, rsqrt, [](long double x) { return 1 / sqrtl(x); }, 0.5, 50);
  FUNCTION(double, cbrt, [](long double x) { return cbrtl(x); }, -50, 50);
  FUNCTION(double, square, [](long double x) { return x * x; }, -5, 5);
  FUNCTION(double, reciprocal, [](long double x) { return 1 / x; }, 0.5, 5);
  FUNCTION(double, exp, [](long double x) { return expl(x); }, -20, 20);
  FUNCTION(double, exp2, [](long double x) { return exp2l(x); }, -20, 20);
  FUNCTION(double, expm1, [](long double x) { return expm1l(x); }, -3, 3);
  FUNCTION(double, log, [](long double x) { return logl(x); }, 0, 100);
  FUNCTION(double, log2, [](long double x) { return log2l(x); }, 0, 100);
  FUNCTION(double, log10, [](long double x) { return log10l(x); }, 0, 100);
  FUNCTION(double, log1p, [](long double x) { return log1pl(x); }, -0.9, 5);
  FUNCTION(double, sin, [](long double x) { return sinl(x); }, -20, 20);
  FUNCTION(double, cos, [](long double x) { return cosl(x); }, -20, 20);
  FUNCTION(double, tan, [](long double x) { return tanl(x); }, -1.5, 1.5);
  FUNCTION(double, asin, [](long double x) { return asinl(x); }, -1, 1);
  FUNCTION(double, acos, [](long double x) { return acosl(x); }, -1, 1);
  FUNCTION(double, atan, [](long double x) { return atanl(x); }, -9, 9);
  FUNCTION(double, sinh, [](long double x) { return sinhl(x); }, -5, 5);
  FUNCTION(double, cosh, [](long double x) { return coshl(x); }, -5, 5);
  FUNCTION(double, tanh, [](long double x) { return tanhl(x); }, -5, 5);
  FUNCTION(double, asinh, [](long double x) { return asinhl(x); }, -9, 9);
  FUNCTION(double, acosh, [](long double x) { return acoshl(x); }, 1, 9);
  FUNCTION(double, atanh, [](long double x) { return atanhl(x); }, -0.9, 0.9);
  FUNCTION(double, erf, [](long double x) { return erfl(x); }, -3, 3);
  FUNCTION(double, erfc, [](long double x) { return erfcl(x); }, -3, 3);
  FUNCTION(double, lgamma, [](long double x) { return lgammal(x); }, 0.1, 20);
  FUNCTION(double, floor, [](long double x) { return floorl(x); }, -5, 5);
  FUNCTION(double, ceil, [](long double x) { return ceill(x); }, -5, 5);
  FUNCTION(double, rint, [](long double x) { return rintl(x); }, -5, 5);
  FUNCTION(double, trunc, [](long double x) { return truncl(x); }, -5, 5);
  FUNCTION(double, sigmoid, [](long double x) { return 1 / (1 + expl(-x)); }, -9, 9);
  FUNCTION(double, relu, [](long double x) { return x > 0 ? x : 0; }, -9, 9);
  FUNCTION(double, gelu, [](long double x) { return x * erfcl(-x / sqrtl(2)) / 2; }, -5, 5);
  FUNCTION(double, silu, [](long double x) { return x / (1 + expl(-x)); }, -9, 9);
  FUNCTION(double, softplus, [](long double x) { return log1pl(expl(x)); }, -9, 9);
}

TEST(math, of_floats_is_right_in_vector_loops_and_tails) {
  FUNCTION(float, exp, [](long double x) { return expl(x); }, -20, 20);
  FUNCTION(float, log, [](long double x) { return logl(x); }, 0.01, 100);
  FUNCTION(float, sin, [](long double x) { return sinl(x); }, -20, 20);
  FUNCTION(float, tanh, [](long double x) { return tanhl(x); }, -5, 5);
  FUNCTION(float, erf, [](long double x) { return erfl(x); }, -3, 3);
  FUNCTION(float, rsqrt, [](long double x) { return 1 / sqrtl(x); }, 0.5, 50);
}

TEST(math, of_two_operands) {
  auto const x = vector<double>({3, -7.5, 7.5, 1e300});
  auto const y = vector<double>({4, 2, -2, 1e300});
  EXPECT_TRUE(close(
      value(kp::hypot(x, y)),
      list<double>({5, std::hypot(7.5, 2), std::hypot(7.5, 2), std::sqrt(2.0) * 1e300}), 1e-15));
  EXPECT_TRUE(close(
      value(kp::atan2(x, y)),
      list<double>({std::atan2(3, 4), std::atan2(-7.5, 2), std::atan2(7.5, -2), std::atan(1.0)}),
      1e-15));
  EXPECT_TRUE(same(value(kp::fmod(x, y)), list<double>({3, -1.5, 1.5, 0})));
  EXPECT_TRUE(same(value(kp::remainder(x, y)), list<double>({3, 0.5, -0.5, 0})));
  EXPECT_TRUE(same(value(kp::floor_divide(x, y)), list<double>({0, -4, -4, 1})));
  EXPECT_TRUE(same(value(kp::copysign(x, y)), list<double>({3, 7.5, -7.5, 1e300})));
  EXPECT_TRUE(close(value(kp::pow(vector<double>({2, 9, -2}), vector<double>({10, 0.5, 3}))),
                    list<double>({1024, 3, -8}), 1e-15));
  EXPECT_TRUE(same(value(kp::hypot(x(kp::range(0, 1)), 4.0)), list<double>({5})));
}

TEST(math, propagates_or_ignores_nan_as_named) {
  auto const x = vector<float>({1, NAN, 2, NAN});
  auto const y = vector<float>({2, 1, NAN, NAN});
  EXPECT_TRUE(same(value(kp::minimum(x, y)), list<float>({1, NAN, NAN, NAN})));
  EXPECT_TRUE(same(value(kp::maximum(x, y)), list<float>({2, NAN, NAN, NAN})));
  EXPECT_TRUE(same(value(kp::fmin(x, y)), list<float>({1, 1, 2, NAN})));
  EXPECT_TRUE(same(value(kp::fmax(x, y)), list<float>({2, 1, 2, NAN})));
  EXPECT_TRUE(
      same(value(kp::clip(vector<float>({-1, 0.5, 3, NAN}), 0, 1)), list<float>({0, 0.5, 1, NAN})));
  EXPECT_TRUE(same(value(kp::isnan(x)), list<bool>({0, 1, 0, 1})));
  auto const z = vector<float>({INFINITY, -INFINITY, 0, NAN});
  EXPECT_TRUE(same(value(kp::isinf(z)), list<bool>({1, 1, 0, 0})));
  EXPECT_TRUE(same(value(kp::isfinite(z)), list<bool>({0, 0, 1, 0})));
  EXPECT_TRUE(same(value(kp::signbit(vector<float>({-0.0f, 0, -1}))), list<bool>({1, 0, 1})));
  EXPECT_TRUE(
      same(value(kp::sign(vector<float>({-3, -0.0f, 4, NAN}))), list<float>({-1, 0, 1, NAN})));
}

template <class T>
using of = kp::tensor_view<T, 1>;
template <class E>
using type = typename E::value_type;

TEST(math, keeps_or_raises_the_type) {
  static_assert(std::is_same_v<type<decltype(kp::exp(of<int>{}))>, double>);
  static_assert(std::is_same_v<type<decltype(kp::sqrt(of<std::int8_t>{}))>, double>);
  static_assert(std::is_same_v<type<decltype(kp::exp(of<kp::half>{}))>, kp::half>);
  static_assert(std::is_same_v<type<decltype(kp::exp(of<float>{}))>, float>);
  static_assert(std::is_same_v<type<decltype(kp::exp(of<c64>{}))>, c64>);
  static_assert(std::is_same_v<type<decltype(kp::abs(of<c128>{}))>, double>);
  static_assert(std::is_same_v<type<decltype(kp::abs(of<std::int8_t>{}))>, std::int8_t>);
  static_assert(std::is_same_v<type<decltype(kp::floor(of<int>{}))>, int>);
  static_assert(std::is_same_v<type<decltype(kp::square(of<std::int8_t>{}))>, std::int8_t>);
  static_assert(std::is_same_v<type<decltype(kp::real(of<c64>{}))>, float>);
  static_assert(std::is_same_v<type<decltype(kp::isnan(of<c64>{}))>, bool>);
  static_assert(std::is_same_v<type<decltype(kp::maximum(of<float>{}, 1))>, float>);
  static_assert(std::is_same_v<type<decltype(kp::pow(of<float>{}, 2))>, float>);
  static_assert(std::is_same_v<type<decltype(kp::pow(of<int>{}, 2))>, int>);
  static_assert(std::is_same_v<type<decltype(kp::pow(of<int>{}, 0.5))>, double>);
  static_assert(std::is_same_v<type<decltype(kp::hypot(of<float>{}, of<double>{}))>, double>);
  static_assert(std::is_same_v<type<decltype(kp::clip(of<std::int8_t>{}, 0, 100))>, std::int8_t>);
  EXPECT_TRUE(same(value(kp::sqrt(vector<int>({16, 25}))), list<double>({4, 5})));
}

TEST(math, refuses_scalars_that_the_element_type_cannot_hold) {
  auto const x = vector<std::int8_t>({1});
  auto const text = [](auto const& call) { return error_text<kp::argument_error>(call); };
  EXPECT_EQ(text([&] { (void)kp::maximum(x, 300); }),
            "karpos::maximum: scalar 300 does not fit the element type int8");
  EXPECT_EQ(text([&] { (void)kp::clip(x, -129, 5); }),
            "karpos::clip: scalar -129 does not fit the element type int8");
  EXPECT_EQ(text([&] { (void)kp::remainder(300, x); }),
            "karpos::remainder: scalar 300 does not fit the element type int8");
  EXPECT_EQ(text([&] { (void)kp::pow(x, 128); }),
            "karpos::pow: scalar 128 does not fit the element type int8");
}

// -- the cases

TEST(cases, denormals_survive) {
  auto const x = vector<float>({FLT_MIN, std::numeric_limits<float>::denorm_min()});
  auto const halves = value(x * vector<float>({0.5f, 2.0f}));
  EXPECT_EQ(halves[0], 5.8774718e-39f);
  EXPECT_EQ(halves[1], 2.8e-45f);
  EXPECT_TRUE(same(value(x == 0.0f), list<bool>({0, 0})));
}

TEST(cases, signed_zero_in_elementwise_operations) {
  for (index_t n : {1, 7, 1000}) {
    auto const all_of = [&](double x) {
      host_array<double> a({n});
      std::fill(a.values.begin(), a.values.end(), x);
      return a;
    };
    auto const zero = upload<1>(all_of(0.0));
    auto const minus_zero = upload<1>(all_of(-0.0));
    EXPECT_TRUE(same(value(-zero), all_of(-0.0)));
    EXPECT_TRUE(same(value(kp::pow(minus_zero, 0.5)), all_of(0.0)));
    EXPECT_TRUE(same(value(kp::sqrt(minus_zero)), all_of(-0.0)));
    EXPECT_TRUE(same(value(-1 * zero), all_of(-0.0)));
    EXPECT_TRUE(same(value(zero - 0), all_of(0.0)));
    EXPECT_TRUE(same(value(kp::rint(zero - 0.4)), all_of(-0.0)));
    EXPECT_TRUE(same(value(minus_zero + minus_zero), all_of(-0.0)));
  }
}

TEST(cases, floor_division_and_remainder_with_signs) {
  auto const check = [](auto zero) {
    using T = decltype(zero);
    auto const x = vector<T>({-1, 7, -7});
    auto const y = vector<T>({2, -2, 2});
    EXPECT_TRUE(same(value(kp::floor_divide(x, y)), list<T>({-1, -4, -4})));
    EXPECT_TRUE(same(value(x / y), list<T>({0, -3, -3})));
    EXPECT_TRUE(
        same(value(kp::remainder(vector<T>({-2, -1, 0, 1, 2}), 3)), list<T>({1, 2, 0, 1, 2})));
    EXPECT_TRUE(same(value(kp::remainder(vector<T>({7}), -2)), list<T>({-1})));
    EXPECT_TRUE(same(value(vector<T>({7, -7}) % -2), list<T>({1, -1})));
    EXPECT_TRUE(same(value(kp::floor_divide(x, 0)), list<T>({0, 0, 0})));
  };
  check(std::int32_t{});
  check(std::int64_t{});
}

TEST(cases, integer_powers) {
  EXPECT_TRUE(same(value(kp::pow(vector<std::int64_t>({123456789}), 2)),
                   list<std::int64_t>({15241578750190521})));
  std::string const text = "karpos::pow: integers to a negative power: exponent -2; cast the base "
                           "to a floating-point type";
  EXPECT_EQ(error_text<kp::argument_error>([] { (void)kp::pow(vector<int>({1}), -2); }), text);
  EXPECT_EQ(error_text<kp::argument_error>([] { (void)kp::pow(vector<bool>({1}), -2); }), text);
  EXPECT_TRUE(same(value(kp::pow(vector<bool>({0, 1}), 3)), list<std::int64_t>({0, 1})));
  EXPECT_TRUE(same(value(kp::pow(vector<int>({2, -1, 1, 0}), vector<int>({-1, -3, -2, -1}))),
                   list<int>({0, -1, 1, 0})));
  EXPECT_TRUE(same(value(kp::pow(3, vector<int>({0, 1, 2, 5}))), list<int>({1, 3, 9, 243})));
  EXPECT_TRUE(same(value(kp::pow(vector<int>({3}), 21)),
                   list<int>({static_cast<int>(10460353203u % 4294967296u)})));
}

TEST(cases, modulus_without_overflow) {
  EXPECT_NEAR(value(kp::abs(vector<c128>({c128(3e200, 4e200)})))[0] / 5e200, 1.0, 1e-15);
  EXPECT_EQ(value(kp::abs(vector<c128>({c128(1, DBL_MAX)})))[0], DBL_MAX);
  EXPECT_NEAR(value(kp::hypot(vector<double>({1e303}), 1e303))[0] / 1.414213562373095e303, 1.0,
              1e-15);
  EXPECT_NEAR(value(kp::abs(vector<c64>({c64(2e38f, 2e38f)})))[0] / 2.828427e38f, 1.0f, 1e-6f);
}

}  // namespace
