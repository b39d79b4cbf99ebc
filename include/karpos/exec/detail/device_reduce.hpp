// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a reduce_plan to the launches of the device's reduction kernels.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/policies.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/exec/detail/device_reduce_kernels.hpp>
#include <karpos/exec/detail/pieces.hpp>

#include <algorithm>
#include <cstdint>
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

/// Elements of a packet: 16 bytes of the widest operand in memory.
template <class Bound>
inline constexpr int lanes_of_walk = lanes_for(largest_read<Bound> > 0 ? largest_read<Bound> : 4);

/// Each step of a walk reads V elements at once: the operand lies side by side and aligned, or is
/// broadcast along the last dimension.
inline bool walks_in_packets(operand_info const& op, int rank, int lanes) {
  return op.is_virtual || op.strides[rank - 1] == 0 || aligned_along(op, rank, rank - 1, lanes);
}

/// Into how many parts the lines of an output, and each line, are cut.
struct segmentation {
  index_t lines = 1, across = 1;
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(lines * across); }
};

/// Launches one planned reduction whose outputs and whose elements per output fit 32 bits, or a
/// piece of a larger one.
template <class Reducer, class T, int V, class Out, int R, class Exec, class Bound>
struct device_reduction {
  Exec const& exec;
  Bound const& bound;
  reduce_space<R> const& space;
  index_t outputs, per_output;
  bool inner_reduced;

  [[nodiscard]] index_t across() const { return space.extents[R - 1]; }
  [[nodiscard]] index_t packets_across() const { return (across() + V - 1) / V; }
  /// Steps of a line: whole packets (rows), or rows.
  [[nodiscard]] index_t steps() const {
    return inner_reduced ? across() / V : space.kept < R - 1 ? space.extents[R - 2] : 1;
  }
  [[nodiscard]] index_t lines() const {
    index_t const line = inner_reduced ? across() : steps();
    return per_output / line;
  }
  [[nodiscard]] row_team team() const {
    return team_for_rows(exec, outputs, lines() * packets_across(), 1, tuning.reduce_warps);
  }

  /// Segments: enough to fill the device, each with work for its threads.
  [[nodiscard]] segmentation cut() const {
    index_t const device = kokkos_ext::concurrency(exec);
    index_t n;
    if (inner_reduced) {
      row_team const t = team();
      index_t const lanes = t.lanes();
      n = std::min(lines() * packets_across() / (4 * lanes), 2 * device / (outputs * lanes));
      if (lanes <= kokkos_ext::warp_lanes && !host_execution<Exec>)
        n = 1;
    } else {
      index_t const threads = packets_across() * (outputs / across());
      n = std::min(lines() * steps() / 32, device / (2 * threads));
    }
    n = std::clamp<index_t>(n, 1, 1 << 20);
    segmentation s;
    s.lines = std::min(n, lines());
    s.across = std::clamp<index_t>(n / s.lines, 1, std::max<index_t>(steps(), 1));
    return s;
  }

  /// Launches the segments of each output into `to`: the outputs, or partial results.
  template <class To>
  void launch(segmentation const& cut, bool partial, To* to) const {
    segment_grid grid;
    grid.lines = static_cast<unsigned>(lines());
    grid.steps = static_cast<unsigned>(steps());
    grid.lines_each = static_cast<unsigned>((lines() + cut.lines - 1) / cut.lines);
    grid.steps_each = static_cast<unsigned>((steps() + cut.across - 1) / cut.across);
    grid.across = fast_divisor(static_cast<unsigned>(cut.across));
    if (inner_reduced)
      launch_rows(grid, cut.count(), partial, to);
    else
      launch_columns(grid, cut.count(), partial, to);
  }

private:
  template <class To>
  void launch_rows(segment_grid const& grid, unsigned segments, bool partial, To* to) const {
    using kernel = reduce_rows_kernel<Exec, Reducer, T, V, To, Bound, R>;
    auto const t = team();
    auto const count = outputs * segments;
    launch_rows_kernel(exec, "karpos::reduce::rows", count, t, 1,
                       kernel{bound, space, grid, fast_divisor(segments),
                              static_cast<unsigned>(count),
                              std::min(t.log_lanes, log_from(grid.steps_each)), t, partial, to});
  }

  template <class To>
  void launch_columns(segment_grid const& grid, unsigned segments, bool partial, To* to) const {
    using kernel = reduce_columns_kernel<Reducer, T, V, To, Bound, R>;
    index_t const outer = outputs / across();
    launch_kernel(exec, "karpos::reduce::columns",
                  static_cast<unsigned>(packets_across() * outer * segments),
                  kernel{bound, space, grid, fast_divisor(static_cast<unsigned>(packets_across())),
                         fast_divisor(static_cast<unsigned>(outer)), outputs, partial, to});
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
    tensor_view<std::int64_t, 1, partial_space> storage;  // of partial results: of type A
    A* partials = nullptr;
    segmentation segments;
    for (index_t i = 0; i < cut.count; ++i) {
      operand_info ops[count];
      std::copy_n(planned, count, ops);
      reduce_plan p = plan;
      cut.enter(i, p.extents, ops, count);
      p.per_output = 1;
      for (int k = p.kept; k < p.kept + p.reduced; ++k)
        p.per_output *= p.extents[k];
      with_reduction(p, ops, [&](auto const& reduction, Out* out) {
        if (i == 0)
          segments = reduction.cut();
        index_t const parts = cut.count * segments.count();
        if (parts == 1) {
          reduction.launch(segments, false, out);
          return;
        }
        if (i == 0) {
          constexpr index_t word = sizeof(std::int64_t), size = sizeof(A);
          storage.rebind(karpos::detail::allocate_view<std::int64_t, 1, partial_space>(
              exec, extents<1>{{(p.outputs * parts * size + word - 1) / word}},
              "karpos::reduce::partials"));
          partials = reinterpret_cast<A*>(storage.data());
        }
        reduction.launch(segments, true, partials + i * p.outputs * segments.count());
        if (i + 1 == cut.count)
          join(reduction.space, segments.count(), static_cast<unsigned>(cut.count), partials, out);
      });
    }
  }

private:
  template <class F>
  void with_reduction(reduce_plan const& p, operand_info* ops, F const& f) const {
    auto const space = place_dimensions<R>(p, ops, count);
    access const modes[count]{};
    strided_binder<R> const binder{ops + 1, modes + 1};
    auto const bound = detail::bind<0>(binder, node);
    using bound_type = std::remove_cvref_t<decltype(bound)>;
    constexpr int V = lanes_of_walk<bound_type>;
    auto const run = [&]<int Lanes>(std::integral_constant<int, Lanes>) {
      f(device_reduction<Reducer, T, Lanes, Out, R, Exec, bound_type>{exec, bound, space, p.outputs,
                                                                      p.per_output,
                                                                      p.inner_reduced},
        reinterpret_cast<Out*>(ops[0].address));
    };
    bool packets = V > 1 && space.extents[R - 1] >= V;
    for (int l = 1; l < count; ++l)
      packets = packets && walks_in_packets(ops[l], R, V);
    if constexpr (V > 1)
      if (packets)
        return run(std::integral_constant<int, V>{});
    run(std::integral_constant<int, 1>{});
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
    if (all > 64 && plan.outputs < 1024)
      Kokkos::parallel_for(
          "karpos::reduce::join",
          kokkos_ext::light(Kokkos::TeamPolicy<Exec>(exec, static_cast<int>(plan.outputs),
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
