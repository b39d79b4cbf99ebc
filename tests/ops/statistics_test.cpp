// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// var, std, argmin, argmax, logsumexp against their definitions, worked out in long double over the
// elements of each slice.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace karpos_test;
using kp::axes;
using kp::keepdims;
using c128 = Kokkos::complex<double>;
using numbers = std::vector<long double>;

template <class E>
auto value(E const& e) {
  return fetch(kp::eval(e));
}

/// f(elements of a slice) for every slice of `a` along the axes where reduced[k].
template <class R, class T, class F>
host_array<R> along(host_array<T> const& a, std::vector<bool> const& reduced, bool keep,
                    F const& f) {
  shape_t kept = a.shape, shape;
  for (std::size_t k = 0; k < reduced.size(); ++k) {
    if (reduced[k])
      kept[k] = 1;
    if (!reduced[k] || keep)
      shape.push_back(kept[k]);
  }
  std::vector<numbers> slices(static_cast<std::size_t>(size_of(kept)));
  index_t i = 0;
  for_each_index(a.shape, [&](shape_t index) {
    for (std::size_t k = 0; k < reduced.size(); ++k)
      if (reduced[k])
        index[k] = 0;
    slices[static_cast<std::size_t>(position(kept, index))].push_back(
        static_cast<long double>(static_cast<double>(a[i++])));
  });
  host_array<R> out(shape);
  for (std::size_t k = 0; k < slices.size(); ++k)
    out.values[k] = static_cast<stored<R>>(static_cast<R>(static_cast<double>(f(slices[k]))));
  return out;
}

long double mean_of(numbers const& x) {
  long double sum = 0;
  for (auto const v : x)
    sum += v;
  return sum / static_cast<long double>(x.size());
}
auto variance_of(int ddof) {
  return [ddof](numbers const& x) {
    long double const mean = mean_of(x);
    long double sum = 0;
    for (auto const v : x)
      sum += (v - mean) * (v - mean);
    return sum / static_cast<long double>(static_cast<int>(x.size()) - ddof);
  };
}
long double log_sum_exp_of(numbers const& x) {
  long double const most = *std::max_element(x.begin(), x.end());
  long double sum = 0;
  for (auto const v : x)
    sum += std::exp(v - most);
  return most + std::log(sum);
}
long double first_largest(numbers const& x) {
  return static_cast<long double>(std::max_element(x.begin(), x.end()) - x.begin());
}
long double first_smallest(numbers const& x) {
  return static_cast<long double>(std::min_element(x.begin(), x.end()) - x.begin());
}

template <class T>
host_array<T> random_values(shape_t shape, std::mt19937_64& random) {
  return random_integers<T>(std::move(shape), random, std::is_unsigned_v<T> ? 0 : -9, 9);
}

template <class T>
class statistics : public testing::Test {};
using element_types = testing::Types<float, double, kp::half, kp::bfloat16, int, std::uint8_t>;
TYPED_TEST_SUITE(statistics, element_types);

TYPED_TEST(statistics, of_slices_in_every_direction) {
  using T = TypeParam;
  using R = kp::math_result_t<T>;
  double const tolerance = kp::is_half_v<R> ? 1e-2 : std::is_same_v<R, float> ? 2e-6 : 1e-14;
  std::mt19937_64 random(7);
  // Small ones, and some that go block by block.
  for (shape_t const& shape : {shape_t{3, 4, 5}, {1, 7, 1}, {2, 130, 700}, {90, 8, 130}}) {
    SCOPED_TRACE(testing::PrintToString(shape));
    auto const a = random_values<T>(shape, random);
    auto const t = upload<3>(a);
    std::vector<bool> const last{false, false, true}, first{true, false, false},
        outer{true, false, true}, every{true, true, true};
    EXPECT_TRUE(close(value(kp::var(t, 2)), along<R>(a, last, false, variance_of(0)), tolerance));
    EXPECT_TRUE(close(value(kp::var(t, axes(0, 2), keepdims)),
                      along<R>(a, outer, true, variance_of(0)), tolerance));
    EXPECT_TRUE(close(
        value(kp::std(t)),
        along<R>(a, every, false, [](numbers const& x) { return std::sqrt(variance_of(0)(x)); }),
        tolerance));
    EXPECT_TRUE(
        close(value(kp::logsumexp(t, -1)), along<R>(a, last, false, log_sum_exp_of), tolerance));
    EXPECT_TRUE(close(value(kp::logsumexp(t, 0, keepdims)),
                      along<R>(a, first, true, log_sum_exp_of), tolerance));
    EXPECT_TRUE(same(value(kp::argmax(t, 2)), along<index_t>(a, last, false, first_largest)));
    EXPECT_TRUE(
        same(value(kp::argmin(t, 0, keepdims)), along<index_t>(a, first, true, first_smallest)));
    EXPECT_TRUE(same(value(kp::argmax(t)), along<index_t>(a, every, false, first_largest)));
  }
}

TEST(var, takes_degrees_of_freedom_off) {
  auto const a = counting<double>({4, 6});
  auto const t = upload<2>(a);
  std::vector<bool> const rows{false, true}, every{true, true};
  EXPECT_TRUE(
      close(value(kp::var(t, {.ddof = 1})), along<double>(a, every, false, variance_of(1)), 1e-14));
  EXPECT_TRUE(close(value(kp::var(t, 1, {.ddof = 2})),
                    along<double>(a, rows, false, variance_of(2)), 1e-14));
  EXPECT_TRUE(close(value(kp::var(t, axes(1), keepdims, {.ddof = 1})),
                    along<double>(a, rows, true, variance_of(1)), 1e-14));
  EXPECT_EQ(kp::item(kp::std(t(0), {.ddof = 1})), kp::item(kp::sqrt(kp::var(t(0), {.ddof = 1}))));
  // NumPy: as many degrees of freedom as elements or more divide by 0.
  EXPECT_EQ(kp::item(kp::var(t(0), {.ddof = 6})), INFINITY);
  EXPECT_EQ(kp::item(kp::var(t(0), {.ddof = 9})), INFINITY);
  EXPECT_TRUE(std::isnan(kp::item(kp::var(t(0, kp::range(0, 1)), {.ddof = 1}))));
}

TEST(var, of_nothing_is_nan) {
  EXPECT_TRUE(std::isnan(kp::item(kp::var(kp::tensor<float, 1>(0)))));
  EXPECT_TRUE(
      same(value(kp::var(kp::tensor<double, 2>(2, 0), 1)), host_array<double>({2}, {NAN, NAN})));
  EXPECT_TRUE(same(value(kp::std(kp::tensor<double, 2>(2, 0), 0)), host_array<double>({0})));
}

template <class T>
void expect_deviation_of_two(float distance) {
  kp::tensor<T, 1> t{static_cast<T>(0.0f), static_cast<T>(distance)};
  double const rounded = static_cast<double>(static_cast<T>(distance));
  double const tolerance = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  EXPECT_NEAR(static_cast<double>(kp::item(kp::std(t))), rounded / 2, rounded / 2 * tolerance);
  EXPECT_NEAR(static_cast<double>(kp::item(kp::std(t, 0, keepdims, {.ddof = 1}), 0)),
              rounded * std::sqrt(0.5), rounded * std::sqrt(0.5) * tolerance);
}

TEST(std, of_16_bits_is_right_where_its_square_is_not_a_number_of_16_bits) {
  for (float const distance : {5e-4f, 1.0f, 1.3f, 1200.0f}) {
    SCOPED_TRACE(distance);
    expect_deviation_of_two<kp::half>(distance);
    expect_deviation_of_two<kp::bfloat16>(distance);
  }
}

TEST(var, does_not_lose_digits_far_from_zero) {
  kp::tensor<double, 1> t{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
  EXPECT_EQ(kp::item(kp::var(t, {.ddof = 1})), 30.0);
  kp::tensor<double, 1> outlier = kp::full({1000}, 1e9);
  outlier(kp::range(0, 1)) = 0.0;
  EXPECT_NEAR(kp::item(kp::var(outlier)), 999e12, 999e12 * 1e-12);
  kp::tensor<float, 1> flat = kp::full({100000}, 16777216.0f);
  EXPECT_EQ(kp::item(kp::var(flat)), 0.0f);
}

TEST(var, of_complex_numbers_is_real) {
  kp::tensor<c128, 1> t{c128(1, 2), c128(3, -2), c128(-1, 0)};
  EXPECT_NEAR(kp::item(kp::var(t)), 8.0 / 3 + 8.0 / 3, 1e-14);
  static_assert(std::is_same_v<decltype(kp::std(t))::value_type, double>);
}

TEST(var, of_bools_and_not_a_number) {
  kp::tensor<bool, 1> b{true, false, true, true};
  EXPECT_EQ(kp::item(kp::var(b)), 0.1875);
  kp::tensor<double, 1> n{1, NAN, 3}, i{1, INFINITY};
  EXPECT_TRUE(std::isnan(kp::item(kp::var(n))));
  EXPECT_TRUE(std::isnan(kp::item(kp::var(i))));
}

TEST(argmax, takes_the_first_of_equals_and_of_nans) {
  kp::tensor<double, 1> t{1, 7, 7, 0, 0};
  EXPECT_EQ(kp::item(kp::argmax(t)), 1);
  EXPECT_EQ(kp::item(kp::argmin(t)), 3);
  kp::tensor<float, 1> n{1, NAN, 9, NAN};
  EXPECT_EQ(kp::item(kp::argmax(n)), 1);
  EXPECT_EQ(kp::item(kp::argmin(n)), 1);
  kp::tensor<float, 1> z{0.0f, -0.0f}, infinite{-INFINITY, -INFINITY};
  EXPECT_EQ(kp::item(kp::argmin(z)), 0);
  EXPECT_EQ(kp::item(kp::argmax(infinite)), 0);
  kp::tensor<bool, 1> b{false, true, true};
  EXPECT_EQ(kp::item(kp::argmax(b)), 1);
  kp::tensor<std::uint64_t, 1> u{std::numeric_limits<std::uint64_t>::max() - 1,
                                 std::numeric_limits<std::uint64_t>::max()};
  EXPECT_EQ(kp::item(kp::argmax(u)), 1);
  static_assert(std::is_same_v<decltype(kp::argmax(u))::value_type, std::int64_t>);
}

TEST(argmax, of_nothing_and_of_axes_that_are_not_there_is_refused) {
  EXPECT_EQ(error_text<kp::shape_error>([] { (void)kp::argmax(kp::tensor<int, 1>(0)); }),
            "karpos::argmax: axis 0 of shape (0,) is empty: nothing has no argmax");
  EXPECT_EQ(error_text<kp::index_error>([] { (void)kp::argmin(kp::ones(2, 3), 2); }),
            "karpos::argmin: axis 2 is out of range for rank 2");
  EXPECT_EQ(error_text<kp::index_error>([] { (void)kp::var(kp::ones(2, 3), axes(0, -2)); }),
            "karpos::var: axis 0 is given twice");
  EXPECT_EQ(error_text<kp::shape_error>([] { (void)kp::logsumexp(kp::tensor<double, 1>(0)); }),
            "karpos::logsumexp: axis 0 of shape (0,) is empty: nothing has no logsumexp");
}

TEST(logsumexp, neither_overflows_nor_underflows) {
  kp::tensor<double, 2> t{{1000, 1000},           {-1000, -1000}, {0, -INFINITY},
                          {-INFINITY, -INFINITY}, {1, INFINITY},  {INFINITY, INFINITY}};
  double const log2 = std::log(2.0);
  EXPECT_TRUE(
      same(value(kp::logsumexp(t, 1)),
           host_array<double>({6}, {1000 + log2, -1000 + log2, 0, -INFINITY, INFINITY, INFINITY})));
  kp::tensor<float, 1> n{1, NAN};
  EXPECT_TRUE(std::isnan(kp::item(kp::logsumexp(n))));
}

TEST(statistics_in_expressions, of_views_and_expressions) {
  std::mt19937_64 random(3);
  auto const a = random_values<double>({300, 400}, random);
  auto const t = upload<2>(a);
  std::vector<bool> const rows{false, true}, columns{true, false};
  EXPECT_TRUE(close(value(kp::var(kp::transpose(t), 0)),
                    along<double>(a, rows, false, variance_of(0)), 1e-13));
  EXPECT_TRUE(close(value(kp::var(kp::flip(t, 0), 0)),
                    along<double>(a, columns, false, variance_of(0)), 1e-13));
  EXPECT_TRUE(close(
      value(kp::var(2.0 * t - 1.0, 1)),
      apply<double>([](double v) { return 4 * v; }, along<double>(a, rows, false, variance_of(0))),
      1e-13));
  EXPECT_TRUE(same(value(kp::argmax(-t, 1)), along<index_t>(a, rows, false, first_smallest)));
  EXPECT_TRUE(
      same(value(kp::argmax(kp::transpose(t), 0)), along<index_t>(a, rows, false, first_largest)));
}

}  // namespace
