// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index spaces that one launch cannot count in 32 bits are cut into boxes that it can.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/exec/detail/tuning.hpp>
#include <karpos/exec/plan.hpp>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// The dimensions [first, last) of an index space, cut into boxes of at most `limit` indices.
/// Boxes are numbered in C order; those at the upper ends may be smaller.
struct pieces {
  int first = 0, last = 0;
  index_t step[max_rank]{};    ///< extents of a whole box
  index_t number[max_rank]{};  ///< of boxes along each dimension
  index_t count = 1;

  pieces(index_t const* extents, int from, int to, index_t limit) : first(from), last(to) {
    index_t size = 1;
    for (int k = first; k < last; ++k) {
      step[k] = extents[k];
      size *= extents[k];
    }
    while (size > limit) {
      int const axis = longest();
      size /= step[axis];
      step[axis] = size >= limit ? 1 : limit / size;
      size *= step[axis];
    }
    for (int k = first; k < last; ++k) {
      number[k] = (extents[k] + step[k] - 1) / step[k];
      count *= number[k];
    }
  }

  /// Moves ops[0..n) to the first element of box `piece` and writes its extents.
  void enter(index_t piece, index_t* extents, operand_info* ops, int n) const {
    for (int k = last - 1; k >= first; --k) {
      index_t const at = piece % number[k] * step[k];
      piece /= number[k];
      extents[k] = extents[k] - at < step[k] ? extents[k] - at : step[k];
      for (int l = 0; l < n; ++l) {
        index_t const skip = at * ops[l].strides[k];
        ops[l].address += static_cast<std::uintptr_t>(skip * ops[l].element_size);
        if (ops[l].is_virtual)
          ops[l].offset += skip;
      }
    }
  }

private:
  int longest() const {
    int axis = first;
    for (int k = first + 1; k < last; ++k)
      if (step[k] > step[axis])
        axis = k;
    return axis;
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
