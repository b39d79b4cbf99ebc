// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators on tensors: result types, weak scalars, integers that wrap, comparisons, updates,
// broadcasting.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;
using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using c64 = Kokkos::complex<float>;
using c128 = Kokkos::complex<double>;

template <class T>
kp::tensor<T, 1> vector(std::initializer_list<stored<T>> values) {
  host_array<T> a({static_cast<index_t>(values.size())});
  std::copy(values.begin(), values.end(), a.values.begin());
  return upload<1>(a);
}
template <class T>
host_array<T> expected(std::initializer_list<stored<T>> values) {
  host_array<T> a({static_cast<index_t>(values.size())});
  std::copy(values.begin(), values.end(), a.values.begin());
  return a;
}
template <class E>
auto value(E const& e) {
  return fetch(kp::eval(e));
}

// -- result types

template <class T>
kp::tensor_view<T, 1> of();
template <class T>
kp::tensor_view<T, 0> rank0();
template <class E>
using type = typename E::value_type;

template <class A, class B>
using sum_type = type<decltype(of<A>() + of<B>())>;
static_assert(std::is_same_v<sum_type<i8, i8>, i8>);  // no integral promotion
static_assert(std::is_same_v<sum_type<u8, i8>, i16>);
static_assert(std::is_same_v<sum_type<i64, float>, float>);
static_assert(std::is_same_v<sum_type<int, kp::half>, kp::half>);
static_assert(std::is_same_v<sum_type<kp::half, kp::bfloat16>, float>);
static_assert(std::is_same_v<sum_type<float, c128>, c128>);
static_assert(std::is_same_v<sum_type<double, c64>, c128>);
static_assert(std::is_same_v<sum_type<bool, i8>, i8>);
static_assert(std::is_same_v<type<decltype(of<float>() * 2.0)>, float>);  // scalars are weak
static_assert(std::is_same_v<type<decltype(2 * of<float>())>, float>);
static_assert(std::is_same_v<std::tuple_element_t<1, decltype((of<float>() * 2.0).operands)>,
                             kp::expr::scalar_node<float>>);  // converted before any kernel runs
static_assert(std::is_same_v<type<decltype(of<kp::half>() * 2.0)>, kp::half>);
static_assert(std::is_same_v<type<decltype(of<int>() * 0.5)>, double>);
static_assert(std::is_same_v<type<decltype(of<i8>() + 1)>, i8>);
static_assert(std::is_same_v<type<decltype(of<bool>() + 1)>, i64>);
static_assert(std::is_same_v<type<decltype(of<float>() * c128(0, 1))>, c64>);
static_assert(std::is_same_v<type<decltype(of<double>() * c64(0, 1))>, c128>);
static_assert(std::is_same_v<type<decltype(of<float>() * rank0<double>())>,
                             double>);  // a rank-0 tensor is not weak
static_assert(std::is_same_v<type<decltype(of<bool>() * of<float>())>, float>);
static_assert(std::is_same_v<type<decltype(of<int>() < of<double>())>, bool>);
static_assert(std::is_same_v<type<decltype(of<i8>() << of<i8>())>, i8>);
static_assert(std::is_same_v<type<decltype(of<bool>() & of<bool>())>, bool>);
static_assert(std::is_same_v<type<decltype(-of<u8>())>, u8>);

template <class A, class B>
concept addable = requires(A const& a, B const& b) { a + b; };

// -- arithmetic

TEST(operators, compute_element_by_element) {
  auto const x = vector<double>({1, -2, 3.5});
  auto const y = vector<double>({4, 0.5, -1});
  EXPECT_TRUE(same(value(x + y), expected<double>({5, -1.5, 2.5})));
  EXPECT_TRUE(same(value(x - y), expected<double>({-3, -2.5, 4.5})));
  EXPECT_TRUE(same(value(x * y), expected<double>({4, -1, -3.5})));
  EXPECT_TRUE(same(value(x / y), expected<double>({0.25, -4, -3.5})));
  EXPECT_TRUE(same(value(x % y), expected<double>({1, -0.0, 0.5})));
  EXPECT_TRUE(same(value(-x), expected<double>({-1, 2, -3.5})));
  EXPECT_TRUE(same(value(+x), expected<double>({1, -2, 3.5})));
  EXPECT_TRUE(same(value(1.0 - x), expected<double>({0, 3, -2.5})));
  EXPECT_TRUE(same(value(2.0 / x), expected<double>({2, -1, 2 / 3.5})));
  EXPECT_TRUE(same(value(x + x + x - x), expected<double>({2, -4, 7})));
}

TEST(operators, on_integers_wrap) {
  EXPECT_TRUE(
      same(value(vector<i8>({100, -100}) + vector<i8>({100, -100})), expected<i8>({-56, 56})));
  EXPECT_TRUE(same(value(vector<i8>({100}) * i8{3}), expected<i8>({44})));
  int const most = std::numeric_limits<int>::max();
  EXPECT_TRUE(same(value(vector<int>({most, -most}) + vector<int>({1, -2})),
                   expected<int>({-most - 1, most})));
  EXPECT_TRUE(same(value(vector<int>({65536}) * vector<int>({65537})), expected<int>({65536})));
  EXPECT_TRUE(same(value(-vector<int>({-most - 1})), expected<int>({-most - 1})));
  auto const u16 = vector<std::uint16_t>({65535});
  EXPECT_TRUE(same(value(u16 * u16), expected<std::uint16_t>({1})));
}

TEST(operators, on_integers_divide_toward_zero_and_by_zero_give_zero) {
  auto const x = vector<int>({7, -7, 7, -7, 5, std::numeric_limits<int>::min()});
  auto const y = vector<int>({2, 2, -2, -2, 0, -1});
  EXPECT_TRUE(
      same(value(x / y), expected<int>({3, -3, -3, 3, 0, std::numeric_limits<int>::min()})));
  EXPECT_TRUE(same(value(x % y), expected<int>({1, -1, 1, -1, 0, 0})));
}

TEST(cases, unsigned_subtract_and_negate) {
  EXPECT_TRUE(same(value(vector<u8>({3}) - vector<u8>({5})), expected<u8>({254})));
  EXPECT_TRUE(same(value(-vector<u8>({5})), expected<u8>({251})));
  EXPECT_TRUE(same(value(vector<u8>({5}) < -vector<u8>({5})), expected<bool>({1})));
  EXPECT_TRUE(same(value((vector<u8>({3}) - vector<u8>({5})) / u8{2}),
                   expected<u8>({127})));  // narrow inside a fused tree
}

TEST(cases, 64_bit_signed_with_unsigned) {
  auto const most = vector<i64>({std::numeric_limits<i64>::max()});
  auto const big = vector<u64>({u64{1} << 63});
  EXPECT_TRUE(same(value(most < big), expected<bool>({1})));
  EXPECT_TRUE(same(value(vector<i64>({-1}) < vector<u64>({1})), expected<bool>({1})));
  EXPECT_TRUE(same(value(vector<i64>({-1}) == vector<u64>({~u64{0}})), expected<bool>({0})));
  EXPECT_TRUE(
      same(value(vector<u64>({1400000002000000600u}) + 1), expected<u64>({1400000002000000601u})));
  EXPECT_TRUE(same(value(vector<i64>({-1}) < u64{1}), expected<bool>({1})));
}

TEST(cases, small_unsigned_against_scalars_out_of_range) {
  EXPECT_TRUE(same(value(vector<u8>({1, 2, 3, 4}) <= -19), expected<bool>({0, 0, 0, 0})));
  EXPECT_TRUE(same(value(vector<u8>({1}) < 300), expected<bool>({1})));
  EXPECT_TRUE(same(value(vector<i8>({1}) < 256), expected<bool>({1})));
  EXPECT_TRUE(same(value(-19 >= vector<u8>({1, 2})), expected<bool>({0, 0})));
  EXPECT_TRUE(same(value(vector<u8>({200}) == -56), expected<bool>({0})));
}

TEST(cases, bool_arithmetic) {
  auto const t = vector<bool>({1, 0});
  static_assert(std::is_same_v<type<decltype(1 - t)>, i64>);
  EXPECT_TRUE(same(value(1 - t), expected<i64>({0, 1})));
  EXPECT_EQ(kp::item(kp::mean(vector<bool>({1, 1, 0}))), 2.0 / 3);
  EXPECT_TRUE(
      same(value(vector<bool>({1, 1, 0}) ^ vector<bool>({1, 0, 0})), expected<bool>({0, 1, 0})));
  EXPECT_TRUE(same(value(!vector<bool>({1, 0})), expected<bool>({0, 1})));
  EXPECT_TRUE(same(value(t * vector<float>({2.5f, NAN})),
                   expected<float>({2.5f, NAN})));  // a product, not a choice
}

TEST(cases, absolute_difference_of_unsigned) {
  auto const x = vector<u32>({5, 6, 19, 6, 2, 9, 1, 5, 4, 1});
  EXPECT_TRUE(
      same(value(kp::abs(kp::cast<int>(x) - 5)), expected<int>({0, 1, 14, 1, 3, 4, 4, 0, 1, 4})));
}

// -- scalars

TEST(scalars, that_the_element_type_cannot_hold_are_refused) {
  auto const x = vector<i8>({1});
  auto const u = vector<u8>({1});
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)(x + 300); }),
            "karpos::operator+: scalar 300 does not fit the element type int8");
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)(-129 * x); }),
            "karpos::operator*: scalar -129 does not fit the element type int8");
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)(u + (-1)); }),
            "karpos::operator+: scalar -1 does not fit the element type uint8");
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)(vector<i64>({1}) + (u64{1} << 63)); }),
            "karpos::operator+: scalar 9223372036854775808 does not fit the element type int64");
  auto y = vector<i8>({1});
  EXPECT_EQ(error_text<kp::argument_error>([&] { y += 300; }),
            "karpos::operator+=: scalar 300 does not fit the element type int8");
  EXPECT_EQ(error_text<kp::argument_error>([&] { y(all) *= -200; }),
            "karpos::operator*=: scalar -200 does not fit the element type int8");
  EXPECT_TRUE(same(fetch(y), expected<i8>({1})));
  EXPECT_TRUE(same(value(x + 127), expected<i8>({-128})));
  EXPECT_TRUE(same(value(u - 255), expected<u8>({2})));
}

TEST(scalars, of_a_higher_kind_raise_the_type) {
  EXPECT_TRUE(same(value(vector<int>({3}) * 0.5), expected<double>({1.5})));
  EXPECT_TRUE(same(value(vector<float>({2}) * c128(0, 1)), expected<c64>({c64(0, 2)})));
  EXPECT_TRUE(same(value(vector<float>({16777216}) + 1), expected<float>({16777216})));
  EXPECT_TRUE(same(value(true + vector<int>({3})), expected<int>({4})));
}

// -- comparisons and logic

TEST(comparisons, treat_nan_as_ieee_does) {
  auto const x = vector<double>({1, 2, NAN, -0.0});
  auto const y = vector<double>({2, 2, NAN, 0.0});
  EXPECT_TRUE(same(value(x == y), expected<bool>({0, 1, 0, 1})));
  EXPECT_TRUE(same(value(x != y), expected<bool>({1, 0, 1, 0})));
  EXPECT_TRUE(same(value(x < y), expected<bool>({1, 0, 0, 0})));
  EXPECT_TRUE(same(value(x <= y), expected<bool>({1, 1, 0, 1})));
  EXPECT_TRUE(same(value(x > y), expected<bool>({0, 0, 0, 0})));
  EXPECT_TRUE(same(value(x >= y), expected<bool>({0, 1, 0, 1})));
  EXPECT_TRUE(same(value(2.0 == x), expected<bool>({0, 1, 0, 0})));
}

TEST(comparisons, of_integers_with_reals_are_exact) {
  EXPECT_TRUE(
      same(value(vector<int>({16777217}) > vector<float>({16777216})), expected<bool>({1})));
  EXPECT_TRUE(same(value(vector<int>({3}) < 3.5), expected<bool>({1})));
}

TEST(logic, works_on_bools_and_truth_values) {
  auto const p = vector<bool>({0, 0, 1, 1});
  auto const q = vector<bool>({0, 1, 0, 1});
  EXPECT_TRUE(same(value(p & q), expected<bool>({0, 0, 0, 1})));
  EXPECT_TRUE(same(value(p | q), expected<bool>({0, 1, 1, 1})));
  EXPECT_TRUE(same(value(p ^ q), expected<bool>({0, 1, 1, 0})));
  EXPECT_TRUE(same(value(p && q), expected<bool>({0, 0, 0, 1})));
  EXPECT_TRUE(same(value(p || q), expected<bool>({0, 1, 1, 1})));
  EXPECT_TRUE(same(value(~p), expected<bool>({1, 1, 0, 0})));
  EXPECT_TRUE(same(value(!vector<double>({0, 2, NAN})), expected<bool>({1, 0, 0})));
}

TEST(bits, of_integers) {
  auto const x = vector<int>({12, -1});
  EXPECT_TRUE(same(value(x & 10), expected<int>({8, 10})));
  EXPECT_TRUE(same(value(x | 3), expected<int>({15, -1})));
  EXPECT_TRUE(same(value(x ^ 5), expected<int>({9, -6})));
  EXPECT_TRUE(same(value(~x), expected<int>({-13, 0})));
  EXPECT_TRUE(same(value(x << 2), expected<int>({48, -4})));
  EXPECT_TRUE(same(value(x >> 1), expected<int>({6, -1})));
  EXPECT_TRUE(same(value(vector<u8>({255}) << 40), expected<u8>({0})));
}

// -- updates

TEST(updates, write_into_the_left_side) {
  auto x = vector<int>({20, -21, 22});
  auto const y = vector<int>({3, 5, -7});
  auto const* const data = x.data();
  host_array<int> h({3}, {20, -21, 22});
  auto const step = [&](auto const& f) {
    int const right[3] = {3, 5, -7};
    for (int i = 0; i < 3; ++i)
      h[i] = f(h[i], right[i]);
    return h;
  };
  EXPECT_TRUE(same(fetch(x += y), step([](int a, int b) { return a + b; })));
  EXPECT_TRUE(same(fetch(x -= y * 2), step([](int a, int b) { return a - 2 * b; })));
  EXPECT_TRUE(same(fetch(x *= y), step([](int a, int b) { return a * b; })));
  EXPECT_TRUE(same(fetch(x /= y), step([](int a, int b) { return a / b; })));
  EXPECT_TRUE(same(fetch(x %= y), step([](int a, int b) { return a % b; })));
  EXPECT_TRUE(same(fetch(x |= y), step([](int a, int b) { return a | b; })));
  EXPECT_TRUE(same(fetch(x ^= y), step([](int a, int b) { return a ^ b; })));
  EXPECT_TRUE(same(fetch(x &= y), step([](int a, int b) { return a & b; })));
  EXPECT_EQ(x.data(), data);
  x += 5;
  x -= kp::item(y, 0);
  EXPECT_TRUE(same(fetch(x), apply<int>([](int a) { return a + 5 - 3; }, h)));
}

TEST(operators, take_complex_and_long_double_scalars_of_std) {
  auto const c = vector<c128>({c128(1, 2)});
  EXPECT_TRUE(same(value(c * std::complex<double>(0, 1)), expected<c128>({c128(-2, 1)})));
  auto const f = vector<float>({2});
  static_assert(std::is_same_v<decltype(f * 2.0L)::value_type, float>);
  static_assert(
      std::is_same_v<decltype(f + std::complex<double>(0, 1))::value_type, Kokkos::complex<float>>);
  EXPECT_TRUE(same(value(3.0L - f), expected<float>({1})));
}

TEST(updates, keep_the_type_of_the_left_side) {
  auto f = vector<float>({1, 2});
  f += vector<double>({0.5, 1e-9});
  EXPECT_TRUE(same(fetch(f), expected<float>({1.5f, 2})));
  f *= 2;
  auto h = vector<kp::half>({kp::half(1.0f)});
  h += vector<float>({0.25f});
  EXPECT_TRUE(same(fetch(h), expected<kp::half>({kp::half(1.25f)})));
  auto c = vector<c128>({c128(1, 1)});
  c *= c128(0, 1);
  c += 1.0;
  EXPECT_TRUE(same(fetch(c), expected<c128>({c128(0, 1)})));
  auto i = vector<i8>({100});
  i += vector<int>({100});
  EXPECT_TRUE(same(fetch(i), expected<i8>({-56})));
}

TEST(updates, of_slices_and_kokkos_views) {
  auto m = upload<2>(counting<double>({3, 4}));
  m(all, range(0, 4, 2)) += m(all, range(1, 4, 2));
  kp::transpose(m)(3) *= 0.0;
  Kokkos::View<double[4], kp::default_space> row("row");
  Kokkos::deep_copy(row, 1.0);
  m(1) -= row;
  EXPECT_TRUE(same(fetch(m), host_array<double>({3, 4}, {1, 1, 5, 0, 8, 4, 12, -1, 17, 9, 21, 0})));
}

// -- broadcasting

template <int A, int B>
void expect_broadcast(shape_t const& a, shape_t const& b) {
  auto const x = counting<int>(a, 3);
  auto const y = counting<int>(b, 50);
  auto const tx = upload<A>(x);
  auto const ty = upload<B>(y);
  shape_t to;
  if (!broadcast_model(a, b, to)) {
    EXPECT_THROW((void)(tx - ty), kp::shape_error);
    return;
  }
  auto const want =
      apply<int>([](int p, int q) { return 10 * p - q; }, stretched(x, to), stretched(y, to));
  ASSERT_TRUE(same(value(10 * tx - ty), want))
      << testing::PrintToString(a) << testing::PrintToString(b);
}

TEST(operators, broadcast_like_numpy) {
  for (index_t i : {0, 1, 2, 5})
    for (index_t j : {0, 1, 3, 5})
      for (index_t k : {1, 2}) {
        expect_broadcast<1, 1>({i}, {j});
        expect_broadcast<2, 1>({i, j}, {j});
        expect_broadcast<2, 1>({i, j}, {k});
        expect_broadcast<1, 3>({j}, {2, i, k});
        expect_broadcast<2, 2>({i, 1}, {1, j});
        expect_broadcast<2, 2>({i, k}, {k, j});
        expect_broadcast<0, 2>({}, {i, j});
      }
}

}  // namespace
