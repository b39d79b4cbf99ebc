// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// View operations: transpose, permute, flip, squeeze, ... On tensors and views they give views of
// the same elements; on expressions they are pushed to the leaves. Nothing is copied, except where
// reshape cannot be a view.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/broadcast.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/core/wrap.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/expr/relayout.hpp>

#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

namespace ops::detail {

// A view that may be written when the operand may; expressions stay expressions.
template <class X, class Change>
auto change_layout(X&& x, Change const& change) {
  if constexpr (is_tensor<X>) {
    return detail::change_layout(x.view(), change);
  } else if constexpr (is_tensor_view<X>) {
    using V = std::remove_cvref_t<X>;
    auto const to = change(x.get_layout());
    return tensor_view<typename V::element_type, std::remove_cvref_t<decltype(to)>::rank,
                       typename V::space>(x.data(), to, x.owner());
  } else if constexpr (kokkos_view<X>) {
    return detail::change_layout(karpos::wrap(x), change);
  } else {
    return expr::relayout(x, x.shape(), change);
  }
}

template <class X>
inline constexpr int rank_of = expr::node_of<std::remove_cvref_t<X>>::rank;

template <int N>
extents<N> normal_axes(char const* function, dim const (&axes)[N], int rank) {
  extents<N> out;
  for (int i = 0; i < N; ++i)
    out[i] = normal_axis(function, axes[i].value, rank);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < i; ++j)
      if (out[i] == out[j])
        throw index_error(std::string("karpos::") + function + ": axis " + std::to_string(out[i]) +
                          " is given twice");
  return out;
}

}  // namespace ops::detail

/// Axis i of the result is axis order[i] of x; one integer per axis. @throws index_error for a bad
/// axis.
template <class X, index_like... I>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto permute(X&& x, I... order) {
  constexpr int rank = ops::detail::rank_of<X>;
  static_assert(sizeof...(I) == rank, "karpos::permute: one axis per dimension of the operand");
  if constexpr (sizeof...(I) == rank && rank > 0) {
    dim const axes[]{dim(order)...};
    auto const n = ops::detail::normal_axes<rank>("permute", axes, rank);
    return ops::detail::change_layout(x, [&](layout<rank> const& l) { return permute(l, n); });
  } else {
    return ops::detail::change_layout(x, [](layout<rank> const& l) { return l; });
  }
}

/// All axes in reverse order (as NumPy); of a matrix: the transpose.
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto transpose(X&& x) {
  constexpr int rank = ops::detail::rank_of<X>;
  extents<rank> order;
  for (int i = 0; i < rank; ++i)
    order[i] = rank - 1 - i;
  return ops::detail::change_layout(x, [&](layout<rank> const& l) { return permute(l, order); });
}
/// NumPy's transpose with axes: the same as permute.
template <class X, index_like... I>
  requires(array_operand<std::remove_cvref_t<X>> && sizeof...(I) > 0)
[[nodiscard]] auto transpose(X&& x, I... order) {
  return karpos::permute(x, order...);
}

/// Exchanges two axes. @throws index_error.
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto swapaxes(X&& x, index_t a, index_t b) {
  constexpr int rank = ops::detail::rank_of<X>;
  extents<rank> order;
  for (int i = 0; i < rank; ++i)
    order[i] = i;
  int const p = normal_axis("swapaxes", a, rank), q = normal_axis("swapaxes", b, rank);
  order[p] = q;
  order[q] = p;
  return ops::detail::change_layout(x, [&](layout<rank> const& l) { return permute(l, order); });
}

/// Moves axis `from` to position `to`; the others keep their order. @throws index_error.
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto moveaxis(X&& x, index_t from, index_t to) {
  constexpr int rank = ops::detail::rank_of<X>;
  int const f = normal_axis("moveaxis", from, rank), t = normal_axis("moveaxis", to, rank);
  extents<rank> order;
  for (int i = 0, next = 0; i < rank; ++i) {
    if (i == t) {
      order[i] = f;
      continue;
    }
    next += next == f;
    order[i] = next++;
  }
  return ops::detail::change_layout(x, [&](layout<rank> const& l) { return permute(l, order); });
}

/// Reverses the order along every axis, or along one. @throws index_error.
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto flip(X&& x) {
  constexpr int rank = ops::detail::rank_of<X>;
  return ops::detail::change_layout(x, [](layout<rank> l) {
    for (int i = 0; i < rank; ++i)
      l = flip(l, i);
    return l;
  });
}
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto flip(X&& x, index_t axis) {
  constexpr int rank = ops::detail::rank_of<X>;
  int const a = normal_axis("flip", axis, rank);
  return ops::detail::change_layout(x, [&](layout<rank> const& l) { return flip(l, a); });
}

/// Inserts an axis of extent 1 at position `axis` of the result. @throws index_error.
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto expand_dims(X&& x, index_t axis) {
  constexpr int rank = ops::detail::rank_of<X>;
  static_assert(rank < max_rank, "karpos::expand_dims: the result would have more than 8 axes");
  int const a = normal_axis("expand_dims", axis, rank + 1);
  return ops::detail::change_layout(x, [&](layout<rank> const& l) { return insert_axis(l, a); });
}

/// Drops an axis of extent 1. @throws index_error, shape_error when the extent is not 1.
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto squeeze(X&& x, index_t axis) {
  constexpr int rank = ops::detail::rank_of<X>;
  static_assert(rank > 0, "karpos::squeeze: a rank-0 operand has no axis");
  int const a = normal_axis("squeeze", axis, rank);
  auto const shape = expr::as_node(x).shape();
  if (shape[a] != 1)
    throw shape_error("karpos::squeeze: axis " + std::to_string(a) + " of shape " +
                      karpos::to_string(shape) + " has not extent 1");
  return ops::detail::change_layout(x, [&](layout<rank> const& l) { return remove_axis(l, a); });
}
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto squeeze(X&&) {
  static_assert(ops::detail::rank_of<X> < 0, "karpos::squeeze: name the axis: squeeze(t, 0); the "
                                             "rank of a tensor is known at compile time");
}

/// The diagonal x(i, i + k) over axes a and b, as the last axis of the result. @throws index_error.
template <class X>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto diagonal(X&& x, index_t k = 0, index_t a = 0, index_t b = 1) {
  constexpr int rank = ops::detail::rank_of<X>;
  static_assert(rank >= 2, "karpos::diagonal: the operand needs two axes");
  int const p = normal_axis("diagonal", a, rank), q = normal_axis("diagonal", b, rank);
  if (p == q)
    throw index_error("karpos::diagonal: the two axes must differ, both are " + std::to_string(p));
  return ops::detail::change_layout(x, [&](layout<rank> const& l) { return diagonal(l, k, p, q); });
}

namespace ops::detail {
template <int Out, class X>
auto broadcast_view(X&& x, extents<Out> const& shape) {
  constexpr int rank = rank_of<X>;
  static_assert(Out >= rank, "karpos::broadcast_to: the shape has fewer axes than the operand");
  auto const from = expr::as_node(x).shape();
  if (!broadcasts_to(from, shape))
    throw shape_error("karpos::broadcast_to: shape " + karpos::to_string(from) +
                      " does not broadcast to " + karpos::to_string(shape));
  if constexpr (Out >= rank)
    return detail::change_layout(expr::as_node(x),
                                 [&](layout<rank> const& l) { return stretch(l, shape); });
}
}  // namespace ops::detail

/// x stretched to a shape (extents of 1 repeat, new axes in front); read only. @throws shape_error.
template <class X, std::size_t N>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto broadcast_to(X&& x, dim const (&shape)[N]) {
  return ops::detail::broadcast_view(x, make_shape<static_cast<int>(N)>("broadcast_to", shape));
}
template <class X, index_like... I>
  requires(array_operand<std::remove_cvref_t<X>> && sizeof...(I) > 0)
[[nodiscard]] auto broadcast_to(X&& x, I... shape) {
  dim const dims[]{dim(shape)...};
  return ops::detail::broadcast_view(
      x, make_shape<static_cast<int>(sizeof...(I))>("broadcast_to", dims));
}
template <class X, int N>
  requires array_operand<std::remove_cvref_t<X>>
[[nodiscard]] auto broadcast_to(X&& x, extents<N> const& shape) {
  karpos::detail::check_shape("broadcast_to", shape.values, N);
  return ops::detail::broadcast_view(x, shape);
}

// -- what an operand is

/// Shape of anything with one.
template <array_operand X>
[[nodiscard]] auto shape(X const& x) {
  return extents<ops::detail::rank_of<X>>(expr::as_node(x).shape());
}
/// Extent of one axis (negative: from the end). @throws index_error.
template <array_operand X>
[[nodiscard]] index_t extent(X const& x, index_t axis) {
  return expr::as_node(x).shape()[normal_axis("extent", axis, ops::detail::rank_of<X>)];
}
/// Stride of one axis of a tensor, view or Kokkos::View, in elements. @throws index_error.
template <array_operand X>
  requires(is_tensor<X> || is_tensor_view<X> || kokkos_view<X>)
[[nodiscard]] index_t stride(X const& x, index_t axis) {
  return expr::as_node(x).strides()[normal_axis("stride", axis, ops::detail::rank_of<X>)];
}
/// Number of elements.
template <array_operand X>
[[nodiscard]] index_t size(X const& x) {
  return expr::as_node(x).shape().size();
}

}  // namespace karpos::inline KARPOS_ABI
