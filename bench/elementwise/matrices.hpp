// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of the rows, once as tensors and once as plain Kokkos::Views, and what each row does
// in Karpos.
#pragma once
#include "../common.hpp"
#include "raw.hpp"

#include <cstdint>
#include <string>

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

/// What a row is called, the matrices it moves, its operations on an element: exp and sin count as
/// one each.
struct row_work {
  char const* name;
  int matrices_moved, operations;
};

/// f<Kind>(work) for every row.
template <class F>
void for_each_row(F const& f) {
  f.template operator()<row_kind::copy>(row_work{"copy", 2, 0});
  f.template operator()<row_kind::axpy>(row_work{"axpy", 3, 2});
  f.template operator()<row_kind::expression>(row_work{"expression", 3, 7});
  f.template operator()<row_kind::add>(row_work{"X+Y", 3, 1});
  f.template operator()<row_kind::multiply>(row_work{"X*Y", 3, 1});
  f.template operator()<row_kind::add_row>(row_work{"X+row", 2, 1});
  f.template operator()<row_kind::add_column>(row_work{"X+column", 2, 1});
  f.template operator()<row_kind::transpose>(row_work{"transpose", 2, 0});
  f.template operator()<row_kind::sum>(row_work{"sum", 1, 1});
  f.template operator()<row_kind::dot>(row_work{"sum(x*y)", 2, 2});
}

template <class T>
std::string row_name(row_work const& work, std::int64_t n) {
  return std::string(work.name) + "/" + dtype<T>() + "/" + std::to_string(n);
}

// The largest fills a device's memory bandwidth: 1 GiB of f32.
inline constexpr std::int64_t sizes[] = {1000, 4096, on_host ? 8192 : 16384};

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

/// Whether `got` is the total of the row, summed in double.
template <row_kind Kind, class T>
bool is_total(matrices<T> const& m, double got, double tolerance) {
  auto const x = kp::cast<double>(m.x), y = kp::cast<double>(m.y);
  double expected = 0;
  if constexpr (Kind == row_kind::sum)
    expected = kp::item(kp::sum(x));
  else
    expected = kp::item(kp::sum(x * y));
  return Kokkos::fabs(got - expected) <= tolerance * expected;
}

/// `run`, which writes m.r or m.total, and the raw loop from the same state: whether they agree;
/// totals with a sum in double. Both have run then.
template <row_kind Kind, class T, class F>
bool agrees(matrices<T>& m, F const& run) {
  m.r = T(0);
  kp::assign(m.raw.r, T(0));
  run();
  run_raw<Kind>(m.raw);
  if constexpr (Kind == row_kind::sum || Kind == row_kind::dot) {
    return is_total<Kind>(m, kp::item(m.total), sizeof(T) == 8 ? 1e-10 : 1e-4);
  } else {
    constexpr double rtol = sizeof(T) == 8 ? 1e-13 : sizeof(T) == 4 ? 2e-6 : 1e-3;
    constexpr double atol = sizeof(T) == 8 ? 1e-15 : 1e-7;
    return kp::allclose(m.r, m.raw.r, {.rtol = rtol, .atol = atol});
  }
}

/// Times `run` and counts what the row moves.
template <class T, class F>
void measure_row(benchmark::State& state, std::int64_t n, row_work const& work, F const& run) {
  auto const elements = static_cast<double>(n) * static_cast<double>(n);
  measure(state, elements * work.matrices_moved * sizeof(T), elements * work.operations, run);
}

// Of other libraries, where they are installed; each in a file of its own.
void add_eigen();
void add_xtensor();

}  // namespace karpos_bench
