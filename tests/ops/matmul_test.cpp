// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul against three loops: shapes, strides, batches, types, destinations. (gemm_test.cpp: the
// accumulating form.)
#include <karpos/backend/blas/path.hpp>
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <ops/product_model.hpp>
#include <support/host.hpp>
#include <support/view_model.hpp>

#include <cmath>
#include <thread>
#include <vector>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;
using c64 = Kokkos::complex<float>;
using c128 = Kokkos::complex<double>;

template <class E>
auto value(E const& e) {
  return fetch(kp::eval(e));
}

template <class T, int A, int B>
void expect_product(shape_t const& a, shape_t const& b) {
  std::mt19937_64 random(static_cast<std::uint64_t>(size_of(a) + 7 * size_of(b)));
  auto const x = random_integers<T>(a, random, -4, 4);
  auto const y = random_integers<T>(b, random, -4, 4);
  EXPECT_TRUE(
      same(value(kp::matmul(upload<A>(x), upload<B>(y)) + static_cast<T>(0)), product(x, y)))
      << testing::PrintToString(a) << testing::PrintToString(b);
}

TEST(matmul, of_matrices_of_every_size) {
  for (index_t m : {0, 1, 3, 17})
    for (index_t k : {0, 1, 5, 16})
      for (index_t n : {0, 1, 2, 33})
        expect_product<double, 2, 2>({m, k}, {k, n});
  expect_product<double, 2, 2>({127, 129}, {129, 128});
}

TEST(matmul, of_vectors_drops_their_axis) {
  for (index_t k : {0, 1, 7, 130}) {
    expect_product<double, 1, 1>({k}, {k});
    expect_product<double, 1, 2>({k}, {k, 5});
    expect_product<double, 2, 1>({6, k}, {k});
    expect_product<double, 1, 3>({k}, {3, k, 5});
    expect_product<double, 3, 1>({3, 6, k}, {k});
  }
}

TEST(matmul, of_batches_broadcasts) {
  expect_product<double, 3, 3>({4, 2, 3}, {4, 3, 5});
  expect_product<double, 3, 3>({1, 2, 3}, {4, 3, 5});
  expect_product<double, 3, 2>({4, 2, 3}, {3, 5});
  expect_product<double, 2, 3>({2, 3}, {4, 3, 5});
  expect_product<double, 4, 3>({2, 1, 2, 3}, {4, 3, 5});
  expect_product<double, 4, 4>({2, 1, 2, 3}, {1, 4, 3, 5});
  expect_product<double, 3, 3>({0, 2, 3}, {1, 3, 5});
  expect_product<double, 5, 4>({2, 1, 3, 2, 3}, {2, 1, 3, 2});
}

TEST(matmul, of_every_kind_of_element) {
  expect_product<float, 2, 2>({17, 9}, {9, 12});
  expect_product<int, 2, 2>({17, 9}, {9, 12});
  expect_product<std::int8_t, 2, 2>({7, 9}, {9, 6});
  expect_product<c64, 2, 2>({17, 9}, {9, 12});
  expect_product<c128, 3, 3>({3, 7, 9}, {3, 9, 12});
  expect_product<kp::half, 2, 2>({5, 9}, {9, 6});
}

/// Views of any strides as operands and as destination.
TEST(matmul, of_strided_views) {
  for (int i = 0; i < rounds(150); ++i) {
    std::mt19937_64 random(seed_of(i));
    SCOPED_TRACE("seed " + std::to_string(seed_of(i)));
    shape_t const shape = {11 + i % 3, 13 - i % 4};
    auto const x = random_integers<double>(shape, random, -4, 4);
    auto tx = upload<2>(x);
    auto a = tx.view();
    auto b = tx.view();
    auto ma = view_model::whole(shape);
    auto mb = ma;
    for (int k = 0; k < 2; ++k) {
      random_step(a, ma, random);
      random_step(b, mb, random);
    }
    index_t const k = std::min(ma.shape[1], mb.shape[0]);
    a.rebind(a(all, range(0, k)));
    b.rebind(b(range(0, k)));
    ma = ma.sliced(1, 0, k, 1);
    mb = mb.sliced(0, 0, k, 1);
    auto const picked = [&](view_model const& m) {
      host_array<double> out(m.shape);
      for (std::size_t n = 0; n < m.where.size(); ++n)
        out.values[n] = x.values[static_cast<std::size_t>(m.where[n])];
      return out;
    };
    auto const want = product(picked(ma), picked(mb));
    ASSERT_TRUE(close(value(kp::matmul(a, b)), want, 0));
    auto big = kp::empty<double>(2 * ma.shape[0] + 1, 3 * mb.shape[1] + 1);
    big = -7;
    auto c = big(range(1, kp::none, 2), range(1, kp::none, 3));
    if (random() % 2 == 0)
      c.rebind(kp::flip(c, 0));
    c(all, all) = kp::matmul(a, b);
    ASSERT_TRUE(close(fetch(c), want, 0));
    ASSERT_EQ(kp::item(kp::sum(kp::cast<int>(big == -7.0))) +
                  kp::item(kp::sum(kp::cast<int>(c != -7.0))),
              kp::size(big));
    auto turned = kp::empty<double>(mb.shape[1], ma.shape[0]);
    kp::transpose(turned) = kp::matmul(a, b);
    ASSERT_TRUE(close(fetch(kp::transpose(turned)), want, 0));
  }
}

TEST(matmul, mixes_types_and_takes_expressions) {
  auto a = upload<2>(counting<int>({2, 3}));
  auto b = upload<2>(counting<double>({3, 2}));
  static_assert(std::is_same_v<decltype(kp::matmul(a, b))::value_type, double>);
  EXPECT_TRUE(same(value(kp::matmul(a, b)), host_array<double>({2, 2}, {10, 13, 28, 40})));
  EXPECT_TRUE(
      same(value(kp::matmul(a + 1, b * 2.0)), host_array<double>({2, 2}, {32, 44, 68, 98})));
  EXPECT_TRUE(same(value(kp::matmul(kp::matmul(a, b), kp::eye(2))),
                   host_array<double>({2, 2}, {10, 13, 28, 40})));
  EXPECT_TRUE(same(value(kp::matmul(kp::ones<int>(1, 3), kp::transpose(a))),
                   host_array<int>({1, 2}, {3, 12})));
}

TEST(matmul, refuses_shapes_that_do_not_fit) {
  auto a = kp::empty<double>(4, 3);
  auto b = kp::empty<double>(5, 2);
  auto s = kp::empty<double>(2, 3, 4);
  auto t = kp::empty<double>(3, 4, 5);
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::matmul(a, b); }),
            "karpos::matmul: inner extents differ: a is (4, 3), b is (5, 2)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::matmul(s, t); }),
            "karpos::matmul: shapes do not broadcast: (2,) and (3,)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::matmul(kp::ones(3), kp::ones(4)); }),
            "karpos::matmul: inner extents differ: a is (3,), b is (4,)");
  index_t const n = index_t{1} << 40;
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)kp::matmul(kp::ones(n, 0), kp::ones(0, n)); }),
            "karpos::matmul: the number of elements overflows 64 bits: shape (1099511627776, "
            "1099511627776)");
}

// -- the cases

TEST(cases, batched_matmul_with_inner_extent_0) {
  auto const check = [](auto zero) {
    using T = decltype(zero);
    kp::tensor<T, 3> out = kp::full({3, 2, 3}, static_cast<T>(NAN));
    out = kp::matmul(kp::ones<T>(3, 2, 0), kp::ones<T>(3, 0, 3));
    EXPECT_TRUE(same(fetch(out), host_array<T>({3, 2, 3})));
  };
  check(1.0f);
  check(1.0);
}

TEST(cases, inner_product_of_two_empty_vectors) {
  EXPECT_EQ(kp::item(kp::matmul(kp::zeros<float>(0), kp::zeros<float>(0))), 0.0f);
  EXPECT_EQ(kp::item(kp::matmul(kp::zeros<double>(0), kp::zeros<double>(0))), 0.0);
  EXPECT_EQ(kp::item(kp::matmul(kp::zeros<int>(0), kp::zeros<int>(0))), 0);
  EXPECT_EQ(kp::item(kp::matmul(kp::zeros<c64>(0), kp::zeros<c64>(0))), c64(0, 0));
}

TEST(cases, the_left_operand_has_batch_1) {
  host_array<double> a({1, 3, 4});
  host_array<double> b({2, 4, 5});
  host_array<double> want({2, 3, 5});
  for_each_index(a.shape, [&](shape_t const& i) { a.at(i) = static_cast<double>(i[1] + i[2]); });
  for_each_index(b.shape, [&](shape_t const& i) { b.at(i) = static_cast<double>(i[0] + 1); });
  for_each_index(want.shape, [&](shape_t const& i) {
    want.at(i) = static_cast<double>((i[0] + 1) * (4 * i[1] + 6));
  });
  EXPECT_TRUE(same(value(kp::matmul(upload<3>(a), upload<3>(b))), want));
}

TEST(cases, strided_batches) {
  auto const x = counting<double>({8, 4, 4});
  auto t = upload<3>(x);
  host_array<double> want({4, 4, 4});
  for_each_index(want.shape, [&](shape_t const& i) {
    for (index_t k = 0; k < 4; ++k)
      want.at(i) += x.at({2 * i[0], i[1], k});
  });
  EXPECT_TRUE(same(value(kp::matmul(t(range(0, 8, 2)), kp::ones(4, 4, 4))), want));
  kp::tensor<double, 3> b = kp::ones(4, 4, 4);
  EXPECT_TRUE(same(value(kp::matmul(t(range(0, 8, 2)), b)), want));
  auto backwards = want;
  for_each_index(want.shape,
                 [&](shape_t const& i) { backwards.at(i) = want.at({3 - i[0], i[1], i[2]}); });
  EXPECT_TRUE(same(value(kp::matmul(kp::flip(t(range(0, 8, 2)), 0), b)), backwards));
  auto const one =
      kp::wrap(t.data(), {1, 4, 4}, {77, 4, 1});  // a batch of extent 1 with an odd stride
  EXPECT_TRUE(same(
      value(kp::matmul(one, b(range(0, 1)))(0)),
      host_array<double>({4, 4}, {6, 6, 6, 6, 22, 22, 22, 22, 38, 38, 38, 38, 54, 54, 54, 54})));
}

TEST(cases, a_permuted_view_as_an_operand) {
  auto at = upload<2>(counting<double>({5, 3}));
  EXPECT_TRUE(same(value(kp::matmul(kp::transpose(at), kp::ones(5, 1))),
                   host_array<double>({3, 1}, {30, 35, 40})));
}

TEST(cases, extents_of_1_with_nonsense_strides) {
  auto a = upload<2>(host_array<double>({2, 1}, {1, 2}));
  auto b = upload<2>(host_array<double>({2, 1}, {1, 2}));
  host_array<double> const want({2, 2}, {1, 2, 2, 4});
  EXPECT_TRUE(same(value(kp::matmul(a, kp::transpose(b))), want));
  auto const odd_a = kp::wrap(a.data(), {2, 1}, {1, 0});
  auto const odd_b = kp::wrap(b.data(), {1, 2}, {0, 1});
  EXPECT_TRUE(same(value(kp::matmul(odd_a, odd_b)), want));
  auto const negative = kp::wrap(b.data(), {1, 2}, {-5, 1});
  EXPECT_TRUE(same(value(kp::matmul(odd_a, negative)), want));
}

TEST(cases, a_leading_slice_is_not_copied) {
  auto& pool = kp::detail::memory_pool<kp::default_space::memory_space>::get();
  auto a = upload<2>(counting<double>({5, 4}));
  auto x = kp::eval(kp::ones(3, 2));
  auto r = kp::empty<double>(5, 2);
  auto const before = pool.stats().allocations;
  r = kp::matmul(a(all, range(0, 3)), x);
  r = kp::matmul(a(all, range(1, 4)), x);
  r = kp::matmul(kp::transpose(kp::transpose(a)(range(0, 3))), x);
  EXPECT_EQ(pool.stats().allocations, before);
  r = kp::matmul(a(all, range(0, 3)), x);
  EXPECT_TRUE(same(fetch(r(all, 0)), host_array<double>({5}, {3, 15, 27, 39, 51})));
}

TEST(cases, vectors_in_row_major) {
  auto a = upload<2>(counting<double>({3, 4}));
  kp::tensor<double, 1> y = kp::full({3}, static_cast<double>(NAN));
  y = kp::matmul(a, kp::ones(4));
  EXPECT_TRUE(same(fetch(y), host_array<double>({3}, {6, 22, 38})));
}

TEST(matmul, of_halves_is_scaled_and_added_to_a_broadcast_operand) {
  auto const a = upload<2>(counting<kp::half>({2, 3}));
  kp::tensor<kp::half, 2> const c = kp::full({2, 1}, kp::half(1.0f));
  auto const got = value(0.7 * kp::matmul(a, kp::transpose(a)) + 1.3 * c);
  EXPECT_EQ(got.shape, (shape_t{2, 2}));
  EXPECT_NEAR(static_cast<float>(got[0]), 4.8f, 0.005f);
  EXPECT_NEAR(static_cast<float>(got[1]), 11.1f, 0.01f);
  EXPECT_NEAR(static_cast<float>(got[2]), 11.1f, 0.01f);
  EXPECT_NEAR(static_cast<float>(got[3]), 36.3f, 0.03f);
}

TEST(cases, half_products_accumulate_wider) {
  auto const one = kp::half(1.0f);
  EXPECT_EQ(static_cast<float>(
                kp::item(kp::matmul(kp::full({1, 4096}, one), kp::full({4096, 1}, one)), 0, 0)),
            4096.0f);
}

TEST(cases, a_product_with_a_conjugated_transpose) {
  kp::tensor<c128, 2> const t{{c128(1, 0), c128(2, 3)}, {c128(2, 3), c128(0, 1)}};
  host_array<c128> const want({2, 2}, {c128(14, 0), c128(5, -5), c128(5, 5), c128(14, 0)});
  EXPECT_TRUE(close(value(kp::matmul(t, kp::conj(kp::transpose(t)))), want, 1e-15));
  EXPECT_TRUE(close(value(kp::matmul(t, kp::transpose(kp::conj(t)))), want, 1e-15));
  auto const evaluated = kp::eval(kp::conj(kp::transpose(t)));
  EXPECT_TRUE(close(value(kp::matmul(t, evaluated)), want, 1e-15));
  EXPECT_TRUE(close(value(kp::matmul(kp::conj(t), kp::transpose(t))),
                    apply<c128>([](c128 const& z) { return c128(z.real(), -z.imag()); }, want),
                    1e-15));
  EXPECT_TRUE(close(value(kp::matmul(kp::conj(t), kp::conj(kp::transpose(kp::conj(t))))),
                    apply<c128>([](c128 const& z) { return c128(z.real(), -z.imag()); }, want),
                    1e-15));
}

TEST(cases, a_fused_function_over_a_product) {
  host_array<double> two({4, 4});
  host_array<double> nine({4, 4});
  std::fill(two.values.begin(), two.values.end(), 2.0);
  std::fill(nine.values.begin(), nine.values.end(), 9.0);
  EXPECT_TRUE(same(value(kp::sqrt(kp::matmul(kp::ones(4, 4), kp::ones(4, 4)))), two));
  EXPECT_TRUE(same(value(2.0 * kp::matmul(kp::ones(4, 4), kp::ones(4, 4)) + 1.0), nine));
  auto const m = kp::matmul(kp::ones(4, 4), kp::ones(4, 4));
  EXPECT_TRUE(same(value(m + m * m - 11.0), nine));
}

TEST(cases, matmul_from_many_host_threads) {
  index_t const n = 24;
  auto const ha = counting<double>({n, n});
  auto a = upload<2>(ha);
  std::vector<int> wrong(8, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      host_array<double> x({n});
      for (index_t i = 0; i < n; ++i)
        x[i] = static_cast<double>((i * (t + 3)) % 11);
      auto const want = product(ha, x);
      auto const tx = upload<1>(x);
      auto y = kp::empty<double>(n);
      for (int i = 0; i < 200; ++i) {
        y = kp::matmul(a, tx);
        if (i % 20 == 0 && !same(fetch(y), want))
          ++wrong[static_cast<std::size_t>(t)];
      }
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

TEST(matmul, says_which_path_ran) {
  auto a = kp::eval(kp::ones(8, 8));
  auto i = kp::eval(kp::ones<int>(8, 8));
  a = kp::matmul(kp::eval(kp::ones(8, 8)), a(all, all));
  auto const of_doubles = kp::backend::blas::last_path();
  i = kp::matmul(kp::eval(kp::ones<int>(8, 8)), kp::eval(kp::ones<int>(8, 8)));
  EXPECT_EQ(kp::backend::blas::last_path(), kp::backend::blas::path::portable);
#if KARPOS_HAS_BLAS
  if (std::is_same_v<kp::default_space, kp::host_space>) {
    EXPECT_NE(of_doubles, kp::backend::blas::path::portable);
  }
#endif
  EXPECT_NE(of_doubles, kp::backend::blas::path::none);
}

}  // namespace
