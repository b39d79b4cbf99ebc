// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who works on a row: the vector lanes of one thread of a Kokkos team (a warp or a part of one), so
// that a team serves as many rows as it has threads, or all threads of the team together.
// Reductions over them cost shuffles and one barrier; their order is fixed.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/exec/detail/device_engine.hpp>
#include <karpos/exec/detail/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// A value of any element or accumulator type. Numbered by constants, slots are registers.
struct alignas(16) row_slot {
  unsigned char bytes[16];
};

/// Kokkos' reducer protocol over one of ours.
template <class Reducer, class A>
struct team_reducer {
  using reducer = team_reducer;
  using value_type = A;
  using result_view_type =
      Kokkos::View<A, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  A& value;
  KOKKOS_FUNCTION explicit team_reducer(A& v) : value(v) {}
  KOKKOS_FUNCTION void join(A& into, A const& from) const { into = Reducer::combine(into, from); }
  KOKKOS_FUNCTION void init(A& v) const { v = Reducer::template identity<A>(); }
  KOKKOS_FUNCTION A& reference() const { return value; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&value); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }
};

/// Shape of the teams of one launch; a part of its kernel.
struct row_team {
  int threads = 1, width = 1;  ///< of a team; vector lanes of a thread
  bool shared = true;          ///< all threads of a team work on one row

  [[nodiscard]] index_t rows() const { return shared ? 1 : threads; }
  [[nodiscard]] index_t lanes_of_row() const {
    return shared ? index_t{1} * threads * width : width;
  }
  /// Slots of team scratch for so many reductions.
  [[nodiscard]] KOKKOS_FUNCTION int slots(int reductions) const {
    return shared && threads > 1 ? reductions * threads : 0;
  }
};

constexpr int power_of_two_from(index_t n) {
  int p = 1;
  while (p < n)
    p *= 2;
  return p;
}

/// The team for rows of so many packets: at least `least_lanes` lanes for each where they have two
/// packets, at most `most_threads` warps.
template <class Exec>
row_team team_for_rows([[maybe_unused]] Exec const& exec, [[maybe_unused]] index_t rows,
                       [[maybe_unused]] index_t packets, [[maybe_unused]] int least_lanes,
                       [[maybe_unused]] int most_threads) {
  if constexpr (host_execution<Exec>) {
    return {};
  } else {
    constexpr int warp = 32;
    index_t const device = kokkos_ext::concurrency(exec);
    row_team t;
    auto const lanes_with = [&](index_t n) {
      return power_of_two_from(std::min<index_t>((packets + n - 1) / n, warp * most_threads));
    };
    int const lanes =
        std::max(lanes_with(tuning.row_packets), std::min(least_lanes, lanes_with(2)));
    t.width = std::min(lanes, warp);
    t.threads = lanes / t.width;
    // Few rows: more threads for each, while all of them have work.
    while (t.width == warp && t.threads < most_threads && 2 * t.threads * warp <= packets &&
           2 * rows * t.threads * warp < device)
      t.threads *= 2;
    t.shared = t.threads > 1;
    if (!t.shared)
      t.threads = tuning.row_team_lanes / t.width;
    return t;
  }
}

/// The lanes that work on the row of this thread.
template <class Member>
class row_lanes {
public:
  /// @param reductions as at the launch
  KOKKOS_FORCEINLINE_FUNCTION row_lanes(Member const& team, row_team const& shape, int reductions)
      : team_(team), width_(static_cast<unsigned>(shape.width)), shared_(shape.shared) {
    unsigned& lane = lane_;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, shape.width),
                         [&lane](int i) { lane = static_cast<unsigned>(i); });
    if (int const slots = shape.slots(reductions); slots > 0)
      scratch_ = static_cast<row_slot*>(team.team_scratch(0).get_shmem_aligned(
          static_cast<std::size_t>(slots) * sizeof(row_slot), sizeof(row_slot)));
  }

  /// Number of the row that this lane works on.
  KOKKOS_FORCEINLINE_FUNCTION unsigned row() const {
    unsigned const team = static_cast<unsigned>(team_.league_rank());
    return shared_ ? team : team * threads() + thread();
  }
  KOKKOS_FORCEINLINE_FUNCTION unsigned rank() const {
    return shared_ ? thread() * width_ + lane_ : lane_;
  }
  KOKKOS_FORCEINLINE_FUNCTION unsigned size() const {
    return shared_ ? threads() * width_ : width_;
  }

  /// total = the values of all lanes, for each of them. `number`: of the reduction, none twice.
  template <class Reducer, class A>
  KOKKOS_FORCEINLINE_FUNCTION void reduce(A& total, int number) const {
    static_assert(sizeof(A) <= sizeof(row_slot));
    if (width_ > 1) {
      A const own = total;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team_, static_cast<int>(width_)),
          [&own](int, A& into) { into = own; }, team_reducer<Reducer, A>(total));
    }
    if (shared_ && threads() > 1) {
      row_slot* const slots = scratch_ + number * static_cast<int>(threads());
      if (lane_ == 0)
        memcpy(slots[thread()].bytes, &total, sizeof(A));
      team_.team_barrier();
      memcpy(&total, slots[0].bytes, sizeof(A));
      for (unsigned k = 1; k < threads(); ++k) {
        A next;
        memcpy(&next, slots[k].bytes, sizeof(A));
        total = Reducer::combine(total, next);
      }
    }
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION unsigned thread() const {
    return static_cast<unsigned>(team_.team_rank());
  }
  KOKKOS_FORCEINLINE_FUNCTION unsigned threads() const {
    return static_cast<unsigned>(team_.team_size());
  }

  Member const& team_;
  unsigned width_, lane_ = 0;
  bool shared_;
  row_slot* scratch_ = nullptr;
};

/// At most 64 registers, so that the largest team fits a multiprocessor and half of it twice.
template <class Exec>
using row_policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<1024, 1>>;

/// Launches `kernel`, which makes so many reductions of each row.
template <class Exec, class Kernel>
void launch_rows_kernel(Exec const& exec, char const* label, index_t rows, row_team const& team,
                        int reductions, Kernel const& kernel) {
  index_t const teams = (rows + team.rows() - 1) / team.rows();
  row_policy<Exec> policy(exec, static_cast<int>(teams), team.threads, team.width);
  if (int const slots = team.slots(reductions); slots > 0)  // one more: the first is to be aligned
    policy.set_scratch_size(0, Kokkos::PerTeam((slots + 1) * static_cast<int>(sizeof(row_slot))));
  Kokkos::parallel_for(label, light(policy), kernel);
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
