// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// View operations on expressions: a function from layouts to layouts is pushed through maps down to
// the leaves.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/slices.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/expr/node.hpp>

#include <tuple>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::expr {

/// `node` with every leaf seen through `change`, a function from layout<Rank> to layout<Out>.
/// `full` is the shape that the node is broadcast to before (its own, unless it stands below a
/// map).
template <int Rank, class Change, class Node>
auto relayout(Node const& node, extents<Rank> const& full, Change const& change) {
  constexpr int out = decltype(change(std::declval<layout<Rank> const&>()))::rank;
  if constexpr (is_scalar<Node>) {
    return node;
  } else if constexpr (is_tensor_view<Node>) {
    using view = tensor_view<typename Node::value_type const, out, typename Node::space>;
    return view(node.data(), change(stretch(node.get_layout(), full)), node.owner());
  } else if constexpr (is_generator<Node>) {
    return generator_node<decltype(node.generator), out>(node.generator,
                                                         change(stretch(node.where, full)));
  } else if constexpr (is_index<Node>) {
    return index_node<decltype(node.child), out>(node.child, change(stretch(node.where, full)));
  } else if constexpr (is_array<Node>) {
    return index_node<Node, out>(node, change(stretch(row_major(node.shape()), full)));
  } else {
    auto const shape = change(row_major(full)).shape;
    return std::apply(
        [&](auto const&... e) {
          return map_node<decltype(node.function), out,
                          decltype(expr::relayout(e, full, change))...>(
              node.function, shape, expr::relayout(e, full, change)...);
        },
        node.operands);
  }
}

template <class Node, class... A>
auto slice_node(Node const& node, A const&... args) {
  static_assert((detail::axes_used<A> + ... + 0) <= Node::rank, "karpos: more indices than axes");
  return expr::relayout(node, node.shape(),
                        [&](layout<Node::rank> const& l) { return slice(l, args...); });
}

}  // namespace karpos::inline KARPOS_ABI::expr
