// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle knows the formats only as significand times power of two, and finds the nearest number
// by bisection.
#include <karpos/core/half.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

namespace {

namespace kp = karpos;

template <class H>
struct layout;
template <>
struct layout<kp::half> {
  static constexpr int mantissa = 10;
  static constexpr int bias = 15;
};
template <>
struct layout<kp::bfloat16> {
  static constexpr int mantissa = 7;
  static constexpr int bias = 127;
};

/// Value of a positive pattern; the pattern of infinity counts as the number that would follow the
/// largest one.
template <class H>
long double value_of(unsigned magnitude) {
  constexpr int m = layout<H>::mantissa;
  unsigned const exponent = magnitude >> m;
  unsigned const fraction = magnitude & ((1u << m) - 1);
  if (exponent == 0)
    return std::ldexp(static_cast<long double>(fraction), 1 - layout<H>::bias - m);
  return std::ldexp(static_cast<long double>(fraction + (1u << m)),
                    static_cast<int>(exponent) - layout<H>::bias - m);
}

template <class H>
constexpr unsigned infinity_pattern = unsigned(2 * layout<H>::bias + 1) << layout<H>::mantissa;

/// Pattern of the number nearest to x, ties to the even pattern. Not for NaN.
template <class H>
unsigned nearest(long double x) {
  unsigned const sign = std::signbit(x) ? 0x8000u : 0u;
  long double const a = std::fabs(x);
  unsigned low = 0;
  unsigned high = infinity_pattern<H>;
  if (a >= value_of<H>(high))
    return sign | high;
  while (high - low > 1) {
    unsigned const middle = (low + high) / 2;
    (value_of<H>(middle) <= a ? low : high) = middle;
  }
  long double const below = a - value_of<H>(low);
  long double const above = value_of<H>(high) - a;
  bool const up = above < below || (above == below && (low & 1u) != 0);
  return sign | (up ? high : low);
}

template <class H>
struct half_test : testing::Test {};
using half_types = testing::Types<kp::half, kp::bfloat16>;
TYPED_TEST_SUITE(half_test, half_types);

TYPED_TEST(half_test, every_pattern_has_its_value_and_comes_back) {
  using H = TypeParam;
  for (unsigned p = 0; p < 0x10000u; ++p) {
    H const h = H::from_bits(static_cast<std::uint16_t>(p));
    unsigned const magnitude = p & 0x7fffu;
    auto const f = static_cast<float>(h);
    if (magnitude > infinity_pattern<H>) {
      ASSERT_TRUE(std::isnan(f)) << p;
      ASSERT_EQ(std::signbit(f), (p & 0x8000u) != 0) << p;
      unsigned const quiet = p | (1u << (layout<H>::mantissa - 1));
      ASSERT_EQ(H(f).bits(), quiet) << p;
      ASSERT_EQ(H(static_cast<double>(h)).bits(), quiet) << p;
      continue;
    }
    long double const expected = magnitude == infinity_pattern<H>
                                     ? std::numeric_limits<long double>::infinity()
                                     : value_of<H>(magnitude);
    ASSERT_EQ(static_cast<long double>(f), (p & 0x8000u) != 0 ? -expected : expected) << p;
    ASSERT_EQ(std::signbit(f), (p & 0x8000u) != 0) << p;
    ASSERT_EQ(H(f).bits(), p);
    ASSERT_EQ(H(static_cast<double>(h)).bits(), p);
  }
}

template <class H, class Float>
void expect_nearest(Float x) {
  ASSERT_EQ(H(x).bits(), nearest<H>(x)) << std::hexfloat << x;
  ASSERT_EQ(H(-x).bits(), nearest<H>(-x)) << std::hexfloat << -x;
}

TYPED_TEST(half_test, midpoints_round_to_even_and_their_neighbours_to_the_nearer_side) {
  using H = TypeParam;
  for (unsigned p = 0; p < infinity_pattern<H>; ++p) {
    auto const middle = static_cast<double>((value_of<H>(p) + value_of<H>(p + 1)) / 2);
    expect_nearest<H>(middle);
    expect_nearest<H>(std::nextafter(middle, 0.0));
    expect_nearest<H>(std::nextafter(middle, HUGE_VAL));
    auto const f = static_cast<float>(middle);  // exact: float has more digits
    expect_nearest<H>(f);
    expect_nearest<H>(std::nextafter(f, 0.0f));
    expect_nearest<H>(std::nextafter(f, HUGE_VALF));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TYPED_TEST(half_test, random_floats_and_doubles_round_once) {
  using H = TypeParam;
  std::mt19937_64 random(20);
  for (int i = 0; i < 200000; ++i) {
    std::uint64_t const bits = random();
    auto const d =
        Kokkos::bit_cast<double>((bits & 0x800fffffffffffffu) | ((bits % 300 + 870) << 52));
    auto const f = Kokkos::bit_cast<float>(static_cast<std::uint32_t>(bits >> 32));
    expect_nearest<H>(d);
    if (!std::isnan(f))
      expect_nearest<H>(f);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TYPED_TEST(half_test, integers_round_once) {
  using H = TypeParam;
  for (int i = -70000; i <= 70000; ++i)
    ASSERT_EQ(H(i).bits(), nearest<H>(static_cast<long double>(i))) << i;
  std::mt19937_64 random(21);
  for (int i = 0; i < 100000; ++i) {
    std::uint64_t const u = random() >> (i % 60);
    auto const s = static_cast<std::int64_t>(random()) >> (i % 60);
    ASSERT_EQ(H(u).bits(), nearest<H>(static_cast<long double>(u))) << u;
    ASSERT_EQ(H(s).bits(), nearest<H>(static_cast<long double>(s))) << s;
  }
  for (std::uint64_t tie : {0x8080000000000000u, 0x8180000000000000u})
    for (int d = -1; d <= 1; ++d) {
      std::uint64_t const u = tie + static_cast<std::uint64_t>(d);
      ASSERT_EQ(H(u).bits(), nearest<H>(static_cast<long double>(u))) << u;
    }
  EXPECT_EQ(H(std::numeric_limits<std::int64_t>::min()).bits(), nearest<H>(-0x1p63L));
  EXPECT_EQ(H(true).bits(), nearest<H>(1));
}

TYPED_TEST(half_test, arithmetic_is_the_exact_result_rounded_once) {
  using H = TypeParam;
  std::mt19937_64 random(22);
  for (int i = 0; i < 200000; ++i) {
    H const a = H::from_bits(static_cast<std::uint16_t>(random()));
    H const b = H::from_bits(static_cast<std::uint16_t>(random()));
    auto const x = static_cast<long double>(static_cast<float>(a));
    auto const y = static_cast<long double>(static_cast<float>(b));
    auto const check = [&](H got, long double exact) {
      if (std::isnan(exact))
        return std::isnan(static_cast<float>(got));
      return got.bits() == nearest<H>(exact);
    };
    ASSERT_TRUE(check(a + b, x + y)) << a << ' ' << b;
    ASSERT_TRUE(check(a - b, x - y)) << a << ' ' << b;
    ASSERT_TRUE(check(a * b, x * y)) << a << ' ' << b;
    ASSERT_TRUE(check(a / b, x / y)) << a << ' ' << b;
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ(a != b, x != y);
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a <= b, x <= y);
    ASSERT_EQ(a > b, x > y);
    ASSERT_EQ(a >= b, x >= y);
    ASSERT_EQ((-a).bits(), a.bits() ^ 0x8000);
  }
}

template <class H>
struct convert_kernel {
  Kokkos::View<std::uint16_t*> from_float;
  Kokkos::View<std::uint16_t*> from_double;
  Kokkos::View<float*> widened;
  Kokkos::View<float const*> input;

  KOKKOS_FUNCTION void operator()(int i) const {
    from_float(i) = H(input(i)).bits();
    from_double(i) = H(static_cast<double>(input(i))).bits();
    widened(i) = static_cast<float>(H::from_bits(static_cast<std::uint16_t>(i)));
  }
};

/// The execution space gives what this thread gives, for all patterns and for floats around every
/// rounding boundary.
template <class H>
void expect_same_on_the_device() {
  constexpr int n = 0x10000;
  Kokkos::View<float*> input("input", n);
  auto const host_input = Kokkos::create_mirror_view(input);
  std::mt19937 random(23);
  for (int i = 0; i < n; ++i)
    host_input(i) =
        Kokkos::bit_cast<float>(static_cast<std::uint32_t>((i * 0x10000u) | (random() & 0xe001u)));
  Kokkos::deep_copy(input, host_input);
  convert_kernel<H> const kernel{Kokkos::View<std::uint16_t*>("f", n),
                                 Kokkos::View<std::uint16_t*>("d", n), Kokkos::View<float*>("w", n),
                                 input};
  Kokkos::parallel_for("half_test", Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, int>(0, n),
                       kernel);
  auto const f = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.from_float);
  auto const d = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.from_double);
  auto const w = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.widened);
  for (int i = 0; i < n; ++i) {
    H const expected(host_input(i));
    bool const nan = std::isnan(host_input(i));
    if (nan) {  // the payload is the device's own
      ASSERT_GT(f(i) & 0x7fff, static_cast<int>(infinity_pattern<H>)) << i;
      ASSERT_EQ(f(i) & 0x8000, expected.bits() & 0x8000) << i;
    } else {
      ASSERT_EQ(f(i), expected.bits()) << std::hexfloat << host_input(i);
      ASSERT_EQ(d(i), expected.bits()) << std::hexfloat << host_input(i);
    }
    auto const widened = static_cast<float>(H::from_bits(static_cast<std::uint16_t>(i)));
    ASSERT_EQ(std::isnan(w(i)), std::isnan(widened)) << i;
    ASSERT_EQ(std::signbit(w(i)), std::signbit(widened)) << i;
    if (!std::isnan(widened)) {
      ASSERT_EQ(w(i), widened) << i;
    }
  }
}

TYPED_TEST(half_test, the_device_converts_as_the_host) { expect_same_on_the_device<TypeParam>(); }

TYPED_TEST(half_test, numeric_limits_describe_the_format) {
  using H = TypeParam;
  using limits = std::numeric_limits<H>;
  constexpr int m = layout<H>::mantissa;
  auto const value = [](H h) { return static_cast<long double>(static_cast<float>(h)); };
  EXPECT_EQ(limits::digits, m + 1);
  EXPECT_EQ(value(limits::max()), value_of<H>(infinity_pattern<H> - 1));
  EXPECT_EQ(value(limits::lowest()), -value(limits::max()));
  EXPECT_EQ(value(limits::min()), std::ldexp(1.0L, limits::min_exponent - 1));
  EXPECT_EQ(value(limits::denorm_min()), value_of<H>(1));
  EXPECT_EQ(value(limits::epsilon()), std::ldexp(1.0L, -m));
  EXPECT_EQ(value(limits::round_error()), 0.5L);
  EXPECT_TRUE(std::isinf(static_cast<float>(limits::infinity())));
  EXPECT_TRUE(std::isnan(static_cast<float>(limits::quiet_NaN())));
  EXPECT_TRUE(std::isnan(static_cast<float>(limits::signaling_NaN())));
  EXPECT_EQ(std::ilogb(value(limits::max())), limits::max_exponent - 1);
  EXPECT_EQ(limits::max_exponent10, static_cast<int>(std::floor(std::log10(value(limits::max())))));
  EXPECT_EQ(limits::min_exponent10, static_cast<int>(std::ceil(std::log10(value(limits::min())))));
  EXPECT_EQ(limits::digits10, static_cast<int>(std::floor(m * std::log10(2.0))));
  EXPECT_EQ(limits::max_digits10, static_cast<int>(std::ceil(1 + (m + 1) * std::log10(2.0))));
}

TEST(half, double_rounding_through_float_is_avoided) {
  double const just_above_a_tie = 1 + 0x1p-11 + 0x1p-40;  // as a float it is the tie
  EXPECT_EQ(static_cast<double>(kp::half(just_above_a_tie)), 1 + 0x1p-10);
  EXPECT_EQ(static_cast<double>(kp::half(static_cast<float>(just_above_a_tie))), 1.0);
}

TEST(half, known_values) {
  EXPECT_EQ(kp::half(1.0f).bits(), 0x3c00);
  EXPECT_EQ(kp::half(65504.0f).bits(), 0x7bff);
  EXPECT_EQ(kp::half(65519.996f).bits(), 0x7bff);
  EXPECT_EQ(kp::half(65520.0f).bits(), 0x7c00);
  EXPECT_EQ(kp::half(0x1p-24f).bits(), 0x0001);
  EXPECT_EQ(kp::half(0x1p-25f).bits(), 0x0000);
  EXPECT_EQ(kp::half(-0.0f).bits(), 0x8000);
  EXPECT_EQ(kp::half(2048).bits(),
            kp::half(2049).bits());  // a sum kept in this type would stop here
}

TEST(bfloat16, rounds_to_nearest_even_instead_of_truncating) {
  EXPECT_EQ(static_cast<float>(kp::bfloat16(0.26914087f)), 0.26953125f);
  EXPECT_EQ(static_cast<float>(kp::bfloat16(3.14f)), 3.140625f);
  EXPECT_EQ(static_cast<float>(kp::bfloat16(1 + 0x1p-8f)), 1.0f);
  EXPECT_EQ(static_cast<float>(kp::bfloat16(1 + 3 * 0x1p-8f)), 1.015625f);
  EXPECT_EQ(static_cast<float>(kp::bfloat16(std::numeric_limits<float>::max())),
            std::numeric_limits<float>::infinity());
}

TEST(half, converts_to_the_other_format_and_prints) {
  EXPECT_EQ(kp::bfloat16(kp::half(1 + 0x1p-8f)).bits(), kp::bfloat16(1.0f).bits());
  EXPECT_EQ(kp::half(kp::bfloat16(1e30f)).bits(), 0x7c00);
  std::ostringstream out;
  out << kp::half(0.5f) << ' ' << kp::bfloat16(-2);
  EXPECT_EQ(out.str(), "0.5 -2");
}

// Usable in constant expressions; nothing converts silently.
static_assert(kp::half(0.5f) + kp::half(0.25) == kp::half(0.75f) && -kp::half(1) < kp::half(0));
static_assert(!std::is_convertible_v<float, kp::half> && !std::is_convertible_v<kp::half, float>);
static_assert(!std::is_convertible_v<kp::half, kp::bfloat16>);

}  // namespace
