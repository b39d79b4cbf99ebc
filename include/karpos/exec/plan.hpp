// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands as the planner sees them, and the plan: merged dimensions in the destination's order,
// and how to walk them. Nothing here depends on an expression's type: the code is compiled once.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>

#include <cstdint>
#include <utility>

namespace karpos::inline KARPOS_ABI::exec {

/// One operand of an assignment: strides per dimension, in elements.
struct operand_info {
  std::uintptr_t address = 0;  ///< of the first element (generators: 0)
  index_t offset = 0;          ///< generators: linear index of the first element
  index_t strides[max_rank]{};
  int element_size = 0;     ///< bytes
  bool is_virtual = false;  ///< a generator: computed, not loaded
};

enum class plan_kind {
  flat,       ///< one dimension, unit stride (or constant) in every operand
  rows,       ///< innermost dimension unit stride or constant in every operand
  tiled,      ///< some operand's unit-stride dimension is another one than the destination's
  strided,    ///< the rest
  row_stages  ///< devices: one row after the other through all stages of an expression
};

constexpr char const* to_string(plan_kind kind) {
  return kind == plan_kind::flat         ? "flat"
         : kind == plan_kind::rows       ? "rows"
         : kind == plan_kind::tiled      ? "tiled"
         : kind == plan_kind::row_stages ? "row_stages"
                                         : "strided";
}

struct plan {
  plan_kind kind = plan_kind::flat;
  int rank = 0;  ///< of the merged index space; the last dimension is the innermost
  index_t extents[max_rank]{};
  index_t size = 1;  ///< product of the extents
  int transposed_axis =
      0;  ///< tiled: the dimension in which the transposed operand has unit stride
};

namespace detail {

struct dimension {
  index_t extent;
  int source;  // axis before merging
};

inline void reverse_axis(operand_info* ops, int count, int axis, index_t extent) {
  for (int l = 0; l < count; ++l) {
    index_t const last = (extent - 1) * ops[l].strides[axis];
    ops[l].address += static_cast<std::uintptr_t>(last * ops[l].element_size);
    if (ops[l].is_virtual)
      ops[l].offset += last;
    ops[l].strides[axis] = -ops[l].strides[axis];
  }
}

// Dimensions of extent 1 drop out; the others in descending order of the destination's strides
// (stable).
inline int order_dimensions(int rank, index_t const* shape, operand_info const& dst,
                            dimension* dims) {
  int n = 0;
  for (int k = 0; k < rank; ++k)
    if (shape[k] != 1)
      dims[n++] = {shape[k], k};
  for (int a = 1; a < n; ++a)
    for (int b = a; b > 0 && dst.strides[dims[b - 1].source] < dst.strides[dims[b].source]; --b)
      std::swap(dims[b - 1], dims[b]);
  return n;
}

inline bool mergeable(operand_info const* ops, int count, dimension outer, dimension inner) {
  for (int l = 0; l < count; ++l)
    if (ops[l].strides[outer.source] != ops[l].strides[inner.source] * inner.extent)
      return false;
  return true;
}

inline plan_kind classify(plan& p, operand_info const* ops, int count) {
  int const inner = p.rank - 1;
  bool unit = true, unit_or_constant = true, transposed = false;
  for (int l = 0; l < count; ++l) {
    index_t const s = p.rank > 0 ? ops[l].strides[inner] : 1;
    unit &= s == 1;
    unit_or_constant &= s == 1 || s == 0;
    if (s == 1 || s == 0 || ops[l].is_virtual || transposed)
      continue;
    for (int k = 0; k < inner; ++k)
      if (ops[l].strides[k] == 1) {
        transposed = true;
        p.transposed_axis = k;
      }
  }
  if (p.rank <= 1 && unit)
    return plan_kind::flat;
  if (unit_or_constant)
    return plan_kind::rows;
  return transposed ? plan_kind::tiled : plan_kind::strided;
}

}  // namespace detail

/// Merges and orders the dimensions of an assignment; rewrites the strides (and addresses) of
/// ops[0..count) to the merged dimensions. ops[0] is the destination. `shape` has no extent of 0.
inline plan make_plan(int rank, index_t const* shape, operand_info* ops, int count) {
  for (int k = 0; k < rank; ++k)
    if (ops[0].strides[k] < 0 && shape[k] > 1)
      detail::reverse_axis(ops, count, k, shape[k]);
  detail::dimension dims[max_rank]{};
  int const n = detail::order_dimensions(rank, shape, ops[0], dims);
  plan p;
  int sources[max_rank]{};
  for (int a = 0; a < n; ++a) {
    if (p.rank > 0 && detail::mergeable(ops, count, {0, sources[p.rank - 1]}, dims[a])) {
      p.extents[p.rank - 1] *= dims[a].extent;
      sources[p.rank - 1] = dims[a].source;
    } else {
      p.extents[p.rank] = dims[a].extent;
      sources[p.rank++] = dims[a].source;
    }
  }
  for (int l = 0; l < count; ++l) {
    index_t merged[max_rank]{};
    for (int k = 0; k < p.rank; ++k)
      merged[k] = ops[l].strides[sources[k]];
    for (int k = 0; k < max_rank; ++k)
      ops[l].strides[k] = merged[k];
  }
  for (int k = 0; k < p.rank; ++k)
    p.size *= p.extents[k];
  p.kind = detail::classify(p, ops, count);
  return p;
}

}  // namespace karpos::inline KARPOS_ABI::exec
