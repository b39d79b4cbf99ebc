// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Axes of n x 4n x 4n elements in another order.
#include "operands.hpp"

#include <string>

namespace karpos_bench {
namespace {

template <class T, int P0, int P1, int P2>
void run_permute(benchmark::State& state, std::int64_t n, side which) {
  std::int64_t const from[3]{n, 4 * n, 4 * n}, to[3]{from[P0], from[P1], from[P2]};
  auto& e = inputs<elements<T>>(16 * n * n * n);
  auto const x = kp::view_as(e.x, from[0], from[1], from[2]);
  auto const r = kp::view_as(e.r, to[0], to[1], to[2]);
  raw_cube<T const> const raw_x = cube_of<T>(e.x.data(), from[0], from[1], from[2]);
  raw_cube<T> const raw_r = cube_of<T>(e.raw_r.data(), to[0], to[1], to[2]);
  run_row(
      state, e, which, e.n, 2.0 * static_cast<double>(e.n) * sizeof(T), 0,
      [&] { kp::assign(r, kp::permute(x, P0, P1, P2)); },
      [&] { run_raw<P0, P1, P2, T>(raw_x, raw_r); });
}

template <class T, int P0, int P1, int P2>
void add(char const* name, std::int64_t n) {
  auto const side_length = std::to_string(4 * n);
  auto const shape = std::to_string(n) + "x" + side_length + "x" + side_length;
  for (side const which : {side::karpos, side::baseline})
    add_row(std::string(name) + "/" + dtype<T>() + "/" + shape + row_end(which),
            [=](benchmark::State& state) { run_permute<T, P0, P1, P2>(state, n, which); });
}

template <class T>
void add_all(std::int64_t n) {
  add<T, 0, 2, 1>("permute(0,2,1)", n);
  add<T, 2, 0, 1>("permute(2,0,1)", n);
  add<T, 1, 0, 2>("permute(1,0,2)", n);
}

}  // namespace

void add_permutes() {
  for (std::int64_t const n : {32, on_host ? 128 : 256}) {
    add_all<float>(n);
    add_all<double>(n);
  }
}

}  // namespace karpos_bench
