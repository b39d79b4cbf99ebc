// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overlap between the destination of an assignment and its operands.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/exec/plan.hpp>

#include <cstdint>
#include <numeric>

namespace karpos::inline KARPOS_ABI::exec {

namespace detail {

struct byte_range {
  std::uintptr_t first, last;  // one past the end
};
inline byte_range bounds(operand_info const& op, int rank, index_t const* shape) {
  index_t low = 0, high = 0;
  for (int k = 0; k < rank; ++k) {
    index_t const reach = (shape[k] - 1) * op.strides[k];
    (reach < 0 ? low : high) += reach;
  }
  return {op.address + static_cast<std::uintptr_t>(low * op.element_size),
          op.address + static_cast<std::uintptr_t>((high + 1) * op.element_size)};
}

inline bool same_elements(operand_info const& a, operand_info const& b, int rank, index_t const* shape) {
  if (a.address != b.address || a.element_size != b.element_size) return false;
  for (int k = 0; k < rank; ++k)
    if (shape[k] > 1 && a.strides[k] != b.strides[k]) return false;
  return true;
}

// Every address of either operand is its start plus a multiple of g elements: starts that differ by something else
// can never meet (a(::2) against a(1::2), real against imaginary parts).
inline bool interleaved(operand_info const& a, operand_info const& b, int rank, index_t const* shape) {
  if (a.element_size != b.element_size) return false;
  index_t g = 0;
  for (int k = 0; k < rank; ++k)
    if (shape[k] > 1) g = std::gcd(g, std::gcd(a.strides[k], b.strides[k]));
  index_t const bytes = static_cast<index_t>(a.address - b.address);
  return bytes % a.element_size == 0 && g > 0 && (bytes / a.element_size) % g != 0;
}

}  // namespace detail

/// True when writing ops[0] may change what another operand reads at a different index. Operands that are the
/// destination itself are safe: every element is read before it is written.
inline bool overlaps(operand_info const* ops, int count, int rank, index_t const* shape) {
  auto const d = detail::bounds(ops[0], rank, shape);
  for (int l = 1; l < count; ++l) {
    if (ops[l].is_virtual || detail::same_elements(ops[0], ops[l], rank, shape)) continue;
    auto const s = detail::bounds(ops[l], rank, shape);
    if (s.first < d.last && d.first < s.last && !detail::interleaved(ops[0], ops[l], rank, shape)) return true;
  }
  return false;
}

/// True when two indices of the destination share an element (a broadcast or self-overlapping view): not writable.
/// Sorted by stride, each dimension must step over the span of the smaller ones.
inline bool self_overlapping(operand_info const& dst, int rank, index_t const* shape) {
  index_t strides[max_rank], extent[max_rank];
  int n = 0;
  for (int k = 0; k < rank; ++k) {
    if (shape[k] <= 1) continue;
    index_t const s = dst.strides[k] < 0 ? -dst.strides[k] : dst.strides[k];
    int at = n++;
    for (; at > 0 && strides[at - 1] > s; --at) {
      strides[at] = strides[at - 1];
      extent[at] = extent[at - 1];
    }
    strides[at] = s;
    extent[at] = shape[k];
  }
  index_t span = 0;
  for (int k = 0; k < n; ++k) {
    if (strides[k] <= span) return true;
    span += (extent[k] - 1) * strides[k];
  }
  return false;
}

}  // namespace karpos::inline KARPOS_ABI::exec
