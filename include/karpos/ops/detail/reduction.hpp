// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole-array operation behind sum, prod, min, max, mean, any, all, and its builder.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/axes.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/exec/reduce.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/arithmetic.hpp>
#include <karpos/fn/reducers.hpp>
#include <karpos/ops/detail/elementwise.hpp>

#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::ops::detail {

// Reduces N of the Rank axes of an operand with elements of type T; Keep leaves them with extent 1.
template <class Reducer, class T, int Rank, int N, bool Keep>
struct reduce_op {
  using value_type = typename Reducer::template result<T>;
  static constexpr int rank = Keep ? Rank : Rank - N;
  static constexpr auto role_in_rows = exec::row_role::reduction;
  static constexpr int axes = N;
  using reducer = Reducer;
  bool reduced[Rank > 0 ? Rank : 1]{};

  template <class Context, class View, class Node>
  void run(Context& context, View const& out, Node const& operand) const {
    exec::run_reduction<Reducer>(context.exec(), kept_axes(out), operand, reduced);
  }
  /// Row `axis` of the result depends on this row of the operand alone; -1: on all.
  [[nodiscard]] int operand_axis(int axis) const {
    if constexpr (Keep) {
      return reduced[axis] ? -1 : axis;
    } else {
      for (int k = 0; k < Rank; ++k)
        if (!reduced[k] && axis-- == 0)
          return k;
      return -1;
    }
  }
  /// Writes straight into a destination of any strides, unless an operand reads from it.
  template <class View>
  static bool accepts(View const& out) {
    return !exec::overlapping_elements(out);
  }
  template <class Context, class View, class Node>
  bool run_into(Context& context, View const& out, Node const& operand) const {
    if (exec::may_read(operand, out))
      return false;
    run(context, out, operand);
    return true;
  }

private:
  // The output without the axes that keepdims left.
  template <class D, int DRank, class Space>
  tensor_view<D, Rank - N, Space> kept_axes(tensor_view<D, DRank, Space> const& out) const {
    layout<Rank - N> l;
    for (int k = 0, q = 0, d = 0; k < Rank; ++k) {
      if (!reduced[k]) {
        l.shape[q] = out.shape()[d];
        l.strides[q++] = out.strides()[d];
      }
      d += Keep || !reduced[k];
    }
    return {out.data(), l, out.owner()};
  }
};

/// max where rows of nothing give no element either, so that nobody asks for their maximum.
struct max_or_nothing : fn::max_reducer {
  static constexpr bool has_identity = true;
};

/// Nothing was asked to produce something: an empty reduced axis and a result with elements.
inline bool reduces_nothing(index_t const* shape, bool const* reduced, int rank, int& axis) {
  axis = -1;
  for (int k = 0; k < rank; ++k) {
    if (!reduced[k] && shape[k] == 0)
      return false;
    if (reduced[k] && shape[k] == 0 && axis < 0)
      axis = k;
  }
  return axis >= 0;
}

template <class Op, class Shape>
auto reduced_shape(char const* function, Op const& op, Shape const& from) {
  extents<Op::rank> shape;
  for (int k = 0, q = 0; k < Shape::rank; ++k) {
    if (!op.reduced[k])
      shape[q++] = from[k];
    else if (Op::rank == Shape::rank)
      shape[q++] = 1;
  }
  karpos::detail::check_shape(function, shape.values, shape.rank);  // an extent of 0 may have gone
  return shape;
}

/// Node of a reduction over the axes of `list`. @throws index_error for a bad axis; shape_error
/// where nothing is left to take the extremum of.
template <class Reducer, bool Keep, class E, int N>
[[nodiscard]] auto reduce(char const* function, E const& e, axes_list<N> const& list) {
  using Node = expr::node_of<E>;
  constexpr int rank = Node::rank;
  static_assert(N <= rank, "karpos: more axes to reduce than the operand has");
  static_assert(!std::is_base_of_v<fn::detail::extremum, Reducer> ||
                    !is_complex_v<typename Node::value_type>,
                "karpos: complex numbers have no order: min and max refuse them");
  if constexpr (N <= rank) {
    Node const node = expr::as_node(e);
    reduce_op<Reducer, typename Node::value_type, rank, N, Keep> op;
    for (int i = 0; i < N; ++i) {
      int const axis = normal_axis(function, list.values[i], rank);
      if (op.reduced[axis])
        throw index_error(std::string("karpos::") + function + ": axis " + std::to_string(axis) +
                          " is given twice");
      op.reduced[axis] = true;
    }
    int empty_axis;
    if (!Reducer::has_identity &&
        reduces_nothing(node.shape().values, op.reduced, rank, empty_axis))
      throw shape_error(std::string("karpos::") + function + ": axis " +
                        std::to_string(empty_axis) + " of shape " +
                        karpos::to_string(node.shape()) + " is empty: nothing has no " + function);
    return expr::array_node<decltype(op), Node>(op, reduced_shape(function, op, node.shape()),
                                                node);
  }
}

template <class E>
constexpr auto all_axes() {
  constexpr int rank = expr::node_of<E>::rank;
  axes_list<rank> list;
  for (int k = 0; k < rank; ++k)
    list.values[k] = k;
  return list;
}

/// x / count, in the type of mean.
template <class R>
struct divide_by_count {
  double count, inverse = 1 / count;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION R operator()(A const& x) const {
    if constexpr (is_half_v<R>)
      return fn::convert<R>(static_cast<float>(static_cast<double>(x) * inverse));
    else if constexpr (is_complex_v<R>)
      return fn::convert<R>(x) / static_cast<real_of_t<R>>(count);
    else if constexpr (std::is_same_v<R, double>)
      return static_cast<double>(x) / count;
    else  // rounded from double, the product with the inverse is the same
      return static_cast<R>(static_cast<double>(x) * inverse);
  }
};

template <bool Keep, class E, int N>
[[nodiscard]] auto mean(char const* function, E const& e, axes_list<N> const& list) {
  using T = typename expr::node_of<E>::value_type;
  using result = std::conditional_t<integer<T> || boolean<T>, double, T>;
  auto const total = detail::reduce<fn::mean_reducer, Keep>(function, e, list);
  auto const shape = expr::as_node(e).shape();
  double count = 1;
  for (int k = 0; k < decltype(shape)::rank; ++k)
    if (total.op.reduced[k])
      count *= static_cast<double>(shape[k]);
  return expr::make_map(function, divide_by_count<result>{count}, total);
}

}  // namespace karpos::inline KARPOS_ABI::ops::detail
