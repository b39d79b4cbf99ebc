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

inline bool same_elements(operand_info const& a, operand_info const& b, int rank,
                          index_t const* shape) {
  if (a.address != b.address || a.element_size != b.element_size)
    return false;
  for (int k = 0; k < rank; ++k)
    if (shape[k] > 1 && a.strides[k] != b.strides[k])
      return false;
  return true;
}

// Every address of either operand is its start plus a multiple of g elements: starts that differ by
// something else can never meet (a(::2) against a(1::2), real against imaginary parts).
inline bool interleaved(operand_info const& a, operand_info const& b, int rank,
                        index_t const* shape) {
  if (a.element_size != b.element_size)
    return false;
  index_t g = 0;
  for (int k = 0; k < rank; ++k)
    if (shape[k] > 1)
      g = std::gcd(g, std::gcd(a.strides[k], b.strides[k]));
  index_t const bytes = static_cast<index_t>(a.address - b.address);
  return bytes % a.element_size == 0 && g > 0 && (bytes / a.element_size) % g != 0;
}

// The dimensions of an operand without those of extent 1, magnitudes of strides ascending.
struct sorted_strides {
  index_t stride[max_rank]{}, extent[max_rank]{};
  int n = 0;
  sorted_strides(operand_info const& op, int rank, index_t const* shape) {
    for (int k = 0; k < rank; ++k) {
      if (shape[k] <= 1)
        continue;
      index_t const s = op.strides[k] < 0 ? -op.strides[k] : op.strides[k];
      int at = n++;
      for (; at > 0 && stride[at - 1] > s; --at) {
        stride[at] = stride[at - 1];
        extent[at] = extent[at - 1];
      }
      stride[at] = s;
      extent[at] = shape[k];
    }
  }
  /// Distance from the first to the last element over the `count` smallest strides.
  [[nodiscard]] index_t span(int count) const {
    index_t sum = 0;
    for (int k = 0; k < count; ++k)
      sum += (extent[k] - 1) * stride[k];
    return sum;
  }
  /// Each dimension steps over the span of the smaller ones: no two indices share an element.
  [[nodiscard]] bool nested() const {
    for (int k = 0; k < n; ++k)
      if (stride[k] <= span(k))
        return false;
    return true;
  }
  /// `distance` is the distance of two elements, over the `count` smallest strides. For nested
  /// strides.
  [[nodiscard]] bool reaches(index_t distance, int count) const {
    if (count == 0)
      return distance == 0;
    int const k = count - 1;
    index_t const rest = span(k);
    index_t const steps = distance / stride[k];
    for (index_t d = steps - 1; d <= steps + 1; ++d) {
      index_t const left = distance - d * stride[k];
      if (d > -extent[k] && d < extent[k] && left >= -rest && left <= rest && reaches(left, k))
        return true;
    }
    return false;
  }
};

// Two operands of the same nested strides (blocks of one matrix, even and odd rows): exact.
inline bool disjoint_blocks(operand_info const& a, operand_info const& b, int rank,
                            index_t const* shape) {
  index_t const bytes = static_cast<index_t>(a.address - b.address);
  if (a.element_size != b.element_size || bytes % a.element_size != 0)
    return false;
  for (int k = 0; k < rank; ++k)
    if (shape[k] > 1 && a.strides[k] != b.strides[k])
      return false;
  sorted_strides const s(a, rank, shape);
  return s.nested() && !s.reaches(bytes / a.element_size, s.n);
}

}  // namespace detail

/// True when writing ops[0] may change what another operand reads at a different index. Operands
/// that are the destination itself are safe: every element is read before it is written.
inline bool overlaps(operand_info const* ops, int count, int rank, index_t const* shape) {
  auto const d = detail::bounds(ops[0], rank, shape);
  for (int l = 1; l < count; ++l) {
    if (ops[l].is_virtual || detail::same_elements(ops[0], ops[l], rank, shape))
      continue;
    auto const s = detail::bounds(ops[l], rank, shape);
    if (s.first < d.last && d.first < s.last && !detail::interleaved(ops[0], ops[l], rank, shape) &&
        !detail::disjoint_blocks(ops[0], ops[l], rank, shape))
      return true;
  }
  return false;
}

/// True when two indices of the destination may share an element (a broadcast or self-overlapping
/// view): not writable.
inline bool self_overlapping(operand_info const& dst, int rank, index_t const* shape) {
  return !detail::sorted_strides(dst, rank, shape).nested();
}

}  // namespace karpos::inline KARPOS_ABI::exec
