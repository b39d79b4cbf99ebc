// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builders of var, std, argmin, argmax, logsumexp, softmax, log_softmax and layer_norm: maps over
// reductions that keep their axes. Rows run through all stages while they are in a cache (exec).
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/axes.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/exec/assign.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/arithmetic.hpp>
#include <karpos/fn/complex.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/generators.hpp>
#include <karpos/fn/located.hpp>
#include <karpos/fn/math.hpp>
#include <karpos/fn/reducers.hpp>
#include <karpos/fn/statistics.hpp>
#include <karpos/ops/detail/reduction.hpp>

#include <algorithm>
#include <tuple>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::ops::detail {

/// An expression that is evaluated once into a temporary, however often its elements are read: for
/// the small results of reductions, and, where Everywhere is false, for intermediate results of the
/// operand's size that stay in the host's caches; devices compute those again.
template <class T, int Rank, bool Everywhere>
struct stored_op {
  using value_type = T;
  static constexpr int rank = Rank;
  static constexpr auto role_in_rows =
      Everywhere ? exec::row_role::value : exec::row_role::transparent;
  template <class Exec>
  static constexpr bool passes_through = !Everywhere && !exec::uses_host_engine<Exec>;
  [[nodiscard]] static int operand_axis(int axis) { return axis; }

  template <class Context, class View, class Node>
  void run(Context& context, View const& out, Node const& operand) const {
    exec::run_assignment(context.exec(), out, operand);
  }
};
template <bool Everywhere = true, class Node>
auto stored(Node const& node) {
  using op = stored_op<typename Node::value_type, Node::rank, Everywhere>;
  return expr::array_node<op, Node>(op{}, node.shape(), node);
}

/// Drops axes of extent 1: a view.
template <class T, int Rank, int Dropped>
struct drop_op {
  using value_type = T;
  static constexpr int rank = Rank - Dropped;
  static constexpr bool gives_view = true;
  static constexpr auto role_in_rows = exec::row_role::transparent;
  bool dropped[Rank > 0 ? Rank : 1]{};

  [[nodiscard]] int operand_axis(int axis) const {
    for (int k = 0; k < Rank; ++k)
      if (!dropped[k] && axis-- == 0)
        return k;
    return -1;
  }
  template <class Context, class Node>
  auto view(Context& context, extents<rank> const& shape, Node const& operand) const {
    auto const source = exec::materialise(context, operand);
    layout<rank> l{shape, {}, 0};
    for (int k = 0, q = 0; k < Rank; ++k)
      if (!dropped[k])
        l.strides[q++] = source.strides()[k];
    return tensor_view<T const, rank, typename Context::space>(source.data(), l, source.owner());
  }
};
/// The node as it is under keepdims, else without the axes of `list`.
template <bool Keep, class Node, int N>
auto drop_unless(char const* function, Node const& node, axes_list<N> const& list) {
  if constexpr (Keep) {
    return node;
  } else {
    drop_op<typename Node::value_type, Node::rank, N> op;
    for (int i = 0; i < N; ++i)
      op.dropped[normal_axis(function, list.values[i], Node::rank)] = true;
    extents<Node::rank - N> shape;
    for (int k = 0, q = 0; k < Node::rank; ++k)
      if (!op.dropped[k])
        shape[q++] = node.shape()[k];
    return expr::array_node<decltype(op), Node>(op, shape, node);
  }
}

template <class Node, int N>
double count_along(char const* function, Node const& node, axes_list<N> const& list) {
  double n = 1;
  for (int i = 0; i < N; ++i)
    n *= static_cast<double>(node.shape()[normal_axis(function, list.values[i], Node::rank)]);
  return n;
}

/// Elements in the type in which statistics are computed: double for integers, float for 16 bits.
template <class Node>
auto in_compute_type(char const* function, Node const& node) {
  using C = math_compute_t<typename Node::value_type>;
  if constexpr (std::is_same_v<C, typename Node::value_type>)
    return node;
  else
    return expr::make_map(function, fn::cast_to<C>{}, node);
}

/// The mean over the axes (which stay), and the sum of the squared distances from it: two passes.
template <class Node, int N>
auto mean_along(char const* function, Node const& node, axes_list<N> const& list) {
  using C = math_compute_t<typename Node::value_type>;
  auto const total =
      detail::reduce<fn::sum_reducer, true>(function, in_compute_type(function, node), list);
  return detail::stored(
      expr::make_map(function, fn::over<C>{detail::count_along(function, node, list)}, total));
}
template <bool Keep, class Node, class Mean, int N>
auto squares_along(char const* function, Node const& node, Mean const& mean,
                   axes_list<N> const& list) {
  return detail::reduce<fn::sum_reducer, Keep>(
      function, expr::make_map(function, fn::squared_distance{}, node, mean), list);
}

/// Degrees of freedom that var and std take off the number of elements.
struct variance_options {
  double ddof = 0;  ///< the divisor is n - ddof (0 where that is negative, as in NumPy)
};

template <bool Keep, class E, int N>
[[nodiscard]] auto variance(char const* function, E const& e, axes_list<N> const& list,
                            variance_options const& options = {}) {
  auto const node = expr::as_node(e);
  using T = typename decltype(node)::value_type;
  if constexpr (N > decltype(node)::rank) {
    return detail::reduce<fn::sum_reducer, Keep>(function, node, list);  // says so
  } else if constexpr (is_complex_v<T>) {                                // E|x - mean|^2
    auto const re = expr::make_map(function, fn::real{}, node);
    auto const im = expr::make_map(function, fn::imag{}, node);
    return expr::make_map(function, fn::plus{}, detail::variance<Keep>(function, re, list, options),
                          detail::variance<Keep>(function, im, list, options));
  } else {
    auto const squares =
        detail::squares_along<Keep>(function, node, detail::mean_along(function, node, list), list);
    double const divisor = detail::count_along(function, node, list) - options.ddof;
    return expr::make_map(function, fn::over<math_result_t<T>>{std::max(divisor, 0.0)}, squares);
  }
}
/// The root is taken before the variance is rounded to 16 bits: in half, the variance of numbers
/// that are 1e-4 apart is 0, and that of numbers 600 apart infinite.
template <bool Keep, class E, int N>
[[nodiscard]] auto deviation(char const* function, E const& e, axes_list<N> const& list,
                             variance_options const& options = {}) {
  auto const node = expr::as_node(e);
  using T = typename decltype(node)::value_type;
  if constexpr (is_half_v<T>)
    return expr::make_map(
        function, fn::cast_to<T>{},
        detail::deviation<Keep>(function, detail::in_compute_type(function, node), list, options));
  else
    return expr::make_map(function, fn::sqrt{},
                          detail::variance<Keep>(function, node, list, options));
}

/// C-order linear index over a shape, or the index along one axis of it.
template <int Rank>
auto indices(extents<Rank> const& shape) {
  return expr::generator_node<fn::arithmetic_at<index_t>, Rank>({0, 1}, row_major(shape));
}
template <int Rank>
auto indices(extents<Rank> const& shape, int axis) {
  layout<Rank> l{shape, {}, 0};
  l.strides[axis] = 1;
  return expr::generator_node<fn::arithmetic_at<index_t>, Rank>({0, 1}, l);
}

/// The smallest index where the extremum stands. Hosts make the two passes, each fast, that the
/// operand spells out; devices reduce values with their indices in one.
template <class Extremum, int Rank, int N, bool Keep>
struct position_op : reduce_op<fn::min_reducer, index_t, Rank, N, Keep> {
  static constexpr auto role_in_rows = exec::row_role::elsewhere;
  template <class Exec>
  static constexpr bool is_rewritten = !exec::uses_host_engine<Exec>;

  /// @param node index_where_found(values, extremum, indices), reduced
  template <class Node>
  auto rewrite(Node const& node) const {
    auto const& [values, extremum, indices] = std::get<0>(node.operands).operands;
    auto const pairs = expr::make_map(Extremum::name, fn::locate{}, values, indices);
    using T = typename decltype(pairs)::value_type;
    reduce_op<fn::located_reducer<Extremum>, T, Rank, N, Keep> op;
    std::copy_n(this->reduced, Rank, op.reduced);
    expr::array_node<decltype(op), std::remove_cvref_t<decltype(pairs)>> result(op, node.shape(),
                                                                                pairs);
    result.identity = node.identity;
    return result;
  }
};

/// The smallest of `index` over the axes of `list` where the extremum stands.
template <class Extremum, bool Keep, class Node, class Index, int N>
auto find_extremum(char const* function, Node const& node, Index const& index,
                   axes_list<N> const& list) {
  auto const extremum = detail::reduce<Extremum, true>(function, node, list);
  auto const found = detail::reduce<fn::min_reducer, Keep>(
      function, expr::make_map(function, fn::index_where_found{}, node, extremum, index), list);
  using operand = std::tuple_element_t<0, std::remove_cvref_t<decltype(found.operands)>>;
  position_op<Extremum, operand::rank, N, Keep> op{{found.op}};
  return expr::array_node<decltype(op), operand>(op, found.shape(), std::get<0>(found.operands));
}
template <class Reducer, bool Keep, class E>
[[nodiscard]] auto arg_extremum(char const* function, E const& e) {
  auto const node = expr::as_node(e);
  return detail::find_extremum<Reducer, Keep>(function, node, detail::indices(node.shape()),
                                              all_axes<E>());
}
template <class Reducer, bool Keep, class E>
[[nodiscard]] auto arg_extremum(char const* function, E const& e, index_t axis) {
  auto const node = expr::as_node(e);
  constexpr int rank = decltype(node)::rank;
  return detail::find_extremum<Reducer, Keep>(
      function, node, detail::indices(node.shape(), normal_axis(function, axis, rank)), axes(axis));
}

template <bool Keep, class E, int N>
[[nodiscard]] auto log_sum_exp(char const* function, E const& e, axes_list<N> const& list) {
  auto const node = expr::as_node(e);
  auto const largest = detail::reduce<fn::max_reducer, true>(function, node, list);
  auto const sum = detail::reduce<fn::sum_reducer, true>(
      function, expr::make_map(function, fn::exp_below_or_at{}, node, largest), list);
  return detail::drop_unless<Keep>(function,
                                   expr::make_map(function, fn::log_above{}, largest, sum), list);
}

}  // namespace karpos::inline KARPOS_ABI::ops::detail
