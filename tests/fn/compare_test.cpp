// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons over all pairs of integer types against std::cmp_*, bits and shifts against exact
// arithmetic.
#include <karpos/fn/compare.hpp>

#include <fn/evaluate.hpp>

#include <cmath>
#include <tuple>
#include <utility>

namespace {

namespace kp = karpos;
using namespace karpos_test;
__extension__ using wide = __int128;

using integer_types = std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                 std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;

KOKKOS_FUNCTION constexpr int mask_of(bool eq, bool ne, bool lt, bool le, bool gt, bool ge) {
  return eq | ne << 1 | lt << 2 | le << 3 | gt << 4 | ge << 5;
}

// All six in one kernel: 64 pairs of types are many kernels already.
struct six_comparisons {
  template <class A, class B>
  KOKKOS_FUNCTION int operator()(A a, B b) const {
    return mask_of(kp::fn::equal{}(a, b), kp::fn::not_equal{}(a, b), kp::fn::less{}(a, b),
                   kp::fn::less_equal{}(a, b), kp::fn::greater{}(a, b),
                   kp::fn::greater_equal{}(a, b));
  }
};

template <class A, class B>
void expect_comparisons() {
  auto const [x, y] = all_pairs(integer_values<A>(), integer_values<B>());
  auto const got = on_device(six_comparisons{}, x, y);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    A const a = x(i);
    B const b = y(i);
    int const want =
        mask_of(std::cmp_equal(a, b), std::cmp_not_equal(a, b), std::cmp_less(a, b),
                std::cmp_less_equal(a, b), std::cmp_greater(a, b), std::cmp_greater_equal(a, b));
    ASSERT_EQ(got(i), want) << +a << ' ' << +b;
    ASSERT_EQ(six_comparisons{}(a, b), want) << +a << ' ' << +b;  // this thread
  }
}

template <class A, class... B>
void expect_comparisons_with_all(std::tuple<B...>*) {
  (expect_comparisons<A, B>(), ...);
}
template <class... A>
void expect_all_comparisons(std::tuple<A...>* all) {
  (expect_comparisons_with_all<A>(all), ...);
}

TEST(compare, integers_of_any_two_types_compare_exactly) {
  expect_all_comparisons(static_cast<integer_types*>(nullptr));
}

TEST(compare, known_mixed_pairs) {
  EXPECT_TRUE(kp::fn::less{}(std::numeric_limits<std::int64_t>::max(), std::uint64_t(1) << 63));
  EXPECT_TRUE(kp::fn::less{}(std::int64_t(-1), std::uint64_t(1)));
  EXPECT_FALSE(kp::fn::less_equal{}(std::uint8_t(4), -19));
  EXPECT_TRUE(kp::fn::less{}(std::uint8_t(1), 300));
  EXPECT_TRUE(kp::fn::less{}(std::int8_t(1), 256));
  EXPECT_FALSE(kp::fn::equal{}(16777217, 16777216.0f));  // equal after rounding to float
  EXPECT_TRUE(kp::fn::less{}(16777216.0f, 16777217));
  EXPECT_TRUE(kp::fn::equal{}(kp::half(0.5f), 0.5));
  EXPECT_TRUE(kp::fn::greater{}(kp::bfloat16(3), kp::half(2)));
  EXPECT_TRUE(kp::fn::less{}(false, true));
}

template <class T>
void expect_unordered() {
  auto const values = to_array<T>({T(NAN), T(0.0f), T(-0.0f), T(INFINITY), T(-1.0f)});
  auto const [x, y] = all_pairs(values, values);
  auto const eq = on_device(kp::fn::equal{}, x, y);
  auto const ne = on_device(kp::fn::not_equal{}, x, y);
  auto const lt = on_device(kp::fn::less{}, x, y);
  auto const ge = on_device(kp::fn::greater_equal{}, x, y);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    auto const a = static_cast<double>(x(i));
    auto const b = static_cast<double>(y(i));
    ASSERT_EQ(eq(i), a == b);
    ASSERT_EQ(ne(i), a != b);
    ASSERT_EQ(lt(i), a < b);
    ASSERT_EQ(ge(i), a >= b);
  }
}

TEST(compare, nan_is_unordered_and_zeros_are_equal) {
  expect_unordered<float>();
  expect_unordered<double>();
  expect_unordered<kp::half>();
  expect_unordered<kp::bfloat16>();
}

TEST(compare, complex_numbers_are_equal_or_not) {
  using C = Kokkos::complex<float>;
  EXPECT_TRUE(kp::fn::equal{}(C(1, 2), C(1, 2)));
  EXPECT_TRUE(kp::fn::not_equal{}(C(1, 2), C(1, 3)));
  EXPECT_TRUE(kp::fn::equal{}(C(2, 0), 2));
}

template <class F, class... A>
concept callable = requires(F f, A... a) { f(a...); };
static_assert(!callable<kp::fn::less, Kokkos::complex<float>, float> &&
              !callable<kp::fn::bit_and, float, int>);
static_assert(!callable<kp::fn::bit_and, std::int64_t, std::uint64_t> &&
              !callable<kp::fn::shift_left, bool, bool>);
static_assert(std::is_same_v<decltype(kp::fn::bit_and{}(true, false)), bool>);

TEST(compare, logic_is_that_of_truth_values) {
  EXPECT_TRUE(kp::fn::logical_and{}(2, 0.5));
  EXPECT_FALSE(kp::fn::logical_and{}(2, 0.0));
  EXPECT_TRUE(kp::fn::logical_or{}(0, kp::half(-1)));
  EXPECT_FALSE(kp::fn::logical_or{}(-0.0f, false));
  EXPECT_TRUE(kp::fn::logical_xor{}(4, 0));
  EXPECT_FALSE(kp::fn::logical_xor{}(4, 8));
  EXPECT_FALSE(kp::fn::logical_not{}(NAN));
  EXPECT_TRUE(kp::fn::logical_not{}(Kokkos::complex<double>(0, 0)));
  EXPECT_FALSE(kp::fn::logical_not{}(Kokkos::complex<double>(0, 1)));
}

template <class T>
void expect_bits() {
  auto const values = integer_values<T>();
  auto const [x, y] = all_pairs(values, values);
  auto const band = on_device(kp::fn::bit_and{}, x, y);
  auto const bor = on_device(kp::fn::bit_or{}, x, y);
  auto const bxor = on_device(kp::fn::bit_xor{}, x, y);
  auto const bnot = on_device(kp::fn::bit_not{}, x);
  auto const left = on_device(kp::fn::shift_left{}, x, y);
  auto const right = on_device(kp::fn::shift_right{}, x, y);
  constexpr wide width = sizeof(T) * 8;
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    T const a = x(i);
    T const b = y(i);
    ASSERT_EQ(band(i), static_cast<T>(a & b));
    ASSERT_EQ(bor(i), static_cast<T>(a | b));
    ASSERT_EQ(bxor(i), static_cast<T>(a ^ b));
    ASSERT_EQ(bnot(i), static_cast<T>(~a));
    bool const in_range = wide(b) >= 0 && wide(b) < width;
    wide const power = in_range ? wide(1) << static_cast<int>(b) : 0;
    ASSERT_EQ(left(i), in_range ? static_cast<T>(wide(a) * power) : T(0)) << +a << ' ' << +b;
    wide const quotient = in_range ? (wide(a) - (((wide(a) % power) + power) % power)) / power
                                   : (wide(a) < 0 ? -1 : 0);
    ASSERT_EQ(right(i), static_cast<T>(quotient)) << +a << ' ' << +b;
  }
}

template <class... T>
void expect_bits_of_all(std::tuple<T...>*) {
  (expect_bits<T>(), ...);
}

TEST(compare, bits_and_shifts_are_defined_for_every_count) {
  expect_bits_of_all(static_cast<integer_types*>(nullptr));
}

TEST(compare, bits_of_bools) {
  EXPECT_TRUE(kp::fn::bit_xor{}(true, false));
  EXPECT_FALSE(kp::fn::bit_not{}(true));
  EXPECT_EQ(kp::fn::bit_or{}(true, 4), 5);
}

}  // namespace
