// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device engine: from a plan to one launch of the flat, rows or tiled kernel.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/policies.hpp>
#include <karpos/exec/detail/bind.hpp>
#include <karpos/exec/detail/device_kernels.hpp>
#include <karpos/exec/detail/device_tiles.hpp>
#include <karpos/exec/detail/pieces.hpp>
#include <karpos/exec/detail/strided.hpp>
#include <karpos/exec/detail/tuning.hpp>
#include <karpos/exec/plan.hpp>
#include <karpos/expr/node.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace karpos::inline KARPOS_ABI::exec::detail {

// Right-aligns the planned dimensions in R slots (leading extents of 1 and strides of 0); for tiled
// plans the transposed axis comes last but one.
template <int R>
void align_dimensions(plan& p, operand_info* ops, int count) {
  if (p.kind == plan_kind::tiled && p.transposed_axis != p.rank - 2) {
    std::swap(p.extents[p.transposed_axis], p.extents[p.rank - 2]);
    for (int l = 0; l < count; ++l)
      std::swap(ops[l].strides[p.transposed_axis], ops[l].strides[p.rank - 2]);
    p.transposed_axis = p.rank - 2;
  }
  int const shift = R - p.rank;
  for (int k = R - 1; k >= 0; --k) {
    p.extents[k] = k < shift ? 1 : p.extents[k - shift];
    for (int l = 0; l < count; ++l)
      ops[l].strides[k] = k < shift ? 0 : ops[l].strides[k - shift];
  }
  p.rank = R;
}

// True when packets of `lanes` elements along `axis` are aligned at every index.
inline bool aligned_along(operand_info const& op, int rank, int axis, int lanes) {
  int const bytes = op.element_size * lanes, alignment = bytes < 16 ? bytes : 16;
  if (op.is_virtual || op.strides[axis] != 1 ||
      op.address % static_cast<std::uintptr_t>(alignment) != 0)
    return false;
  for (int k = 0; k < rank; ++k)
    if (k != axis && op.strides[k] * op.element_size % alignment != 0)
      return false;
  return true;
}

inline access access_mode(operand_info const& op, plan const& p, int lanes) {
  if (aligned_along(op, p.rank, p.rank - 1, lanes))
    return access::vector;
  if (p.kind == plan_kind::tiled && !op.is_virtual && op.strides[p.rank - 2] == 1 &&
      (op.strides[p.rank - 1] > 1 || op.strides[p.rank - 1] < -1))
    return aligned_along(op, p.rank, p.rank - 2, lanes) ? access::scratch : access::scratch_element;
  return access::element;
}

template <class Exec, class Kernel, class Number>
void launch_kernel(Exec const& exec, char const* label, Number count, Kernel const& kernel) {
  Kokkos::parallel_for(
      label,
      kokkos_ext::light(Kokkos::RangePolicy<Exec, Kokkos::IndexType<Number>>(exec, 0, count)),
      kernel);
}

template <class D, class Exec, class Node>
void launch_flat(Exec const& exec, Node const& node, plan const& p, operand_info const* ops) {
  auto const bound = detail::bind<0>(flat_binder{ops + 1}, node);
  using kernel = flat_kernel<D, decltype(bind<0>(flat_binder{ops + 1}, node))>;
  index_t const packets = (p.size + kernel::lanes - 1) / kernel::lanes;
  launch_kernel(exec, "karpos::assign::flat", static_cast<int>(packets),
                kernel{reinterpret_cast<D*>(ops[0].address), bound, p.size});
}

template <class D, int R, class Exec, class Node>
void launch_rows(Exec const& exec, Node const& node, plan const& p, operand_info const* ops,
                 access const* modes) {
  strided_binder<R> const binder{ops + 1, modes + 1};
  using kernel = rows_kernel<D, decltype(detail::bind<0>(binder, node)), R>;
  kernel k{reinterpret_cast<D*>(ops[0].address),
           detail::bind<0>(binder, node),
           {},
           p.extents[R - 1],
           {},
           modes[0]};
  index_t count = 1;
  for (int d = 0; d < R; ++d) {
    k.strides[d] = ops[0].strides[d];
    index_t const n =
        d == R - 1 ? (p.extents[d] + kernel::lanes - 1) / kernel::lanes : p.extents[d];
    k.extents[d] = fast_divisor(static_cast<unsigned>(n));
    count *= n;
  }
  launch_kernel(exec,
                p.kind == plan_kind::strided ? "karpos::assign::strided" : "karpos::assign::rows",
                static_cast<unsigned>(count), k);
}

/// Places the tiles of the operands in scratch of `room` bytes; those for which none is left are
/// read element by element. Returns the bytes used.
template <class Shape>
int place_in_scratch(operand_info const* ops, access* modes, int count, int room, int* scratch) {
  int bytes = 0;
  for (int l = 1; l < count; ++l) {
    scratch[l] = bytes;
    if (modes[l] != access::scratch && modes[l] != access::scratch_element)
      continue;
    if (bytes + Shape::bytes(ops[l].element_size) <= room)
      bytes += Shape::bytes(ops[l].element_size);
    else
      modes[l] = access::element;
  }
  return bytes;
}

template <class D, int R, class Exec, class Node>
void launch_tiled(Exec const& exec, Node const& node, plan const& p, operand_info const* ops,
                  access* modes) {
  constexpr int leaves = expr::leaf_count<Node> + 1;
  using shape = tile_shape<static_cast<int>(sizeof(D))>;
  constexpr int alignment = 16;  // of the first tile
  int const room = Kokkos::TeamPolicy<Exec>::scratch_size_max(0) - alignment;
  int scratch[leaves];
  int const bytes = detail::place_in_scratch<shape>(ops, modes, leaves,
                                                    std::min(room, tuning.tile_scratch), scratch);
  strided_binder<R> const binder{ops + 1, modes + 1, scratch + 1};
  using kernel = tiled_kernel<Exec, D, decltype(detail::bind<0>(binder, node)), R>;
  kernel k{reinterpret_cast<D*>(ops[0].address),
           detail::bind<0>(binder, node),
           {},
           p.extents[R - 2],
           p.extents[R - 1],
           {},
           modes[0],
           bytes};
  index_t count = 1;
  constexpr index_t edge = shape::edge;
  for (int d = 0; d < R; ++d) {
    k.strides[d] = ops[0].strides[d];
    index_t const n = d >= R - 2 ? (p.extents[d] + edge - 1) / edge : p.extents[d];
    k.extents[d] = fast_divisor(static_cast<unsigned>(n));
    count *= n;
  }
  Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(count), kernel::threads, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(bytes + alignment));
  Kokkos::parallel_for("karpos::assign::tiled", kokkos_ext::light(policy), k);
}

// Tiles must be a quarter full at least: the threads of the rest have nothing to do.
inline bool fills_tiles(plan const& p, index_t edge) {
  auto tiled = [&](index_t n) { return (n + edge - 1) / edge * edge; };
  index_t const rows = p.extents[p.transposed_axis], columns = p.extents[p.rank - 1];
  return 4 * rows * columns >= tiled(rows) * tiled(columns);
}

template <class D, int Rank, class Exec, class Node>
void run_piece(Exec const& exec, Node const& node, plan p, operand_info* ops) {
  constexpr int R = Rank > 0 ? Rank : 1, count = expr::leaf_count<Node> + 1;
  using tile = tile_shape<static_cast<int>(sizeof(D))>;
  if (p.kind == plan_kind::tiled && !fills_tiles(p, tile::edge))
    p.kind = plan_kind::strided;
  int const lanes =
      p.kind == plan_kind::tiled ? tile::lanes : lanes_for(static_cast<int>(sizeof(D)));
  align_dimensions<R>(p, ops, count);
  access modes[count];
  bool vectors = true;
  for (int l = 0; l < count; ++l) {
    modes[l] = access_mode(ops[l], p, lanes);
    vectors &= ops[l].is_virtual || modes[l] == access::vector;
  }
  if constexpr (R > 1)
    if (p.kind == plan_kind::tiled)
      return launch_tiled<D, R>(exec, node, p, ops, modes);
  if (p.kind == plan_kind::flat && (vectors || lanes == 1)) {
    for (int l = 1; l < count; ++l)
      ops[l].strides[0] = ops[l].strides[R - 1];
    return launch_flat<D>(exec, node, p, ops);
  }
  launch_rows<D, R>(exec, node, p, ops, modes);
}

/// Runs a planned assignment on a device. ops[0] is the destination with elements of type D.
template <class D, int Rank, class Exec, class Node, int Count = expr::leaf_count<Node> + 1>
void run_on_device(Exec const& exec, Node const& node, plan const& whole,
                   operand_info const* planned) {
  pieces const cut(whole.extents, 0, whole.rank, tuning.max_launch);
  for (index_t i = 0; i < cut.count; ++i) {
    operand_info ops[Count];
    for (int l = 0; l < Count; ++l)
      ops[l] = planned[l];
    plan piece = whole;
    cut.enter(i, piece.extents, ops, Count);
    piece.size = 1;
    for (int k = 0; k < piece.rank; ++k)
      piece.size *= piece.extents[k];
    run_piece<D, Rank>(exec, node, piece, ops);
  }
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
