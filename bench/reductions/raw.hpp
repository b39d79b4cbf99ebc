// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baselines: reductions as a Kokkos user writes them first, on the same row-major elements, and
// the comparison of results with sums in double.
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace karpos_bench {

enum class reduction { total, dot, largest, rows, columns, middle };

/// Elements x(outer, length, inner) in C order; the axis in the middle is reduced. Rows have inner
/// 1, columns outer 1, totals both.
struct reduced_shape {
  std::int64_t outer, length, inner;
  [[nodiscard]] std::int64_t outputs() const { return outer * inner; }
  [[nodiscard]] std::int64_t size() const { return outer * length * inner; }
};

/// What belongs to one output: element k of its sum.
template <class T, class Sum, bool Product>
struct terms {
  T const* x;
  T const* y;
  std::int64_t first, step;
  bool absolute = false;
  KOKKOS_FUNCTION void operator()(std::int64_t k, Sum& sum) const {
    auto term = static_cast<Sum>(x[first + k * step]);
    if constexpr (Product)
      term *= static_cast<Sum>(y[first + k * step]);
    sum += absolute && term < Sum(0) ? -term : term;
  }
};

template <class T, class Sum>
struct largest_kernel {
  T const* x;
  KOKKOS_FUNCTION void operator()(std::int64_t i, Sum& most) const {
    if (static_cast<Sum>(x[i]) > most)
      most = static_cast<Sum>(x[i]);
  }
};

/// One team for each output: rows that are long.
template <class T, class Sum>
struct team_kernel {
  using member = Kokkos::TeamPolicy<>::member_type;
  struct store {
    Sum* r;
    Sum sum;
    KOKKOS_FUNCTION void operator()() const { *r = sum; }
  };
  T const* x;
  Sum* r;
  std::int64_t length;
  KOKKOS_FUNCTION void operator()(member const& team) const {
    std::int64_t const row = team.league_rank();
    Sum sum = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, length),
                            terms<T, Sum, false>{x, nullptr, row * length, 1}, sum);
    Kokkos::single(Kokkos::PerTeam(team), store{r + row, sum});
  }
};

/// One thread for each output, which loops over the reduced axis.
template <class T, class Sum>
struct loop_kernel {
  T const* x;
  Sum* r;
  std::int64_t length, inner;
  KOKKOS_FUNCTION void operator()(std::int64_t out) const {
    terms<T, Sum, false> const add{x, nullptr, (out / inner) * length * inner + out % inner, inner};
    Sum sum = 0;
    for (std::int64_t k = 0; k < length; ++k)
      add(k, sum);
    r[out] = sum;
  }
};

/// Sums in rows of fewer elements than this get a thread each, longer ones a team.
inline constexpr std::int64_t long_row = 1024;

/// r = the reduction, asynchronously, on the default instance.
template <reduction Kind, class T, class Sum>
void run_raw(reduced_shape const& s, T const* x, T const* y, Kokkos::View<Sum*> const& r) {
  using range = Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>;
  using scalar = Kokkos::View<Sum, Kokkos::DefaultExecutionSpace::memory_space>;
  scalar const total(r.data());
  if constexpr (Kind == reduction::total || Kind == reduction::dot)
    Kokkos::parallel_reduce("raw", range(0, s.length), terms < T, Sum,
                            Kind == reduction::dot > {x, y, 0, 1}, total);
  else if constexpr (Kind == reduction::largest)
    Kokkos::parallel_reduce("raw", range(0, s.length), largest_kernel<T, Sum>{x},
                            Kokkos::Max<Sum, Kokkos::DefaultExecutionSpace::memory_space>(total));
  else if (Kind == reduction::rows && s.length >= long_row)
    Kokkos::parallel_for("raw", Kokkos::TeamPolicy<>(static_cast<int>(s.outer), Kokkos::AUTO),
                         team_kernel<T, Sum>{x, r.data(), s.length});
  else
    Kokkos::parallel_for("raw", range(0, s.outputs()),
                         loop_kernel<T, Sum>{x, r.data(), s.length, s.inner});
}

/// Counts outputs farther from the sum in double than `of_sizes` times the sum of the magnitudes,
/// plus the rounding of the result.
template <class T, class Result, bool Product>
struct wrong_kernel {
  using member = Kokkos::TeamPolicy<>::member_type;
  struct compare {
    double got, expected, allowed;
    std::int64_t* wrong;
    KOKKOS_FUNCTION void operator()() const {
      *wrong += !(Kokkos::fabs(got - expected) <= allowed);
    }
  };
  T const* x;
  T const* y;
  Result const* r;
  reduced_shape s;
  double of_sizes, of_result;
  KOKKOS_FUNCTION void operator()(member const& team, std::int64_t& wrong) const {
    std::int64_t const out = team.league_rank();
    terms<T, double, Product> add{x, y, (out / s.inner) * s.length * s.inner + out % s.inner,
                                  s.inner};
    double sum = 0, sizes = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, s.length), add, sum);
    add.absolute = true;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, s.length), add, sizes);
    Kokkos::single(Kokkos::PerTeam(team),
                   compare{static_cast<double>(r[out]), sum,
                           of_sizes * sizes + of_result * Kokkos::fabs(sum), &wrong});
  }
};

/// Terms of both signs: rounding errors stay far below eps times the sum of the magnitudes, in a
/// plain loop too.
template <bool Product, class T, class Result>
bool are_sums(reduced_shape const& s, T const* x, T const* y, Result const* r, double epsilon) {
  double const of_result = static_cast<double>(std::numeric_limits<Result>::epsilon());
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::TeamPolicy<>(static_cast<int>(s.outputs()), Kokkos::AUTO),
      wrong_kernel<T, Result, Product>{x, y, r, s, 8 * epsilon, of_result}, wrong);
  return wrong == 0;
}

}  // namespace karpos_bench
