// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on devices: the lanes of a row per output and segment (rows), one thread per packet of
// outputs and segment (columns); segments are joined by a second launch. No atomics: the order is
// fixed for a device.
//   The reduced indices of an output are lines of steps: the fastest reduced dimension is walked,
// the others number the lines. A step reads V elements: of the line (rows), of V outputs (columns).
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/exec/detail/bind.hpp>
#include <karpos/exec/detail/device_engine.hpp>
#include <karpos/exec/detail/device_kernels.hpp>
#include <karpos/exec/detail/row_team.hpp>
#include <karpos/exec/detail/strided.hpp>
#include <karpos/exec/detail/walk.hpp>
#include <karpos/exec/reduce_plan.hpp>
#include <karpos/fn/reducers.hpp>

#include <algorithm>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec::detail {

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

/// The part [first, last) of something that segment `number` of `size` each takes.
struct part {
  unsigned first, last;
  KOKKOS_FORCEINLINE_FUNCTION part(unsigned number, unsigned size, unsigned all) {
    first = number * size < all ? number * size : all;
    last = all - first < size ? all : first + size;
  }
};

/// How the steps of an output are cut: `across` parts of each line, parts of the lines.
struct segment_grid {
  unsigned lines = 1, steps = 1;  // of an output
  unsigned lines_each = 1, steps_each = 1;
  fast_divisor across;

  KOKKOS_FORCEINLINE_FUNCTION part lines_of(unsigned segment) const {
    return part(across.quotient(segment), lines_each, lines);
  }
  KOKKOS_FORCEINLINE_FUNCTION part steps_of(unsigned segment) const {
    return part(in_line(segment), steps_each, steps);
  }
  /// Number of a segment in its lines. The first one also takes what whole packets leave.
  KOKKOS_FORCEINLINE_FUNCTION unsigned in_line(unsigned segment) const {
    return segment - across.quotient(segment) * across.divisor;
  }
};

/// Adds up walks. V running values take the elements of a packet and flow into the accumulators,
/// one for all or, Apart, one for each of them, before rounding adds up.
template <class Reducer, class T, int V, bool Apart = false>
struct lane_sums {
  using L = typename Reducer::template lane<T>;
  using A = typename Reducer::template accumulator<T>;
  static constexpr int batch = V == 1 ? 8 : 4;  // loads that are in flight before the first is used
  static constexpr unsigned steps_of_a_run = 1024;
  L run[V];
  A total[Apart ? V : 1];

  KOKKOS_FORCEINLINE_FUNCTION lane_sums() {
    for (A& t : total)
      t = Reducer::template identity<A>();
    for (L& r : run)
      r = Reducer::template identity<L>();
  }
  template <class P>
  KOKKOS_FORCEINLINE_FUNCTION void add(P const& p) {
    for (int k = 0; k < V; ++k)
      run[k] = Reducer::combine(run[k], fn::to_lane<L>(p.lane[k]));
  }
  /// A single element, straight into the accumulator.
  KOKKOS_FORCEINLINE_FUNCTION void add_element(T const& x) {
    total[0] = Reducer::combine(total[0], fn::from_lane<A>(fn::to_lane<L>(x)));
  }
  KOKKOS_FORCEINLINE_FUNCTION void flush() {
    for (int k = 0; k < V; ++k) {
      A& t = total[Apart ? k : 0];
      t = Reducer::combine(t, fn::from_lane<A>(run[k]));
      run[k] = Reducer::template identity<L>();
    }
  }
  /// Adds the steps first, first + stride, ... below last of a walk.
  template <class Walk>
  KOKKOS_FORCEINLINE_FUNCTION void walk(Walk const& walk, unsigned first, unsigned last,
                                        unsigned stride) {
    while (first < last) {
      unsigned const end =
          last - first > steps_of_a_run * stride ? first + steps_of_a_run * stride : last;
      for (; first + (batch - 1) * stride < end; first += batch * stride)
        add_batch(walk, first, stride);
      for (; first < end; first += stride)
        add(walk.template load<V>(at_step{first}));
      flush();
    }
  }

private:
  template <class Walk>
  KOKKOS_FORCEINLINE_FUNCTION void add_batch(Walk const& walk, unsigned first, unsigned stride) {
    decltype(walk.template load<V>(at_step{first})) p[batch];
    KARPOS_UNROLL
    for (int j = 0; j < batch; ++j)
      p[j] = walk.template load<V>(at_step{first + static_cast<unsigned>(j) * stride});
    KARPOS_UNROLL
    for (int j = 0; j < batch; ++j)
      add(p[j]);
  }
};

/// Inner dimension reduced. Elements of a line that fill no packet are added one by one.
template <class Exec, class Reducer, class T, int V, class Out, class Bound, int R>
struct reduce_rows_kernel {
  using A = typename Reducer::template accumulator<T>;
  using member = typename row_policy<Exec>::member_type;
  Bound bound;
  reduce_space<R> space;
  segment_grid grid;
  fast_divisor segments;
  unsigned count;  // outputs times segments
  int log_across;  // base 2, of the lanes that share a line
  row_team shape;
  bool partial;
  Out* out;  // final, or partial [output][segment]

  KOKKOS_FUNCTION void operator()(member const& team) const {
    row_lanes<member> const lanes(team, shape, 1);
    bool const inside = lanes.row() < count;
    unsigned const number = inside ? lanes.row() : count - 1;
    unsigned const output = segments.quotient(number), segment = number - output * segments.divisor;
    packet_at<R> at{};
    space.digits(output, 0, space.kept, R, at.x);
    A total = reduce(lanes, at, segment);
    lanes.template reduce<Reducer>(total, 0);
    if (inside && lanes.rank() == 0)
      out[partial ? static_cast<index_t>(number) : dot<R>(at.x, space.out_strides)] =
          fn::from_lane<Out>(total);
  }

private:
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION A reduce(Lanes const& lanes, packet_at<R> at,
                                       unsigned segment) const {
    part const lines = grid.lines_of(segment), steps = grid.steps_of(segment);
    unsigned const across = 1u << log_across, in_line = lanes.rank() & (across - 1),
                   down = lanes.size() >> log_across;
    lane_sums<Reducer, T, V> sums;
    for (unsigned line = lines.first + (lanes.rank() >> log_across); line < lines.last;
         line += down) {
      space.digits(line, space.kept, R - 1, R, at.x);
      auto const walk = walker<R - 1, R, V>{at}(bound);
      sums.walk(walk, steps.first + in_line, steps.last, across);
      if (V > 1 && grid.in_line(segment) == 0)
        for (index_t i = static_cast<index_t>(grid.steps) * V + in_line; i < space.extents[R - 1];
             i += across)
          sums.add_element(walk.template load<1>(at_element{i}).lane[0]);
    }
    return sums.total[0];
  }
};

/// Inner dimension kept. It is R - 1 here too; the reduced ones stand before it: [0, kept) kept,
/// [kept, R - 1) reduced.
template <class Reducer, class T, int V, class Out, class Bound, int R>
struct reduce_columns_kernel {
  using A = typename Reducer::template accumulator<T>;
  Bound bound;
  reduce_space<R> space;
  segment_grid grid;
  fast_divisor column_packets, outer;  // packets per row of outputs; outer kept indices
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
    index_t const row = static_cast<index_t>(segment) * outputs +
                        static_cast<index_t>(kept_index) * space.extents[R - 1];
    if (V == 1 || at.x[R - 1] + V <= space.extents[R - 1])
      reduce<V>(at, segment, row);
    else
      for (; at.x[R - 1] < space.extents[R - 1]; ++at.x[R - 1])
        reduce<1>(at, segment, row);
  }

private:
  template <int W>
  KOKKOS_FORCEINLINE_FUNCTION void reduce(packet_at<R> const& at, unsigned segment,
                                          index_t row) const {
    part const lines = grid.lines_of(segment), steps = grid.steps_of(segment);
    lane_sums<Reducer, T, W, true> sums;
    for (unsigned line = lines.first; line < lines.last; ++line) {
      packet_at<R> from = at;
      space.digits(line, space.kept, R - 2, R, from.x);
      sums.walk(walker<R - 2, R, 1>{from}(bound), steps.first, steps.last, 1u);
    }
    for (int k = 0; k < W; ++k) {
      index_t const to = partial ? row + at.x[R - 1] + k
                                 : dot<R>(at.x, space.out_strides) + k * space.out_strides[R - 1];
      out[to] = fn::from_lane<Out>(sums.total[k]);
    }
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
    KARPOS_UNROLL_8
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
