// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a reduce_plan to the launches of the device's reduction kernels.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/exec/detail/device_reduce_kernels.hpp>
#include <karpos/exec/detail/pieces.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI::exec::detail {

// The dimensions of a plan in the R slots of the kernels. Rows: kept dimensions, then reduced ones.
// Columns: the last kept dimension moves to the end.
template <int R>
reduce_space<R> place_dimensions(reduce_plan const& p, operand_info* ops, int count) {
  reduce_space<R> s{};
  int order[R], n = p.kept + p.reduced, shift = R - n;
  for (int k = 0; k < R; ++k)
    order[k] = k - shift;
  if (!p.inner_reduced) {
    for (int k = p.kept - 1; k < n - 1; ++k)
      order[k + shift] = k + 1;
    order[R - 1] = p.kept - 1;
  }
  s.kept = p.kept + shift - (p.inner_reduced ? 0 : 1);
  operand_info moved;
  for (int l = 0; l < count; ++l) {
    for (int k = 0; k < R; ++k)
      moved.strides[k] = order[k] < 0 ? 0 : ops[l].strides[order[k]];
    for (int k = 0; k < R; ++k)
      ops[l].strides[k] = moved.strides[k];
  }
  for (int k = 0; k < R; ++k) {
    s.extents[k] = order[k] < 0 ? 1 : p.extents[order[k]];
    s.divisors[k] = fast_divisor(static_cast<unsigned>(s.extents[k]));
    s.out_strides[k] = ops[0].strides[k];
  }
  return s;
}

/// Launches one planned reduction whose outputs and whose elements per output fit 32 bits, or a
/// piece of a larger one.
template <class Reducer, class T, class Out, int R, class Exec, class Bound>
struct device_reduction {
  using A = typename Reducer::template accumulator<T>;
  static constexpr int V = lanes_of_reduction;
  static constexpr int team_size = host_execution<Exec> ? 1 : 256;

  Exec const& exec;
  Bound const& bound;
  reduce_space<R> const& space;
  index_t outputs, per_output;
  bool inner_reduced;

  index_t across() const { return space.extents[R - 1]; }
  index_t packets_across() const { return (across() + V - 1) / V; }
  /// Steps of one output: packets of the inner dimension, or rows.
  index_t steps() const {
    return inner_reduced ? per_output / across() * packets_across() : per_output;
  }
  /// True where a thread reduces an output alone.
  bool short_rows() const { return inner_reduced && steps() <= 16 && outputs >= 1024; }

  /// Segments of an output: enough to fill the device twice, each with work for a team.
  unsigned segments() const {
    if (short_rows())
      return 1;
    index_t const parallel =
        inner_reduced ? outputs * team_size : packets_across() * (outputs / across());
    index_t const wanted = 2 * static_cast<index_t>(exec.concurrency());
    index_t const n = std::min(steps() / (inner_reduced ? 4 * team_size : 32), wanted / parallel);
    index_t const clamped = std::clamp<index_t>(n, 1, 1 << 20);
    index_t const per_segment = (steps() + clamped - 1) / clamped;
    return static_cast<unsigned>((steps() + per_segment - 1) / per_segment);  // none is empty
  }

  /// Launches `segments` segments per output into `to`: the outputs, or partial results.
  template <class To>
  void launch(unsigned segments, unsigned per_segment, bool partial, To* to) const {
    if (inner_reduced)
      launch_rows(segments, per_segment, partial, to);
    else
      launch_columns(segments, per_segment, partial, to);
  }

  void launch_short_rows(Out* out) const {
    using kernel = reduce_short_rows_kernel<Reducer, T, Out, Bound, R>;
    launch_kernel(exec, "karpos::reduce::short_rows", static_cast<unsigned>(outputs),
                  kernel{bound, space, row(), static_cast<unsigned>(steps()), out});
  }

private:
  fast_divisor row() const { return fast_divisor(static_cast<unsigned>(packets_across())); }

  template <class To>
  void launch_rows(unsigned segments, unsigned per_segment, bool partial, To* to) const {
    using kernel = reduce_rows_kernel<Exec, Reducer, T, To, Bound, R>;
    Kokkos::parallel_for(
        "karpos::reduce::rows",
        light(Kokkos::TeamPolicy<Exec>(exec, static_cast<int>(outputs * segments), team_size)),
        kernel{bound, space, row(), static_cast<unsigned>(steps()), per_segment,
               fast_divisor(segments), partial, to});
  }

  template <class To>
  void launch_columns(unsigned segments, unsigned per_segment, bool partial, To* to) const {
    using kernel = reduce_columns_kernel<Reducer, T, To, Bound, R>;
    index_t const outer = outputs / across();
    launch_kernel(exec, "karpos::reduce::columns",
                  static_cast<unsigned>(packets_across() * outer * segments),
                  kernel{bound, space, row(), fast_divisor(static_cast<unsigned>(outer)),
                         static_cast<unsigned>(per_output), per_segment, outputs, partial, to});
  }
};

/// Reduces one piece of the outputs: one launch, or several into partial results and a join.
template <class Reducer, class T, class Out, int Rank, class Memory, class Exec, class Node>
struct output_piece {
  static constexpr int R = Rank > 1 ? Rank : 2, count = expr::leaf_count<Node> + 1;
  using A = typename Reducer::template accumulator<T>;
  using partial_space = normal_space_t<Kokkos::Device<Exec, Memory>>;

  Exec const& exec;
  Node const& node;
  reduce_plan const& plan;
  operand_info const* planned;

  void run() const {
    pieces const cut(plan.extents, plan.kept, plan.kept + plan.reduced, tuning.max_launch);
    tensor_view<A, 1, partial_space> partials;
    unsigned segments = 0, per_segment = 0;
    for (index_t i = 0; i < cut.count; ++i) {
      operand_info ops[count];
      std::copy_n(planned, count, ops);
      reduce_plan p = plan;
      cut.enter(i, p.extents, ops, count);
      p.per_output = 1;
      for (int k = p.kept; k < p.kept + p.reduced; ++k)
        p.per_output *= p.extents[k];
      with_reduction(p, ops, [&](auto const& reduction, Out* out) {
        if (i == 0) {
          segments = reduction.segments();
          per_segment = static_cast<unsigned>((reduction.steps() + segments - 1) / segments);
          if (cut.count * segments > 1)
            partials.rebind(karpos::detail::allocate_view<A, 1, partial_space>(
                exec, extents<1>{{p.outputs * segments * cut.count}}, "karpos::reduce::partials"));
        }
        if (cut.count * segments > 1)
          reduction.launch(segments, per_segment, true, partials.data() + i * p.outputs * segments);
        else if (reduction.short_rows())
          reduction.launch_short_rows(out);
        else
          reduction.launch(1u, per_segment, false, out);
        if (i + 1 == cut.count && cut.count * segments > 1)
          join(reduction.space, segments, static_cast<unsigned>(cut.count), partials.data(), out);
      });
    }
  }

private:
  template <class F>
  void with_reduction(reduce_plan const& p, operand_info* ops, F const& f) const {
    auto const space = place_dimensions<R>(p, ops, count);
    access modes[count];
    for (int l = 0; l < count; ++l)
      modes[l] =
          aligned_along(ops[l], R, R - 1, lanes_of_reduction) ? access::vector : access::element;
    strided_binder<R> const binder{ops + 1, modes + 1};
    auto const bound = detail::bind<0>(binder, node);
    using bound_type = decltype(detail::bind<0>(binder, node));
    f(device_reduction<Reducer, T, Out, R, Exec, bound_type>{exec, bound, space, p.outputs,
                                                             p.per_output, p.inner_reduced},
      reinterpret_cast<Out*>(ops[0].address));
  }

  void join(reduce_space<R> const& space, unsigned segments, unsigned number_of_pieces,
            A const* partials, Out* out) const {
    using kernel = reduce_join_kernel<Exec, Reducer, A, Out, R>;
    bool const rows = plan.inner_reduced;
    unsigned const all = segments * number_of_pieces;
    kernel const k{partials,
                   rows ? segments : 1,
                   rows ? 1 : plan.outputs,
                   plan.outputs * segments,
                   fast_divisor(segments),
                   all,
                   space,
                   !rows,
                   out};
    if (all > 64)
      Kokkos::parallel_for("karpos::reduce::join",
                           light(Kokkos::TeamPolicy<Exec>(exec, static_cast<int>(plan.outputs),
                                                          host_execution<Exec> ? 1 : 256)),
                           k);
    else
      launch_kernel(exec, "karpos::reduce::join", static_cast<unsigned>(plan.outputs), k);
  }
};

/// Runs a planned reduction of `node` (elements of type T, ops[1..count)) into ops[0].
template <class Reducer, class T, class Out, int Rank, class Memory, class Exec, class Node>
void run_device_reduction(Exec const& exec, Node const& node, reduce_plan const& whole,
                          operand_info const* planned) {
  constexpr int count = expr::leaf_count<Node> + 1;
  pieces const cut(whole.extents, 0, whole.kept, tuning.max_launch);
  for (index_t i = 0; i < cut.count; ++i) {
    operand_info ops[count];
    std::copy_n(planned, count, ops);
    reduce_plan p = whole;
    cut.enter(i, p.extents, ops, count);
    p.outputs = 1;
    for (int k = 0; k < p.kept; ++k)
      p.outputs *= p.extents[k];
    output_piece<Reducer, T, Out, Rank, Memory, Exec, Node>{exec, node, p, ops}.run();
  }
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
