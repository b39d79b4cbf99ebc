// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The closed set of expression nodes: scalar, generator, map, index, array; a leaf is a tensor_view
// of const elements. Nodes are immutable, own handles to their operands and launch nothing.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/fwd.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/slices.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor_view.hpp>

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI {

namespace expr {

// Slices of any node: `(a + b)(all, 0)`. Defined in expr/relayout.hpp; pushed to the leaves.
template <class Node, class... A>
auto slice_node(Node const& node, A const&... args);
}  // namespace expr

// Base of every node. It stands in karpos itself, so that argument-dependent lookup finds the
// operators.
template <class Derived>
struct node_base {
  template <class... A>
    requires((slice_arg<A> && ...) && sizeof...(A) > 0)
  [[nodiscard]] auto operator()(A const&... args) const {
    return expr::slice_node(static_cast<Derived const&>(*this), args...);
  }
};

namespace expr {

/// One value, the same at every index.
template <class T>
struct scalar_node : node_base<scalar_node<T>> {
  using value_type = T;
  using space = any_space;
  static constexpr int rank = 0;
  explicit scalar_node(T v) : value(v) {}
  [[nodiscard]] extents<0> shape() const { return {}; }
  T value;
};

/// A function of the C-order linear index: for the planner a leaf with strides, in memory nothing.
template <class G, int Rank>
struct generator_node : node_base<generator_node<G, Rank>> {
  using value_type = decltype(std::declval<G const&>()(index_t{}));
  using space = any_space;
  static constexpr int rank = Rank;
  generator_node(G g, layout<Rank> const& l) : generator(std::move(g)), where(l) {}
  [[nodiscard]] extents<Rank> const& shape() const { return where.shape; }
  G generator;
  layout<Rank> where;
};

/// function(operands...) at every index of the broadcast shape.
template <class F, int Rank, class... E>
struct map_node : node_base<map_node<F, Rank, E...>> {
  using value_type = std::remove_cvref_t<decltype(std::declval<F const&>()(
      std::declval<typename E::value_type>()...))>;
  using space = common_space_t<typename E::space...>;
  static constexpr int rank = Rank;
  map_node(F f, extents<Rank> const& n, E const&... e)
      : function(std::move(f)), operands(e...), shape_(n) {}
  [[nodiscard]] extents<Rank> const& shape() const { return shape_; }
  F function;
  std::tuple<E...> operands;

private:
  extents<Rank> shape_;
};

/// A whole-array operation (reduction, product, ...). Op belongs to ops/ and is run by exec::lower.
/// Copies of the node share an identity: one assignment runs it once.
template <class Op, class... E>
struct array_node : node_base<array_node<Op, E...>> {
  using value_type = typename Op::value_type;
  using space = common_space_t<typename E::space...>;
  static constexpr int rank = Op::rank;
  array_node(Op o, extents<rank> const& n, E const&... e)
      : op(std::move(o)), operands(e...), identity(std::make_shared<int>(0)), shape_(n) {}
  [[nodiscard]] extents<rank> const& shape() const { return shape_; }
  Op op;
  std::tuple<E...> operands;
  std::shared_ptr<int> identity;

private:
  extents<rank> shape_;
};

/// Elements of a whole-array result, chosen by a layout over its C-order linear index.
template <class Child, int Rank>
struct index_node : node_base<index_node<Child, Rank>> {
  using value_type = typename Child::value_type;
  using space = typename Child::space;
  static constexpr int rank = Rank;
  index_node(Child c, layout<Rank> const& l) : child(std::move(c)), where(l) {}
  [[nodiscard]] extents<Rank> const& shape() const { return where.shape; }
  Child child;
  layout<Rank> where;
};

template <class N>
inline constexpr bool is_scalar = false;
template <class T>
inline constexpr bool is_scalar<scalar_node<T>> = true;
template <class N>
inline constexpr bool is_generator = false;
template <class G, int R>
inline constexpr bool is_generator<generator_node<G, R>> = true;
template <class N>
inline constexpr bool is_map = false;
template <class F, int R, class... E>
inline constexpr bool is_map<map_node<F, R, E...>> = true;
template <class N>
inline constexpr bool is_array = false;
template <class Op, class... E>
inline constexpr bool is_array<array_node<Op, E...>> = true;
template <class N>
inline constexpr bool is_index = false;
template <class C, int R>
inline constexpr bool is_index<index_node<C, R>> = true;

/// Number of leaves and generators below a node.
template <class N>
inline constexpr int leaf_count = 1;
template <class T>
inline constexpr int leaf_count<scalar_node<T>> = 0;
template <class F, int R, class... E>
inline constexpr int leaf_count<map_node<F, R, E...>> = (leaf_count<E> + ... + 0);
template <class Op, class... E>
inline constexpr int leaf_count<array_node<Op, E...>> = (leaf_count<E> + ... + 0);

}  // namespace expr
}  // namespace karpos::inline KARPOS_ABI
