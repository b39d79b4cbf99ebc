// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public reductions: axes, keepdims, types, nothing, NaN, what they refuse.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace karpos_test;
using kp::all;
using kp::axes;
using kp::keepdims;
using kp::range;
using i64 = std::int64_t;
using c64 = Kokkos::complex<float>;

template <class E>
auto value(E const& e) {
  return fetch(kp::eval(e));
}
template <class T>
kp::tensor<T, 1> vector(std::initializer_list<stored<T>> values) {
  host_array<T> a({static_cast<index_t>(values.size())});
  std::copy(values.begin(), values.end(), a.values.begin());
  return upload<1>(a);
}

// -- types

template <class T>
using of = kp::tensor_view<T, 2>;
template <class E>
using type = typename E::value_type;
static_assert(std::is_same_v<type<decltype(kp::sum(of<std::int8_t>{}))>, i64>);
static_assert(std::is_same_v<type<decltype(kp::sum(of<std::uint8_t>{}))>, std::uint64_t>);
static_assert(std::is_same_v<type<decltype(kp::sum(of<bool>{}))>, i64>);
static_assert(std::is_same_v<type<decltype(kp::prod(of<int>{}))>, i64>);
static_assert(std::is_same_v<type<decltype(kp::sum(of<float>{}))>, float>);
static_assert(std::is_same_v<type<decltype(kp::sum(of<kp::half>{}))>, kp::half>);
static_assert(std::is_same_v<type<decltype(kp::sum(of<c64>{}))>, c64>);
static_assert(std::is_same_v<type<decltype(kp::mean(of<int>{}))>, double>);
static_assert(std::is_same_v<type<decltype(kp::mean(of<bool>{}))>, double>);
static_assert(std::is_same_v<type<decltype(kp::mean(of<float>{}))>, float>);
static_assert(std::is_same_v<type<decltype(kp::mean(of<kp::half>{}))>, kp::half>);
static_assert(std::is_same_v<type<decltype(kp::max(of<std::int8_t>{}))>, std::int8_t>);
static_assert(std::is_same_v<type<decltype(kp::max(of<bool>{}))>, bool>);
static_assert(std::is_same_v<type<decltype(kp::any(of<float>{}))>, bool>);
static_assert(decltype(kp::sum(of<float>{}))::rank == 0);
static_assert(decltype(kp::sum(of<float>{}, 0))::rank == 1);
static_assert(decltype(kp::sum(of<float>{}, axes(0, 1), keepdims))::rank == 2);
static_assert(decltype(kp::sum(of<float>{}, axes()))::rank == 2);

// -- forms

TEST(reductions, take_axes_in_many_forms) {
  auto t = upload<3>(counting<int>({2, 3, 4}));
  EXPECT_EQ(kp::item(kp::sum(t)), 276);
  EXPECT_TRUE(same(value(kp::sum(t, keepdims)), host_array<i64>({1, 1, 1}, {276})));
  EXPECT_TRUE(
      same(value(kp::sum(t, 1)), host_array<i64>({2, 4}, {12, 15, 18, 21, 48, 51, 54, 57})));
  EXPECT_TRUE(
      same(value(kp::sum(t, -2)), host_array<i64>({2, 4}, {12, 15, 18, 21, 48, 51, 54, 57})));
  EXPECT_TRUE(same(value(kp::sum(t, 1, keepdims)),
                   host_array<i64>({2, 1, 4}, {12, 15, 18, 21, 48, 51, 54, 57})));
  EXPECT_TRUE(same(value(kp::sum(t, axes(0, 2))), host_array<i64>({3}, {60, 92, 124})));
  EXPECT_TRUE(
      same(value(kp::sum(t, axes(-1, 0), keepdims)), host_array<i64>({1, 3, 1}, {60, 92, 124})));
  EXPECT_TRUE(same(value(kp::max(t, axes(1, 2))), host_array<int>({2}, {11, 23})));
  EXPECT_TRUE(
      same(value(kp::min(t, 2, keepdims)), host_array<int>({2, 3, 1}, {0, 4, 8, 12, 16, 20})));
  EXPECT_TRUE(same(value(kp::mean(t, 0)), counting<double>({3, 4}, 6)));
  EXPECT_TRUE(same(value(kp::prod(t(all, 0, range(0, 2)), 0)), host_array<i64>({2}, {0, 13})));
  EXPECT_TRUE(same(value(all(t > 0, 2)), host_array<bool>({2, 3}, {0, 1, 1, 1, 1, 1})));
  EXPECT_TRUE(
      same(value(all(t > 0, axes(0, 1), keepdims)), host_array<bool>({1, 1, 4}, {0, 1, 1, 1})));
  EXPECT_TRUE(same(value(kp::any(t == 5, axes(0, 2))), host_array<bool>({3}, {0, 1, 0})));
  kp::tensor<double, 0> scalar(3.0);
  EXPECT_EQ(kp::item(kp::sum(scalar)), 3.0);
  EXPECT_EQ(kp::item(kp::max(scalar, keepdims)), 3.0);
}

TEST(reductions, refuse_bad_axes) {
  auto t = upload<2>(counting<int>({2, 3}));
  auto const text = [](auto const& call) { return error_text<kp::index_error>(call); };
  EXPECT_EQ(text([&] { (void)kp::sum(t, 2); }), "karpos::sum: axis 2 is out of range for rank 2");
  EXPECT_EQ(text([&] { (void)kp::mean(t, -3); }),
            "karpos::mean: axis -3 is out of range for rank 2");
  EXPECT_EQ(text([&] { (void)kp::max(t, axes(0, -2)); }), "karpos::max: axis 0 is given twice");
  EXPECT_EQ(text([&] { (void)all(t, 5); }), "karpos::all: axis 5 is out of range for rank 2");
}

TEST(reductions, refuse_a_result_of_more_elements_than_64_bits_count) {
  index_t const n = index_t{1} << 40;
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::sum(kp::ones(n, 0, n), 1); }),
            "karpos::sum: the number of elements overflows 64 bits: shape (1099511627776, "
            "1099511627776)");
}

// -- nothing

TEST(cases, min_over_an_empty_array) {
  kp::tensor<double, 2> t(0, 2);
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::min(t, 0); }),
            "karpos::min: axis 0 of shape (0, 2) is empty: nothing has no min");
  EXPECT_TRUE(same(value(kp::min(t, 1)), host_array<double>({0})));
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::min(t); }),
            "karpos::min: axis 0 of shape (0, 2) is empty: nothing has no min");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::max(t, keepdims); }),
            "karpos::max: axis 0 of shape (0, 2) is empty: nothing has no max");
}

TEST(cases, mean_and_sum_with_one_zero_extent) {
  kp::tensor<int, 2> i(0, 2);
  kp::tensor<double, 2> d(0, 2);
  EXPECT_TRUE(same(value(kp::mean(i, 0)), host_array<double>({2}, {NAN, NAN})));
  EXPECT_TRUE(same(value(kp::mean(d, 0)), host_array<double>({2}, {NAN, NAN})));
  EXPECT_TRUE(same(value(kp::mean(d, 1)), host_array<double>({0})));
  EXPECT_EQ(kp::item(kp::sum(i)), 0);
  EXPECT_EQ(kp::item(kp::sum(d)), 0.0);
  EXPECT_TRUE(std::isnan(kp::item(kp::mean(d))));
}

TEST(reductions, of_nothing_are_the_identity) {
  kp::tensor<float, 2> t(3, 0);
  EXPECT_TRUE(same(value(kp::sum(t, 1)), host_array<float>({3}, {0, 0, 0})));
  EXPECT_TRUE(same(value(kp::prod(t, 1)), host_array<float>({3}, {1, 1, 1})));
  EXPECT_TRUE(same(value(kp::any(t, 1)), host_array<bool>({3}, {0, 0, 0})));
  EXPECT_TRUE(same(value(all(t, 1)), host_array<bool>({3}, {1, 1, 1})));
  EXPECT_TRUE(same(value(kp::sum(t, 0)), host_array<float>({0})));
  EXPECT_TRUE(same(value(kp::sum(t, axes(0, 1), keepdims)), host_array<float>({1, 1}, {0})));
}

TEST(cases, a_reduction_over_no_axes_changes_nothing) {
  kp::tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
  EXPECT_TRUE(same(value(kp::sum(x, axes())), counting<double>({2, 3}, 1)));
  EXPECT_TRUE(same(value(kp::sum(x, axes(), keepdims)), counting<double>({2, 3}, 1)));
  EXPECT_TRUE(same(value(kp::max(kp::transpose(x), axes())),
                   host_array<double>({3, 2}, {1, 4, 2, 5, 3, 6})));
  EXPECT_TRUE(same(value(kp::mean(x, axes())), counting<double>({2, 3}, 1)));
}

// -- NaN and order

TEST(cases, min_and_max_see_nan) {
  double const others[3] = {-1, 0, 1};
  for (int at = 0; at < 4; ++at) {
    host_array<double> x({4});
    for (int i = 0, k = 0; i < 4; ++i)
      x[i] = i == at ? NAN : others[k++];
    auto t = upload<1>(x);
    EXPECT_TRUE(std::isnan(kp::item(kp::min(t)))) << at;
    EXPECT_TRUE(std::isnan(kp::item(kp::max(t)))) << at;
  }
  host_array<float> x({4, 250});
  x.at({2, 77}) = NAN;
  auto t = upload<2>(x);
  EXPECT_TRUE(same(value(kp::max(t, 1)), host_array<float>({4}, {0, 0, NAN, 0})));
  auto columns = host_array<float>({250});
  columns[77] = NAN;
  EXPECT_TRUE(same(value(kp::min(t, 0)), columns));
  EXPECT_TRUE(kp::item(kp::any(t)));  // NaN is not zero
  for (int at = 0; at < 3; ++at) {
    host_array<kp::half> h({3});
    h[at] = kp::half(NAN);
    EXPECT_TRUE(std::isnan(static_cast<float>(kp::item(kp::min(upload<1>(h)))))) << at;
    EXPECT_TRUE(std::isnan(static_cast<float>(kp::item(kp::max(upload<1>(h)))))) << at;
  }
}

TEST(extrema, of_infinities_and_limits) {
  EXPECT_EQ(kp::item(kp::min(vector<double>({INFINITY, INFINITY}))), INFINITY);
  EXPECT_EQ(kp::item(kp::max(vector<double>({-INFINITY}))), -INFINITY);
  EXPECT_EQ(kp::item(kp::min(vector<std::uint8_t>({255, 7, 200}))), 7);
  EXPECT_EQ(kp::item(kp::max(vector<std::uint8_t>({25, 7, 200}))), 200);
  EXPECT_EQ(kp::item(kp::min(vector<std::uint8_t>({255}))), 255);
  EXPECT_EQ(kp::item(kp::min(vector<std::int8_t>({100, -100}))), -100);
  EXPECT_EQ(kp::item(kp::max(vector<std::int8_t>({-128}))), -128);
  EXPECT_EQ(kp::item(kp::max(vector<std::uint16_t>({0, 65535}))), 65535);
  EXPECT_EQ(kp::item(kp::max(vector<i64>({std::numeric_limits<i64>::min()}))),
            std::numeric_limits<i64>::min());
  EXPECT_EQ(
      static_cast<float>(kp::item(kp::max(vector<kp::half>({kp::half(-2.0f), kp::half(-3.0f)})))),
      -2.0f);
  EXPECT_TRUE(kp::item(kp::max(vector<bool>({0, 1}))));
  EXPECT_FALSE(kp::item(kp::min(vector<bool>({0, 1}))));
}

// -- integers and mixtures

TEST(cases, sums_of_narrow_types_are_wide) {
  EXPECT_EQ(kp::item(kp::sum(kp::ones<std::uint8_t>(1000))), 1000u);
  kp::tensor<int, 1> x = kp::full({500}, 4);
  EXPECT_EQ(kp::item(kp::sum(x > 3)), 500);
  EXPECT_EQ(kp::item(kp::prod(vector<std::int8_t>({100, 100, 100}))), 1000000);
  EXPECT_TRUE(same(value(kp::sum(kp::full({3, 2}, std::int8_t{100}), 0)),
                   host_array<i64>({2}, {300, 300})));
}

TEST(sum, of_64_bit_integers_wraps) {
  i64 const most = std::numeric_limits<i64>::max();
  EXPECT_EQ(kp::item(kp::sum(vector<i64>({most, 1}))), std::numeric_limits<i64>::min());
  EXPECT_EQ(kp::item(kp::sum(vector<std::uint64_t>({~std::uint64_t{0}, 2}))), 1u);
}

TEST(sum, of_complex_numbers) {
  EXPECT_EQ(kp::item(kp::sum(vector<c64>({c64(1, 2), c64(3, -5)}))), c64(4, -3));
  EXPECT_EQ(kp::item(kp::mean(vector<c64>({c64(1, 2), c64(3, -5)}))), c64(2, -1.5f));
  EXPECT_EQ(kp::item(kp::prod(vector<c64>({c64(0, 1), c64(0, 1)}))), c64(-1, 0));
}

TEST(cases, column_counts) {
  kp::tensor<double, 2> d{{0, 1, 2, 3}, {0, 2, 1, 0}, {1, 8, 9, 11}, {15, 2, 6, 7}};
  kp::tensor<i64, 2> counts(1, 4);
  counts = kp::sum(kp::cast<int>(d < 2.1), 0, keepdims);
  EXPECT_TRUE(same(fetch(counts), host_array<i64>({1, 4}, {3, 3, 2, 1})));
  counts = kp::sum(d < 2.1, 0);  // rank 1 broadcasts
  EXPECT_TRUE(same(fetch(counts), host_array<i64>({1, 4}, {3, 3, 2, 1})));
  EXPECT_EQ(kp::item(kp::sum(d < 2.1)), 9);
}

// -- in expressions

TEST(reductions, take_part_in_expressions) {
  auto x = upload<2>(counting<double>({4, 5}));
  auto const centred = x - kp::mean(x, 1, keepdims);
  EXPECT_TRUE(same(value(centred(3)), host_array<double>({5}, {-2, -1, 0, 1, 2})));
  EXPECT_EQ(kp::item(kp::sum(kp::square(centred))), 40.0);
  EXPECT_EQ(kp::item(kp::max(kp::sum(x, 1)) - kp::min(kp::sum(x, 1))),
            75.0);  // a reduction of a reduction
  kp::tensor<double, 1> s = kp::sum(x, 1) / kp::sum(x);
  EXPECT_TRUE(close(
      fetch(s), host_array<double>({4}, {10 / 190.0, 35 / 190.0, 60 / 190.0, 85 / 190.0}), 1e-15));
  EXPECT_EQ(kp::item(kp::sum(kp::broadcast_to(x(0), 1000, 5))), 10000.0);
  EXPECT_EQ(kp::item(kp::sum(kp::arange(10) * kp::arange(10))), 285);
  EXPECT_EQ(
      kp::item(kp::sum(kp::matmul(x, kp::transpose(x)))), 70.0 * 0 + [] {
        double total = 0;
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 5; ++k)
              total += (5.0 * i + k) * (5.0 * j + k);
        return total;
      }());
}

}  // namespace
