// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors computed from their indices.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/events.hpp>
#include <support/host.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

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

TEST(create, fills_with_one_value) {
  EXPECT_TRUE(same(value(kp::zeros<int>(2, 3)), host_array<int>({2, 3})));
  EXPECT_TRUE(same(value(kp::ones(3)), list<double>({1, 1, 1})));
  EXPECT_TRUE(same(value(kp::ones<bool>({1, 2})), host_array<bool>({1, 2}, {1, 1})));
  EXPECT_TRUE(
      same(value(kp::full({2, 2}, 2.5f)), host_array<float>({2, 2}, {2.5f, 2.5f, 2.5f, 2.5f})));
  EXPECT_TRUE(same(value(kp::full({1}, Kokkos::complex<double>(1, 2))),
                   host_array<Kokkos::complex<double>>({1}, {Kokkos::complex<double>(1, 2)})));
  EXPECT_TRUE(
      same(value(kp::zeros<kp::half>(2)), list<kp::half>({kp::half(0.0f), kp::half(0.0f)})));
  EXPECT_EQ(kp::item(kp::ones<int>()), 1);
  index_t const n = 4;
  std::size_t const m = 2;
  EXPECT_EQ(kp::shape(kp::zeros({n, m})), (kp::extents<2>{{4, 2}}));
  EXPECT_EQ(kp::empty<float>(n, m).shape(), (kp::extents<2>{{4, 2}}));
  EXPECT_EQ(kp::empty<float>(0, m).size(), 0);
}

TEST(create, refuses_negative_extents) {
  EXPECT_EQ(error_text<kp::shape_error>([] { (void)kp::zeros(3, -1); }),
            "karpos::zeros: extent of axis 1 is negative: (3, -1)");
  EXPECT_EQ(error_text<kp::shape_error>([] { (void)kp::ones({-2}); }),
            "karpos::ones: extent of axis 0 is negative: (-2,)");
  EXPECT_EQ(error_text<kp::shape_error>([] { (void)kp::full({-2}, 1); }),
            "karpos::full: extent of axis 0 is negative: (-2,)");
  EXPECT_EQ(error_text<kp::shape_error>([] { (void)kp::empty(-2); }),
            "karpos::empty: extent of axis 0 is negative: (-2,)");
  EXPECT_EQ(error_text<kp::shape_error>([] { (void)kp::eye(-2); }),
            "karpos::eye: extent of axis 0 is negative: (-2, -2)");
}

TEST(arange, counts_as_numpy_does) {
  static_assert(std::is_same_v<decltype(kp::arange(5))::value_type, index_t>);
  static_assert(std::is_same_v<decltype(kp::arange(5.0))::value_type, double>);
  static_assert(std::is_same_v<decltype(kp::arange<float>(5))::value_type, float>);
  EXPECT_TRUE(same(value(kp::arange(5)), list<index_t>({0, 1, 2, 3, 4})));
  EXPECT_TRUE(same(value(kp::arange(2, 9, 3)), list<index_t>({2, 5, 8})));
  EXPECT_TRUE(same(value(kp::arange(9, 2, -3)), list<index_t>({9, 6, 3})));
  EXPECT_TRUE(same(value(kp::arange(3, 3)), host_array<index_t>({0})));
  EXPECT_TRUE(same(value(kp::arange(3, 5, -1)), host_array<index_t>({0})));
  EXPECT_TRUE(same(value(kp::arange(-2)), host_array<index_t>({0})));
  EXPECT_TRUE(same(value(kp::arange(0.0, 1.0, 0.25)), list<double>({0, 0.25, 0.5, 0.75})));
  EXPECT_EQ(kp::size(kp::arange(0.0, 1.0, 0.1)), 10);
  EXPECT_EQ(kp::size(kp::arange(1.0, 1.3, 0.1)),
            4);  // 1.3 - 1.0 is more than three times 0.1, NumPy's known surprise
  EXPECT_TRUE(same(value(kp::arange<std::int8_t>(100, 103)), list<std::int8_t>({100, 101, 102})));
  EXPECT_TRUE(same(value(kp::arange<float>(0, 4)), list<float>({0, 1, 2, 3})));
  EXPECT_TRUE(same(value(kp::arange(4u)), list<index_t>({0, 1, 2, 3})));
  for (int start = -5; start <= 5; ++start)  // the length, by counting
    for (int stop = -5; stop <= 5; ++stop)
      for (int step : {-3, -2, -1, 1, 2, 3}) {
        index_t n = 0;
        for (int i = start; step > 0 ? i < stop : i > stop; i += step)
          ++n;
        ASSERT_EQ(kp::size(kp::arange(start, stop, step)), n)
            << start << ' ' << stop << ' ' << step;
      }
  EXPECT_TRUE(
      same(value(kp::arange<std::uint16_t>(65535, -1, -65535)), list<std::uint16_t>({65535, 0})));
  EXPECT_TRUE(same(value(kp::arange<std::int16_t>(32767, -32769, -32768)),
                   list<std::int16_t>({32767, -1})));
  index_t const low = std::numeric_limits<index_t>::min();
  index_t const high = std::numeric_limits<index_t>::max();
  EXPECT_TRUE(same(value(kp::arange(low, high, high)), list<index_t>({low, -1, high - 1})));
  EXPECT_TRUE(same(value(kp::arange(high, low, low)), list<index_t>({high, -1})));
  EXPECT_EQ(kp::size(kp::arange(high)), high);
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)kp::arange(low, high); }),
            "karpos::arange: the number of elements is not finite or overflows: "
            "18446744073709551616.000000");
  EXPECT_EQ(error_text<kp::argument_error>([] { (void)kp::arange(0, 5, 0); }),
            "karpos::arange: step must not be 0");
  EXPECT_EQ(
      error_text<kp::argument_error>([] { (void)kp::arange(0.0, INFINITY, 1.0); }).substr(0, 71),
      "karpos::arange: the number of elements is not finite or overflows: inf");
}

TEST(cases, linspace_ends_exactly) {
  auto const d = value(kp::linspace(0, 99.78730976641236, 100));
  EXPECT_EQ(d[99], 99.78730976641236);
  auto const f = value(kp::linspace<float>(-2.3328583, 2.8459014, 10));
  EXPECT_EQ(f[9], 2.8459014f);
  EXPECT_EQ(f[0], -2.3328583f);
}

TEST(linspace, is_even_with_or_without_the_end) {
  EXPECT_TRUE(same(value(kp::linspace(0, 1, 5)), list<double>({0, 0.25, 0.5, 0.75, 1})));
  EXPECT_TRUE(same(value(kp::linspace(0, 1, 4, false)), list<double>({0, 0.25, 0.5, 0.75})));
  EXPECT_TRUE(same(value(kp::linspace(3, 1, 3)), list<double>({3, 2, 1})));
  EXPECT_TRUE(same(value(kp::linspace(3, 1, 1)), list<double>({3})));
  EXPECT_TRUE(same(value(kp::linspace(3, 1, 0)), host_array<double>({0})));
  EXPECT_TRUE(close(value(kp::logspace(0, 3, 4)), list<double>({1, 10, 100, 1000}), 1e-14));
  EXPECT_TRUE(close(value(kp::logspace(0, 3, 4, 2.0)), list<double>({1, 2, 4, 8}), 1e-14));
  EXPECT_EQ(error_text<kp::argument_error>([] { (void)kp::linspace(0, 1, -1); }),
            "karpos::linspace: the number of values is negative: -1");
}

TEST(eye, has_ones_on_a_diagonal) {
  for (index_t n = 0; n <= 4; ++n)
    for (index_t m = 0; m <= 4; ++m)
      for (index_t k = -4; k <= 4; ++k) {
        host_array<int> want({n, m});
        for_each_index(want.shape, [&](shape_t const& i) { want.at(i) = i[1] - i[0] == k; });
        ASSERT_TRUE(same(value(kp::eye<int>(n, m, k)), want)) << n << ' ' << m << ' ' << k;
      }
  EXPECT_TRUE(same(value(kp::identity<double>(2)), host_array<double>({2, 2}, {1, 0, 0, 1})));
}

struct digits {
  KOKKOS_FUNCTION int operator()(index_t i, index_t j, index_t k) const {
    return static_cast<int>(100 * i + 10 * j + k);
  }
};
struct ramp {
  double slope;
  KOKKOS_FUNCTION double operator()(index_t i) const { return slope * static_cast<double>(i); }
};

TEST(from_function, is_called_with_the_multi_index) {
  host_array<int> want({2, 3, 4});
  for_each_index(want.shape, [&](shape_t const& i) {
    want.at(i) = static_cast<int>(100 * i[0] + 10 * i[1] + i[2]);
  });
  EXPECT_TRUE(same(value(kp::from_function({2, 3, 4}, digits{})), want));
  EXPECT_TRUE(same(value(kp::from_function(digits{}, 2, 3, 4)), want));
  EXPECT_TRUE(same(value(kp::map_index(digits{}, {2, 3, 4})), want));
  EXPECT_TRUE(same(value(kp::from_function(digits{}, 2, 3, 4)(1, all, range(1, 3))),
                   host_array<int>({3, 2}, {101, 102, 111, 112, 121, 122})));
  EXPECT_TRUE(same(value(kp::from_function(ramp{0.5}, 3) + 1.0), list<double>({1, 1.5, 2})));
}

TEST(generators, use_no_memory) {
  auto const before = kp::detail::memory_pool<kp::default_space::memory_space>::get().stats();
  event_log log;
  auto const e =
      kp::sum(kp::linspace(0, 1, 1'000'001) * kp::ones(1'000'001) + kp::zeros(1'000'001));
  auto const big = kp::zeros<float>(index_t{1} << 40) + kp::arange(index_t{1} << 40);
  EXPECT_EQ(log.launches(), 0);
  EXPECT_NEAR(kp::item(e), 500000.5, 1e-6);
  EXPECT_EQ(kp::item(big, (index_t{1} << 40) - 1), 1099511627775.0f);
  auto const after = kp::detail::memory_pool<kp::default_space::memory_space>::get().stats();
  EXPECT_LE(after.peak, std::max(before.peak, before.in_use + 4096));
}

}  // namespace
