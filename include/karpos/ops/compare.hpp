// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// isclose, allclose, array_equal: whole arrays compared, with and without tolerances.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/classify.hpp>
#include <karpos/fn/compare.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/ops/evaluate.hpp>
#include <karpos/ops/reduce.hpp>

namespace karpos::inline KARPOS_ABI {

/// Tolerances of isclose and allclose.
struct close_options {
  double rtol = 1e-5;      ///< relative to the second operand
  double atol = 1e-8;      ///< absolute
  bool equal_nan = false;  ///< NaN is close to NaN
};

/// Options of array_equal.
struct equal_options {
  bool equal_nan = false;  ///< NaN equals NaN
};

namespace ops::detail {

/// Equal, or both NaN where that counts.
struct is_same {
  bool equal_nan;

  template <element A, element B>
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(A const& a, B const& b) const {
    return fn::equal{}(a, b) | (equal_nan & fn::isnan{}(a)&fn::isnan{}(b));
  }
};

/// NumPy's rule, in double whatever the types: equal, or |a - b| <= atol + rtol |b| with a finite
/// b.
struct is_close {
  double rtol;
  double atol;
  bool equal_nan;

  template <element A, element B>
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(A const& a, B const& b) const {
    double const size = magnitude(real(b), imag(b));
    double const distance = magnitude(real(a) - real(b), imag(a) - imag(b));
    bool const near = fn::isfinite{}(size) & (distance <= atol + rtol * size);
    return near | is_same{equal_nan}(a, b);
  }

private:
  // The imaginary part of a real number is a zero that the compiler sees.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static double real(T const& x) {
    if constexpr (complex_floating<T>)
      return x.real();
    else
      return fn::convert<double>(x);
  }
  struct zero {
    KOKKOS_FORCEINLINE_FUNCTION friend zero operator-(zero, zero) { return {}; }
    KOKKOS_FORCEINLINE_FUNCTION friend double operator-(double x, zero) { return x; }
    KOKKOS_FORCEINLINE_FUNCTION friend double operator-(zero, double x) { return -x; }
  };
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static auto imag(T const& x) {
    if constexpr (complex_floating<T>)
      return static_cast<double>(x.imag());
    else
      return zero{};
  }
  KOKKOS_FORCEINLINE_FUNCTION static double magnitude(double x, zero) { return Kokkos::fabs(x); }
  KOKKOS_FORCEINLINE_FUNCTION static double magnitude(double x, double y) {
    return Kokkos::hypot(x, y);
  }
};

template <class A, class B>
auto closeness(char const* function, A const& a, B const& b, close_options const& options) {
  return expr::make_map(function, is_close{options.rtol, options.atol, options.equal_nan},
                        expr::as_node(a), expr::as_node(b));
}

}  // namespace ops::detail

/// At every index: |a - b| <= atol + rtol |b|, or a == b (infinities), as NumPy's. Computed in
/// double for every element type. Broadcasts; builds an expression of bool. @throws shape_error.
template <operand A, operand B>
  requires function_operands<A, B>
[[nodiscard]] auto isclose(A const& a, B const& b, close_options const& options = {}) {
  return ops::detail::closeness("isclose", a, b, options);
}

/// True when isclose(a, b) holds everywhere (of nothing: true). Evaluates in one pass, on the
/// default instance. Waits.
/// @throws shape_error when the shapes do not broadcast.
template <operand A, operand B>
  requires function_operands<A, B>
[[nodiscard]] bool allclose(A const& a, B const& b, close_options const& options = {}) {
  return karpos::item(karpos::all(ops::detail::closeness("allclose", a, b, options)));
}

/// True when the shapes are the same and all elements equal; false for other shapes, which are not
/// looked into. Integers of mixed signedness compare exactly. Evaluates in one pass, on the default
/// instance. Waits.
template <array_operand A, array_operand B>
[[nodiscard]] bool array_equal(A const& a, B const& b, equal_options const& options = {}) {
  auto const x = expr::as_node(a);
  auto const y = expr::as_node(b);
  if constexpr (decltype(x)::rank != decltype(y)::rank) {
    return false;
  } else {
    if (!(x.shape() == y.shape()))
      return false;
    return karpos::item(
        karpos::all(expr::make_map("array_equal", ops::detail::is_same{options.equal_nan}, x, y)));
  }
}

}  // namespace karpos::inline KARPOS_ABI
