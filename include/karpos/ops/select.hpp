// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations with a meaning of their own: where, cast, clip, and map for one's own
// functions.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/minmax.hpp>
#include <karpos/fn/select.hpp>
#include <karpos/ops/detail/elementwise.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// a where c is true, b elsewhere; a and b may be scalars (weak, as everywhere). Shapes broadcast.
template <array_operand C, operand A, operand B>
[[nodiscard]] auto where(C const& c, A const& a, B const& b) {
  using x = ops::detail::element_of<A>;
  using y = ops::detail::element_of<B>;
  static_assert(std::is_same_v<ops::detail::element_of<C>, bool>,
                "karpos::where: the condition must be a bool expression: where(x > 0, a, b)");
  static_assert(promotable<x, y> || element<A> || element<B>,
                "karpos::where: the two values have no common type: cast one of them");
  if constexpr (element<A> && element<B>) {
    using T = promote_t<x, y>;
    return expr::make_map("where", fn::where{}, expr::as_node(c),
                          expr::scalar_node<T>(fn::convert<T>(a)),
                          expr::scalar_node<T>(fn::convert<T>(b)));
  } else {
    using common = std::conditional_t<element<A>, y, x>;
    return expr::make_map("where", fn::where{}, expr::as_node(c),
                          ops::detail::fit<common>("where", expr::as_node(a)),
                          ops::detail::fit<common>("where", expr::as_node(b)));
  }
}

/// Elements converted to U. Float to integer saturates and NaN gives 0; complex to real does not
/// compile.
template <element U, array_operand E>
[[nodiscard]] auto cast(E const& e) {
  return expr::make_map("cast", fn::cast_to<U>{}, expr::as_node(e));
}

/// f(e0[i], e1[i], ...) at every index of the broadcast shape; f is a function object that the
/// execution space can call. Scalars among the operands keep their type.
template <class F, operand... E>
  requires function_operands<E...>
[[nodiscard]] auto map(F f, E const&... e) {
  static_assert(std::is_invocable_v<F const&, ops::detail::element_of<E>...>,
                "karpos::map: the function cannot be called with the operands' element types "
                "(operator() must be const)");
  return expr::make_map("map", f, expr::as_node(e)...);
}

}  // namespace karpos::inline KARPOS_ABI
