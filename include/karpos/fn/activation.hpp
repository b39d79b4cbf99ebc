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

// x / sqrt(2) - t, where t is the rounded product, for 0 <= x < 64. Adding 12288 rounds x to so
// many bits that their product with the 8 bits of 181 / 256 is exact.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R sqrt_half_product_error(R x, R t) {
  constexpr R sqrt_half_head = 0.70703125;
  constexpr R sqrt_half_tail = 7.5531186547524400844e-05;
  R const head = (x + R(12288)) - R(12288);
  return ((head * sqrt_half_head - t) + x * sqrt_half_tail) + (x - head) * sqrt_half_head;
}

// max(x, 0) - |x|/2 erfc(t + e) with t + e = |x| / sqrt(2). The rounding error e of the argument
// counts 2 t^2 times, so it is put back to first order, where erfc' = -2t erfc is good enough.
// Beyond |x| = 40 erfc is 0.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R gelu(R x) {
  R const a = detail::abs(x) > R(40) ? R(40) : detail::abs(x);
  R const t = a * (Kokkos::numbers::sqrt2_v<R> * R(0.5));
  R const e = detail::sqrt_half_product_error(a, t);
  R const q = detail::erfc(t);
  return (x < R(0) ? R(-0.0) : x) - R(0.5) * a * (q - q * (R(2) * t * e));
}

// Where e^-|x| could be subnormal, e^(40 - |x|) stands in, lost beside 1 as well; in the left tail
// the product of it and x, which keeps its digits, then takes the factor e^-40. `far` is a number
// because two selections by one condition become a branch.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R silu(R x) {
  R const far = detail::abs(x) > R(80) ? R(1) : R(0);
  R const e = detail::exp(R(40) * far - detail::abs(x));
  R const unshift = R(1) - far + R(4.248354255291588995e-18) * far;
  R const numerator = x >= R(0) ? R(1) : e;
  R const factor = x >= R(0) ? R(1) : unshift;
  return detail::damped(x, numerator / (R(1) + e)) * factor;
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
/// approximation. Hendrycks and Gimpel, arXiv:1606.08415. A few ulp off, and where erfc is
/// subnormal (x below -37.5 in double, -13 in float) up to |x| / 2 of the smallest number more.
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
