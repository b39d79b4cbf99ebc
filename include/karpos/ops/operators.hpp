// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators on tensors, views and expressions (at least one operand is one; Kokkos::Views and
// scalars may be the other). They build nodes; nothing runs before the assignment. Shapes broadcast
// as NumPy's.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/arithmetic.hpp>
#include <karpos/fn/compare.hpp>
#include <karpos/ops/detail/elementwise.hpp>

#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

// One row of the table: the operator, its name in error texts, its scalar function
// (fn/arithmetic.hpp, fn/compare.hpp).
#define KARPOS_BINARY_OPERATOR(op, functor, builder)                                               \
  template <class A, class B>                                                                      \
    requires operator_operands<A, B>                                                               \
  [[nodiscard]] auto operator op(A const& a, B const& b) {                                         \
    return ops::detail::builder("operator" #op, functor{}, a, b);                                  \
  }
#define KARPOS_UNARY_OPERATOR(op, functor)                                                         \
  template <expression A>                                                                          \
  [[nodiscard]] auto operator op(A const& a) {                                                     \
    return ops::detail::elementwise("operator" #op, functor{}, a);                                 \
  }
// Writes into a's storage (never reallocates): a may be a named tensor, a view or a slice.
#define KARPOS_COMPOUND_OPERATOR(op, functor)                                                      \
  template <class T, int Rank, class Space, operand E>                                             \
  tensor<T, Rank, Space>& operator op##=(tensor<T, Rank, Space>& a, E const& e) {                  \
    ops::detail::check_not_empty("operator" #op "=", a.empty());                                   \
    ops::detail::update("operator" #op "=", functor{}, a.view(), e);                               \
    return a;                                                                                      \
  }                                                                                                \
  template <class T, int Rank, class Space, operand E>                                             \
  tensor_view<T, Rank, Space> const& operator op##=(tensor_view<T, Rank, Space> const& a,          \
                                                    E const& e) {                                  \
    ops::detail::update("operator" #op "=", functor{}, a, e);                                      \
    return a;                                                                                      \
  }                                                                                                \
  template <expression A, operand E>                                                               \
    requires(!is_tensor<A> && !is_tensor_view<A>)                                                  \
  void operator op##=(A&&, E const&) {                                                             \
    static_assert(sizeof(A) == 0,                                                                  \
                  "karpos: an expression has no elements to update: evaluate it first, as in "     \
                  "auto c = eval(a + b)");                                                         \
  }

namespace ops::detail {
inline void check_not_empty(char const* function, bool empty) {
  if (empty)
    throw shape_error(std::string("karpos::") + function +
                      ": the tensor is empty (default-constructed or moved-from): it has no "
                      "elements to update");
}
template <class F, class T, int Rank, class Space, class E>
void update(char const* function, F const& f, tensor_view<T, Rank, Space> const& a, E const& e) {
  static_assert(!std::is_const_v<T>,
                "karpos: the elements of this view are const: it cannot be updated");
  auto const node = detail::elementwise(function, f, a, e);
  static_assert(kind<typename decltype(node)::value_type> <= kind<std::remove_const_t<T>>,
                "karpos: an update such as += cannot change the kind of the elements (int += "
                "float, real += complex): "
                "cast the right side, or assign to a tensor of the result's type");
  karpos::detail::assign_engine<E>::assign_default(a, node);
}
}  // namespace ops::detail

KARPOS_BINARY_OPERATOR(+, fn::plus, elementwise)
KARPOS_BINARY_OPERATOR(-, fn::minus, elementwise)
KARPOS_BINARY_OPERATOR(*, fn::multiplies, elementwise)
KARPOS_BINARY_OPERATOR(/, fn::divides, elementwise)
KARPOS_BINARY_OPERATOR(%, fn::modulus, elementwise)
KARPOS_BINARY_OPERATOR(&, fn::bit_and, elementwise)
KARPOS_BINARY_OPERATOR(|, fn::bit_or, elementwise)
KARPOS_BINARY_OPERATOR(^, fn::bit_xor, elementwise)
KARPOS_BINARY_OPERATOR(&&, fn::logical_and, elementwise)
KARPOS_BINARY_OPERATOR(||, fn::logical_or, elementwise)
KARPOS_BINARY_OPERATOR(<<, fn::shift_left, elementwise)
KARPOS_BINARY_OPERATOR(>>, fn::shift_right, elementwise)
KARPOS_BINARY_OPERATOR(==, fn::equal, comparison)
KARPOS_BINARY_OPERATOR(!=, fn::not_equal, comparison)
KARPOS_BINARY_OPERATOR(<, fn::less, comparison)
KARPOS_BINARY_OPERATOR(<=, fn::less_equal, comparison)
KARPOS_BINARY_OPERATOR(>, fn::greater, comparison)
KARPOS_BINARY_OPERATOR(>=, fn::greater_equal, comparison)
KARPOS_UNARY_OPERATOR(-, fn::negate)
KARPOS_UNARY_OPERATOR(+, fn::identity)
KARPOS_UNARY_OPERATOR(!, fn::logical_not)
KARPOS_UNARY_OPERATOR(~, fn::bit_not)
KARPOS_COMPOUND_OPERATOR(+, fn::plus)
KARPOS_COMPOUND_OPERATOR(-, fn::minus)
KARPOS_COMPOUND_OPERATOR(*, fn::multiplies)
KARPOS_COMPOUND_OPERATOR(/, fn::divides)
KARPOS_COMPOUND_OPERATOR(%, fn::modulus)
KARPOS_COMPOUND_OPERATOR(&, fn::bit_and)
KARPOS_COMPOUND_OPERATOR(|, fn::bit_or)
KARPOS_COMPOUND_OPERATOR(^, fn::bit_xor)

#undef KARPOS_BINARY_OPERATOR
#undef KARPOS_UNARY_OPERATOR
#undef KARPOS_COMPOUND_OPERATOR

}  // namespace karpos::inline KARPOS_ABI
