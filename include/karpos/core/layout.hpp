// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layout<Rank>: shape, signed strides and offset of a strided array, and the pure functions that
// map one layout to another (slice, permute, flip, broadcast, ...). No memory, no tensors: every
// view operation is one of these.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/slices.hpp>

#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// Element (i, j, ...) lies at offset + i * strides[0] + j * strides[1] + ..., in elements.
template <int Rank>
struct layout {
  static constexpr int rank = Rank;
  extents<Rank> shape{};
  extents<Rank> strides{};
  index_t offset = 0;
};

/// Row-major layout of a shape.
template <int Rank>
constexpr layout<Rank> row_major(extents<Rank> const& shape) {
  return {shape, row_major_strides(shape), 0};
}

/// axis in [-rank, rank) counted from 0. @throws index_error naming function, axis and rank.
inline int normal_axis(char const* function, index_t axis, int rank) {
  if (axis < -rank || axis >= rank)
    throw index_error(std::string("karpos::") + function + ": axis " + std::to_string(axis) +
                      " is out of range for rank " + std::to_string(rank));
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

/// True when the elements lie in C order without gaps (extents of 1 do not matter, nothing is
/// contiguous too).
template <int Rank>
constexpr bool is_row_major(extents<Rank> const& shape, extents<Rank> const& strides) {
  index_t step = 1;
  bool dense = true;
  for (int i = Rank - 1; i >= 0; --i) {
    if (shape[i] == 0)
      return true;
    dense &= shape[i] == 1 || strides[i] == step;
    step = wrapping_product(step, shape[i]);
  }
  return dense;
}

namespace detail {
KARPOS_COLD inline void throw_index(index_t index, int axis, index_t const* shape, int rank) {
  throw index_error("karpos::tensor: index " + std::to_string(index) +
                    " is out of range for axis " + std::to_string(axis) + " of shape " +
                    to_string(shape, rank));
}

// index -> position on an axis of a given extent; negative indices count from the end.
inline index_t checked_index(index_t index, int axis, index_t const* shape, int rank) {
  index_t const position = index < 0 ? index + shape[axis] : index;
  if (position < 0 || position >= shape[axis])
    throw_index(index, axis, shape, rank);
  return position;
}

struct resolved_range {
  index_t begin, length;
};
// Python's rule for slices (the same clipping as slice.indices).
constexpr resolved_range resolve(range const& r, index_t extent) {
  if (r.step == 0)
    throw argument_error("karpos::range: step must not be 0");
  auto clip = [](index_t v, index_t low, index_t high) {
    return v < low ? low : v > high ? high : v;
  };
  if (r.step > 0) {
    index_t const b =
        r.begin == range::missing ? 0 : clip(r.begin < 0 ? r.begin + extent : r.begin, 0, extent);
    index_t const e =
        r.end == range::missing ? extent : clip(r.end < 0 ? r.end + extent : r.end, 0, extent);
    return {b, e > b ? (e - b - 1) / r.step + 1 : 0};
  }
  index_t const b = r.begin == range::missing
                        ? extent - 1
                        : clip(r.begin < 0 ? r.begin + extent : r.begin, -1, extent - 1);
  index_t const e =
      r.end == range::missing ? -1 : clip(r.end < 0 ? r.end + extent : r.end, -1, extent - 1);
  return {b, b > e ? (b - e - 1) / -(r.step + (r.step == INT64_MIN)) + 1 : 0};
}

// State while the arguments of one slice are applied from left to right.
template <int Rank, int Out>
struct slicer {
  layout<Rank> const& in;
  layout<Out> out{};
  int axis = 0, result = 0;

  template <class A>
  void take(A const& a) {
    if constexpr (index_like<A>) {
      index_t const at = checked_index(dim(a).value, axis, in.shape.values, Rank);
      out.offset = wrapping_sum(out.offset, wrapping_product(at, in.strides[axis]));
      ++axis;
    } else if constexpr (std::is_same_v<A, newaxis_t>) {
      push(1, 0);
    } else if constexpr (std::is_same_v<A, range>) {
      auto const r = resolve(a, in.shape[axis]);
      if (r.length > 0)  // an empty slice never points past the end
        out.offset = wrapping_sum(out.offset, wrapping_product(r.begin, in.strides[axis]));
      push(r.length, r.length > 1 ? wrapping_product(in.strides[axis], a.step) : in.strides[axis]);
      ++axis;
    } else {
      whole();
    }
  }
  void whole() {
    push(in.shape[axis], in.strides[axis]);
    ++axis;
  }
  void push(index_t extent, index_t stride) {
    out.shape[result] = extent;
    out.strides[result] = stride;
    ++result;
  }
};
}  // namespace detail

/// Rank of `t(args...)` for a tensor of rank Rank.
template <int Rank, class... A>
inline constexpr int sliced_rank =
    Rank - (detail::axes_used<A> + ... + 0) + (detail::axes_left<A> + ... + 0);

/// Layout of `t(args...)`; axes that are not named stay whole. @throws index_error for an integer
/// out of range.
template <int Rank, class... A>
layout<sliced_rank<Rank, A...>> slice(layout<Rank> const& in, A const&... args) {
  detail::slicer<Rank, sliced_rank<Rank, A...>> s{in};
  s.out.offset = in.offset;
  (s.take(args), ...);
  while (s.axis < Rank)
    s.whole();
  return s.out;
}

/// Axis i of the result is axis order[i] of the operand.
template <int Rank>
layout<Rank> permute(layout<Rank> const& in, extents<Rank> const& order) {
  layout<Rank> out{{}, {}, in.offset};
  for (int i = 0; i < Rank; ++i) {
    out.shape[i] = in.shape[static_cast<int>(order[i])];
    out.strides[i] = in.strides[static_cast<int>(order[i])];
  }
  return out;
}

/// Reverses an axis.
template <int Rank>
layout<Rank> flip(layout<Rank> in, int axis) {
  if (in.shape[axis] > 0)
    in.offset = wrapping_sum(in.offset, wrapping_product(in.shape[axis] - 1, in.strides[axis]));
  in.strides[axis] = wrapping_product(-1, in.strides[axis]);
  return in;
}

/// Inserts an axis of extent 1 before `axis` of the result.
template <int Rank>
layout<Rank + 1> insert_axis(layout<Rank> const& in, int axis) {
  layout<Rank + 1> out{{}, {}, in.offset};
  for (int i = 0, k = 0; i <= Rank; ++i) {
    out.shape[i] = i == axis ? 1 : in.shape[k];
    out.strides[i] = i == axis ? 0 : in.strides[k];
    k += i != axis;
  }
  return out;
}

/// Drops an axis (its extent is the caller's business).
template <int Rank>
layout<Rank - 1> remove_axis(layout<Rank> const& in, int axis) {
  layout<Rank - 1> out{{}, {}, in.offset};
  for (int i = 0, k = 0; i < Rank; ++i)
    if (i != axis) {
      out.shape[k] = in.shape[i];
      out.strides[k++] = in.strides[i];
    }
  return out;
}

/// Right-aligned broadcast to a shape that is known to fit: stretched and new axes get stride 0.
template <int Out, int Rank>
layout<Out> stretch(layout<Rank> const& in, extents<Out> const& shape) {
  static_assert(Out >= Rank);
  layout<Out> out{shape, {}, in.offset};
  for (int i = 0; i < Rank; ++i)
    out.strides[Out - Rank + i] = in.shape[i] == 1 ? 0 : in.strides[i];
  return out;
}

/// The diagonal (i, i + k) over axes a and b, appended as the last axis.
template <int Rank>
layout<Rank - 1> diagonal(layout<Rank> const& in, index_t k, int a, int b) {
  layout<Rank - 1> out{{}, {}, in.offset};
  index_t const rows = k < 0 ? in.shape[a] + k : in.shape[a],  // both extents are >= 0: no overflow
      cols = k > 0 ? in.shape[b] - k : in.shape[b];
  index_t const length = rows < cols ? rows : cols;
  for (int i = 0, r = 0; i < Rank; ++i)
    if (i != a && i != b) {
      out.shape[r] = in.shape[i];
      out.strides[r++] = in.strides[i];
    }
  out.shape[Rank - 2] = length > 0 ? length : 0;
  out.strides[Rank - 2] = wrapping_sum(in.strides[a], in.strides[b]);
  if (length > 0)
    out.offset = wrapping_sum(out.offset, k > 0 ? wrapping_product(k, in.strides[b])
                                                : wrapping_product(-k, in.strides[a]));
  return out;
}

/// Strides that show the same elements in another shape without a copy. False when a copy is
/// needed. Sizes must agree. Rule: within each group of merged axes the operand must be contiguous.
template <int Out, int Rank>
bool reshape_strides(layout<Rank> const& in, extents<Out> const& shape, extents<Out>& strides) {
  if (Rank == 0 || Out == 0 || shape.size() == 0 || is_row_major(in.shape, in.strides)) {
    strides = row_major_strides(shape);
    return true;
  }
  int i = 0, o = 0;
  while (i < Rank || o < Out) {
    index_t n = i < Rank ? in.shape[i] : 1, m = o < Out ? shape[o] : 1;
    int ie = i < Rank ? i + 1 : i, oe = o < Out ? o + 1 : o;
    while (n != m) {
      if (n < m)
        n *= in.shape[ie++];
      else
        m *= shape[oe++];
    }
    // skip extents of 1 inside the group: their strides say nothing
    index_t step = 0, run = 1;
    for (int k = ie - 1; k >= i; --k) {
      if (in.shape[k] == 1)
        continue;
      if (run == 1)
        step = in.strides[k];
      else if (in.strides[k] != wrapping_product(step, run))
        return false;
      run *= in.shape[k];
    }
    for (int k = oe - 1; k >= o; --k) {
      strides[k] = step;
      step = wrapping_product(step, shape[k]);
    }
    i = ie;
    o = oe;
  }
  return true;
}

}  // namespace karpos::inline KARPOS_ABI
