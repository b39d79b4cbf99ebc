// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows in xtensor, on the same memory, with xsimd.
#include "matrices.hpp"

#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

#include <array>
#include <cstddef>

namespace karpos_bench {
namespace {

template <std::size_t Rank, class T>
auto adapted(T* data, std::array<std::size_t, Rank> const& shape) {
  std::size_t size = 1;
  for (std::size_t const extent : shape)
    size *= extent;
  return xt::adapt(data, size, xt::no_ownership(), shape);
}

template <row_kind Kind, class T>
void run_xtensor(matrices<T>& m) {
  auto const n = static_cast<std::size_t>(m.n);
  auto const x = adapted<2>(m.x.data(), {n, n}), y = adapted<2>(m.y.data(), {n, n});
  auto const row = adapted<1>(m.row.data(), {n});
  auto const column = adapted<2>(m.column.data(), {n, 1});
  auto r = adapted<2>(m.r.data(), {n, n});
  constexpr auto now = xt::evaluation_strategy::immediate;
  if constexpr (Kind == row_kind::copy)
    xt::noalias(r) = x;
  if constexpr (Kind == row_kind::axpy)
    xt::noalias(r) += T(0.5) * x;
  if constexpr (Kind == row_kind::expression)
    xt::noalias(r) = xt::exp(-x * x) * xt::sin(y) + T(0.5) * x;
  if constexpr (Kind == row_kind::add)
    xt::noalias(r) = x + y;
  if constexpr (Kind == row_kind::multiply)
    xt::noalias(r) = x * y;
  if constexpr (Kind == row_kind::add_row)
    xt::noalias(r) = x + row;
  if constexpr (Kind == row_kind::add_column)
    xt::noalias(r) = x + column;
  if constexpr (Kind == row_kind::transpose)
    xt::noalias(r) = xt::transpose(x);
  if constexpr (Kind == row_kind::sum)
    *m.total.data() = xt::sum(x, now)();
  if constexpr (Kind == row_kind::dot)
    *m.total.data() = xt::sum(x * y, now)();
}

template <row_kind Kind, class T>
void run_row(benchmark::State& state, std::int64_t n, row_work const& work) {
  auto& m = inputs<matrices<T>>(n);
  auto const run = [&] { run_xtensor<Kind>(m); };
  if (checked(state, agrees<Kind>(m, run)))
    measure_row<T>(state, n, work, run);
}

template <class T>
void add_all(std::int64_t n) {
  for_each_row([n]<row_kind Kind>(row_work const& work) {
    add_row(row_name<T>(work, n) + "/xtensor",
            [=](benchmark::State& state) { run_row<Kind, T>(state, n, work); });
  });
}

}  // namespace

void add_xtensor() {
  for (std::int64_t const n : sizes) {
    add_all<float>(n);
    add_all<double>(n);
  }
}

}  // namespace karpos_bench
