// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of n x n matrices that lie in memory in different ways: X + transpose(X); k + k, k every
// second column.
#include "operands.hpp"

#include <string>

namespace karpos_bench {
namespace {

/// Bytes: X counts twice, for its two ways of being read.
template <class T>
void run_add_transposed(benchmark::State& state, std::int64_t n, side which) {
  auto& e = inputs<elements<T>>(n * n);
  auto const x = kp::view_as(e.x, n, n), r = kp::view_as(e.r, n, n);
  raw_matrix<T const> const raw_x = matrix_of<T>(e.x.data(), n, n);
  raw_matrix<T> const raw_r = matrix_of<T>(e.raw_r.data(), n, n);
  auto const count = static_cast<double>(e.n);
  run_row(
      state, e, which, e.n, 3 * count * sizeof(T), count,
      [&] { kp::assign(r, x + kp::transpose(x)); },
      [&] { run_raw<T, matrix_kind::add_transposed>(raw_x, raw_r); });
}

/// One operation for each element: flop/s are elements per second. Bytes: those of k and of the
/// result; of X twice as many are moved, since the columns between are in the same lines.
template <class T>
void run_every_second(benchmark::State& state, std::int64_t n, side which) {
  auto& e = inputs<elements<T>>(n * n);
  std::int64_t const half = n / 2, count = n * half;
  auto const k = kp::view_as(e.x, n, n)(kp::all, kp::range(0, kp::none, 2));
  auto const r = kp::view_as(e.r(kp::range(0, count)), n, half);
  raw_matrix<T const> const raw_x = matrix_of<T>(e.x.data(), n, n);
  raw_matrix<T> const raw_r = matrix_of<T>(e.raw_r.data(), n, half);
  run_row(
      state, e, which, count, 2.0 * static_cast<double>(count) * sizeof(T),
      static_cast<double>(count), [&] { kp::assign(r, k + k); },
      [&] { run_raw<T, matrix_kind::every_second>(raw_x, raw_r); });
}

template <class T>
void add(std::int64_t n) {
  auto const size = std::string("/") + dtype<T>() + "/" + std::to_string(n);
  for (side const which : {side::karpos, side::baseline}) {
    auto const end = size + row_end(which);
    add_row("X+transpose(X)" + end,
            [=](benchmark::State& state) { run_add_transposed<T>(state, n, which); });
    add_row("k+k_every_second_column" + end,
            [=](benchmark::State& state) { run_every_second<T>(state, n, which); });
  }
}

}  // namespace

void add_strided() {
  for (std::int64_t const n : {1000, on_host ? 8192 : 16384}) {
    add<float>(n);
    add<double>(n);
  }
}

}  // namespace karpos_bench
