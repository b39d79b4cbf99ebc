// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction engine: accuracy, determinism, launches, operands that need packing.
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/events.hpp>
#include <support/host.hpp>

#include <random>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

template <class T>
host_array<T> random_reals(shape_t shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(-1, 1);
  host_array<T> a(std::move(shape));
  for (auto& x : a.values)
    x = static_cast<T>(draw(random));
  return a;
}

// -- accuracy

TEST(cases, ones_over_a_slow_axis_do_not_stick) {
  EXPECT_TRUE(same(fetch(kp::eval(kp::mean(kp::ones<float>(20'000'000, 2), 0))),
                   host_array<float>({2}, {1, 1})));
  kp::tensor<float, 2> t = kp::ones<float>(20'000'000, 2);
  EXPECT_TRUE(same(fetch(kp::eval(kp::mean(t, 0))), host_array<float>({2}, {1, 1})));
  EXPECT_EQ(kp::item(kp::sum(t)), 4e7f);
}

TEST(cases, a_million_equal_fractions) {
  kp::tensor<float, 1> t = kp::full({1'000'000}, 1.0f / 255);
  EXPECT_NEAR(kp::item(kp::sum(t)), 3921.5686, 3921.5686 * 1e-5);
  EXPECT_NEAR(kp::item(kp::sum(kp::full({1'000'000}, 1.0f / 255))), 3921.5686, 3921.5686 * 1e-5);
}

TEST(cases, half_sums_accumulate_wider_in_every_direction) {
  auto const one = kp::half(1.0f);
  kp::tensor<kp::half, 2> t = kp::full({3000, 115}, one);
  auto const columns = fetch(kp::eval(kp::sum(t, 0)));
  for (auto const& x : columns.values)
    ASSERT_EQ(static_cast<float>(x), 3000.0f);
  EXPECT_EQ(static_cast<float>(kp::item(kp::sum(t(all, 7)))), 3000.0f);
  kp::tensor<kp::half, 1> row = kp::full({3000}, one);
  EXPECT_EQ(static_cast<float>(kp::item(kp::sum(row))), 3000.0f);
}

TEST(reduce, of_bfloat16_accumulates_wider_in_every_direction) {
  kp::tensor<kp::bfloat16, 2> t = kp::full({2048, 5}, kp::bfloat16(1.0f));
  auto const columns = fetch(kp::eval(kp::sum(t, 0)));
  for (auto const& x : columns.values)
    ASSERT_EQ(static_cast<float>(x), 2048.0f);  // in the type itself the sum stops at 256
  auto const rows = fetch(kp::eval(kp::sum(kp::transpose(t), 1)));
  for (auto const& x : rows.values)
    ASSERT_EQ(static_cast<float>(x), 2048.0f);
  EXPECT_EQ(static_cast<float>(kp::item(kp::mean(t))), 1.0f);
}

TEST(reduce, of_a_hundred_million_ones_is_exact) {
  index_t const n = many(100'000'000);
  EXPECT_EQ(kp::item(kp::sum(kp::ones<float>(n))), static_cast<float>(n));
  using c64 = Kokkos::complex<float>;
  EXPECT_EQ(kp::item(kp::sum(kp::full({n}, c64(1, -1)))),
            c64(static_cast<float>(n), -static_cast<float>(n)));
}

TEST(cases, means_do_not_overflow_on_the_way) {
  kp::tensor<kp::half, 1> h{kp::half(60000.0f), kp::half(60000.0f)};
  EXPECT_EQ(static_cast<float>(kp::item(kp::mean(h))), 60000.0f);
  kp::tensor<std::int8_t, 1> b{100, 100, 100};
  EXPECT_EQ(kp::item(kp::mean(b)), 100.0);
  kp::tensor<int, 1> i{2147483647, 2147483647};
  EXPECT_EQ(kp::item(kp::mean(i)), 2147483647.0);
}

TEST(reduce, of_single_precision_stays_close_to_exact_sums) {
  for (shape_t const& shape :
       {shape_t{300, 4000}, shape_t{4000, 300}, shape_t{3, 400000}, shape_t{400000, 3}}) {
    auto const x = random_reals<float>(shape, 5);
    auto t = upload<2>(x);
    for (int axis = 0; axis < 2; ++axis) {
      host_array<double> want({shape[static_cast<std::size_t>(1 - axis)]});
      host_array<double> magnitude = want;
      for_each_index(shape, [&](shape_t const& i) {
        want[i[static_cast<std::size_t>(1 - axis)]] += static_cast<double>(x.at(i));
        magnitude[i[static_cast<std::size_t>(1 - axis)]] += std::fabs(static_cast<double>(x.at(i)));
      });
      auto const got = fetch(kp::eval(kp::sum(t, axis)));
      for (index_t i = 0; i < want.size(); ++i)
        ASSERT_NEAR(got[i], want[i], magnitude[i] * 8e-6)
            << testing::PrintToString(shape) << " axis " << axis << " at " << i;
    }
  }
}

// -- determinism

/// The same bits whatever the number of threads.
template <class Exec, class E>
void expect_same_bits(E const& e, char const* what) {
  auto const first = fetch(kp::eval(Exec(), e));
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(same(fetch(kp::eval(Exec(), e)), first)) << what;
  if constexpr (kp::kokkos_ext::has_one_thread_instance<Exec>) {
    Exec const one(1);
    EXPECT_TRUE(same(fetch(kp::eval(one, e)), first)) << what << ", one thread";
  }
}

TEST(reduce, gives_the_same_bits_on_any_number_of_threads) {
  using exec = kp::default_space;
  auto a = upload<2>(random_reals<float>({1000, 1501}, 1));
  auto b = upload<1>(random_reals<double>({1234567}, 2));
  expect_same_bits<exec>(kp::sum(a), "everything");
  expect_same_bits<exec>(kp::sum(a, 0), "columns");
  expect_same_bits<exec>(kp::sum(a, 1), "rows");
  expect_same_bits<exec>(kp::sum(kp::transpose(a), 0), "columns of the transpose");
  expect_same_bits<exec>(kp::sum(b), "a long vector");
  expect_same_bits<exec>(kp::mean(b(range(0, 1000000, 3)) * 1.5), "a strided expression");
  expect_same_bits<exec>(kp::prod(1.0 + b * 1e-6), "a product");
  expect_same_bits<exec>(kp::sum(kp::sin(a) * a(0), kp::axes(0, 1)), "a fused expression");
}

// -- operands

TEST(reduce, packs_many_strided_operands) {
  index_t const n = 3000;
  auto a = upload<2>(counting<double>({n, 24}));
  auto const t = kp::transpose(a);
  auto const rows = [&](int i) { return t(range(i, i + 12)); };
  auto const e = rows(0) + rows(1) + rows(2) + rows(3) + rows(4) + rows(5) + rows(6) + rows(7) +
                 rows(8) + rows(9) + rows(10) + rows(11);
  host_array<double> want({12});
  double total = 0;
  for (index_t r = 0; r < 12; ++r)
    for (index_t i = 0; i < n; ++i)
      for (index_t s = 0; s < 12; ++s) {
        want[r] += static_cast<double>(24 * i + r + s);
        total += static_cast<double>(24 * i + r + s);
      }
  EXPECT_TRUE(same(fetch(kp::eval(kp::sum(e, 1))), want));
  EXPECT_EQ(kp::item(kp::sum(e)), total);
  EXPECT_EQ(kp::item(kp::max(e)), 12 * (24.0 * (n - 1) + 11) + 66);
}

TEST(reduce, covers_every_size) {
  for (index_t n : {1,    2,    15,   16,   17,   63,   64,   65,    127,   128,  129,
                    2047, 2048, 2049, 4095, 4096, 4097, 8193, 32767, 32769, 70001}) {
    auto t = upload<1>(counting<int>({n}));
    ASSERT_EQ(kp::item(kp::sum(t)), n * (n - 1) / 2) << n;
    ASSERT_EQ(kp::item(kp::max(t)), n - 1) << n;
    ASSERT_EQ(kp::item(kp::min(-t)), 1 - n) << n;
    auto rows = upload<2>(counting<int>({3, n}));
    ASSERT_TRUE(same(fetch(kp::eval(kp::max(rows, 1))),
                     host_array<int>({3}, {static_cast<int>(n - 1), static_cast<int>(2 * n - 1),
                                           static_cast<int>(3 * n - 1)})));
    auto const sums = fetch(kp::eval(kp::sum(kp::transpose(rows), 0)));
    for (index_t r = 0; r < 3; ++r)
      ASSERT_EQ(sums[r], n * (n - 1) / 2 + r * n * n) << n;
  }
}

TEST(reduce, covers_many_short_rows) {
  auto const all_of = [](shape_t const& shape, float x) {
    host_array<float> a(shape);
    std::fill(a.values.begin(), a.values.end(), x);
    return a;
  };
  kp::tensor<float, 2> pairs = kp::ones<float>(70000, 3);
  EXPECT_TRUE(same(fetch(kp::eval(kp::sum(pairs, 1))), all_of({70000}, 3)));
  EXPECT_TRUE(same(fetch(kp::eval(kp::sum(kp::transpose(pairs), 0))), all_of({70000}, 3)));
  kp::tensor<float, 3> stack = kp::ones<float>(3, 70000, 2);
  EXPECT_TRUE(same(fetch(kp::eval(kp::sum(stack, 2))), all_of({3, 70000}, 2)));
  EXPECT_TRUE(same(fetch(kp::eval(kp::sum(stack, kp::axes(0, 2)))), all_of({70000}, 6)));
}

// (Devices: launch_test.cpp.)
TEST(reduce, counts_more_elements_than_32_bits_on_the_host) {
  index_t const n = many((index_t{1} << 32) + 5);
  kp::tensor<std::int8_t, 0, kp::host_space> const one(std::int8_t{1});
  EXPECT_EQ(kp::item(kp::sum(kp::broadcast_to(one, n))), n);
}

TEST(reduce, finds_an_extremum_and_a_nan_at_every_position) {
  for (index_t n : {4, 63, 64, 65, 1000, 70001}) {
    host_array<double> x({n});
    for (index_t i = 0; i < n; ++i)
      x[i] = static_cast<double>((i * 7919) % n);
    for (index_t at = 0; at < n; at += n > 1000 ? 4999 : 1) {
      auto with = x;
      with[at] = 1e6;
      auto t = upload<1>(with);
      ASSERT_EQ(kp::item(kp::max(t)), 1e6) << n << " at " << at;
      ASSERT_EQ(kp::item(kp::min(-t)), -1e6) << n << " at " << at;
      with[at] = NAN;
      auto u = upload<1>(with);
      ASSERT_TRUE(std::isnan(kp::item(kp::max(u)))) << n << " at " << at;
      ASSERT_TRUE(std::isnan(kp::item(kp::min(u)))) << n << " at " << at;
      ASSERT_TRUE(std::isnan(kp::item(kp::sum(u)))) << n << " at " << at;
    }
  }
}

TEST(reduce, writes_into_destinations_of_any_strides) {
  auto a = upload<3>(counting<int>({6, 5, 4}));
  auto d = kp::empty<index_t>(5, 12);
  d = -1;
  d(all, range(kp::none, kp::none, -3)) = kp::sum(a, 0);
  auto want = host_array<index_t>({5, 12});
  std::fill(want.values.begin(), want.values.end(), -1);
  for (index_t j = 0; j < 5; ++j)
    for (index_t k = 0; k < 4; ++k)
      want.at({j, 11 - 3 * k}) = 6 * (4 * j + k) + 20 * 15;
  EXPECT_TRUE(same(fetch(d), want));
  auto e = kp::empty<index_t>(4, 5);
  kp::transpose(e) = kp::sum(a, 0);
  host_array<index_t> turned({4, 5});
  for (index_t j = 0; j < 5; ++j)
    for (index_t k = 0; k < 4; ++k)
      turned.at({k, j}) = 6 * (4 * j + k) + 20 * 15;
  EXPECT_TRUE(same(fetch(e), turned));
}

TEST(reduce, launches_and_waits_little) {
  auto a = upload<2>(counting<float>({1000, 1000}));
  auto row = upload<1>(counting<float>({1000}));
  auto r = kp::empty<float>(1000);
  kp::tensor<float, 0> s(0.0f);
  r = kp::max(a, 0);  // the pool's first blocks of these sizes
  s = kp::sum(a);
  Kokkos::fence();
  event_log log;
  r = kp::sum(a * a + row, 1);  // fused: no temporary of a's size, straight into r
  int const first = log.launches();
  EXPECT_LE(first, 2) << log.text();
  r = kp::max(a, 0);
  EXPECT_LE(log.launches() - first, 2) << log.text();
  s = kp::sum(a);
  EXPECT_EQ(log.launches("karpos::assign"), 0) << log.text();
  EXPECT_EQ(log.fences(), 0) << log.text();
}

}  // namespace
