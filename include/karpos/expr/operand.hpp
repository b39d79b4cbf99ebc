// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what callers write to nodes: tensors, views, Kokkos::Views, scalars and expressions are
// operands.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/broadcast.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/fwd.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/core/wrap.hpp>
#include <karpos/expr/node.hpp>

#include <concepts>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// An expression or a Kokkos::View: something with a shape.
template <class X>
concept array_operand = expression<X> || kokkos_view<X>;

/// Whatever may stand in an elementwise operation.
template <class X>
concept operand = array_operand<X> || element<scalar_element_t<X>>;

/// Operands of an operator: at least one is a Karpos expression (two Kokkos::Views or scalars are
/// not ours).
template <class... X>
concept operator_operands = (operand<X> && ...) && (expression<X> || ...);

/// Operands of a named function: at least one has a shape.
template <class... X>
concept function_operands = (operand<X> && ...) && (array_operand<X> || ...);

namespace expr {

template <class T, int Rank, class Space>
tensor_view<T const, Rank, Space> as_node(tensor<T, Rank, Space> const& t) {
  return t.view();
}
template <class T, int Rank, class Space>
tensor_view<T const, Rank, Space> as_node(tensor_view<T, Rank, Space> const& v) {
  return v;
}
template <class T, int Rank, class Space>
tensor_view<T const, Rank, Space> const& as_node(tensor_view<T const, Rank, Space> const& v) {
  return v;
}
template <kokkos_view V>
auto as_node(V const& v) {
  return expr::as_node(karpos::wrap(v));
}
template <element T>
scalar_node<T> as_node(T value) {
  return scalar_node<T>(value);
}
template <class S>
  requires(!element<S> && element<scalar_element_t<S>>)  // std::complex, long double
auto as_node(S value) {
  return scalar_node<scalar_element_t<S>>(static_cast<scalar_element_t<S>>(value));
}
template <class N>
  requires(expression<N> && !is_tensor<N> && !is_tensor_view<N>)
N const& as_node(N const& node) {
  return node;
}

/// The node type that an operand becomes.
template <class X>
using node_of = std::remove_cvref_t<decltype(expr::as_node(std::declval<X const&>()))>;

/// map_node over nodes, with the broadcast shape. @throws shape_error naming `function`.
template <class F, class... N>
auto make_map(char const* function, F const& f, N const&... nodes) {
  auto const shape = broadcast_shapes(function, nodes.shape()...);
  return map_node<F, std::remove_cvref_t<decltype(shape)>::rank, N...>(f, shape, nodes...);
}

}  // namespace expr
}  // namespace karpos::inline KARPOS_ABI
