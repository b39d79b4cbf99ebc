// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations and full reductions of n x n matrices: Karpos, and the raw Kokkos loop
// beside each.
#include "common.hpp"
#include "matrices.hpp"

namespace karpos_bench {
namespace {

template <row_kind Kind, class T>
void run_row(benchmark::State& state, std::int64_t n, side which, row_work const& work) {
  auto& m = inputs<matrices<T>>(n);
  if (!checked(state, agrees<Kind>(m, [&] { run_karpos<Kind>(m); })))
    return;
  // A plain loop may add floats one by one: 2^26 of them come to half their sum.
  constexpr double raw_tolerance = sizeof(T) == 8 ? 1e-10 : 0.6;
  if constexpr (Kind == row_kind::sum || Kind == row_kind::dot)
    if (!checked(state, is_total<Kind>(m, kp::item(m.raw.total), raw_tolerance)))
      return;
  if (which == side::karpos)
    measure_row<T>(state, n, work, [&] { run_karpos<Kind>(m); });
  else
    measure_row<T>(state, n, work, [&] { run_raw<Kind>(m.raw); });
}

/// Registers both sides.
template <row_kind Kind, class T>
void add(std::int64_t n, row_work const& work) {
  for (side const which : {side::karpos, side::baseline})
    add_row(row_name<T>(work, n) + row_end(which),
            [=](benchmark::State& state) { run_row<Kind, T>(state, n, which, work); });
}

template <class T>
void add_all(std::int64_t n) {
  for_each_row([n]<row_kind Kind>(row_work const& work) { add<Kind, T>(n, work); });
}

void add_rows() {
  for (std::int64_t const n : sizes) {
    add_all<float>(n);
    add_all<double>(n);
    add<row_kind::axpy, kp::half>(n, {"axpy", 3, 2});
  }
#ifdef KARPOS_BENCH_HAS_EIGEN
  add_eigen();
#endif
#ifdef KARPOS_BENCH_HAS_XTENSOR
  add_xtensor();
#endif
}

}  // namespace
}  // namespace karpos_bench

int main(int argc, char** argv) { return karpos_bench::run(argc, argv, &karpos_bench::add_rows); }
