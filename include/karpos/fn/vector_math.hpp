// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementary functions of float and double that fn/ is built on. A host loop over them becomes
// vector code without -ffast-math: calls of glibc's libmvec (x86-64 and g++), at most 4 ulp off,
// elsewhere the scalar functions of std. Devices call Kokkos' functions.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/vector_math_config.hpp>

#include <concepts>
#include <limits>

namespace karpos::inline KARPOS_ABI::fn::detail {

// A function `NAME` of float and of double. HOST yields the name of the host's function.
#define KARPOS_MATH_1(NAME, HOST)                                                                  \
  KOKKOS_FORCEINLINE_FUNCTION float NAME(float x) {                                                \
    KOKKOS_IF_ON_HOST((return HOST(NAME, f)(x);))                                                  \
    KOKKOS_IF_ON_DEVICE((return Kokkos::NAME(x);))                                                 \
  }                                                                                                \
  KOKKOS_FORCEINLINE_FUNCTION double NAME(double x) {                                              \
    KOKKOS_IF_ON_HOST((return HOST(NAME, )(x);))                                                   \
    KOKKOS_IF_ON_DEVICE((return Kokkos::NAME(x);))                                                 \
  }
#define KARPOS_MATH_2(NAME, HOST)                                                                  \
  KOKKOS_FORCEINLINE_FUNCTION float NAME(float x, float y) {                                       \
    KOKKOS_IF_ON_HOST((return HOST(NAME, f)(x, y);))                                               \
    KOKKOS_IF_ON_DEVICE((return Kokkos::NAME(x, y);))                                              \
  }                                                                                                \
  KOKKOS_FORCEINLINE_FUNCTION double NAME(double x, double y) {                                    \
    KOKKOS_IF_ON_HOST((return HOST(NAME, )(x, y);))                                                \
    KOKKOS_IF_ON_DEVICE((return Kokkos::NAME(x, y);))                                              \
  }

#define KARPOS_MATH_FIRST_1(NAME)                                                                  \
  KARPOS_DECLARE_VECTOR_MATH_1(NAME)                                                               \
  KARPOS_MATH_1(NAME, KARPOS_HOST_MATH_FIRST)
KARPOS_MATH_FIRST_1(exp)
KARPOS_MATH_FIRST_1(log)
KARPOS_MATH_FIRST_1(sin)
KARPOS_MATH_FIRST_1(cos)
#undef KARPOS_MATH_FIRST_1
KARPOS_DECLARE_VECTOR_MATH_2(pow)
KARPOS_MATH_2(pow, KARPOS_HOST_MATH_FIRST)

#define KARPOS_MATH_SINCE_2_35_1(NAME)                                                             \
  KARPOS_DECLARE_VECTOR_MATH_1_SINCE_2_35(NAME)                                                    \
  KARPOS_MATH_1(NAME, KARPOS_HOST_MATH_SINCE_2_35)
KARPOS_MATH_SINCE_2_35_1(exp2)
KARPOS_MATH_SINCE_2_35_1(expm1)
KARPOS_MATH_SINCE_2_35_1(log2)
KARPOS_MATH_SINCE_2_35_1(log10)
KARPOS_MATH_SINCE_2_35_1(log1p)
KARPOS_MATH_SINCE_2_35_1(cbrt)
KARPOS_MATH_SINCE_2_35_1(tan)
KARPOS_MATH_SINCE_2_35_1(asin)
KARPOS_MATH_SINCE_2_35_1(acos)
KARPOS_MATH_SINCE_2_35_1(atan)
KARPOS_MATH_SINCE_2_35_1(sinh)
KARPOS_MATH_SINCE_2_35_1(cosh)
KARPOS_MATH_SINCE_2_35_1(tanh)
KARPOS_MATH_SINCE_2_35_1(asinh)
KARPOS_MATH_SINCE_2_35_1(acosh)
KARPOS_MATH_SINCE_2_35_1(atanh)
KARPOS_MATH_SINCE_2_35_1(erf)
KARPOS_MATH_SINCE_2_35_1(erfc)
#undef KARPOS_MATH_SINCE_2_35_1

#define KARPOS_MATH_SINCE_2_35_2(NAME)                                                             \
  KARPOS_DECLARE_VECTOR_MATH_2_SINCE_2_35(NAME)                                                    \
  KARPOS_MATH_2(NAME, KARPOS_HOST_MATH_SINCE_2_35)
KARPOS_MATH_SINCE_2_35_2(hypot)
KARPOS_MATH_SINCE_2_35_2(atan2)
#undef KARPOS_MATH_SINCE_2_35_2

// Not in libmvec. sqrt is one instruction; g++ vectorises it under -fno-math-errno.
#define KARPOS_HOST_MATH_SCALAR(NAME, SUFFIX) Kokkos::NAME
KARPOS_MATH_1(sqrt, KARPOS_HOST_MATH_SCALAR)
KARPOS_MATH_1(rsqrt, KARPOS_HOST_MATH_SCALAR)
KARPOS_MATH_1(lgamma, KARPOS_HOST_MATH_SCALAR)
KARPOS_MATH_1(abs, KARPOS_HOST_MATH_SCALAR)
KARPOS_MATH_2(fmod, KARPOS_HOST_MATH_SCALAR)
KARPOS_MATH_2(copysign, KARPOS_HOST_MATH_SCALAR)
#undef KARPOS_HOST_MATH_SCALAR
#undef KARPOS_MATH_1
#undef KARPOS_MATH_2

/// Device only: where y is lost in x + y, the result is x itself; CUDA's hypot rounds up there, and
/// beyond the largest number to infinity.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T hypot_on_device(T x, T y) {
  T const a = Kokkos::abs(x);
  T const b = Kokkos::abs(y);
  T const larger = a > b ? a : b;
  return a + b == larger ? larger : Kokkos::hypot(x, y);
}

/// sqrt(x^2 + y^2); overflows only where the result does.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T length(T x, T y) {
  KOKKOS_IF_ON_HOST((return detail::hypot(x, y);))
  KOKKOS_IF_ON_DEVICE((return detail::hypot_on_device(x, y);))
}

/// Host only: the nearest integer, ties to even. g++ keeps floor and ceil out of vectors where an
/// operation may trap, but not nearbyint, so the host derives all roundings from it.
template <std::floating_point T>
inline T rint_on_host(T x) {
  if constexpr (KARPOS_HOST_ROUNDS_BY_ADDITION) {
    constexpr T no_fraction = T(1) / std::numeric_limits<T>::epsilon();
    T const magnitude = Kokkos::abs(x);
    T const rounded = (magnitude + no_fraction) - no_fraction;
    return Kokkos::copysign(magnitude < no_fraction ? rounded : magnitude, x);
  } else {
    return Kokkos::nearbyint(x);
  }
}

template <std::floating_point T>
inline T floor_on_host(T x) {
  T const nearest = detail::rint_on_host(x);
  return nearest > x ? nearest - T(1) : nearest;
}

// Rounds to nearest even, down, up and toward zero. Zeros, infinities and NaN stay; the sign of a
// zero result is that of x.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T rint(T x) {
  KOKKOS_IF_ON_HOST((return detail::rint_on_host(x);))
  KOKKOS_IF_ON_DEVICE((return Kokkos::nearbyint(x);))
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T floor(T x) {
  KOKKOS_IF_ON_HOST((return detail::floor_on_host(x);))
  KOKKOS_IF_ON_DEVICE((return Kokkos::floor(x);))
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T ceil(T x) {
  KOKKOS_IF_ON_HOST((return -detail::floor_on_host(-x);))
  KOKKOS_IF_ON_DEVICE((return Kokkos::ceil(x);))
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T trunc(T x) {
  KOKKOS_IF_ON_HOST((return Kokkos::copysign(detail::floor_on_host(Kokkos::abs(x)), x);))
  KOKKOS_IF_ON_DEVICE((return Kokkos::trunc(x);))
}

}  // namespace karpos::inline KARPOS_ABI::fn::detail
