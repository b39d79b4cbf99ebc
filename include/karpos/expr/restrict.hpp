// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of an expression along one axis, as an expression of the same type: for whole-array
// operations too, where each index of the result depends on this index of the operands alone
// (reductions over other axes).
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/expr/node.hpp>

#include <concepts>
#include <tuple>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::expr {

/// operand_axis(k): the axis of the operand whose index i alone determines index i of the result's
/// axis k, or -1.
template <class Op>
concept separable_operation = requires(Op const& op) {
  { op.operand_axis(0) } -> std::same_as<int>;
};

/// Number of whole-array operations in an expression.
template <class N>
inline constexpr int operation_count = 0;
template <class F, int R, class... E>
inline constexpr int operation_count<map_node<F, R, E...>> = (operation_count<E> + ... + 0);
template <class C, int R>
inline constexpr int operation_count<index_node<C, R>> = operation_count<C>;
template <class Op, class... E>
inline constexpr int operation_count<array_node<Op, E...>> = 1 + (operation_count<E> + ... + 0);

/// True where all of them are separable along some axis.
template <class N>
inline constexpr bool is_separable = true;
template <class F, int R, class... E>
inline constexpr bool is_separable<map_node<F, R, E...>> = (is_separable<E> && ...);
template <class C, int R>
inline constexpr bool is_separable<index_node<C, R>> = false;
template <class Op, class... E>
inline constexpr bool is_separable<array_node<Op, E...>> =
    separable_operation<Op> && (is_separable<E> && ...);

/// f(leaf, axis of the leaf) for every leaf in memory, for an axis of `node`; -1 where the leaf has
/// no such axis.
template <class Node, class F>
void for_each_leaf(Node const& node, int axis, F const& f) {
  if constexpr (is_tensor_view<Node>) {
    f(node, axis < 0 ? -1 : axis);
  } else if constexpr (is_map<Node>) {
    std::apply(
        [&](auto const&... e) {
          (expr::for_each_leaf(e, axis - Node::rank + std::remove_cvref_t<decltype(e)>::rank, f),
           ...);
        },
        node.operands);
  } else if constexpr (is_array<Node>) {
    int const below = axis < 0 ? -1 : node.op.operand_axis(axis);
    std::apply([&](auto const&... e) { (expr::for_each_leaf(e, below, f), ...); }, node.operands);
  }
}

/// True when parts of `node` along `axis` can be evaluated without doing work twice.
template <class Node>
bool can_restrict(Node const& node, int axis) {
  if constexpr (operation_count<Node> == 0) {
    return true;
  } else if (axis < 0 || node.shape()[axis] == 1) {
    return false;
  } else if constexpr (is_map<Node>) {
    return std::apply(
        [&](auto const&... e) {
          return (
              expr::can_restrict(e, axis - Node::rank + std::remove_cvref_t<decltype(e)>::rank) &&
              ...);
        },
        node.operands);
  } else {
    int const below = node.op.operand_axis(axis);
    return std::apply(
        [&](auto const&... e) { return below >= 0 && (expr::can_restrict(e, below) && ...); },
        node.operands);
  }
}

/// Indices [begin, begin + count) of an axis; operands that have no such axis, or extent 1 there,
/// stay whole. @pre can_restrict
template <class Node>
Node restrict_to(Node const& node, int axis, index_t begin, index_t count) {
  if constexpr (is_scalar<Node>) {
    return node;
  } else {
    if (axis < 0 || node.shape()[axis] == 1)
      return node;
    if constexpr (is_tensor_view<Node>) {
      auto l = node.get_layout();
      l.shape[axis] = count;
      l.offset = begin * l.strides[axis];
      return Node(node.data(), l, node.owner());
    } else if constexpr (is_generator<Node>) {
      auto l = node.where;
      l.shape[axis] = count;
      l.offset += begin * l.strides[axis];
      return Node(node.generator, l);
    } else {
      auto shape = node.shape();
      shape[axis] = count;
      if constexpr (is_map<Node>) {
        return std::apply(
            [&](auto const&... e) {
              return Node(
                  node.function, shape,
                  expr::restrict_to(e, axis - Node::rank + std::remove_cvref_t<decltype(e)>::rank,
                                    begin, count)...);
            },
            node.operands);
      } else {
        int const below = node.op.operand_axis(axis);
        auto part = std::apply(
            [&](auto const&... e) {
              return Node(node.op, shape, expr::restrict_to(e, below, begin, count)...);
            },
            node.operands);
        part.identity = node.identity;  // parts of one node are one node within their part
        return part;
      }
    }
  }
}

}  // namespace karpos::inline KARPOS_ABI::expr
