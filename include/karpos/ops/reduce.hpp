// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sum, prod, min, max, mean, any, all: over everything, one axis or several, with or without
// keepdims. They build nodes, fused with the expression that they reduce. Deterministic from run to
// run.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/axes.hpp>
#include <karpos/core/slices.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/reducers.hpp>
#include <karpos/ops/detail/reduction.hpp>
#include <karpos/ops/detail/statistics.hpp>

#include <concepts>
#include <initializer_list>

namespace karpos::inline KARPOS_ABI {

// clang-format off
// The forms of one reduction: f(e), f(e, axis), f(e, axes(...)), each also with keepdims. Axes are integers only.
// `prefix` is `name` for function templates and `operator()` for the object `all`.
#define KARPOS_REDUCTION_FORMS(prefix, name, constness, build)                                                        \
  template <array_operand E>                                                                                          \
  [[nodiscard]] auto prefix(E const& e) constness { return build(false)(name, e, ops::detail::all_axes<E>()); }       \
  template <array_operand E>                                                                                          \
  [[nodiscard]] auto prefix(E const& e, keepdims_t) constness { return build(true)(name, e, ops::detail::all_axes<E>()); } \
  template <array_operand E, index_like I>                                                                            \
  [[nodiscard]] auto prefix(E const& e, I axis) constness { return build(false)(name, e, axes(axis)); }               \
  template <array_operand E, index_like I>                                                                            \
  [[nodiscard]] auto prefix(E const& e, I axis, keepdims_t) constness { return build(true)(name, e, axes(axis)); }    \
  template <array_operand E, int N>                                                                                   \
  [[nodiscard]] auto prefix(E const& e, axes_list<N> const& list) constness { return build(false)(name, e, list); }   \
  template <array_operand E, int N>                                                                                   \
  [[nodiscard]] auto prefix(E const& e, axes_list<N> const& list, keepdims_t) constness { return build(true)(name, e, list); } \
  template <class E, class A>                                                                                         \
    requires(!array_operand<A> && !index_like<A> && !std::same_as<A, keepdims_t>)                                     \
  auto prefix(E const&, A const&) constness {                                                                         \
    static_assert(sizeof(E) == 0, "karpos: a reduction takes axes as integers: f(e, 1), f(e, axes(0, 1)); the larger or " \
                                  "smaller of two values is maximum(a, b) or minimum(a, b)");                         \
  }                                                                                                                   \
  template <class E>                                                                                                  \
  auto prefix(E const&, std::initializer_list<dim>) constness {                                                       \
    static_assert(sizeof(E) == 0, "karpos: several axes of a reduction are axes(0, 1)");                              \
  }                                                                                                                   \
  template <class E, class A, class B>                                                                                \
    requires(!std::same_as<B, keepdims_t>)                                                                            \
  auto prefix(E const&, A const&, B const&) constness {                                                               \
    static_assert(sizeof(E) == 0, "karpos: a reduction keeps its axes by the word keepdims: f(e, 1, keepdims); "      \
                                  "several axes are axes(0, 1)");                                                     \
  }
#define KARPOS_BUILD_SUM(keep) ops::detail::reduce<fn::sum_reducer, keep>
#define KARPOS_BUILD_PROD(keep) ops::detail::reduce<fn::prod_reducer, keep>
#define KARPOS_BUILD_MIN(keep) ops::detail::reduce<fn::min_reducer, keep>
#define KARPOS_BUILD_MAX(keep) ops::detail::reduce<fn::max_reducer, keep>
#define KARPOS_BUILD_ANY(keep) ops::detail::reduce<fn::any_reducer, keep>
#define KARPOS_BUILD_ALL(keep) ops::detail::reduce<fn::all_reducer, keep>
#define KARPOS_BUILD_MEAN(keep) ops::detail::mean<keep>
#define KARPOS_BUILD_LOGSUMEXP(keep) ops::detail::log_sum_exp<keep>
#define KARPOS_BUILD_VAR(keep) ops::detail::variance<keep>
#define KARPOS_BUILD_STD(keep) ops::detail::deviation<keep>
// Those with degrees of freedom: f(e[, axis or axes(...)][, keepdims], {.ddof = 1}).
#define KARPOS_VARIANCE_FORMS(prefix, name, build)                                                                    \
  KARPOS_REDUCTION_FORMS(prefix, name, , build)                                                                       \
  template <array_operand E>                                                                                          \
  [[nodiscard]] auto prefix(E const& e, variance_options const& o) { return build(false)(name, e, ops::detail::all_axes<E>(), o); } \
  template <array_operand E>                                                                                          \
  [[nodiscard]] auto prefix(E const& e, keepdims_t, variance_options const& o) { return build(true)(name, e, ops::detail::all_axes<E>(), o); } \
  template <array_operand E, index_like I>                                                                            \
  [[nodiscard]] auto prefix(E const& e, I axis, variance_options const& o) { return build(false)(name, e, axes(axis), o); } \
  template <array_operand E, index_like I>                                                                            \
  [[nodiscard]] auto prefix(E const& e, I axis, keepdims_t, variance_options const& o) { return build(true)(name, e, axes(axis), o); } \
  template <array_operand E, int N>                                                                                   \
  [[nodiscard]] auto prefix(E const& e, axes_list<N> const& list, variance_options const& o) { return build(false)(name, e, list, o); } \
  template <array_operand E, int N>                                                                                   \
  [[nodiscard]] auto prefix(E const& e, axes_list<N> const& list, keepdims_t, variance_options const& o) { return build(true)(name, e, list, o); }
// Positions: f(e) in C order over everything, f(e, axis) along an axis, each also with keepdims.
#define KARPOS_POSITION_FORMS(prefix, name, reducer)                                                                  \
  template <array_operand E>                                                                                          \
  [[nodiscard]] auto prefix(E const& e) { return ops::detail::arg_extremum<reducer, false>(name, e); }                \
  template <array_operand E>                                                                                          \
  [[nodiscard]] auto prefix(E const& e, keepdims_t) { return ops::detail::arg_extremum<reducer, true>(name, e); }     \
  template <array_operand E, index_like I>                                                                            \
  [[nodiscard]] auto prefix(E const& e, I axis) { return ops::detail::arg_extremum<reducer, false>(name, e, axis); }  \
  template <array_operand E, index_like I>                                                                            \
  [[nodiscard]] auto prefix(E const& e, I axis, keepdims_t) { return ops::detail::arg_extremum<reducer, true>(name, e, axis); }
// clang-format on

/// Sum of elements. Integers and bool: 64-bit; 16-bit floats: added in float. Of nothing: 0.
KARPOS_REDUCTION_FORMS(sum, "sum", , KARPOS_BUILD_SUM)
/// Product of elements, in sum's types. Of nothing: 1.
KARPOS_REDUCTION_FORMS(prod, "prod", , KARPOS_BUILD_PROD)
/// Arithmetic mean; of integers and bool: double. Of nothing: NaN.
KARPOS_REDUCTION_FORMS(mean, "mean", , KARPOS_BUILD_MEAN)
/// Smallest element; NaN propagates. Of nothing: shape_error.
KARPOS_REDUCTION_FORMS(min, "min", , KARPOS_BUILD_MIN)
/// Largest element; NaN propagates. Of nothing: shape_error.
KARPOS_REDUCTION_FORMS(max, "max", , KARPOS_BUILD_MAX)
/// True when some element is not zero. Of nothing: false.
KARPOS_REDUCTION_FORMS(any, "any", , KARPOS_BUILD_ANY)
/// log(sum(exp(e))) without overflow. Integers: in double; 16-bit floats: in float. Of nothing:
/// shape_error.
KARPOS_REDUCTION_FORMS(logsumexp, "logsumexp", , KARPOS_BUILD_LOGSUMEXP)

using ops::detail::variance_options;
/// Mean of the squared distances from the mean; with `{.ddof = 1}` their sum over n - 1. Two
/// passes; the result has the element's type, of integers and bool double, of complex the real one.
/// Of nothing: NaN.
KARPOS_VARIANCE_FORMS(var, "var", KARPOS_BUILD_VAR)
/// Standard deviation: the square root of var.
KARPOS_VARIANCE_FORMS(std, "std", KARPOS_BUILD_STD)

/// Index (int64) of the first smallest element; the first NaN, where there is one. Of nothing:
/// shape_error.
KARPOS_POSITION_FORMS(argmin, "argmin", fn::min_reducer)
/// Index (int64) of the first largest element; the first NaN, where there is one. Of nothing:
/// shape_error.
KARPOS_POSITION_FORMS(argmax, "argmax", fn::max_reducer)

/// `all`: the whole axis in slices, and the reduction `all(e[, axes][, keepdims])`: true when no
/// element is zero.
struct all_t {
  explicit all_t() = default;
  KARPOS_REDUCTION_FORMS(operator(), "all", const, KARPOS_BUILD_ALL)
};
inline constexpr all_t all{};

#undef KARPOS_REDUCTION_FORMS
#undef KARPOS_BUILD_SUM
#undef KARPOS_BUILD_PROD
#undef KARPOS_BUILD_MIN
#undef KARPOS_BUILD_MAX
#undef KARPOS_BUILD_ANY
#undef KARPOS_BUILD_ALL
#undef KARPOS_BUILD_MEAN
#undef KARPOS_BUILD_LOGSUMEXP
#undef KARPOS_BUILD_VAR
#undef KARPOS_BUILD_STD
#undef KARPOS_VARIANCE_FORMS
#undef KARPOS_POSITION_FORMS

}  // namespace karpos::inline KARPOS_ABI
