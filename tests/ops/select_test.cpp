// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// where, cast and map.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace karpos_test;
using kp::all;

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

// -- where

TEST(where, chooses_by_a_condition) {
  auto const x = vector<double>({-1, 0, NAN, 4});
  EXPECT_TRUE(same(value(kp::where(x > 0, x, 0.0)), list<double>({0, 0, 0, 4})));
  EXPECT_TRUE(same(value(kp::where(kp::isnan(x), 7, x)), list<double>({-1, 0, 7, 4})));
  EXPECT_TRUE(same(value(kp::where(x == x, 1, 2)), list<int>({1, 1, 2, 1})));
  EXPECT_TRUE(same(value(kp::where(x > 0, x, -x)), list<double>({1, -0.0, NAN, 4})));
}

TEST(where, broadcasts_all_three) {
  auto const c = vector<bool>({1, 0, 1});
  auto const a = upload<2>(counting<int>({2, 1}, 10));
  auto const b = upload<1>(counting<int>({3}));
  EXPECT_TRUE(same(value(kp::where(c, a, b)), host_array<int>({2, 3}, {10, 1, 10, 11, 1, 11})));
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::where(c, b, kp::zeros<int>(2)); }),
            "karpos::where: shapes do not broadcast: (3,) and (2,)");
}

TEST(where, has_the_common_type_and_weak_scalars) {
  auto const c = vector<bool>({1, 0});
  auto const f = vector<float>({1.5f, 2.5f});
  auto const i = vector<int>({1, 2});
  static_assert(std::is_same_v<decltype(kp::where(c, f, 0.0))::value_type, float>);
  static_assert(std::is_same_v<decltype(kp::where(c, 1, f))::value_type, float>);
  static_assert(std::is_same_v<decltype(kp::where(c, i, f))::value_type, float>);
  static_assert(std::is_same_v<decltype(kp::where(c, i, 0.5))::value_type, double>);
  static_assert(std::is_same_v<decltype(kp::where(c, 1.0f, 2))::value_type, float>);
  EXPECT_TRUE(same(value(kp::where(c, i, 0.5)), list<double>({1, 0.5})));
  EXPECT_EQ(
      error_text<kp::argument_error>([&] { (void)kp::where(c, vector<std::int8_t>({1, 2}), 200); }),
      "karpos::where: scalar 200 does not fit the element type int8");
}

TEST(where, replaces_in_place) {
  auto x = upload<2>(counting<int>({3, 4}));
  x = kp::where(x % 2 == 0, -x, kp::transpose(kp::transpose(x)));
  EXPECT_TRUE(same(fetch(x), host_array<int>({3, 4}, {0, 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11})));
}

// -- cast

TEST(cases, float_to_integer_saturates_and_nan_is_zero) {
  auto const x = vector<float>({NAN, INFINITY, -INFINITY, 1e20f, -1e20f, 2.9f, -2.9f});
  using i32 = std::numeric_limits<std::int32_t>;
  using i64 = std::numeric_limits<std::int64_t>;
  EXPECT_TRUE(same(value(kp::cast<std::int32_t>(x)),
                   list<std::int32_t>({0, i32::max(), i32::min(), i32::max(), i32::min(), 2, -2})));
  EXPECT_TRUE(same(value(kp::cast<std::int64_t>(x)),
                   list<std::int64_t>({0, i64::max(), i64::min(), i64::max(), i64::min(), 2, -2})));
  EXPECT_TRUE(same(value(kp::cast<std::uint32_t>(vector<float>({-1.0f, 5e9f, 3.7f}))),
                   list<std::uint32_t>({0, 4294967295u, 3})));
  kp::tensor<int, 1> assigned = x(kp::range(0, 2));  // an assignment converts in the same way
  EXPECT_TRUE(same(fetch(assigned), list<int>({0, i32::max()})));
  for (index_t n : {1, 7, 1000}) {
    kp::tensor<double, 1> big = kp::full({n}, 3e9);
    EXPECT_EQ(kp::item(kp::min(kp::cast<int>(big))), i32::max());
  }
}

TEST(cast, converts_between_kinds) {
  EXPECT_TRUE(
      same(value(kp::cast<bool>(vector<double>({0, -0.0, 0.5, NAN}))), list<bool>({0, 0, 1, 1})));
  EXPECT_TRUE(same(value(kp::cast<double>(vector<bool>({1, 0}))), list<double>({1, 0})));
  EXPECT_TRUE(
      same(value(kp::cast<std::int8_t>(vector<int>({300, -300}))), list<std::int8_t>({44, -44})));
  EXPECT_TRUE(same(value(kp::cast<Kokkos::complex<float>>(vector<int>({3}))),
                   list<Kokkos::complex<float>>({Kokkos::complex<float>(3, 0)})));
  EXPECT_TRUE(
      same(value(kp::cast<kp::half>(vector<double>({0.1}))), list<kp::half>({kp::half(0.1f)})));
  EXPECT_TRUE(same(value(kp::cast<float>(vector<kp::bfloat16>({kp::bfloat16(1.5f)}))),
                   list<float>({1.5f})));
}

// -- map

struct weighted {
  double factor;
  KOKKOS_FUNCTION double operator()(double x, int n, float y) const { return factor * x + n - y; }
};
struct first_digit {
  template <class T>
  KOKKOS_FUNCTION int operator()(T const& x) const {
    return static_cast<int>(x) % 10;
  }
};
struct five_sum {
  KOKKOS_FUNCTION int operator()(int a, int b, int c, int d, int e) const {
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e;
  }
};

TEST(map, applies_a_function_object_to_any_number_of_operands) {
  auto const x = upload<2>(counting<double>({2, 3}));
  auto const n = vector<int>({10, 20, 30});
  auto const e = kp::map(weighted{2.0}, x, n, 0.5f);  // scalars keep their type
  EXPECT_TRUE(same(value(e), host_array<double>({2, 3}, {9.5, 21.5, 33.5, 15.5, 27.5, 39.5})));
  EXPECT_TRUE(
      same(value(kp::map(first_digit{}, x + 12.0)), host_array<int>({2, 3}, {2, 3, 4, 5, 6, 7})));
  auto const i = vector<int>({1, 2});
  EXPECT_TRUE(same(value(kp::map(five_sum{}, i, i, i, 3, i + 1)), list<int>({23111, 33222})));
  EXPECT_EQ(kp::item(kp::sum(kp::map(first_digit{}, kp::arange(25)))), 45 + 45 + 10);
}

TEST(map, of_a_host_lambda_runs_on_the_host) {
  kp::tensor<double, 1, kp::host_space> x{1, 2, 3};
  double const shift = 10;
  kp::tensor<double, 1, kp::host_space> y = kp::map([=](double v) { return v + shift; }, x);
  EXPECT_TRUE(same(fetch(y), list<double>({11, 12, 13})));
}

}  // namespace
