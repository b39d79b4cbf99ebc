// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assignments: values at every rank and size, aliasing, one kernel each, no waiting.
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/events.hpp>
#include <support/host.hpp>
#include <support/view_model.hpp>

#include <numeric>
#include <thread>
#include <vector>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

// -- sizes and ranks

TEST(assign, covers_every_size_and_alignment) {
  for (index_t n :
       {0, 1, 2, 7, 15, 16, 17, 127, 128, 129, 4095, 4096, 4097, 8191, 8192, 8193, 70001}) {
    auto const x = counting<float>({n + 3});
    auto a = upload<1>(x);
    for (index_t first = 0; first < 3; ++first) {
      auto d = upload<1>(counting<float>({n + 3}, -5));
      auto want = counting<float>({n + 3}, -5);
      for (index_t i = 0; i < n; ++i)
        want[i + 1] = 2 * x[i + first] + 1;
      d(range(1, n + 1)) = 2 * a(range(first, first + n)) + 1;
      ASSERT_TRUE(same(fetch(d), want)) << n << " elements from " << first;
    }
  }
}

template <int Rank>
void expect_rank() {
  shape_t shape;
  std::vector<int> order;
  for (int k = 0; k < Rank; ++k) {
    shape.push_back(2 + k % 2);
    order.push_back(Rank - 1 - k);
  }
  auto const x = counting<int>(shape);
  auto a = upload<Rank>(x);
  shape_t turned(shape.rbegin(), shape.rend());
  auto b = upload<Rank>(counting<int>(turned));
  auto const mb = view_model::whole(turned).permuted(order);
  kp::tensor<int, Rank> d = a * 3 - kp::transpose(b) + kp::sum(b);
  auto want = x;
  int const total = static_cast<int>(x.size() * (x.size() - 1) / 2);
  for (index_t i = 0; i < x.size(); ++i)
    want[i] = 3 * x[i] - static_cast<int>(mb.where[static_cast<std::size_t>(i)]) + total;
  ASSERT_TRUE(same(fetch(d), want)) << "rank " << Rank;
  d -= kp::transpose(b);
  for (index_t i = 0; i < x.size(); ++i)
    want[i] -= static_cast<int>(mb.where[static_cast<std::size_t>(i)]);
  ASSERT_TRUE(same(fetch(d), want)) << "rank " << Rank;
  if constexpr (Rank < 8)
    expect_rank<Rank + 1>();
}

TEST(assign, covers_ranks_zero_to_eight) { expect_rank<0>(); }

TEST(assign, takes_twelve_operands_of_rank_eight) {
  shape_t const shape = {2, 3, 1, 2, 2, 1, 3, 2};
  std::vector<kp::tensor<double, 8>> t;
  std::vector<host_array<double>> h;
  std::mt19937_64 random(3);
  for (int i = 0; i < 12; ++i) {
    shape_t own = shape;
    own[static_cast<std::size_t>(i % 8)] = 1;  // each broadcast along an axis of its own
    h.push_back(random_integers<double>(own, random, -9, 9));
    t.push_back(upload<8>(h.back()));
  }
  kp::tensor<double, 8> d =
      t[0] + t[1] * t[2] - t[3] * t[4] + t[5] + t[6] * t[7] - t[8] + t[9] * t[10] - t[11];
  std::vector<host_array<double>> s;
  for (auto const& x : h)
    s.push_back(stretched(x, shape));
  host_array<double> want(shape);
  for (index_t i = 0; i < want.size(); ++i)
    want[i] = s[0][i] + s[1][i] * s[2][i] - s[3][i] * s[4][i] + s[5][i] + s[6][i] * s[7][i] -
              s[8][i] + s[9][i] * s[10][i] - s[11][i];
  EXPECT_TRUE(same(fetch(d), want));
}

// -- aliasing

TEST(cases, adding_a_transpose_into_itself) {
  kp::tensor<int, 2> x{{1, 2}, {3, 4}};
  x += kp::transpose(x);
  EXPECT_TRUE(same(fetch(x), host_array<int>({2, 2}, {2, 5, 5, 8})));
  for (index_t n : {91, 128, 1000}) {
    kp::tensor<float, 2> y = kp::ones<float>(n, n);
    y += kp::transpose(y);
    host_array<float> want({n, n});
    std::fill(want.values.begin(), want.values.end(), 2.0f);
    EXPECT_TRUE(same(fetch(y), want));
  }
}

TEST(cases, shifting_by_one_in_place) {
  for (index_t n : {10, 1 << 20}) {
    auto a = upload<1>(counting<int>({n}));
    a(range(1, n)) = a(range(0, n - 1));
    auto want = counting<int>({n}, -1);
    want[0] = 0;
    EXPECT_TRUE(same(fetch(a), want));
    auto b = upload<1>(counting<int>({n}));
    b(range(0, -1)) = b(range(1, kp::none));
    want = counting<int>({n}, 1);
    want[n - 1] = static_cast<int>(n - 1);
    EXPECT_TRUE(same(fetch(b), want));
  }
}

TEST(cases, a_product_into_its_own_operand) {
  index_t const n = kp::host_accessible<kp::default_space> ? 99 : 999;
  kp::tensor<float, 3> a = kp::ones<float>(2, n, n);
  a = kp::matmul(a, a);
  EXPECT_EQ(kp::item(kp::min(a)), static_cast<float>(n));
  EXPECT_EQ(kp::item(kp::max(a)), static_cast<float>(n));
  kp::tensor<int, 2> b{{1, 2}, {3, 4}};
  b = kp::matmul(kp::transpose(b), b);
  EXPECT_TRUE(same(fetch(b), host_array<int>({2, 2}, {10, 14, 14, 20})));
  b(0) = kp::matmul(b, b(all, 1));
  EXPECT_TRUE(same(fetch(b), host_array<int>({2, 2}, {420, 596, 14, 20})));
}

TEST(cases, permuting_rows_of_a_matrix_onto_itself) {
  kp::tensor<int, 2> p{{3, 0}, {1, 0}, {2, 0}, {0, 0}};
  kp::tensor<int, 2> const order{{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 0}};
  p = kp::matmul(order, p);
  EXPECT_TRUE(same(fetch(p), host_array<int>({4, 2}, {0, 0, 1, 0, 2, 0, 3, 0})));
  kp::tensor<int, 2> q{{3, 0}, {1, 0}, {2, 0}, {0, 0}};
  q = kp::flip(q, 0);
  EXPECT_TRUE(same(fetch(q), host_array<int>({4, 2}, {0, 0, 2, 0, 1, 0, 3, 0})));
}

TEST(aliasing, of_reductions_and_reshapes_gives_the_value_of_the_right_side) {
  auto x = upload<2>(counting<double>({4, 4}));
  x -= kp::mean(x, 0);  // the mean is of the old elements
  auto want = counting<double>({4, 4});
  for (index_t i = 0; i < 16; ++i)
    want[i] -= static_cast<double>(6 + i % 4);
  EXPECT_TRUE(same(fetch(x), want));
  auto y = upload<2>(counting<double>({4, 4}));
  y(0) = kp::sum(y, 0);
  EXPECT_TRUE(same(fetch(y(0)), host_array<double>({4}, {24, 28, 32, 36})));
  auto z = upload<2>(counting<double>({3, 4}));
  z = kp::reshape(kp::transpose(z), 3, 4);
  EXPECT_TRUE(same(fetch(z), host_array<double>({3, 4}, {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11})));
  auto w = upload<1>(counting<double>({12}));
  w = kp::ravel(kp::transpose(kp::reshape(w, 3, 4)));
  EXPECT_TRUE(same(fetch(w), host_array<double>({12}, {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11})));
}

TEST(aliasing, of_a_part_that_broadcasts_gives_the_value_of_the_right_side) {
  auto const x = counting<double>({90000}, 4);
  auto t = upload<1>(x);
  t /= t(range(0, 1));  // t(0) is 1 long before the last element is divided
  EXPECT_TRUE(same(fetch(t), apply<double>([](double v) { return v / 4; }, x)));
  auto m = upload<2>(counting<int>({200, 300}));
  m = m - m(0) + m(all, range(0, 1));
  host_array<int> want({200, 300});
  for_each_index(want.shape, [&](shape_t const& i) { want.at(i) = static_cast<int>(600 * i[0]); });
  EXPECT_TRUE(same(fetch(m), want));
}

// -- refusals leave everything as it was

TEST(cases, a_shape_mismatch_is_caught) {
  auto a = upload<2>(counting<double>({1, 3}));
  auto b = upload<1>(counting<double>({4}));
  auto d = upload<2>(counting<double>({3, 4}));
  EXPECT_EQ(error_text<kp::shape_error>([&] { d = a * b; }),
            "karpos::operator*: shapes do not broadcast: (1, 3) and (4,)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { d = a + 1.0; }),
            "karpos::assign: cannot write shape (1, 3) into (3, 4)");
  EXPECT_TRUE(same(fetch(d), counting<double>({3, 4})));
  d = kp::transpose(a) * b;  // and goes on
  EXPECT_EQ(kp::item(d, 2, 3), 6.0);
}

TEST(assign, refuses_before_any_launch) {
  auto d = upload<2>(counting<double>({300, 400}));
  auto a = upload<2>(counting<double>({300, 400}));
  event_log log;
  EXPECT_THROW(d = kp::matmul(a, a), kp::shape_error);
  EXPECT_THROW(d = kp::sum(a, 1) + a, kp::shape_error);
  EXPECT_THROW(d = kp::matmul(a, kp::transpose(a)) * 2.0, kp::shape_error);
  EXPECT_THROW(d += kp::sum(a, 1), kp::shape_error);
  EXPECT_THROW(d = a + kp::sum(a, 2), kp::index_error);
  EXPECT_THROW(d = kp::sum(a) * kp::min(a(range(0, 0))), kp::shape_error);
  auto const repeated = kp::wrap(d.data(), {300, 400}, {0, 1});
  EXPECT_THROW(repeated = kp::sum(a, 0), kp::argument_error);
  EXPECT_THROW(repeated = kp::sum(a, 1, kp::keepdims) * a, kp::argument_error);
  EXPECT_THROW(kp::copy(repeated, kp::sum(a, 0) + 1.0), kp::argument_error);
  EXPECT_EQ(log.launches(), 0) << log.text();
}

// -- how much is launched, and that nothing waits

TEST(assign, launches_one_kernel) {
  index_t const n = 1000;
  auto a = upload<2>(counting<float>({n, n}));
  auto b = upload<2>(counting<float>({n, n}));
  auto row = upload<1>(counting<float>({n}));
  auto d = kp::empty<float>(n, n);
  auto const one = [&](char const* what, auto const& f) {
    event_log log;
    f();
    EXPECT_EQ(log.launches(), 1) << what << ": " << log.text();
    EXPECT_EQ(log.fences(), 0) << what << ": " << log.text();
    EXPECT_EQ(log.allocations(), 0) << what << ": " << log.text();
  };
  one("a scalar", [&] { d = 2.0f; });
  one("a fused expression",
      [&] { d = kp::exp(-a * a) * kp::sin(b) + 0.5f * a - kp::maximum(b, 3.0f); });
  one("a row", [&] { d = a * row + row; });
  one("a transpose", [&] { d = kp::transpose(a) + b; });
  one("an update", [&] { d += a * b; });
  one("into a slice",
      [&] { d(range(0, 900), range(10, 950)) = a(range(50, 950), range(0, 940)) + 1; });
  one("steps", [&] { d(range(0, n, 2), range(1, n, 2)) = a(range(1, n, 2), range(0, n, 2)); });
  one("a generator",
      [&] { d = kp::eye<float>(n) + kp::random::uniform<float>({n, n}, {.seed = 3}); });
  one("a choice", [&] { d = kp::where(a > b, a, 0.0f); });
  one("a free reshape", [&] { kp::assign(kp::view_as(d, n * n), kp::reshape(a, n * n) + 1); });
}

TEST(assign, evaluates_a_shared_node_once) {
  // Neither blocks of rows (n is too small) nor row stages (nothing has d's shape and a sum in
  // rows).
  index_t const n = 200;
  auto a = upload<2>(counting<double>({n, n}));
  auto d = kp::empty<double>(n, n);
  auto const s = kp::sum(a, 1, kp::keepdims);
  int reductions = 0;
  {
    event_log log;
    d = s + s * s;
    reductions = log.launches("karpos::reduce");
    EXPECT_EQ(log.launches() - reductions, 1) << log.text();
  }
  {
    event_log log;
    auto const copy = s;  // copies of a node are the same node
    d = copy + s + kp::sqrt(copy * s);
    EXPECT_EQ(log.launches("karpos::reduce"), reductions) << log.text();
  }
  {
    event_log log;
    d = s + kp::sum(a, 1, kp::keepdims);  // built twice: two nodes
    EXPECT_EQ(log.launches("karpos::reduce"), 2 * reductions) << log.text();
  }
  {
    event_log log;
    d = a - s(range(5, 6), all) + kp::transpose(s);  // parts of a node
    EXPECT_EQ(log.launches("karpos::reduce"), reductions) << log.text();
  }
  host_array<double> want({n, n});
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) {
      auto const row_sum = [&](index_t r) {
        index_t const sum = r * n * n + n * (n - 1) / 2;
        return static_cast<double>(sum);
      };
      want.at({i, j}) = static_cast<double>(i * n + j) - row_sum(5) + row_sum(j);
    }
  EXPECT_TRUE(same(fetch(d), want));
}

TEST(assign, to_host_tensors_never_fences) {
  if (kp::detail::pool_switched_off())
    GTEST_SKIP() << "KARPOS_POOL=off: blocks are not reused, and every release waits";
  using space = kp::host_space;
  kp::tensor<double, 2, space> a = kp::ones(200, 300);
  kp::tensor<double, 2, space> b = kp::ones(300, 200);
  kp::tensor<double, 2, space> c(200, 200);
  kp::tensor<double, 1, space> s(200);
  event_log log;
  c = kp::matmul(a, b);
  c = kp::matmul(a, b) + kp::transpose(c);
  s = kp::sum(c, 1);
  s = kp::max(c, 0);
  c += s;
  kp::gemm(1.0, a, b, 1.0, c);
  kp::copy(c, kp::transpose(kp::view(c)));
  kp::tensor<double, 2, space> d = kp::eval(c * 2.0);
  kp::tensor<double, 2, space> e = kp::clone(d);
  d.reset(kp::zeros(3, 3));
  EXPECT_EQ(log.fences(), 0) << log.text();
}

TEST(assign, waits_only_where_a_value_is_read) {
  if (kp::detail::pool_switched_off())
    GTEST_SKIP() << "KARPOS_POOL=off: blocks are not reused, and every release waits";
  kp::tensor<double, 2> a = kp::ones(200, 300);
  EXPECT_EQ(kp::item(kp::sum(a)), 60000.0);  // the pool's first blocks: allocating them may wait
  {
    event_log log;
    EXPECT_EQ(kp::item(kp::sum(a)), 60000.0);
    EXPECT_EQ(log.fences(), 1) << log.text();
  }
  {
    event_log log;
    kp::fence();
    EXPECT_EQ(log.fences(), 1) << log.text();
  }
  {
    event_log log;
    EXPECT_TRUE(kp::array_equal(a, a));
    EXPECT_EQ(log.fences(), 1) << log.text();
  }
}

// -- threads and instances

TEST(assign, runs_from_many_threads_at_once) {
  auto const x = counting<int>({90000});
  auto a = upload<1>(x);
  std::vector<int> wrong(6, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      auto d = kp::empty<int>(90000);
      for (int i = 0; i < 20; ++i) {
        d = a(range(kp::none, kp::none, -1)) * t + i;
        if (kp::item(d, 7) != (90000 - 8) * t + i || kp::item(kp::max(d)) != 89999 * t + i)
          ++wrong[static_cast<std::size_t>(t)];
      }
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(wrong, std::vector<int>(6, 0));
}

TEST(assign, takes_the_execution_space_instance_first) {
  kp::default_space const exec;
  kp::tensor<double, 1> a = kp::eval(exec, kp::arange(5) * 1.0);
  kp::tensor<double, 1> d(5);
  kp::assign(exec, d, a + 1.0);
  kp::assign(exec, d(range(0, 2)), -1);
  kp::copy(exec, d(range(2, 3)), a(range(0, 1)));
  kp::record_use(exec, d);
  kp::fence(exec);
  EXPECT_TRUE(same(fetch(d), host_array<double>({5}, {-1, -1, 0, 4, 5})));
}

TEST(assign, works_on_every_execution_space_of_the_build) {
  kp::kokkos_ext::for_each_space([](auto tag) {
    using space = typename decltype(tag)::type;
    auto a = upload<2, space>(counting<float>({70, 130}));
    kp::tensor<float, 2, space> b = kp::transpose(a) * 2.0f;
    kp::tensor<float, 1, space> s = kp::sum(b, 0);
    kp::tensor<float, 2, space> m = kp::matmul(a, b);
    host_array<float> want({70});
    for (index_t i = 0; i < 70; ++i)
      want[i] = static_cast<float>(2 * (i * 130 * 130 + 65 * 129));
    EXPECT_TRUE(same(fetch(s), want));
    EXPECT_EQ(kp::item(m, 0, 0), 2.0f * 129 * 130 * 259 / 6);
  });
}

}  // namespace
