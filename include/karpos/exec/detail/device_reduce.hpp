// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a reduce_plan to the launches of the device's reduction kernels.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/exec/detail/device_reduce_kernels.hpp>

#include <algorithm>
#include <climits>
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

template <class Reducer, class T, class Out, int R, class Exec, class Memory, class Bound>
class device_reduction {
public:
  using A = typename Reducer::template accumulator<T>;
  static constexpr int V = lanes_of_reduction;
  using partial_space = normal_space_t<Kokkos::Device<Exec, Memory>>;

  device_reduction(Exec const& exec, Bound const& bound, reduce_space<R> const& space,
                   reduce_plan const& plan, Out* out)
      : exec_(exec), bound_(bound), space_(space), plan_(plan), out_(out) {}

  void run() {
    if (plan_.inner_reduced)
      rows();
    else
      columns();
  }

private:
  static constexpr int team_size = host_execution<Exec> ? 1 : 256;

  // Enough segments to fill the device twice, each with work for a team.
  unsigned segments_for(index_t parallel, index_t steps, index_t least) const {
    index_t const wanted = 2 * static_cast<index_t>(exec_.concurrency());
    index_t const n =
        std::min(steps / std::max<index_t>(least, 1), wanted / std::max<index_t>(parallel, 1));
    return static_cast<unsigned>(std::clamp<index_t>(n, 1, 1 << 20));
  }

  A* partials(index_t count) {
    storage_.rebind(karpos::detail::allocate_view<A, 1, partial_space>(exec_, extents<1>{{count}},
                                                                       "karpos::reduce::partials"));
    return storage_.data();
  }

  void rows() {
    index_t const across = space_.extents[R - 1], per_row = (across + V - 1) / V;
    index_t const packets = plan_.per_output / across * per_row;
    fast_divisor const row(static_cast<unsigned>(per_row));
    if (packets <= 16 && plan_.outputs >= 1024) {
      using kernel = reduce_short_rows_kernel<Reducer, T, Out, Bound, R>;
      launch_kernel(exec_, "karpos::reduce::short_rows", static_cast<unsigned>(plan_.outputs),
                    kernel{bound_, space_, row, static_cast<unsigned>(packets), out_});
      return;
    }
    unsigned const wanted = segments_for(plan_.outputs * team_size, packets, 4 * team_size);
    unsigned const per_segment = static_cast<unsigned>((packets + wanted - 1) / wanted);
    unsigned const segments =
        static_cast<unsigned>((packets + per_segment - 1) / per_segment);  // none is empty
    if (segments > 1) {
      launch_rows(row, packets, per_segment, segments, partials(plan_.outputs * segments));
      join(segments, segments, 1, false);
    } else {
      launch_rows(row, packets, per_segment, segments, out_);
    }
  }

  template <class To>
  void launch_rows(fast_divisor row, index_t packets, unsigned per_segment, unsigned segments,
                   To* to) {
    using kernel = reduce_rows_kernel<Exec, Reducer, T, To, Bound, R>;
    Kokkos::parallel_for(
        "karpos::reduce::rows",
        Kokkos::TeamPolicy<Exec>(exec_, static_cast<int>(plan_.outputs * segments), team_size),
        kernel{bound_, space_, row, static_cast<unsigned>(packets), per_segment,
               fast_divisor(segments), to});
  }

  void columns() {
    index_t const across = space_.extents[R - 1], packets = (across + V - 1) / V,
                  outer = plan_.outputs / across;
    unsigned const wanted = segments_for(packets * outer, plan_.per_output, 32);
    unsigned const per_segment = static_cast<unsigned>((plan_.per_output + wanted - 1) / wanted);
    unsigned const segments =
        static_cast<unsigned>((plan_.per_output + per_segment - 1) / per_segment);
    if (segments > 1) {
      launch_columns(packets, outer, per_segment, segments, partials(plan_.outputs * segments));
      join(segments, 1, plan_.outputs, true);
    } else {
      launch_columns(packets, outer, per_segment, segments, out_);
    }
  }

  template <class To>
  void launch_columns(index_t packets, index_t outer, unsigned per_segment, unsigned segments,
                      To* to) {
    using kernel = reduce_columns_kernel<Reducer, T, To, Bound, R>;
    launch_kernel(
        exec_, "karpos::reduce::columns", static_cast<unsigned>(packets * outer * segments),
        kernel{bound_, space_, fast_divisor(static_cast<unsigned>(packets)),
               fast_divisor(static_cast<unsigned>(outer)), static_cast<unsigned>(plan_.per_output),
               per_segment, plan_.outputs, segments > 1, to});
  }

  void join(unsigned segments, index_t output_stride, index_t segment_stride, bool inner_kept) {
    using kernel = reduce_join_kernel<Exec, Reducer, A, Out, R>;
    kernel const k{storage_.data(), output_stride, segment_stride, segments, space_,
                   inner_kept,      out_};
    if (segments > 64)
      Kokkos::parallel_for(
          "karpos::reduce::join",
          Kokkos::TeamPolicy<Exec>(exec_, static_cast<int>(plan_.outputs), team_size), k);
    else
      launch_kernel(exec_, "karpos::reduce::join", static_cast<unsigned>(plan_.outputs), k);
  }

  Exec const& exec_;
  Bound const& bound_;
  reduce_space<R> const& space_;
  reduce_plan const& plan_;
  Out* out_;
  tensor_view<A, 1, partial_space> storage_;
};

/// Runs a planned reduction of `node` (elements of type T, ops[1..count)) into ops[0].
template <class Reducer, class T, class Out, int Rank, class Memory, class Exec, class Node>
void run_device_reduction(Exec const& exec, Node const& node, reduce_plan const& p,
                          operand_info* ops) {
  constexpr int R = Rank > 1 ? Rank : 2, count = expr::leaf_count<Node> + 1;
  auto const space = place_dimensions<R>(p, ops, count);
  access modes[count];
  for (int l = 0; l < count; ++l)
    modes[l] =
        aligned_along(ops[l], R, R - 1, lanes_of_reduction) ? access::vector : access::element;
  strided_binder<R> const binder{ops + 1, modes + 1};
  auto const bound = detail::bind<0>(binder, node);
  device_reduction<Reducer, T, Out, R, Exec, Memory, decltype(detail::bind<0>(binder, node))>(
      exec, bound, space, p, reinterpret_cast<Out*>(ops[0].address))
      .run();
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
