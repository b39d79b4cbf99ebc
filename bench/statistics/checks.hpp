// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results against the definitions, computed in double.
#pragma once
#include "raw.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karpos_bench {

template <class T>
struct exact_exponentials {
  T const* row;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& sum) const {
    sum += Kokkos::exp(static_cast<double>(row[i]));
  }
};
template <class T>
struct exact_squares {
  T const* row;
  double mean;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& sum) const {
    double const distance = static_cast<double>(row[i]) - mean;
    sum += distance * distance;
  }
};
template <class T>
struct exact_sum {
  T const* row;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& sum) const {
    sum += static_cast<double>(row[i]);
  }
};

/// Counts elements that are farther from the definition than `allowed` times their size; where
/// terms cancel, times 1 + their size.
template <class T, statistic Kind>
struct wrong_element {
  T const* row;
  T const* r;
  double centre, scale, allowed;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& wrong) const {
    auto const x = static_cast<double>(row[i]);
    double expected = scale;
    if constexpr (Kind == statistic::softmax)
      expected = Kokkos::exp(x) / scale;
    if constexpr (Kind == statistic::log_softmax)
      expected = x - Kokkos::log(scale);
    if constexpr (Kind == statistic::layer_norm)
      expected = (x - centre) * scale;
    constexpr bool cancels = Kind == statistic::log_softmax || Kind == statistic::layer_norm;
    double const size = (cancels ? 1.0 : 0.0) + Kokkos::fabs(expected);
    wrong += !(Kokkos::fabs(static_cast<double>(r[i]) - expected) <= allowed * size);
  }
};

struct add_count {
  std::int64_t count;
  std::int64_t* total;
  KOKKOS_FUNCTION void operator()() const { *total += count; }
};

template <class T, statistic Kind>
struct wrong_row_kernel {
  T const* x;
  T const* r;
  std::int64_t columns;
  double allowed;
  KOKKOS_FUNCTION void operator()(team const& member, std::int64_t& wrong) const {
    auto const each = Kokkos::TeamThreadRange(member, columns);
    std::int64_t const number = member.league_rank();
    T const* const row = x + number * columns;
    double centre = 0, scale = 0;
    if constexpr (Kind == statistic::softmax || Kind == statistic::log_softmax) {
      Kokkos::parallel_reduce(each, exact_exponentials<T>{row}, scale);
    } else {
      Kokkos::parallel_reduce(each, exact_sum<T>{row}, centre);
      centre /= static_cast<double>(columns);
      Kokkos::parallel_reduce(each, exact_squares<T>{row, centre}, scale);
      scale /= static_cast<double>(columns);
    }
    if constexpr (Kind == statistic::layer_norm)
      scale = 1.0 / Kokkos::sqrt(scale + layer_norm_epsilon);
    constexpr bool one = Kind == statistic::variance;
    std::int64_t in_row = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, one ? std::int64_t(1) : columns),
        wrong_element<T, Kind>{row, r + number * (one ? 1 : columns), centre, scale, allowed},
        in_row);
    Kokkos::single(Kokkos::PerTeam(member), add_count{in_row, &wrong});
  }
};

/// Elements in [-4, 4): neither sums nor exponentials need a shift in double.
template <statistic Kind, class T>
bool are_statistics(std::int64_t rows, std::int64_t columns, T const* x, T const* r,
                    double allowed) {
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce("check", Kokkos::TeamPolicy<>(static_cast<int>(rows), Kokkos::AUTO),
                          wrong_row_kernel<T, Kind>{x, r, columns, allowed}, wrong);
  return wrong == 0;
}

/// Counts elements that show that an index is not that of the first largest of its row.
template <class T>
struct misplaced_kernel {
  T const* x;
  std::int64_t const* indices;
  T const* values;  ///< null where there are none
  std::int64_t columns;
  KOKKOS_FUNCTION void operator()(std::int64_t element, std::int64_t& wrong) const {
    std::int64_t const row = element / columns, i = element % columns, at = indices[row];
    if (at < 0 || at >= columns) {
      ++wrong;
      return;
    }
    T const largest = x[row * columns + at], here = x[element];
    wrong += here > largest || (here == largest && i < at);
    if (values != nullptr)
      wrong += values[row] != largest;
  }
};

template <class T>
bool are_first_largest(std::int64_t rows, std::int64_t columns, T const* x,
                       std::int64_t const* indices, T const* values) {
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce("check",
                          Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, rows * columns),
                          misplaced_kernel<T>{x, indices, values, columns}, wrong);
  return wrong == 0;
}

}  // namespace karpos_bench
