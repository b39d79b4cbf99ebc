// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposed copies of n x n matrices with elements of 2 to 16 bytes.
#include "operands.hpp"

#include <string>

namespace karpos_bench {
namespace {

template <class T>
void run_transpose(benchmark::State& state, std::int64_t n, side which) {
  auto& e = inputs<elements<T>>(n * n);
  auto const x = kp::view_as(e.x, n, n), r = kp::view_as(e.r, n, n);
  raw_matrix<T const> const raw_x = matrix_of<T>(e.x.data(), n, n);
  raw_matrix<T> const raw_r = matrix_of<T>(e.raw_r.data(), n, n);
  run_row(
      state, e, which, e.n, 2.0 * static_cast<double>(e.n) * sizeof(T), 0,
      [&] { kp::assign(r, kp::transpose(x)); },
      [&] { run_raw<T, matrix_kind::transpose>(raw_x, raw_r); });
}

template <class T>
void add(std::int64_t n) {
  for (side const which : {side::karpos, side::baseline})
    add_row(std::string("transpose/") + dtype<T>() + "/" + std::to_string(n) + row_end(which),
            [=](benchmark::State& state) { run_transpose<T>(state, n, which); });
}

}  // namespace

void add_transposes() {
  for (std::int64_t const n : {1000, on_host ? 8192 : 16384}) {
    add<kp::half>(n);
    add<float>(n);
    add<double>(n);
    add<Kokkos::complex<double>>(n);
  }
}

}  // namespace karpos_bench
