// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baselines: one team for each row, as a Kokkos user writes it first, on row-major elements.
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karpos_bench {

enum class statistic { variance, softmax, log_softmax, layer_norm };
enum class position { everywhere, along_rows, with_value };

/// What layer_norm adds to the variance, on all sides.
inline constexpr double layer_norm_epsilon = 1e-5;

using team = Kokkos::TeamPolicy<>::member_type;

template <class T>
struct plain_sum {
  T const* row;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum) const { sum += row[i]; }
};
template <class T>
struct square_sum {
  T const* row;
  T mean;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum) const {
    sum += (row[i] - mean) * (row[i] - mean);
  }
};
template <class T>
struct exponential_sum {
  T const* row;
  T largest;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum) const {
    sum += Kokkos::exp(row[i] - largest);
  }
};
template <class T>
struct row_maximum {
  T const* row;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& most) const {
    if (row[i] > most)
      most = row[i];
  }
};

/// Element i of the result from centre and scale of its row: mean and 1/deviation, or maximum and
/// sum of exponentials.
template <class T, statistic Kind>
struct normal_element {
  T const* row;
  T* r;
  T centre, scale;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if constexpr (Kind == statistic::softmax)
      r[i] = Kokkos::exp(row[i] - centre) / scale;
    if constexpr (Kind == statistic::log_softmax)
      r[i] = row[i] - centre - Kokkos::log(scale);
    if constexpr (Kind == statistic::layer_norm)
      r[i] = (row[i] - centre) * scale;
  }
};

template <class T>
struct store {
  T* to;
  T value;
  KOKKOS_FUNCTION void operator()() const { *to = value; }
};

template <class T, statistic Kind>
struct statistic_kernel {
  T const* x;
  T* r;
  std::int64_t columns;
  KOKKOS_FUNCTION void operator()(team const& member) const {
    auto const each = Kokkos::TeamThreadRange(member, columns);
    std::int64_t const begin = member.league_rank() * columns;
    T const* row = x + begin;
    T centre = 0, scale = 0;
    if constexpr (Kind == statistic::softmax || Kind == statistic::log_softmax) {
      Kokkos::parallel_reduce(each, row_maximum<T>{row}, Kokkos::Max<T>(centre));
      Kokkos::parallel_reduce(each, exponential_sum<T>{row, centre}, scale);
    } else {
      T sum = 0;
      Kokkos::parallel_reduce(each, plain_sum<T>{row}, sum);
      centre = sum / static_cast<T>(columns);
      Kokkos::parallel_reduce(each, square_sum<T>{row, centre}, sum);
      scale = sum / static_cast<T>(columns);
    }
    if constexpr (Kind == statistic::variance) {
      Kokkos::single(Kokkos::PerTeam(member), store<T>{r + member.league_rank(), scale});
    } else {
      if constexpr (Kind == statistic::layer_norm)
        scale = T(1) / Kokkos::sqrt(scale + static_cast<T>(layer_norm_epsilon));
      Kokkos::parallel_for(each, normal_element<T, Kind>{row, r + begin, centre, scale});
    }
  }
};

/// r = the statistic of each row of x, asynchronously, on the default instance.
template <statistic Kind, class T>
void run_raw(std::int64_t rows, std::int64_t columns, T const* x, T* r) {
  Kokkos::parallel_for("raw", Kokkos::TeamPolicy<>(static_cast<int>(rows), Kokkos::AUTO),
                       statistic_kernel<T, Kind>{x, r, columns});
}

template <class T, class Memory = Kokkos::HostSpace>
using first_largest = Kokkos::MaxFirstLoc<T, std::int64_t, Memory>;
template <class T>
using located = typename first_largest<T>::value_type;

template <class T>
struct locate {
  T const* row;
  KOKKOS_FUNCTION void operator()(std::int64_t i, located<T>& most) const {
    if (row[i] > most.val || (row[i] == most.val && i < most.loc)) {
      most.val = row[i];
      most.loc = i;
    }
  }
};

template <class T>
struct store_located {
  located<T>* found;
  std::int64_t* index;
  T* value;  ///< null where only the index is asked for
  KOKKOS_FUNCTION void operator()() const {
    *index = found->loc;
    if (value != nullptr)
      *value = found->val;
  }
};

template <class T, position Kind>
struct position_kernel {
  T const* x;
  std::int64_t* indices;
  T* values;
  std::int64_t columns;
  KOKKOS_FUNCTION void operator()(team const& member) const {
    std::int64_t const row = member.league_rank();
    located<T> found;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(member, columns), locate<T>{x + row * columns},
                            first_largest<T>(found));
    T* const value = Kind == position::with_value ? values + row : nullptr;
    Kokkos::single(Kokkos::PerTeam(member), store_located<T>{&found, indices + row, value});
  }
};

/// The index of the first largest element of each row; of a single row: of all elements, into
/// `found`.
template <position Kind, class T>
void run_raw(std::int64_t rows, std::int64_t columns, T const* x, std::int64_t* indices, T* values,
             Kokkos::View<located<T>, Kokkos::DefaultExecutionSpace::memory_space> const& found) {
  using range = Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>;
  if constexpr (Kind == position::everywhere)
    Kokkos::parallel_reduce("raw", range(0, columns), locate<T>{x},
                            first_largest<T, Kokkos::DefaultExecutionSpace::memory_space>(found));
  else
    Kokkos::parallel_for("raw", Kokkos::TeamPolicy<>(static_cast<int>(rows), Kokkos::AUTO),
                         position_kernel<T, Kind>{x, indices, values, columns});
}

}  // namespace karpos_bench
