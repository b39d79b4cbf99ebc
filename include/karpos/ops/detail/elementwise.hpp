// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builders of elementwise nodes: operands to nodes, weak scalars to the element type, types checked
// with words.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/convert.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI::ops::detail {

template <class X>
using element_of = typename expr::node_of<X>::value_type;

/// A C++ scalar beside a tensor takes the tensor's type where its kind allows (NEP 50).
/// @throws argument_error when an integer scalar does not fit an integer type.
template <class P, class S>
P fit_scalar(char const* function, S value) {
  if constexpr (integer<P> && integer<S>)
    if (!std::in_range<P>(value))
      throw argument_error(std::string("karpos::") + function + ": scalar " +
                           std::to_string(value) + " does not fit the element type " +
                           dtype_name<P>());
  return fn::convert<P>(value);
}

template <class Tensor, class Node>
auto fit(char const* function, Node const& node) {
  if constexpr (expr::is_scalar<Node>) {
    using P = weak_promote_t<Tensor, typename Node::value_type>;
    return expr::scalar_node<P>(fit_scalar<P>(function, node.value));
  } else {
    return node;
  }
}

// Type that scalars beside these operands adapt to: the common type of the operands that are not
// scalars.
template <class... N>
struct strong {
  using type = void;
};
template <class N, class... Rest>
struct strong<N, Rest...> {
  using rest = typename strong<Rest...>::type;
  template <class A, class B>
  static auto join() {
    if constexpr (std::is_void_v<A>)
      return std::type_identity<B>{};
    else if constexpr (std::is_void_v<B>)
      return std::type_identity<A>{};
    else if constexpr (promotable<A, B>)
      return std::type_identity<promote_t<A, B>>{};
    else
      return std::type_identity<A>{};
  }
  using own = std::conditional_t<expr::is_scalar<N>, void, typename N::value_type>;
  using type = typename decltype(join<own, rest>())::type;
};

/// f(e...) with scalars fitted to the operands' common type.
template <class F, class... E>
[[nodiscard]] auto elementwise(char const* function, F const& f, E const&... e) {
  using common = typename strong<expr::node_of<E>...>::type;
  return [&](auto const&... node) {
    if constexpr (std::is_invocable_v<
                      F const&, typename std::remove_cvref_t<decltype(node)>::value_type...>) {
      return expr::make_map(function, f, node...);
    } else {
      static_assert(
          sizeof...(node) == 0,
          "karpos: this operation has no meaning for these element types (bool arithmetic wants & "
          "| ^ ! or a "
          "cast; signed with unsigned 64-bit integers want a cast; complex numbers have no order)");
    }
  }(detail::fit<common>(function, expr::as_node(e))...);
}

/// f(e...) with scalars in their own type: comparisons are exact for integers of any type.
template <class F, class A, class B>
[[nodiscard]] auto comparison(char const* function, F const& f, A const& a, B const& b) {
  using x = element_of<A>;
  using y = element_of<B>;
  if constexpr (integer<x> && integer<y>)
    return expr::make_map(function, f, expr::as_node(a), expr::as_node(b));
  else
    return detail::elementwise(function, f, a, b);
}

}  // namespace karpos::inline KARPOS_ABI::ops::detail
