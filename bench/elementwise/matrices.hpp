// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of the rows, once as tensors and once as plain Kokkos::Views, and what each row does
// in Karpos.
#pragma once
#include "../common.hpp"
#include "raw.hpp"

#include <cstdint>

namespace karpos_bench {

template <class T>
struct matrices {
  explicit matrices(std::int64_t size) : n(size) {
    x = kp::random::uniform<T>({n, n}, {.seed = 1});
    y = kp::random::uniform<T>({n, n}, {.seed = 2});
    row = kp::random::uniform<T>({n}, {.seed = 3});
    column = kp::random::uniform<T>({n, 1}, {.seed = 4});
    r = kp::zeros<T>(n, n);
    total = T(0);
    raw = {Kokkos::View<T**>("x", x.extent(0), x.extent(1)),
           Kokkos::View<T**>("y", x.extent(0), x.extent(1)),
           Kokkos::View<T**>("r", x.extent(0), x.extent(1)),
           Kokkos::View<T*>("row", x.extent(0)),
           Kokkos::View<T*>("column", x.extent(0)),
           Kokkos::View<T>("total")};
    kp::assign(raw.x, x);
    kp::assign(raw.y, y);
    kp::assign(raw.row, row);
    kp::assign(raw.column, kp::squeeze(column, 1));
  }
  std::int64_t n;
  kp::tensor<T, 2> x, y, r, column;
  kp::tensor<T, 1> row;
  kp::tensor<T, 0> total;
  raw_views<T> raw;
};

template <row_kind Kind, class T>
void run_karpos(matrices<T>& m) {
  auto& [n, x, y, r, column, row, total, raw] = m;
  if constexpr (Kind == row_kind::copy)
    kp::assign(r, x);
  if constexpr (Kind == row_kind::axpy)
    r += 0.5 * x;
  if constexpr (Kind == row_kind::expression)
    r = kp::exp(-x * x) * kp::sin(y) + 0.5 * x;
  if constexpr (Kind == row_kind::add)
    r = x + y;
  if constexpr (Kind == row_kind::multiply)
    r = x * y;
  if constexpr (Kind == row_kind::add_row)
    r = x + row;
  if constexpr (Kind == row_kind::add_column)
    r = x + column;
  if constexpr (Kind == row_kind::transpose)
    kp::assign(r, kp::transpose(x));
  if constexpr (Kind == row_kind::sum)
    total = kp::sum(x);
  if constexpr (Kind == row_kind::dot)
    total = kp::sum(x * y);
}

}  // namespace karpos_bench
