// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gemm: coefficients, destinations of any strides, aliasing.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <ops/product_model.hpp>
#include <support/host.hpp>

#include <cmath>
#include <utility>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;
using c128 = Kokkos::complex<double>;

template <class T>
void expect_gemm(double alpha, double beta) {
  std::mt19937_64 random(5);
  auto const a = random_integers<T>({5, 4}, random, -4, 4);
  auto const b = random_integers<T>({4, 6}, random, -4, 4);
  auto const c = random_integers<T>({5, 6}, random, -4, 4);
  auto const ab = product(a, b);
  host_array<T> want({5, 6});
  for (index_t i = 0; i < want.size(); ++i)
    want[i] = static_cast<T>(static_cast<T>(alpha) * ab[i] + static_cast<T>(beta) * c[i]);
  auto ta = upload<2>(a);
  auto tb = upload<2>(b);
  auto tc = upload<2>(c);
  kp::gemm(alpha, ta, tb, beta, tc);
  EXPECT_TRUE(close(fetch(tc), want, 0)) << alpha << ' ' << beta;
  auto turned = kp::eval(kp::transpose(upload<2>(c)));
  kp::gemm(kp::default_space{}, alpha, ta, tb, beta, kp::transpose(turned));
  EXPECT_TRUE(close(fetch(kp::transpose(turned)), want, 0)) << alpha << ' ' << beta;
  auto wide = kp::empty<T>(5, 12);
  wide(all, range(0, 12, 2)) = upload<2>(c);
  kp::gemm(alpha, ta, tb, beta, wide(all, range(0, 12, 2)));
  EXPECT_TRUE(close(fetch(wide(all, range(0, 12, 2))), want, 0)) << alpha << ' ' << beta;
}

TEST(gemm, scales_and_accumulates) {
  for (double alpha : {0.0, 1.0, -2.0})
    for (double beta : {0.0, 1.0, 3.0}) {
      expect_gemm<double>(alpha, beta);
      expect_gemm<float>(alpha, beta);
      expect_gemm<int>(alpha, beta);
      expect_gemm<c128>(alpha, beta);
    }
}

TEST(gemm, into_an_operand_is_the_product_of_the_old_values) {
  auto a = upload<2>(host_array<double>({2, 2}, {1, 2, 3, 4}));
  kp::gemm(1.0, a, a, 0.0, a);
  EXPECT_TRUE(same(fetch(a), host_array<double>({2, 2}, {7, 10, 15, 22})));
  kp::gemm(1.0, kp::transpose(a), kp::eye(2), 1.0, a);
  EXPECT_TRUE(same(fetch(a), host_array<double>({2, 2}, {14, 25, 25, 44})));
}

TEST(gemm, of_stacks) {
  auto const a = counting<double>({3, 2, 2});
  auto const b = counting<double>({2, 2}, 1);
  auto ta = upload<3>(a);
  kp::tensor<double, 3> c = kp::ones(3, 2, 2);
  kp::gemm(2.0, ta, upload<2>(b), 1.0, c);
  EXPECT_TRUE(same(fetch(c), apply<double>([](double x) { return 2 * x + 1; }, product(a, b))));
}

TEST(gemm, refuses_shapes_that_do_not_fit) {
  auto a = kp::empty<double>(4, 3);
  auto b = kp::empty<double>(5, 2);
  EXPECT_EQ(error_text<kp::shape_error>([&] { kp::gemm(1.0, a, b, 0.0, a); }),
            "karpos::gemm: inner extents differ: a is (4, 3), b is (5, 2)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { kp::gemm(1.0, a, kp::transpose(a), 0.0, a); }),
            "karpos::gemm: a b is (4, 4), c is (4, 3)");
}

TEST(gemm, refuses_factors_that_integers_cannot_hold) {
  auto const x = counting<int>({2, 2}, 1);
  auto a = upload<2>(x);
  auto c = upload<2>(x);
  EXPECT_EQ(error_text<kp::argument_error>([&] { kp::gemm(0.5, a, a, 0.0, c); }),
            "karpos::gemm: scalar 0.500000 does not fit the element type int32");
  EXPECT_THROW(kp::gemm(1.0, a, a, 1e10, c), kp::argument_error);
  EXPECT_THROW(kp::gemm(1.0, a, a, static_cast<double>(NAN), c), kp::argument_error);
  auto bytes = upload<2>(counting<std::uint8_t>({2, 2}, 1));
  EXPECT_EQ(error_text<kp::argument_error>([&] { kp::gemm(1, bytes, bytes, -1, bytes); }),
            "karpos::gemm: scalar -1 does not fit the element type uint8");
  EXPECT_TRUE(same(fetch(c), x));
  kp::gemm(-2.0, a, a, 3, c);
  EXPECT_TRUE(same(fetch(c), host_array<int>({2, 2}, {-11, -14, -21, -32})));
}

TEST(cases, k_0_with_a_scaled_accumulate) {
  kp::tensor<double, 2> const a(3, 0);
  kp::tensor<double, 2> const b(0, 3);
  for (auto const& [beta, want] : {std::pair(0.5, 1.0), std::pair(0.0, 0.0), std::pair(1.0, 2.0)}) {
    kp::tensor<double, 2> c = kp::full({3, 3}, 2.0);
    kp::gemm(1.0, a, b, beta, c);
    EXPECT_EQ(kp::item(kp::min(c)), want);
    EXPECT_EQ(kp::item(kp::max(c)), want);
  }
}

TEST(cases, beta_0_does_not_read_c) {
  auto const check = [](auto nan) {
    using T = decltype(nan);
    kp::tensor<T, 2> const zero(4, 4);
    kp::tensor<T, 2> c = kp::full({4, 4}, nan);
    kp::gemm(1.0, zero, zero, 0.0, c);
    EXPECT_TRUE(same(fetch(c), host_array<T>({4, 4})));
    kp::tensor<T, 2> y = kp::full({4, 1}, nan);
    kp::gemm(1.0, zero, zero(all, range(0, 1)), 0.0, y);
    EXPECT_TRUE(same(fetch(y), host_array<T>({4, 1})));
    kp::tensor<T, 1> v = kp::full({4}, nan);
    v = kp::matmul(zero, zero(0));
    EXPECT_TRUE(same(fetch(v), host_array<T>({4})));
    kp::tensor<T, 2> strided = kp::full({4, 8}, nan);
    kp::gemm(1.0, zero, zero, 0.0, strided(all, range(0, 8, 2)));
    EXPECT_TRUE(same(fetch(strided(all, range(0, 8, 2))), host_array<T>({4, 4})));
  };
  check(static_cast<double>(NAN));
  check(c128(NAN, NAN));
}

TEST(cases, coefficients_on_the_half_path) {
  host_array<kp::half> six({2, 3});
  for (index_t i = 0; i < 6; ++i)
    six[i] = kp::half(static_cast<float>(i));
  auto a = upload<2>(six);
  kp::tensor<kp::half, 2> c = kp::full({2, 2}, kp::half(1.0f));
  kp::gemm(0.7, a, kp::transpose(a), 1.3, c);
  auto const got = fetch(c);
  EXPECT_NEAR(static_cast<float>(got[0]), 4.8f, 0.005f);
  EXPECT_NEAR(static_cast<float>(got[1]), 11.1f, 0.01f);
  EXPECT_NEAR(static_cast<float>(got[2]), 11.1f, 0.01f);
  EXPECT_NEAR(static_cast<float>(got[3]), 36.3f, 0.03f);
}

}  // namespace
