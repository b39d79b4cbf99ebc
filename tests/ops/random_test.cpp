// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// random::uniform, against Philox4x32-10 written from its paper (Salmon et al., SC11).
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <array>
#include <cstdint>

namespace {

using namespace karpos_test;
using kp::range;

using words = std::array<std::uint32_t, 4>;

words philox(std::uint64_t key, std::uint64_t counter) {
  words c = {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0};
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    std::uint64_t const a = std::uint64_t{0xD2511F53u} * c[0];
    std::uint64_t const b = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

TEST(philox, of_zero_is_the_published_answer) {
  EXPECT_EQ(philox(0, 0),
            (words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));  // Random123, kat_vectors
}

template <class E>
auto value(E const& e) {
  return fetch(kp::eval(e));
}

TEST(uniform, takes_the_words_of_philox_in_order) {
  for (std::uint64_t seed :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x123456789abcdef0}}) {
    for (index_t n : {0, 1, 7, 8193}) {
      host_array<float> f({n});
      host_array<double> d({n});
      for (index_t i = 0; i < n; ++i) {
        auto const w = philox(seed, static_cast<std::uint64_t>(i / 4));
        f[i] = static_cast<float>(w[static_cast<std::size_t>(i % 4)] >> 8) * 0x1p-24f;
        auto const v = philox(seed, static_cast<std::uint64_t>(i / 2));
        auto const at = static_cast<std::size_t>(2 * (i % 2));
        std::uint64_t const bits = v[at] | static_cast<std::uint64_t>(v[at + 1]) << 32;
        d[i] = static_cast<double>(bits >> 11) * 0x1p-53;
      }
      EXPECT_TRUE(same(value(kp::random::uniform<float>({n}, {.seed = seed})), f)) << seed;
      EXPECT_TRUE(same(value(kp::random::uniform<double>({n}, {.seed = seed})), d)) << seed;
    }
  }
}

TEST(uniform, depends_on_nothing_but_seed_and_place) {
  auto const e = kp::random::uniform<float>({50, 41}, {.seed = 9});
  auto const whole = value(e);
  auto const rows = value(e(range(10, 20)));
  auto const turned = value(kp::transpose(e));
  for_each_index(rows.shape,
                 [&](shape_t const& i) { ASSERT_EQ(rows.at(i), whole.at({i[0] + 10, i[1]})); });
  for_each_index(turned.shape,
                 [&](shape_t const& i) { ASSERT_EQ(turned.at(i), whole.at({i[1], i[0]})); });
  EXPECT_EQ(kp::item(e, 49, 40), whole.at({49, 40}));
  auto const flat = value(kp::random::uniform<float>({50 * 41}, {.seed = 9}));
  EXPECT_EQ(flat.values, whole.values);  // the C order counts, not the shape
}

TEST(uniform, lies_between_low_and_high) {
  index_t const n = 1'000'000;
  auto const x = kp::eval(kp::random::uniform<double>({n}, {.seed = 4, .low = -3.0, .high = 5.0}));
  EXPECT_GE(kp::item(kp::min(x)), -3.0);
  EXPECT_LT(kp::item(kp::max(x)), 5.0);
  EXPECT_NEAR(kp::item(kp::mean(x)), 1.0, 0.01);  // sd of the mean: 0.0023
  EXPECT_NEAR(kp::item(kp::mean(kp::square(x - 1.0))), 64.0 / 12, 0.03);
  auto const h = kp::eval(kp::random::uniform<kp::half>({100000}, {.seed = 4}));
  EXPECT_LT(static_cast<float>(kp::item(kp::max(h))), 1.0f);
  EXPECT_GE(static_cast<float>(kp::item(kp::min(h))), 0.0f);
}

TEST(cases, uniform_never_returns_the_upper_end) {
  auto const x = kp::random::uniform<float>({many(100'000'000)}, {.seed = 7});
  EXPECT_LE(kp::item(kp::max(x)), 0.99999994f);
  EXPECT_LT(kp::item(kp::max(kp::random::uniform<float>(
                {4'000'000}, {.seed = 7, .low = 1.0, .high = 1.0000001}))),
            1.0000001f);
}

TEST(uniform, refuses_intervals_without_numbers) {
  EXPECT_EQ(error_text<kp::argument_error>([] {
              (void)kp::random::uniform<float>({3}, {.seed = 1, .low = 2.0, .high = 2.0});
            }),
            "karpos::random::uniform: low must be less than high and their distance finite in "
            "float32: low 2.000000, high 2.000000");
  EXPECT_THROW((void)kp::random::uniform<double>({3}, {.low = 0.0, .high = INFINITY}),
               kp::argument_error);
  EXPECT_THROW((void)kp::random::uniform<double>({3}, {.low = -1e308, .high = 1e308}),
               kp::argument_error);
  EXPECT_THROW((void)kp::random::uniform<float>({3}, {.low = 1.0, .high = 1.00000001}),
               kp::argument_error);
  EXPECT_THROW((void)kp::random::uniform<float>({-3}), kp::shape_error);
}

}  // namespace
