// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a reduction: kept and reduced dimensions merged, each class ordered by the strides of
// the operand that decides the speed, and which of the two the innermost dimension belongs to.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/exec/plan.hpp>

#include <utility>

namespace karpos::inline KARPOS_ABI::exec {

/// Index space of a reduction: dimensions [0, kept) are kept, [kept, kept + reduced) are reduced.
/// After planning the operands' and the output's strides follow these dimensions (the output's are
/// 0 in reduced ones).
struct reduce_plan {
  int kept = 0, reduced = 0;
  index_t extents[max_rank]{};
  index_t outputs = 1;        ///< product of the kept extents
  index_t per_output = 1;     ///< product of the reduced extents
  bool inner_reduced = true;  ///< the fastest dimension of the deciding operand is a reduced one
};

namespace detail {

// The operand whose order of dimensions decides: the one with most elements in memory (fewest
// broadcast axes).
inline operand_info const& deciding_operand(operand_info const* ops, int count, int rank,
                                            index_t const* shape) {
  int best = 0;
  index_t most = -1;
  for (int l = 1; l < count; ++l) {
    index_t elements = 1;
    for (int k = 0; k < rank; ++k)
      if (ops[l].strides[k] != 0)
        elements *= shape[k];
    if (!ops[l].is_virtual)
      elements *= 2;  // memory decides before generators
    if (elements > most) {
      most = elements;
      best = l;
    }
  }
  return ops[best];
}

inline index_t magnitude(index_t x) { return x < 0 ? -x : x; }

// Appends the dimensions of one class, ordered by descending stride and merged, to out; returns
// their number.
inline int order_class(int rank, index_t const* shape, bool const* reduced, bool want,
                       operand_info const& guide, operand_info const* ops, int count,
                       dimension* out) {
  int n = 0;
  for (int k = 0; k < rank; ++k)
    if (reduced[k] == want && shape[k] != 1)
      out[n++] = {shape[k], k};
  for (int a = 1; a < n; ++a)
    for (int b = a; b > 0 && magnitude(guide.strides[out[b - 1].source]) <
                                 magnitude(guide.strides[out[b].source]);
         --b)
      std::swap(out[b - 1], out[b]);
  int merged = 0;
  for (int a = 0; a < n; ++a) {
    if (merged > 0 && mergeable(ops, count, {0, out[merged - 1].source}, out[a]))
      out[merged - 1] = {out[merged - 1].extent * out[a].extent, out[a].source};
    else
      out[merged++] = out[a];
  }
  return merged;
}

}  // namespace detail

/// ops[0] is the output (stride 0 in reduced axes), ops[1..count) the operands; rewrites their
/// strides.
inline reduce_plan make_reduce_plan(int rank, index_t const* shape, bool const* reduced,
                                    operand_info* ops, int count) {
  for (int k = 0; k < rank; ++k)
    if (reduced[k] && shape[k] > 1 &&
        detail::deciding_operand(ops, count, rank, shape).strides[k] < 0)
      detail::reverse_axis(ops, count, k, shape[k]);
  auto const guide = detail::deciding_operand(ops, count, rank, shape);
  detail::dimension dims[max_rank]{};
  reduce_plan p;
  p.kept = detail::order_class(rank, shape, reduced, false, guide, ops, count, dims);
  p.reduced = detail::order_class(rank, shape, reduced, true, guide, ops, count, dims + p.kept);
  int const n = p.kept + p.reduced;
  for (int k = 0; k < n; ++k) {
    p.extents[k] = dims[k].extent;
    (k < p.kept ? p.outputs : p.per_output) *= dims[k].extent;
  }
  auto stride_of = [&](int d) {
    index_t const s = detail::magnitude(guide.strides[dims[d].source]);
    return s == 0 ? INT64_MAX : s;
  };
  p.inner_reduced = p.kept == 0 || (p.reduced > 0 && stride_of(n - 1) <= stride_of(p.kept - 1));
  for (int l = 0; l < count; ++l) {
    index_t moved[max_rank]{};
    for (int k = 0; k < n; ++k)
      moved[k] = ops[l].strides[dims[k].source];
    for (int k = 0; k < max_rank; ++k)
      ops[l].strides[k] = moved[k];
  }
  return p;
}

}  // namespace karpos::inline KARPOS_ABI::exec
