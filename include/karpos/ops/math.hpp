// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise functions, one table row each: public name, scalar function of fn/. Integers
// compute in double where the function needs it, 16-bit floats in float; NaN, infinities and signed
// zeros as IEEE 754 and NumPy have them.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/activation.hpp>
#include <karpos/fn/arithmetic.hpp>
#include <karpos/fn/classify.hpp>
#include <karpos/fn/complex.hpp>
#include <karpos/fn/math.hpp>
#include <karpos/fn/minmax.hpp>
#include <karpos/fn/rounding.hpp>
#include <karpos/ops/detail/elementwise.hpp>

#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

// Each function has a catch-all that says in one line what it takes; operators stay SFINAE-friendly
// instead.
#define KARPOS_UNARY_FUNCTION(name)                                                                \
  template <class A>                                                                               \
  [[nodiscard]] auto name(A const& a) {                                                            \
    static_assert(array_operand<A>,                                                                \
                  "karpos::" #name ": takes a tensor, view, expression or Kokkos::View");          \
    if constexpr (array_operand<A>)                                                                \
      return ops::detail::elementwise(#name, fn::name{}, a);                                       \
  }
#define KARPOS_BINARY_FUNCTION(name)                                                               \
  template <class A, class B>                                                                      \
    requires function_operands<A, B>                                                               \
  [[nodiscard]] auto name(A const& a, B const& b) {                                                \
    return ops::detail::elementwise(#name, fn::name{}, a, b);                                      \
  }

KARPOS_UNARY_FUNCTION(abs)   ///< magnitude; of complex numbers real, without overflow
KARPOS_UNARY_FUNCTION(sign)  ///< -1, 0 or 1; NaN stays
KARPOS_UNARY_FUNCTION(sqrt)
KARPOS_UNARY_FUNCTION(rsqrt)  ///< 1 / sqrt(x)
KARPOS_UNARY_FUNCTION(cbrt)
KARPOS_UNARY_FUNCTION(square)      ///< x * x, in x's type
KARPOS_UNARY_FUNCTION(reciprocal)  ///< 1 / x
KARPOS_UNARY_FUNCTION(exp)
KARPOS_UNARY_FUNCTION(exp2)
KARPOS_UNARY_FUNCTION(expm1)
KARPOS_UNARY_FUNCTION(log)
KARPOS_UNARY_FUNCTION(log2)
KARPOS_UNARY_FUNCTION(log10)
KARPOS_UNARY_FUNCTION(log1p)
KARPOS_UNARY_FUNCTION(sin)
KARPOS_UNARY_FUNCTION(cos)
KARPOS_UNARY_FUNCTION(tan)
KARPOS_UNARY_FUNCTION(asin)
KARPOS_UNARY_FUNCTION(acos)
KARPOS_UNARY_FUNCTION(atan)
KARPOS_UNARY_FUNCTION(sinh)
KARPOS_UNARY_FUNCTION(cosh)
KARPOS_UNARY_FUNCTION(tanh)
KARPOS_UNARY_FUNCTION(asinh)
KARPOS_UNARY_FUNCTION(acosh)
KARPOS_UNARY_FUNCTION(atanh)
KARPOS_UNARY_FUNCTION(erf)
KARPOS_UNARY_FUNCTION(erfc)
KARPOS_UNARY_FUNCTION(lgamma)  ///< log |gamma(x)|
KARPOS_UNARY_FUNCTION(floor)   ///< integers pass through
KARPOS_UNARY_FUNCTION(ceil)
KARPOS_UNARY_FUNCTION(rint)  ///< to nearest, ties to even
KARPOS_UNARY_FUNCTION(trunc)
KARPOS_UNARY_FUNCTION(isnan)
KARPOS_UNARY_FUNCTION(isinf)
KARPOS_UNARY_FUNCTION(isfinite)
KARPOS_UNARY_FUNCTION(signbit)
KARPOS_UNARY_FUNCTION(conj)
KARPOS_UNARY_FUNCTION(real)
KARPOS_UNARY_FUNCTION(imag)
KARPOS_UNARY_FUNCTION(angle)  ///< argument in (-pi, pi]
KARPOS_UNARY_FUNCTION(sigmoid)
KARPOS_UNARY_FUNCTION(relu)
KARPOS_UNARY_FUNCTION(gelu)      ///< x times the normal distribution function (erf form)
KARPOS_UNARY_FUNCTION(silu)      ///< x * sigmoid(x)
KARPOS_UNARY_FUNCTION(softplus)  ///< log(1 + exp(x))

KARPOS_BINARY_FUNCTION(hypot)
KARPOS_BINARY_FUNCTION(atan2)
KARPOS_BINARY_FUNCTION(fmod)          ///< remainder with the dividend's sign
KARPOS_BINARY_FUNCTION(remainder)     ///< remainder with the divisor's sign (NumPy's %)
KARPOS_BINARY_FUNCTION(floor_divide)  ///< quotient rounded down; integer division by 0 gives 0
KARPOS_BINARY_FUNCTION(minimum)       ///< NaN propagates
KARPOS_BINARY_FUNCTION(maximum)
KARPOS_BINARY_FUNCTION(fmin)  ///< NaN is ignored
KARPOS_BINARY_FUNCTION(fmax)
KARPOS_BINARY_FUNCTION(copysign)

#undef KARPOS_UNARY_FUNCTION
#undef KARPOS_BINARY_FUNCTION

/// base to the power of exponent. Integers stay integers (modulo 2^n). @throws argument_error for a
/// negative scalar exponent of integers.
template <class A, class B>
  requires function_operands<A, B>
[[nodiscard]] auto pow(A const& base, B const& exponent) {
  using x = ops::detail::element_of<A>;
  using y = ops::detail::element_of<B>;
  if constexpr ((integer<x> || boolean<x>) && integer<y>) {
    if constexpr (element<B> && std::is_signed_v<y>)
      if (exponent < 0)
        throw argument_error("karpos::pow: integers to a negative power: exponent " +
                             std::to_string(exponent) + "; cast the base to a floating-point type");
    return ops::detail::elementwise("pow", fn::integer_power{}, base, exponent);
  } else {
    return ops::detail::elementwise("pow", fn::pow{}, base, exponent);
  }
}

/// x limited to [low, high]; NaN stays. @pre low <= high
template <array_operand X, operand L, operand H>
[[nodiscard]] auto clip(X const& x, L const& low, H const& high) {
  return ops::detail::elementwise("clip", fn::clip{}, x, low, high);
}

/// min(a, b) and max(a, b) of two tensors are minimum and maximum. (Without these, an unqualified
/// call finds Kokkos::max through the space of the tensors and fails inside Kokkos; its two
/// arguments have one type, so that it would win over the first form for operands of one type:
/// hence the second.)
template <array_operand A, array_operand B>
  requires(expression<A> || expression<B>)
[[nodiscard]] auto min(A const& a, B const& b) {
  return karpos::minimum(a, b);
}
template <expression A>
[[nodiscard]] auto min(A const& a, A const& b) {
  return karpos::minimum(a, b);
}
template <array_operand A, array_operand B>
  requires(expression<A> || expression<B>)
[[nodiscard]] auto max(A const& a, B const& b) {
  return karpos::maximum(a, b);
}
template <expression A>
[[nodiscard]] auto max(A const& a, A const& b) {
  return karpos::maximum(a, b);
}

}  // namespace karpos::inline KARPOS_ABI
