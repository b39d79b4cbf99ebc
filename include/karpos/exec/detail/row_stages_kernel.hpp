// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of row stages: a team (short rows: a thread) takes a row through all reductions of an
// expression and then writes its elements. The row is read from memory once; later stages find it
// in the caches. Results of a row's reductions stand in registers.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/pack.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/detail/device_kernels.hpp>
#include <karpos/exec/detail/device_reduce_kernels.hpp>
#include <karpos/exec/detail/strided.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/reducers.hpp>

#include <cstring>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// A value of any element type. Numbered by constants, slots are registers.
struct alignas(16) row_slot {
  unsigned char bytes[16];
};

/// A position in the index space and the values of its row.
template <int R, int Slots>
struct row_at : packet_at<R> {
  row_slot slots[Slots];

  template <int Slot, class T>
  KOKKOS_FORCEINLINE_FUNCTION void set(T const& value) {
    static_assert(sizeof(T) <= sizeof(row_slot));
    memcpy(slots[Slot].bytes, &value, sizeof(T));
  }
  template <int Slot, class T>
  KOKKOS_FORCEINLINE_FUNCTION T get() const {
    T value;
    memcpy(&value, slots[Slot].bytes, sizeof(T));
    return value;
  }
  /// The value of slot `from`, which comes before Slot.
  template <int Slot, int From = 0>
  KOKKOS_FORCEINLINE_FUNCTION void copy(int from) {
    if constexpr (From < Slot) {
      if (from == From)
        slots[Slot] = slots[From];
      else
        copy<Slot, From + 1>(from);
    }
  }
};

// -- values of a row: reductions, and what is computed from them once

template <class B, class Row, class At>
KOKKOS_FORCEINLINE_FUNCTION void evaluate_row(B const& bound, Row const& row, At& at);

/// What is common to both: the value of slot Slot, and whether an earlier slot has it already.
template <int Slot, class T>
struct row_value {
  using value_type = T;
  int first;  // the slot that holds this value first

  template <int V, class At>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> load(At const& at) const {
    T const value = at.template get<Slot, T>();
    packet<T, V> r;
    for (int k = 0; k < V; ++k)
      r.lane[k] = value;
    return r;
  }
};

/// One value per row, computed from values per row.
template <int Slot, class T, class B>
struct row_constant : row_value<Slot, T> {
  B operand;

  template <class Row, class At>
  KOKKOS_FORCEINLINE_FUNCTION void evaluate(Row const& row, At& at) const {
    evaluate_row(operand, row, at);
    at.template set<Slot>(fn::convert<T>(operand.template load<1>(at).lane[0]));
  }
};

/// A reduction of the row's elements.
template <int Slot, class T, class Reducer, class B>
struct row_reduction : row_value<Slot, T> {
  B operand;

  template <class Row, class At>
  KOKKOS_FORCEINLINE_FUNCTION void evaluate(Row const& row, At& at) const {
    evaluate_row(operand, row, at);
    auto total = reduce_packets<Reducer, typename B::value_type, lanes_of_reduction>(
        operand, row.space, at, row.per_row, row.lanes.rank(), row.packets, row.lanes.size());
    row.lanes.template reduce<Reducer>(total);
    at.template set<Slot>(fn::from_lane<T>(total));
  }
};

template <class B>
inline constexpr bool is_bound_map = false;
template <class F, class... B>
inline constexpr bool is_bound_map<bound_map<F, B...>> = true;
template <class B>
inline constexpr int slot_of = -1;
template <int Slot, class T, class B>
inline constexpr int slot_of<row_constant<Slot, T, B>> = Slot;
template <int Slot, class T, class Reducer, class B>
inline constexpr int slot_of<row_reduction<Slot, T, Reducer, B>> = Slot;

template <class Row, class At>
struct evaluate_each {
  Row const& row;
  At& at;
  template <class... B>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(B const&... b) const {
    (evaluate_row(b, row, at), ...);
  }
};

/// Fills the slots below a bound expression, operands first. The same for all threads of a row.
template <class B, class Row, class At>
KOKKOS_FORCEINLINE_FUNCTION void evaluate_row(B const& bound, Row const& row, At& at) {
  if constexpr (is_bound_map<B>) {
    karpos::apply(evaluate_each<Row, At>{row, at}, bound.operands);
  } else if constexpr (slot_of<B> >= 0) {
    if (bound.first == slot_of<B>)
      bound.evaluate(row, at);
    else
      at.template copy<slot_of<B>>(bound.first);
  }
}

// -- the threads of a row

template <class Member>
struct team_lanes {
  Member const& team;
  KOKKOS_FORCEINLINE_FUNCTION unsigned rank() const {
    return static_cast<unsigned>(team.team_rank());
  }
  KOKKOS_FORCEINLINE_FUNCTION unsigned size() const {
    return static_cast<unsigned>(team.team_size());
  }
  template <class Reducer, class A>
  KOKKOS_FORCEINLINE_FUNCTION void reduce(A& total) const {
    team.team_reduce(team_reducer<Reducer, A>(total));
  }
};
struct one_lane {
  KOKKOS_FORCEINLINE_FUNCTION unsigned rank() const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION unsigned size() const { return 1; }
  template <class Reducer, class A>
  KOKKOS_FORCEINLINE_FUNCTION void reduce(A&) const {}
};

template <int R, class Lanes>
struct row_context {
  reduce_space<R> const& space;
  fast_divisor const& per_row;
  unsigned packets;
  Lanes lanes;
};

/// Kept dimensions number the rows, the reduced ones are within a row.
template <class Exec, class D, class Bound, int R, int Slots>
struct row_stages_kernel {
  static constexpr int lanes = lanes_of_reduction;
  using member = typename Kokkos::TeamPolicy<Exec>::member_type;
  D* dst;
  Bound bound;
  reduce_space<R> space;
  fast_divisor per_row;  // packets of the inner dimension
  unsigned packets;      // of a row
  bool one_element;      // of a row is written
  access mode;

  KOKKOS_FUNCTION void operator()(member const& team) const {
    run(static_cast<unsigned>(team.league_rank()), team_lanes<member>{team});
  }
  KOKKOS_FUNCTION void operator()(unsigned row) const { run(row, one_lane{}); }

private:
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void run(unsigned number, Lanes const& lanes_of_row) const {
    row_at<R, Slots> at{};
    space.digits(number, 0, space.kept, R, at.x);
    row_context<R, Lanes> const row{space, per_row, packets, lanes_of_row};
    evaluate_row(bound, row, at);
    if (!one_element)
      write(row, at);
    else if (lanes_of_row.rank() == 0)
      dst[dot<R>(at.x, space.out_strides)] = fn::convert<D>(bound.template load<1>(at).lane[0]);
  }

  template <class Row>
  KOKKOS_FORCEINLINE_FUNCTION void write(Row const& row, row_at<R, Slots>& at) const {
    KARPOS_UNROLL_4
    for (unsigned p = row.lanes.rank(); p < packets; p += row.lanes.size()) {
      unsigned const line = per_row.quotient(p);
      at.x[R - 1] = static_cast<index_t>(p - line * per_row.divisor) * lanes;
      space.digits(line, space.kept, R - 1, R, at.x);
      D* const to = dst + dot<R>(at.x, space.out_strides);
      if (at.x[R - 1] + lanes <= space.extents[R - 1])
        whole(at, to);
      else
        tail(at, to);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void whole(row_at<R, Slots> const& at, D* to) const {
    auto const r = bound.template load<lanes>(at);
    if (mode == access::vector) {
      store_vector<D, lanes>(to, r, 0);
    } else {
      for (int k = 0; k < lanes; ++k)
        to[k * space.out_strides[R - 1]] = fn::convert<D>(r.lane[k]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void tail(row_at<R, Slots> const& from, D* to) const {
    auto at = from;
    for (; at.x[R - 1] < space.extents[R - 1]; ++at.x[R - 1], to += space.out_strides[R - 1])
      *to = fn::convert<D>(bound.template load<1>(at).lane[0]);
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
