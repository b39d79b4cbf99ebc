// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a lowered expression (scalars, leaves, generators, maps) to the planner's table and to bound
// forms.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/pack.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/plan.hpp>
#include <karpos/expr/node.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec::detail {

// -- table of operands, in the order of the leaves

// Strides of a layout that is broadcast to `shape` (right-aligned; stretched axes 0).
inline void broadcast_strides(index_t const* from_shape, index_t const* from_strides, int from_rank,
                              int rank, index_t* out) {
  for (int k = 0; k < rank; ++k) {
    int const q = k - (rank - from_rank);
    out[k] = q < 0 || from_shape[q] == 1 ? 0 : from_strides[q];
  }
}

template <class Node>
void list_operands(Node const& node, int rank, operand_info*& out) {
  if constexpr (is_tensor_view<Node>) {
    out->address = reinterpret_cast<std::uintptr_t>(node.data());
    out->element_size = static_cast<int>(sizeof(typename Node::value_type));
    broadcast_strides(node.shape().values, node.strides().values, Node::rank, rank, out->strides);
    ++out;
  } else if constexpr (expr::is_generator<Node>) {
    out->is_virtual = true;
    out->offset = node.where.offset;
    broadcast_strides(node.where.shape.values, node.where.strides.values, Node::rank, rank,
                      out->strides);
    ++out;
  } else if constexpr (expr::is_map<Node>) {
    std::apply([&](auto const&... e) { (detail::list_operands(e, rank, out), ...); },
               node.operands);
  } else {
    static_assert(expr::is_scalar<Node>, "karpos::exec: the expression must be lowered first");
  }
}

// -- binding: a binder makes the bound form of leaves and generators; scalars and maps are the same
// for all binders

template <int Leaf, class Binder, class Node>
auto bind(Binder const& binder, Node const& node);

template <int Leaf, class Binder>
pack<> bind_list(Binder const&) {
  return {};
}
template <int Leaf, class Binder, class E, class... Rest>
auto bind_list(Binder const& binder, E const& e, Rest const&... rest) {
  auto head = detail::bind<Leaf>(binder, e);
  auto tail = detail::bind_list<Leaf + expr::leaf_count<E>>(binder, rest...);
  return prepend(head, tail);
}
template <class T, class... Ts>
pack<T, Ts...> prepend(T const& head, pack<Ts...> const& tail) {
  return {head, tail};
}
template <class F, class... B>
bound_map<F, B...> make_bound_map(F const& f, pack<B...> const& operands) {
  return {f, operands};
}

/// Bound form of a lowered node. Leaves are numbered from `Leaf` in the order of list_operands.
template <int Leaf, class Binder, class Node>
auto bind(Binder const& binder, Node const& node) {
  if constexpr (expr::is_scalar<Node>)
    return constant<typename Node::value_type>{node.value};
  else if constexpr (is_tensor_view<Node>)
    return binder.template leaf<Leaf, typename Node::value_type>();
  else if constexpr (expr::is_generator<Node>)
    return binder.template generator<Leaf>(node.generator);
  else
    return make_bound_map(
        node.function,
        std::apply([&](auto const&... e) { return detail::bind_list<Leaf>(binder, e...); },
                   node.operands));
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
