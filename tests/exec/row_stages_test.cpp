// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Row stages: the device engine's kernel for expressions with several stages over rows, on the
// host's execution space where there is no device. Against loops in double.
#undef KARPOS_DEVICE_ENGINE_ON_HOST
#define KARPOS_DEVICE_ENGINE_ON_HOST 1
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace {

using namespace karpos_test;
using kp::keepdims;
using kp::exec::plan_kind;
using row = std::vector<double>;

void expect_row_stages() { EXPECT_EQ(kp::exec::last_plan(), plan_kind::row_stages); }
void expect_no_row_stages() { EXPECT_NE(kp::exec::last_plan(), plan_kind::row_stages); }

double sum_of(row const& x) {
  double s = 0;
  for (double const v : x)
    s += v;
  return s;
}
double mean_of(row const& x) { return sum_of(x) / static_cast<double>(x.size()); }
double max_of(row const& x) { return *std::max_element(x.begin(), x.end()); }
double var_of(row const& x) {
  double const mean = mean_of(x);
  double s = 0;
  for (double const v : x)
    s += (v - mean) * (v - mean);
  return s / static_cast<double>(x.size());
}
row softmax_of(row x) {
  double const most = max_of(x);
  for (double& v : x)
    v = std::exp(v - most);
  double const sum = sum_of(x);
  for (double& v : x)
    v /= sum;
  return x;
}

/// f(row, row of the result) for each row of two arrays of the same number of rows.
template <class A, class B, class F>
void for_each_row(A const& x, B const& result, F const& f) {
  index_t const rows = x.shape[0], n = x.size() / std::max<index_t>(rows, 1),
                m = result.size() / std::max<index_t>(rows, 1);
  for (index_t i = 0; i < rows; ++i) {
    row in, out;
    for (index_t k = 0; k < n; ++k)
      in.push_back(static_cast<double>(x[i * n + k]));
    for (index_t k = 0; k < m; ++k)
      out.push_back(static_cast<double>(result[i * m + k]));
    f(in, out);
  }
}
template <class A, class B>
void expect_softmax(A const& x, B const& result, double tolerance) {
  for_each_row(x, result, [&](row const& in, row const& out) {
    row const want = softmax_of(in);
    ASSERT_EQ(want.size(), out.size());
    for (std::size_t k = 0; k < want.size(); ++k)
      ASSERT_NEAR(out[k], want[k], tolerance) << k;
  });
}
template <class A, class B, class F>
void expect_per_row(A const& x, B const& result, F const& f, double tolerance) {
  for_each_row(x, result, [&](row const& in, row const& out) {
    ASSERT_EQ(out.size(), 1u);
    ASSERT_NEAR(out[0], f(in), tolerance * (1 + std::abs(f(in))));
  });
}

index_t const widths[] = {2, 3, 4, 5, 15, 16, 17, 64, 100, 301};

TEST(row_stages, write_every_element_of_a_row) {
  std::mt19937_64 random(1);
  for (index_t const m : widths) {
    auto const x = random_integers<float>({37, m}, random, -9, 9);
    auto const d = upload<2>(x);
    kp::tensor<float, 2> r(37, m);
    r = kp::softmax(d);
    expect_row_stages();
    expect_softmax(x, fetch(r), 1e-6);
    r = kp::layer_norm(d);
    expect_row_stages();
    for_each_row(x, fetch(r), [&](row const& in, row const& out) {
      double const mean = mean_of(in), deviation = std::sqrt(var_of(in) + 1e-5);
      for (std::size_t k = 0; k < in.size(); ++k)
        ASSERT_NEAR(out[k], (in[k] - mean) / deviation, 2e-5);
    });
    r = d - kp::mean(d, 1, keepdims);
    expect_row_stages();
    for_each_row(x, fetch(r), [&](row const& in, row const& out) {
      for (std::size_t k = 0; k < in.size(); ++k)
        ASSERT_NEAR(out[k], in[k] - mean_of(in), 1e-5);
    });
  }
}

TEST(row_stages, write_one_element_of_a_row) {
  std::mt19937_64 random(2);
  for (index_t const m : widths) {
    auto const x = random_integers<double>({23, m}, random, -9, 9);
    auto const d = upload<2>(x);
    kp::tensor<double, 2> column(23, 1);
    column = kp::var(d, 1, keepdims);
    expect_row_stages();
    expect_per_row(x, fetch(column), var_of, 1e-12);
    kp::tensor<double, 1> r = kp::logsumexp(d, 1);
    expect_row_stages();
    auto const log_sum = [](row in) {
      for (double& v : in)
        v = std::exp(v);
      return std::log(sum_of(in));
    };
    expect_per_row(x, fetch(r), log_sum, 1e-12);
  }
}

TEST(row_stages, fill_a_device) {
  std::mt19937_64 random(3);
  for (index_t const m : {4, 7, 40, 300, 1100, 1280, 4000}) {
    auto const x = random_integers<float>({2000, m}, random, -9, 9);
    auto const d = upload<2>(x);
    kp::tensor<float, 2> const r = kp::softmax(d);
    expect_row_stages();
    expect_softmax(x, fetch(r), 1e-6);
    kp::tensor<float, 1> const v = kp::var(d, 1);
    expect_row_stages();
    expect_per_row(x, fetch(v), var_of, 1e-5);
  }
}

TEST(row_stages, take_rows_that_do_not_fit_the_registers) {
  std::mt19937_64 random(9);
  for (index_t const m : {40001, 40004}) {
    auto const x = random_integers<float>({300, m}, random, -9, 9);
    auto d = upload<2>(x);
    kp::tensor<float, 2> const r = kp::layer_norm(d);
    expect_row_stages();
    for_each_row(x, fetch(r), [&](row const& in, row const& out) {
      double const mean = mean_of(in), deviation = std::sqrt(var_of(in) + 1e-5);
      for (std::size_t k = 0; k < in.size(); k += 97)
        ASSERT_NEAR(out[k], (in[k] - mean) / deviation, 2e-5) << k;
    });
    d = kp::softmax(d);
    expect_row_stages();
    expect_softmax(x, fetch(d), 1e-9);
  }
}

TEST(row_stages, read_rows_of_several_axes_and_any_strides) {
  std::mt19937_64 random(4);
  auto const x = random_integers<float>({11, 6, 10}, random, -9, 9);
  auto const d = upload<3>(x);
  kp::tensor<float, 3> r = kp::layer_norm(d, kp::axes(1, 2), {.epsilon = 0});
  expect_row_stages();
  auto const norm = [](row const& in, row const& out) {
    for (std::size_t k = 0; k < in.size(); ++k)
      ASSERT_NEAR(out[k], (in[k] - mean_of(in)) / std::sqrt(var_of(in)), 1e-5);
  };
  for_each_row(x, fetch(r), norm);
  auto const part = d(kp::range(kp::none, kp::none, -2), kp::range(1, 6, 2), kp::range(9, 0, -1));
  kp::tensor<float, 3> copy = part;
  kp::tensor<float, 3> s = kp::layer_norm(part, kp::axes(1, 2), {.epsilon = 0});
  expect_no_row_stages();  // no single stride leads through a row
  for_each_row(fetch(copy), fetch(s), norm);
  auto const to = r(kp::range(kp::none, kp::none, -2), kp::range(1, 6, 2), kp::range(9, 0, -1));
  to = kp::layer_norm(part, kp::axes(1, 2), {.epsilon = 0});
  EXPECT_TRUE(same(fetch(to), fetch(s)));
  to = kp::layer_norm(part, 2);
  expect_row_stages();
  kp::tensor<float, 3> const dense = kp::layer_norm(kp::eval(part), 2);
  expect_row_stages();
  auto const got = fetch(to), want = fetch(dense);
  for (index_t k = 0; k < want.size(); ++k)
    ASSERT_NEAR(got[k], want[k], 1e-6) << k;
}

TEST(row_stages, take_other_operands_with_them) {
  std::mt19937_64 random(5);
  index_t const n = 19, m = 33;
  auto const x = random_integers<double>({n, m}, random, -9, 9);
  auto const d = upload<2>(x);
  kp::tensor<double, 1> weight = kp::arange(m), per_row = kp::arange(n);
  kp::tensor<double, 2> r =
      kp::softmax(d * 0.5 + weight * 0.1) * weight + per_row(kp::all, kp::newaxis);
  expect_row_stages();
  index_t i = 0;
  for_each_row(x, fetch(r), [&](row in, row const& out) {
    for (std::size_t k = 0; k < in.size(); ++k)
      in[k] = in[k] * 0.5 + static_cast<double>(k) * 0.1;
    in = softmax_of(in);
    for (std::size_t k = 0; k < in.size(); ++k)
      ASSERT_NEAR(out[k], in[k] * static_cast<double>(k) + static_cast<double>(i), 1e-12);
    ++i;
  });
  kp::tensor<double, 1> const s = kp::var(d, 1) * per_row + kp::max(d, 1);
  expect_row_stages();
  i = 0;
  auto const want = [&](row const& in) { return var_of(in) * static_cast<double>(i) + max_of(in); };
  for_each_row(x, fetch(s), [&](row const& in, row const& out) {
    ASSERT_NEAR(out[0], want(in), 1e-10);
    ++i;
  });
}

TEST(row_stages, write_into_their_operand) {
  std::mt19937_64 random(6);
  auto const x = random_integers<float>({41, 50}, random, -9, 9);
  auto d = upload<2>(x);
  d = kp::softmax(d);
  expect_row_stages();
  expect_softmax(x, fetch(d), 1e-6);

  auto e = upload<2>(x);
  auto const upper = e(kp::range(0, 40)), lower = e(kp::range(1, 41));
  lower = kp::softmax(upper);  // rows that others read
  expect_no_row_stages();
  host_array<float> const first({40, 50}, {x.values.begin(), x.values.begin() + 2000});
  expect_softmax(first, fetch(lower), 1e-6);

  auto f = upload<2>(x);
  f(kp::all, 3) = kp::var(f, 1);  // an element that the row reads
  host_array<float> const third = fetch(kp::tensor<float, 1>(f(kp::all, 3)));
  expect_per_row(x, third, var_of, 1e-5);
}

TEST(row_stages, keep_nan_and_infinity) {
  double const nan = NAN, inf = INFINITY;
  host_array<double> const x({4, 3}, {1, nan, 2, inf, 1, 2, -inf, -inf, -inf, -inf, 0, 0});
  auto const d = upload<2>(x);
  kp::tensor<double, 2> const r = kp::softmax(d);
  auto const v = fetch(r);
  for (index_t k : {0, 1, 2, 3, 6, 7, 8})
    EXPECT_TRUE(std::isnan(v[k])) << k;
  EXPECT_EQ(v[9], 0);
  EXPECT_EQ(v[10], 0.5);
}

// Planned only: as many elements are nobody's to read in a test.
TEST(row_stages, leave_rows_beyond_32_bits_to_other_kernels) {
  kp::tensor<float, 1> t(4);
  for (index_t const n : {index_t{1} << 32, (index_t{1} << 31) + 7, index_t{1} << 20}) {
    auto const dst = kp::wrap(t.data(), {1});
    auto const node = kp::expr::as_node(kp::var(kp::wrap(t.data() + 1, {1, n}), 1));
    using program = kp::exec::detail::row_program<std::remove_cvref_t<decltype(node)>>;
    kp::exec::detail::row_plan<program::rank, program::leaves + 1> p;
    EXPECT_EQ(kp::exec::detail::plan_rows(dst, node, p), n == index_t{1} << 20) << n;
  }
}

TEST(row_stages, take_every_element_type) {
  std::mt19937_64 random(7);
  auto const bytes = random_integers<std::int8_t>({9, 21}, random, -9, 9);
  auto const halves = random_integers<kp::half>({9, 21}, random, -9, 9);
  kp::tensor<double, 2> const of_bytes = kp::softmax(upload<2>(bytes));
  expect_row_stages();
  expect_softmax(bytes, fetch(of_bytes), 1e-12);
  kp::tensor<kp::half, 2> const of_halves = kp::softmax(upload<2>(halves));
  expect_row_stages();
  expect_softmax(halves, fetch(of_halves), 1e-3);
  kp::tensor<Kokkos::complex<double>, 2> z = kp::cast<Kokkos::complex<double>>(upload<2>(bytes));
  kp::tensor<double, 1> const spread = kp::var(z, 1);
  expect_row_stages();
  expect_per_row(bytes, fetch(spread), var_of, 1e-12);
}

TEST(row_stages, leave_the_rest_to_stages) {
  std::mt19937_64 random(8);
  auto const x = random_integers<double>({12, 12}, random, -9, 9);
  auto const d = upload<2>(x);
  kp::tensor<double, 2> r(12, 12);
  auto const expect_stages = [&](auto const& e, auto const& want) {
    r = e;
    expect_no_row_stages();
    auto const got = fetch(r);
    for (index_t i = 0; i < 12; ++i)
      for (index_t j = 0; j < 12; ++j)
        ASSERT_NEAR(got[i * 12 + j], want(i, j), 1e-12) << i << ' ' << j;
  };
  auto const at = [&](index_t i, index_t j) { return x[i * 12 + j]; };
  auto const row_of = [&](index_t i) {
    row v;
    for (index_t j = 0; j < 12; ++j)
      v.push_back(at(i, j));
    return v;
  };
  auto const column_of = [&](index_t j) {
    row v;
    for (index_t i = 0; i < 12; ++i)
      v.push_back(at(i, j));
    return v;
  };
  expect_stages(d - kp::mean(d, 0, keepdims),
                [&](index_t i, index_t j) { return at(i, j) - mean_of(column_of(j)); });
  expect_stages(d - kp::mean(d, 1), [&](index_t i, index_t j) {  // the mean of row j
    return at(i, j) - mean_of(row_of(j));
  });
  expect_stages(d - kp::mean(d, 1, keepdims) - kp::mean(d, 0, keepdims), [&](index_t i, index_t j) {
    return at(i, j) - mean_of(row_of(i)) - mean_of(column_of(j));
  });
  expect_stages(d - kp::mean(kp::transpose(d), 1, keepdims),
                [&](index_t i, index_t j) { return at(i, j) - mean_of(column_of(i)); });
  expect_stages(kp::matmul(d, d) + kp::sum(d, 1, keepdims), [&](index_t i, index_t j) {
    double v = sum_of(row_of(i));
    for (index_t k = 0; k < 12; ++k)
      v += at(i, k) * at(k, j);
    return v;
  });
  r = kp::softmax(kp::transpose(d));
  for_each_row(x, fetch(kp::tensor<double, 2>(kp::softmax(kp::transpose(kp::transpose(d))))),
               [&](row const& in, row const& out) {
                 for (std::size_t k = 0; k < in.size(); ++k)
                   ASSERT_NEAR(out[k], softmax_of(in)[k], 1e-12);
               });
  kp::tensor<double, 2> empty(0, 5), none(5, 0), no_result(5, 0);
  empty = kp::softmax(empty);
  no_result = kp::softmax(none);
  kp::tensor<double, 2> absent;
  EXPECT_THROW(r = d - kp::mean(absent, 1, keepdims), kp::error);
}

}  // namespace
