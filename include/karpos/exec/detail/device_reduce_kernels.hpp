// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on devices: one team per output and segment (rows), one thread per packet of outputs
// (columns), one thread per output (short rows); segments are joined by a second launch. No
// atomics: the order is fixed for a device.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/exec/detail/bind.hpp>
#include <karpos/exec/detail/device_engine.hpp>
#include <karpos/exec/detail/device_kernels.hpp>
#include <karpos/exec/detail/strided.hpp>
#include <karpos/exec/reduce_plan.hpp>
#include <karpos/fn/reducers.hpp>

#include <algorithm>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// Where an output index lies: dimensions [0, kept) of the index space, strides of the output.
template <int R>
struct reduce_space {
  index_t extents[R];
  fast_divisor divisors[R];
  index_t out_strides[R];
  int kept;  // dimensions below are kept, the others reduced

  // Digits of `number` over the dimensions [first, last) except `skip`; loops have constant bounds,
  // so x stays in registers.
  KOKKOS_FORCEINLINE_FUNCTION void digits(unsigned number, int first, int last, int skip,
                                          index_t* x) const {
    for (int k = R - 1; k >= 0; --k) {
      if (k < first || k >= last || k == skip)
        continue;
      unsigned const q = divisors[k].quotient(number);
      x[k] = static_cast<index_t>(number - q * divisors[k].divisor);
      number = q;
    }
  }
};

struct packet_range {
  unsigned first, last;
};

// The packets of a segment; the last ones of a smaller piece (pieces.hpp) can be empty.
KOKKOS_FORCEINLINE_FUNCTION packet_range segment_range(unsigned segment, unsigned per_segment,
                                                       unsigned packets) {
  unsigned const first = segment * per_segment;
  if (first >= packets)
    return {packets, packets};
  return {first, packets - first < per_segment ? packets : first + per_segment};
}

/// Running values of V lanes; flushed to the accumulator before rounding adds up.
template <class Reducer, class T, int V>
struct lane_sums {
  using L = typename Reducer::template lane<T>;
  using A = typename Reducer::template accumulator<T>;
  L run[V];
  KOKKOS_FORCEINLINE_FUNCTION lane_sums() { reset(); }
  KOKKOS_FORCEINLINE_FUNCTION void reset() {
    for (int k = 0; k < V; ++k)
      run[k] = Reducer::template identity<L>();
  }
  template <class P>
  KOKKOS_FORCEINLINE_FUNCTION void add(P const& p) {
    for (int k = 0; k < V; ++k)
      run[k] = Reducer::combine(run[k], fn::to_lane<L>(p.lane[k]));
  }
  KOKKOS_FORCEINLINE_FUNCTION A total() const {
    A t = fn::from_lane<A>(run[0]);
    for (int k = 1; k < V; ++k)
      t = Reducer::combine(t, fn::from_lane<A>(run[k]));
    return t;
  }
};

/// Kokkos' reducer protocol over one of ours, for team_reduce.
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

inline constexpr int lanes_of_reduction = 4;
inline constexpr unsigned flush_after =
    1024;  // packets that one lane adds before the accumulator takes over

/// acc = all elements of the packets [first, last), step `stride`, at the kept indices in x.
template <class Reducer, class T, int V, int R, class Bound, class At>
KOKKOS_FORCEINLINE_FUNCTION auto reduce_packets(Bound const& bound, reduce_space<R> const& s, At at,
                                                fast_divisor const& per_row, unsigned first,
                                                unsigned last, unsigned stride) {
  using A = typename Reducer::template accumulator<T>;
  A total = Reducer::template identity<A>();
  lane_sums<Reducer, T, V> sums;
  unsigned since_flush = 0;
  KARPOS_UNROLL_4
  for (unsigned p = first; p < last; p += stride) {
    unsigned const row = per_row.quotient(p);
    at.x[R - 1] = static_cast<index_t>(p - row * per_row.divisor) * V;
    s.digits(row, s.kept, R - 1, R, at.x);
    if (at.x[R - 1] + V <= s.extents[R - 1]) {
      sums.add(bound.template load<V>(at));
    } else {
      lane_sums<Reducer, T, 1> tail;
      for (; at.x[R - 1] < s.extents[R - 1]; ++at.x[R - 1])
        tail.add(bound.template load<1>(at));
      total = Reducer::combine(total, tail.total());
    }
    if (++since_flush == flush_after) {
      total = Reducer::combine(total, sums.total());
      sums.reset();
      since_flush = 0;
    }
  }
  return Reducer::combine(total, sums.total());
}

/// Inner dimension reduced: a team per output and segment.
template <class Exec, class Reducer, class T, class Out, class Bound, int R>
struct reduce_rows_kernel {
  using A = typename Reducer::template accumulator<T>;
  using member = typename Kokkos::TeamPolicy<Exec>::member_type;
  Bound bound;
  reduce_space<R> space;
  fast_divisor per_row;  // packets of the inner dimension
  unsigned packets;      // of one output
  unsigned per_segment;
  fast_divisor segments;
  bool partial;
  Out* out;  // final, or partial [output][segment]

  KOKKOS_FUNCTION void operator()(member const& team) const {
    unsigned const number = static_cast<unsigned>(team.league_rank());
    unsigned const output = segments.quotient(number), segment = number - output * segments.divisor;
    packet_at<R> at{};
    space.digits(output, 0, space.kept, R, at.x);
    auto const [first, last] = segment_range(segment, per_segment, packets);
    A total = reduce_packets<Reducer, T, lanes_of_reduction>(
        bound, space, at, per_row, first + static_cast<unsigned>(team.team_rank()), last,
        static_cast<unsigned>(team.team_size()));
    team.team_reduce(team_reducer<Reducer, A>(total));
    if (team.team_rank() == 0)
      write(output, number, at, total);
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void write(unsigned, unsigned number, packet_at<R> const& at,
                                         A const& total) const {
    if (partial)
      out[number] = fn::from_lane<Out>(total);
    else
      out[dot<R>(at.x, space.out_strides)] = fn::from_lane<Out>(total);
  }
};

/// Inner dimension reduced and short: a thread per output.
template <class Reducer, class T, class Out, class Bound, int R>
struct reduce_short_rows_kernel {
  Bound bound;
  reduce_space<R> space;
  fast_divisor per_row;
  unsigned packets;
  Out* out;

  KOKKOS_FUNCTION void operator()(unsigned output) const {
    packet_at<R> at{};
    space.digits(output, 0, space.kept, R, at.x);
    index_t const to = dot<R>(at.x, space.out_strides);
    out[to] = fn::from_lane<Out>(
        reduce_packets<Reducer, T, lanes_of_reduction>(bound, space, at, per_row, 0u, packets, 1u));
  }
};

/// Inner dimension kept: a thread per packet of outputs and segment. The inner dimension is R - 1
/// here too; the reduced ones stand before it: [0, kept) kept, [kept, R - 1) reduced.
template <class Reducer, class T, class Out, class Bound, int R>
struct reduce_columns_kernel {
  static constexpr int V = lanes_of_reduction;
  using A = typename Reducer::template accumulator<T>;
  using L = typename Reducer::template lane<T>;
  Bound bound;
  reduce_space<R> space;
  fast_divisor column_packets, outer;  // packets per row of outputs; outer kept indices
  unsigned steps, per_segment;         // reduced indices, and those of one segment
  index_t outputs;  // partial layout: [segment][output in C order of (outer, column)]
  bool partial;
  Out* out;

  KOKKOS_FUNCTION void operator()(unsigned number) const {
    unsigned const q = column_packets.quotient(number);
    unsigned const column = (number - q * column_packets.divisor) * V;
    unsigned const segment = outer.quotient(q), kept_index = q - segment * outer.divisor;
    packet_at<R> at{};
    space.digits(kept_index, 0, space.kept, R, at.x);
    at.x[R - 1] = static_cast<index_t>(column);
    auto const [first, last] = segment_range(segment, per_segment, steps);
    index_t const row = static_cast<index_t>(segment) * outputs +
                        static_cast<index_t>(kept_index) * space.extents[R - 1];
    if (at.x[R - 1] + V <= space.extents[R - 1])
      reduce<V>(at, first, last, row);
    else
      for (; at.x[R - 1] < space.extents[R - 1]; ++at.x[R - 1])
        reduce<1>(at, first, last, row);
  }

private:
  template <int W>
  KOKKOS_FORCEINLINE_FUNCTION void reduce(packet_at<R> at, unsigned first, unsigned last,
                                          index_t row) const {
    A total[W];
    for (int k = 0; k < W; ++k)
      total[k] = Reducer::template identity<A>();
    lane_sums<Reducer, T, W> sums;
    unsigned since_flush = 0;
    KARPOS_UNROLL_4
    for (unsigned t = first; t < last; ++t) {
      space.digits(t, space.kept, R - 1, R, at.x);
      sums.add(bound.template load<W>(at));
      if (++since_flush == flush_after) {
        flush(total, sums);
        since_flush = 0;
      }
    }
    flush(total, sums);
    for (int k = space.kept; k < R - 1; ++k)
      at.x[k] = 0;
    for (int k = 0; k < W; ++k) {
      index_t const to = partial ? row + at.x[R - 1] + k
                                 : dot<R>(at.x, space.out_strides) + k * space.out_strides[R - 1];
      out[to] = fn::from_lane<Out>(total[k]);
    }
  }
  template <int W>
  KOKKOS_FORCEINLINE_FUNCTION static void flush(A (&total)[W], lane_sums<Reducer, T, W>& sums) {
    for (int k = 0; k < W; ++k)
      total[k] = Reducer::combine(total[k], fn::from_lane<A>(sums.run[k]));
    sums.reset();
  }
};

/// Joins the segments of each output: those of one piece stand `segment_stride` apart, pieces
/// `piece_stride`.
template <class Exec, class Reducer, class A, class Out, int R>
struct reduce_join_kernel {
  using member = typename Kokkos::TeamPolicy<Exec>::member_type;
  A const* partial;
  index_t output_stride, segment_stride, piece_stride;
  fast_divisor per_piece;  // segments of a piece
  unsigned segments;       // of all pieces
  reduce_space<R> space;
  bool inner_kept;  // outputs in C order of (kept dimensions, last dimension)
  Out* out;

  KOKKOS_FUNCTION void operator()(member const& team) const {
    unsigned const output = static_cast<unsigned>(team.league_rank());
    A total = Reducer::template identity<A>();
    for (unsigned s = static_cast<unsigned>(team.team_rank()); s < segments;
         s += static_cast<unsigned>(team.team_size()))
      total = Reducer::combine(total, at(output, s));
    team.team_reduce(team_reducer<Reducer, A>(total));
    if (team.team_rank() == 0)
      out[place(output)] = fn::from_lane<Out>(total);
  }
  KOKKOS_FUNCTION void operator()(unsigned output) const {
    A total = Reducer::template identity<A>();
    for (unsigned s = 0; s < segments; ++s)
      total = Reducer::combine(total, at(output, s));
    out[place(output)] = fn::from_lane<Out>(total);
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION A at(unsigned output, unsigned segment) const {
    unsigned const piece = per_piece.quotient(segment);
    return partial[output * output_stride + piece * piece_stride +
                   (segment - piece * per_piece.divisor) * segment_stride];
  }
  KOKKOS_FORCEINLINE_FUNCTION index_t place(unsigned output) const {
    packet_at<R> x{};
    unsigned rest = output;
    if (inner_kept) {
      rest = space.divisors[R - 1].quotient(output);
      x.x[R - 1] = static_cast<index_t>(output - rest * space.divisors[R - 1].divisor);
    }
    space.digits(rest, 0, space.kept, R, x.x);
    return dot<R>(x.x, space.out_strides);
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
