// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations and full reductions of n x n matrices: Karpos, and the raw Kokkos loop
// beside each.
#include "common.hpp"
#include "matrices.hpp"

namespace karpos_bench {
namespace {

/// One run of each side from the same state; matrices must agree, totals must agree with sums in
/// double.
template <row_kind Kind, class T>
bool agrees(matrices<T>& m, side which) {
  m.r = T(0);
  kp::assign(m.raw.r, T(0));
  run_karpos<Kind>(m);
  run_raw<Kind>(m.raw);
  if constexpr (Kind == row_kind::sum || Kind == row_kind::dot) {
    auto const x = kp::cast<double>(m.x), y = kp::cast<double>(m.y);
    double expected = 0;
    if constexpr (Kind == row_kind::sum)
      expected = kp::item(kp::sum(x));
    else
      expected = kp::item(kp::sum(x * y));
    double const got = which == side::karpos ? kp::item(m.total) : kp::item(m.raw.total);
    // A plain loop adds floats one by one: its own error is no concern here.
    double const tolerance = sizeof(T) == 8 ? 1e-10 : which == side::karpos ? 1e-4 : 2e-2;
    return Kokkos::fabs(got - expected) <= tolerance * expected;
  } else {
    constexpr double rtol = sizeof(T) == 8 ? 1e-13 : sizeof(T) == 4 ? 2e-6 : 1e-3;
    constexpr double atol = sizeof(T) == 8 ? 1e-15 : 1e-7;
    return kp::allclose(m.r, m.raw.r, {.rtol = rtol, .atol = atol});
  }
}

template <row_kind Kind, class T>
void run_row(benchmark::State& state, std::int64_t n, side which, int matrices_moved,
             int operations) {
  auto& m = inputs<matrices<T>>(n);
  if (!checked(state, agrees<Kind>(m, which)))
    return;
  auto const elements = static_cast<double>(n) * static_cast<double>(n);
  double const bytes = elements * matrices_moved * sizeof(T), flops = elements * operations;
  if (which == side::karpos)
    measure(state, bytes, flops, [&] { run_karpos<Kind>(m); });
  else
    measure(state, bytes, flops, [&] { run_raw<Kind>(m.raw); });
}

/// Registers both sides. Flops of the expression: exp and sin count as one each.
template <row_kind Kind, class T>
void add(char const* name, std::int64_t n, int matrices_moved, int operations) {
  for (side const which : {side::karpos, side::baseline}) {
    auto const full =
        std::string(name) + "/" + dtype<T>() + "/" + std::to_string(n) + row_end(which);
    add_row(full, [=](benchmark::State& state) {
      run_row<Kind, T>(state, n, which, matrices_moved, operations);
    });
  }
}

template <class T>
void add_all(std::int64_t n) {
  add<row_kind::copy, T>("copy", n, 2, 0);
  add<row_kind::axpy, T>("axpy", n, 3, 2);
  add<row_kind::expression, T>("expression", n, 3, 7);
  add<row_kind::add, T>("X+Y", n, 3, 1);
  add<row_kind::multiply, T>("X*Y", n, 3, 1);
  add<row_kind::add_row, T>("X+row", n, 2, 1);
  add<row_kind::add_column, T>("X+column", n, 2, 1);
  add<row_kind::transpose, T>("transpose", n, 2, 0);
  add<row_kind::sum, T>("sum", n, 1, 1);
  add<row_kind::dot, T>("sum(x*y)", n, 2, 2);
}

// The largest fills a device's memory bandwidth: 1 GiB of f32.
void add_rows() {
  for (std::int64_t const n : {1000, 4096, on_host ? 8192 : 16384}) {
    add_all<float>(n);
    add_all<double>(n);
    add<row_kind::axpy, kp::half>("axpy", n, 3, 2);
  }
}

}  // namespace
}  // namespace karpos_bench

int main(int argc, char** argv) { return karpos_bench::run(argc, argv, &karpos_bench::add_rows); }
