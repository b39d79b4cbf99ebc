// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baselines: products as a Kokkos user writes them first, on row-major elements.
#pragma once
#include "vendor.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karpos_bench {

/// One team for each row.
template <class T>
struct gemv_kernel {
  using member = Kokkos::TeamPolicy<>::member_type;
  struct term {
    T const* row;
    T const* x;
    KOKKOS_FUNCTION void operator()(std::int64_t k, T& sum) const { sum += row[k] * x[k]; }
  };
  struct store {
    T* to;
    T value;
    KOKKOS_FUNCTION void operator()() const { *to = value; }
  };
  T const* a;
  T const* x;
  T* y;
  std::int64_t columns;
  KOKKOS_FUNCTION void operator()(member const& team) const {
    std::int64_t const row = team.league_rank();
    T sum = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, columns), term{a + row * columns, x},
                            sum);
    Kokkos::single(Kokkos::PerTeam(team), store{y + row, sum});
  }
};

template <class T>
void run_raw(vector_call<T> const& p) {
  Kokkos::parallel_for("raw", Kokkos::TeamPolicy<>(static_cast<int>(p.n), Kokkos::AUTO),
                       gemv_kernel<T>{p.a, p.x, p.y, p.m});
}

/// One thread for each element of the result.
template <class T>
struct batch_kernel {
  T const* a;
  T const* b;
  T* c;
  std::int64_t n;
  KOKKOS_FUNCTION void operator()(std::int64_t matrix, std::int64_t i, std::int64_t j) const {
    std::int64_t const begin = matrix * n * n;
    T sum = 0;
    for (std::int64_t k = 0; k < n; ++k)
      sum += a[begin + i * n + k] * b[begin + k * n + j];
    c[begin + i * n + j] = sum;
  }
};

template <class T>
void run_raw(std::int64_t batch, std::int64_t n, T const* a, T const* b, T* c) {
  using policy = Kokkos::MDRangePolicy<Kokkos::Rank<3>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("raw", policy({0, 0, 0}, {batch, n, n}), batch_kernel<T>{a, b, c, n});
}

}  // namespace karpos_bench
