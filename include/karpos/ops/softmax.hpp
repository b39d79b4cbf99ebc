// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// softmax, log_softmax and layer_norm along one axis. They build nodes.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/axes.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/math.hpp>
#include <karpos/fn/math_types.hpp>
#include <karpos/fn/reducers.hpp>
#include <karpos/fn/statistics.hpp>
#include <karpos/ops/detail/reduction.hpp>
#include <karpos/ops/detail/statistics.hpp>

namespace karpos::inline KARPOS_ABI {

/// exp(e) / sum(exp(e)) along an axis, without overflow; e's shape. Integers are computed in
/// double, 16-bit floats in float. @throws index_error for a bad axis.
template <array_operand E>
[[nodiscard]] auto softmax(E const& e, index_t axis = -1) {
  auto const node = expr::as_node(e);
  using R = math_result_t<typename decltype(node)::value_type>;
  auto const largest =
      ops::detail::reduce<ops::detail::max_or_nothing, true>("softmax", node, axes(axis));
  auto const terms =
      ops::detail::stored<false>(expr::make_map("softmax", fn::exp_below{}, node, largest));
  auto const sum = ops::detail::reduce<fn::sum_reducer, true>("softmax", terms, axes(axis));
  return expr::make_map("softmax", fn::product_to<R>{}, terms,
                        ops::detail::stored(expr::make_map("softmax", fn::inverse{}, sum)));
}

/// log(softmax(e)) along an axis: exact also where softmax rounds to 0. @throws index_error.
template <array_operand E>
[[nodiscard]] auto log_softmax(E const& e, index_t axis = -1) {
  auto const node = expr::as_node(e);
  auto const largest =
      ops::detail::reduce<ops::detail::max_or_nothing, true>("log_softmax", node, axes(axis));
  auto const sum = ops::detail::reduce<fn::sum_reducer, true>(
      "log_softmax", expr::make_map("log_softmax", fn::exp_below{}, node, largest), axes(axis));
  return expr::make_map("log_softmax", fn::log_quotient{}, node, largest,
                        ops::detail::stored(expr::make_map("log_softmax", fn::log{}, sum)));
}

/// What is added to the variance before the root.
struct layer_norm_options {
  double epsilon = 1e-5;
};

/// (e - mean) / sqrt(var + epsilon) along the axes of `list`; e's shape. Integers are computed in
/// double, 16-bit floats in float.
/// `layer_norm(x) * weight + bias` makes no temporary of x's shape. @throws index_error for a bad
/// axis.
template <array_operand E, int N>
[[nodiscard]] auto layer_norm(E const& e, axes_list<N> const& list,
                              layer_norm_options const& options = {}) {
  auto const node = expr::as_node(e);
  using T = typename decltype(node)::value_type;
  using C = math_compute_t<T>;
  static_assert(!is_complex_v<T>, "karpos::layer_norm: takes real elements");
  if constexpr (!is_complex_v<T>) {
    double const n = ops::detail::count_along("layer_norm", node, list);
    auto const mean = ops::detail::mean_along("layer_norm", node, list);
    auto const squares = ops::detail::squares_along<true>("layer_norm", node, mean, list);
    return expr::make_map(
        "layer_norm", fn::normalised<math_result_t<T>>{}, node, mean,
        ops::detail::stored(
            expr::make_map("layer_norm", fn::inverse_deviation<C>{n, options.epsilon}, squares)));
  }
}
template <array_operand E>
[[nodiscard]] auto layer_norm(E const& e, index_t axis = -1,
                              layer_norm_options const& options = {}) {
  return karpos::layer_norm(e, axes(axis), options);
}

}  // namespace karpos::inline KARPOS_ABI
