// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activation functions of neural networks: accurate in both tails, limits at the infinities, NaN
// gives NaN. Integers are computed in double; the 16-bit formats in float.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/math_types.hpp>
#include <karpos/fn/vector_math.hpp>

namespace karpos::inline KARPOS_ABI::fn {

namespace detail {

// One exponential, of a number that is not positive: no overflow, and the small values of the left
// tail keep their digits. Selections are between values, not between operations, so that loops
// vectorise also where an operation may trap.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R sigmoid(R x) {
  R const e = detail::exp(-detail::abs(x));
  return (x >= R(0) ? R(1) : e) / (R(1) + e);
}

// x * factor(x) where factor vanishes faster than x grows: the limit at -infinity is 0, not NaN.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R damped(R x, R factor) {
  constexpr R lowest = Kokkos::Experimental::finite_min_v<R>;
  return (x > lowest ? x : lowest) * factor;
}

template <class R>
KOKKOS_FORCEINLINE_FUNCTION R gelu(R x) {
  return detail::damped(x, R(0.5) * detail::erfc(-x * (Kokkos::numbers::sqrt2_v<R> * R(0.5))));
}

template <class R>
KOKKOS_FORCEINLINE_FUNCTION R silu(R x) {
  return detail::damped(x, detail::sigmoid(x));
}

template <class R>
KOKKOS_FORCEINLINE_FUNCTION R softplus(R x) {
  return detail::log1p(detail::exp(-detail::abs(x))) + (x > R(0) ? x : R(0));
}

}  // namespace detail

#define KARPOS_ACTIVATION_FUNCTOR(NAME)                                                            \
  struct NAME {                                                                                    \
    template <element T>                                                                           \
      requires(!complex_floating<T>)                                                               \
    KOKKOS_FORCEINLINE_FUNCTION math_result_t<T> operator()(T const& x) const {                    \
      return static_cast<math_result_t<T>>(detail::NAME(fn::convert<math_compute_t<T>>(x)));       \
    }                                                                                              \
  };

/// 1 / (1 + e^-x)
KARPOS_ACTIVATION_FUNCTOR(sigmoid)
/// x Phi(x) with the normal distribution function Phi, by erfc: the exact form, not the tanh
/// approximation. Hendrycks and Gimpel, arXiv:1606.08415.
KARPOS_ACTIVATION_FUNCTOR(gelu)
/// x sigmoid(x)
KARPOS_ACTIVATION_FUNCTOR(silu)
/// log(1 + e^x)
KARPOS_ACTIVATION_FUNCTOR(softplus)
#undef KARPOS_ACTIVATION_FUNCTOR

/// max(x, 0) in the element's type; NaN gives NaN.
struct relu {
  template <element T>
    requires(!complex_floating<T>)
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T const& x) const {
    auto const v = fn::convert<compute_t<T>>(x);
    return ((v > compute_t<T>(0)) | (v != v)) ? x : T(0);
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
