// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who works on a row: some lanes of a warp, so that a Kokkos team serves several rows, or several
// warps, which are a team. Reductions over them cost shuffles and, over several warps, one barrier.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/lanes.hpp>
#include <karpos/base/kokkos_ext/policies.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/exec/detail/device_engine.hpp>
#include <karpos/exec/detail/tuning.hpp>

#include <algorithm>
#include <cstddef>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// Bytes of team scratch for a value of any accumulator type.
inline constexpr unsigned row_slot = 16;

/// Shape of the teams of one launch; a part of its kernel.
struct row_team {
  int log_lanes = 0;  ///< base 2, of the lanes of a row: up to a warp, or whole warps
  int rows = 1;       ///< of a team; 1 where a row has several warps

  [[nodiscard]] KOKKOS_FUNCTION int lanes() const { return 1 << log_lanes; }
  /// Slots of team scratch for so many reductions.
  [[nodiscard]] int slots(int reductions) const {
    int const warps = lanes() / kokkos_ext::warp_lanes;
    return warps > 1 ? reductions * warps : 0;
  }
};

/// The smallest k with 2^k >= n.
constexpr int log_from(index_t n) {
  int k = 0;
  while ((index_t{1} << k) < n)
    ++k;
  return k;
}

/// The team for rows of so many packets: at least `least_lanes` lanes for each where they have two
/// packets, at most `most_warps` warps.
template <class Exec>
row_team team_for_rows([[maybe_unused]] Exec const& exec, [[maybe_unused]] index_t rows,
                       [[maybe_unused]] index_t packets, [[maybe_unused]] int least_lanes,
                       [[maybe_unused]] int most_warps) {
  if constexpr (host_execution<Exec>) {
    return {};
  } else {
    constexpr int log_warp = log_from(kokkos_ext::warp_lanes);
    index_t const most = index_t{1} * most_warps * kokkos_ext::warp_lanes;
    index_t const device = kokkos_ext::concurrency(exec);
    auto const lanes_with = [&](index_t n) {
      return log_from(std::min((packets + n - 1) / n, most));
    };
    row_team t;
    t.log_lanes =
        std::max(lanes_with(tuning.row_packets), std::min(log_from(least_lanes), lanes_with(2)));
    // Few rows: more warps for each, while all of them have work.
    while (t.log_lanes >= log_warp && t.lanes() < most && 2 * t.lanes() <= packets &&
           2 * rows * t.lanes() < device)
      ++t.log_lanes;
    if (t.log_lanes <= log_warp)
      t.rows = tuning.row_team_lanes / t.lanes();
    return t;
  }
}

/// The lanes that work on the row of this thread.
template <class Member>
class row_lanes {
public:
  /// @param reductions as at the launch
  KOKKOS_FORCEINLINE_FUNCTION row_lanes(Member const& team, row_team const& shape, int reductions)
      : team_(team), size_(static_cast<unsigned>(shape.lanes())) {
    unsigned const rank = static_cast<unsigned>(team.team_rank());
    rank_ = rank & (size_ - 1);
    row_ = static_cast<unsigned>(team.league_rank()) * static_cast<unsigned>(shape.rows) +
           (rank >> shape.log_lanes);
    if (size_ > kokkos_ext::warp_lanes)
      scratch_ = static_cast<char*>(team.team_scratch(0).get_shmem_aligned(
          static_cast<std::size_t>(reductions) * warps() * row_slot, row_slot));
  }

  /// Number of the row that this lane works on; the last teams have rows beyond the last one.
  KOKKOS_FORCEINLINE_FUNCTION unsigned row() const { return row_; }
  KOKKOS_FORCEINLINE_FUNCTION unsigned rank() const { return rank_; }
  KOKKOS_FORCEINLINE_FUNCTION unsigned size() const { return size_; }

  /// total = the values of all lanes, the same bits for each of them. All threads of a team call it
  /// together. `number`: of the reduction, none twice.
  template <class Reducer, class A>
  KOKKOS_FORCEINLINE_FUNCTION void reduce(A& total, int number) const {
    static_assert(sizeof(A) <= row_slot);
    constexpr unsigned warp = kokkos_ext::warp_lanes;
    combine_lanes<Reducer>(total, size_ < warp ? size_ : warp);
    if (size_ > warp) {
      A* const slots =
          reinterpret_cast<A*>(scratch_ + static_cast<unsigned>(number) * warps() * row_slot);
      if (rank_ % warp == 0)
        slots[rank_ / warp] = total;
      team_.team_barrier();
      total = slots[rank_ & (warps() - 1)];
      combine_lanes<Reducer>(total, warps());
    }
    // Lanes combine in orders of their own: the signs of zeros may differ.
    total = kokkos_ext::first_of_lanes(total, size_ < warp ? size_ : warp);
  }

private:
  template <class Reducer, class A>
  KOKKOS_FORCEINLINE_FUNCTION static void combine_lanes(A& total, unsigned lanes) {
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
      total = Reducer::combine(total, kokkos_ext::exchange_lanes(total, distance));
  }

  KOKKOS_FORCEINLINE_FUNCTION unsigned warps() const { return size_ / kokkos_ext::warp_lanes; }

  Member const& team_;
  unsigned size_, rank_, row_;
  char* scratch_ = nullptr;
};

/// At most 64 registers, so that the largest team fits a multiprocessor and half of it twice.
template <class Exec>
using row_policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<1024, 1>>;

/// Launches `kernel`, which makes so many reductions of each row.
template <class Exec, class Kernel>
void launch_rows_kernel(Exec const& exec, char const* label, index_t rows, row_team const& team,
                        int reductions, Kernel const& kernel) {
  index_t const teams = (rows + team.rows - 1) / team.rows;
  row_policy<Exec> policy(exec, static_cast<int>(teams), team.lanes() * team.rows, 1);
  if (int const slots = team.slots(reductions); slots > 0)  // one more: the first is to be aligned
    policy.set_scratch_size(0, Kokkos::PerTeam((slots + 1) * static_cast<int>(row_slot)));
  Kokkos::parallel_for(label, kokkos_ext::light(policy), kernel);
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
