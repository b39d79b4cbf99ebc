// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of row stages: the lanes of a row (row_team.hpp) take it through all reductions of an
// expression and then write its elements. The first operand of the first reduction is read from
// memory once: each lane holds its packets in registers. Results of a row's reductions stand in
// registers too. (Rows that do not fit are read in chunks, once per stage.)
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/pack.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/detail/device_kernels.hpp>
#include <karpos/exec/detail/device_reduce_kernels.hpp>
#include <karpos/exec/detail/row_team.hpp>
#include <karpos/exec/detail/strided.hpp>
#include <karpos/exec/detail/walk.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/reducers.hpp>

#include <cstring>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// The values of a row. Numbered by constants, slots are registers.
template <int Slots>
struct row_values {
  struct alignas(row_slot) slot {
    unsigned char bytes[row_slot];
  };
  slot slots[Slots];

  template <int Slot, class T>
  KOKKOS_FORCEINLINE_FUNCTION void set(T const& value) {
    static_assert(sizeof(T) <= row_slot);
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

// -- positions in a row

/// The packet of step t; the operand that is held comes from a register. All: every operand of its
/// type is that one.
template <class Held, int Slots, bool All>
struct at_row_packet {
  unsigned t;
  Held const& held;
  row_values<Slots> const& values;
  template <int V, class Walk>
  KOKKOS_FORCEINLINE_FUNCTION auto read(Walk const& w) const {
    if constexpr (is_walk_leaf<Walk> &&
                  std::is_same_v<Held, packet<typename Walk::value_type, V>>) {
      if (All || w.held)
        return held;
    }
    return w.template packet_of<V>(t);
  }
};
template <int Slots>
struct at_row_element {
  index_t i;
  row_values<Slots> const& values;
  template <int V, class Walk>
  KOKKOS_FORCEINLINE_FUNCTION auto read(Walk const& w) const {
    return at_element{i}.template read<V>(w);
  }
};

// -- values of a row: reductions, and what is computed from them once

template <class B, class Row, class Values>
KOKKOS_FORCEINLINE_FUNCTION void evaluate_row(B const& bound, Row& row, Values& values);

/// What is common to both: the value of slot Slot, and whether an earlier slot has it already.
template <int Slot, class T>
struct row_value {
  using value_type = T;
  int first;  // the slot that holds this value first

  template <int V, class At>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> load(At const& at) const {
    T const value = at.values.template get<Slot, T>();
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

  template <class Walker>
  KOKKOS_FORCEINLINE_FUNCTION auto walk(Walker const& w) const {
    return row_constant<Slot, T, decltype(w(operand))>{{this->first}, w(operand)};
  }
  template <class Row, class Values>
  KOKKOS_FORCEINLINE_FUNCTION void evaluate(Row& row, Values& values) const {
    evaluate_row(operand, row, values);
    values.template set<Slot>(
        fn::convert<T>(operand.template load<1>(row.first_element(values)).lane[0]));
  }
};

/// A reduction of the row's elements.
template <int Slot, class T, class Reducer, class B>
struct row_reduction : row_value<Slot, T> {
  B operand;

  template <class Walker>
  KOKKOS_FORCEINLINE_FUNCTION auto walk(Walker const& w) const {
    return row_reduction<Slot, T, Reducer, decltype(w(operand))>{{this->first}, w(operand)};
  }
  template <class Row, class Values>
  KOKKOS_FORCEINLINE_FUNCTION void evaluate(Row& row, Values& values) const {
    evaluate_row(operand, row, values);
    constexpr int V = Row::lanes_of_packet;
    lane_sums<Reducer, typename B::value_type, V> sums;
    auto const& e = operand;
    row.for_each_chunk(
        values, [&](auto const& at) { sums.add(e.template load<V>(at)); }, [&] { sums.flush(); },
        [&](auto const& at) { sums.add_element(e.template load<1>(at).lane[0]); });
    auto total = sums.total[0];
    row.lanes.template reduce<Reducer>(total, Slot);
    values.template set<Slot>(fn::from_lane<T>(total));
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

template <class Row, class Values>
struct evaluate_each {
  Row& row;
  Values& values;
  template <class... B>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(B const&... b) const {
    (evaluate_row(b, row, values), ...);
  }
};

/// Fills the slots below a bound expression, operands first. The same for all lanes of a row.
template <class B, class Row, class Values>
KOKKOS_FORCEINLINE_FUNCTION void evaluate_row(B const& bound, Row& row, Values& values) {
  if constexpr (is_bound_map<B>) {
    karpos::apply(evaluate_each<Row, Values>{row, values}, bound.operands);
  } else if constexpr (slot_of<B> >= 0) {
    if (bound.first == slot_of<B>)
      bound.evaluate(row, values);
    else
      values.template copy<slot_of<B>>(bound.first);
  }
}

// -- the operand that is held

/// No operand is held: the rows come from generators alone.
struct no_leaf {
  using value_type = no_leaf;
};

/// Finds the first operand in memory of the first reduction: its strided form, or no_leaf.
struct held_operand {
  template <bool Reduced = false, class B>
  static no_leaf of(B const&) {
    return {};
  }
  template <bool Reduced = false, class T, int R>
  static auto of(strided_leaf<T, R> const& leaf) {
    if constexpr (Reduced)
      return leaf;
    else
      return no_leaf{};
  }
  template <bool Reduced = false, class F, class... B>
  static auto of(bound_map<F, B...> const& m) {
    return of<Reduced>(m.operands);
  }
  template <bool Reduced = false, class B, class... Rest>
  static auto of(pack<B, Rest...> const& list) {
    auto const leaf = of<Reduced>(list.head);
    if constexpr (std::is_same_v<decltype(leaf), no_leaf const>)
      return of<Reduced>(list.tail);
    else
      return leaf;
  }
  template <bool Reduced = false, int Slot, class T, class B>
  static auto of(row_constant<Slot, T, B> const& c) {
    return of<Reduced>(c.operand);
  }
  template <bool Reduced = false, int Slot, class T, class Reducer, class B>
  static auto of(row_reduction<Slot, T, Reducer, B> const& r) {
    return of<true>(r.operand);
  }
};

// -- a row

template <class T, int V>
struct row_packets {
  static constexpr int number = tuning.row_packets;
  packet<T, V> held[number];

  template <class Walk>
  KOKKOS_FORCEINLINE_FUNCTION void load(Walk const& w, unsigned first, unsigned last,
                                        unsigned stride) {
    KARPOS_UNROLL
    for (int j = 0; j < number; ++j)
      if (unsigned const t = first + static_cast<unsigned>(j) * stride; t < last)
        held[j] = w.template side_by_side<V>(t);
  }
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> const& operator[](int j) const { return held[j]; }
};
template <int V>
struct row_packets<no_leaf, V> {
  static constexpr int number = tuning.row_packets;
  template <class Walk>
  KOKKOS_FORCEINLINE_FUNCTION void load(Walk const&, unsigned, unsigned, unsigned) {}
  KOKKOS_FORCEINLINE_FUNCTION no_leaf operator[](int) const { return {}; }
};

/// One row, as its lanes see it: chunks of packets, and elements that fill none.
template <int V, bool All, class Lanes, class Held>
struct row_context {
  static constexpr int lanes_of_packet = V;
  using held_type = typename Held::value_type;
  Lanes const& lanes;
  Held const& held;  // the walk of the operand that is held
  unsigned packets;
  index_t elements;
  row_packets<held_type, V> in_registers{};
  unsigned loaded = ~0u;  // first packet of the chunk in the registers

  /// packet(at) for each packet of this lane, after_chunk(), element(at) for the elements left.
  template <class Values, class Packet, class AfterChunk, class Element>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_chunk(Values const& values, Packet const& packet,
                                                  AfterChunk const& after_chunk,
                                                  Element const& element) {
    unsigned const size = lanes.size();
    constexpr int number = row_packets<held_type, V>::number;
    for (unsigned first = lanes.rank(); first < packets; first += number * size) {
      if (first != loaded) {
        in_registers.load(held, first, packets, size);
        loaded = first;
      }
      KARPOS_UNROLL
      for (int j = 0; j < number; ++j)
        if (unsigned const t = first + static_cast<unsigned>(j) * size; t < packets)
          packet(at_packet(t, in_registers[j], values));
      after_chunk();
    }
    if constexpr (V > 1)
      for (index_t i = static_cast<index_t>(packets) * V + lanes.rank(); i < elements; i += size)
        element(at(i, values));
  }
  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION auto first_element(Values const& values) const {
    return at(0, values);
  }

private:
  template <class Packet, int Slots>
  KOKKOS_FORCEINLINE_FUNCTION static at_row_packet<Packet, Slots, All>
  at_packet(unsigned t, Packet const& p, row_values<Slots> const& values) {
    return {t, p, values};
  }
  template <int Slots>
  KOKKOS_FORCEINLINE_FUNCTION static at_row_element<Slots> at(index_t i,
                                                              row_values<Slots> const& values) {
    return {i, values};
  }
};

/// Kept dimensions number the rows, the last one is within a row.
template <class Exec, class D, int V, bool All, class Bound, class Held, int R, int Slots>
struct row_stages_kernel {
  using member = typename row_policy<Exec>::member_type;
  D* dst;
  Bound bound;
  Held held;  // strided form of the operand that is held
  reduce_space<R> space;
  unsigned rows, packets;  // whole packets of a row
  row_team shape;
  bool one_element;  // of a row is written

  KOKKOS_FUNCTION void operator()(member const& team) const {
    using lanes_type = row_lanes<member>;
    lanes_type const lanes(team, shape, Slots);
    bool const inside = lanes.row() < rows;
    packet_at<R> at{};
    space.digits(inside ? lanes.row() : rows - 1, 0, space.kept, R, at.x);
    D* const to = inside ? dst + dot<R>(at.x, space.out_strides) : nullptr;
    if constexpr (std::is_same_v<Held, no_leaf>) {
      row_context<V, All, lanes_type, no_leaf> row{lanes, held, packets, space.extents[R - 1]};
      run(walker<R - 1, R, V>{at}(bound), row, to);
    } else {
      auto const walk = walker<R - 1, R, V>{at}(held);
      walker<R - 1, R, V, All> const w{at, walk.data, walk.step};
      row_context<V, All, lanes_type, std::remove_cvref_t<decltype(walk)>> row{
          lanes, walk, packets, space.extents[R - 1]};
      run(w(bound), row, to);
    }
  }

private:
  template <class Walk, class Row>
  KOKKOS_FORCEINLINE_FUNCTION void run(Walk const& walk, Row row, D* to) const {
    row_values<Slots> values{};
    evaluate_row(walk, row, values);
    if (to == nullptr)
      return;
    if (one_element) {
      if (row.lanes.rank() == 0)
        *to = fn::convert<D>(walk.template load<1>(row.first_element(values)).lane[0]);
      return;
    }
    index_t const stride = space.out_strides[R - 1];
    row.for_each_chunk(
        values,
        [&](auto const& p) {
          auto const r = walk.template load<V>(p);
          if constexpr (V > 1)
            store_vector<D, V>(to + static_cast<index_t>(p.t) * V, r);
          else
            to[static_cast<index_t>(p.t) * stride] = fn::convert<D>(r.lane[0]);
        },
        [] {},
        [&](auto const& e) {
          to[e.i * stride] = fn::convert<D>(walk.template load<1>(e).lane[0]);
        });
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
