// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows in Eigen, on the same memory. Eigen computes arrays in one thread.
#include "matrices.hpp"

#include <Eigen/Core>

namespace karpos_bench {
namespace {

template <class T, int Rows>
using mapped = Eigen::Map<Eigen::Array<T, Rows, Eigen::Dynamic, Eigen::RowMajor>>;

template <row_kind Kind, class T>
void run_eigen(matrices<T>& m) {
  mapped<T, Eigen::Dynamic> const x(m.x.data(), m.n, m.n), y(m.y.data(), m.n, m.n);
  mapped<T, Eigen::Dynamic> r(m.r.data(), m.n, m.n);
  Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>> const column(m.column.data(), m.n);
  mapped<T, 1> const row(m.row.data(), m.n);
  if constexpr (Kind == row_kind::copy)
    r = x;
  if constexpr (Kind == row_kind::axpy)
    r += T(0.5) * x;
  if constexpr (Kind == row_kind::expression)
    r = (-x * x).exp() * y.sin() + T(0.5) * x;
  if constexpr (Kind == row_kind::add)
    r = x + y;
  if constexpr (Kind == row_kind::multiply)
    r = x * y;
  if constexpr (Kind == row_kind::add_row)
    r = x.rowwise() + row;
  if constexpr (Kind == row_kind::add_column)
    r = x.colwise() + column;
  if constexpr (Kind == row_kind::transpose)
    r = x.transpose();
  if constexpr (Kind == row_kind::sum)
    *m.total.data() = x.sum();
  if constexpr (Kind == row_kind::dot)
    *m.total.data() = (x * y).sum();
}

template <row_kind Kind, class T>
void run_row(benchmark::State& state, std::int64_t n, row_work const& work) {
  auto& m = inputs<matrices<T>>(n);
  auto const run = [&] { run_eigen<Kind>(m); };
  if (checked(state, agrees<Kind>(m, run)))
    measure_row<T>(state, n, work, run);
}

template <class T>
void add_all(std::int64_t n) {
  for_each_row([n]<row_kind Kind>(row_work const& work) {
    add_row(row_name<T>(work, n) + "/eigen",
            [=](benchmark::State& state) { run_row<Kind, T>(state, n, work); });
  });
}

}  // namespace

void add_eigen() {
  for (std::int64_t const n : sizes) {
    add_all<float>(n);
    add_all<double>(n);
  }
}

}  // namespace karpos_bench
