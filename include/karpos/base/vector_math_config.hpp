// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions of glibc's vector library (libmvec) the host compiler may call, and how the host
// rounds to integers. Used by fn/vector_math.hpp alone.
#pragma once
#include <karpos/base/config.hpp>

// libmvec's functions are found by the compiler through a declaration with the attribute simd.
// glibc's own headers have it only under -ffast-math, so the same functions are declared again
// under other C++ names, by their assembler names. `const` says that errno is not looked at.
// Results are within 4 ulp; infinities, NaNs, signed zeros and subnormals are right.
#if KARPOS_VECTOR_MATH && defined(__GLIBC_PREREQ) && !defined(__NVCOMPILER) &&                     \
    !defined(__INTEL_COMPILER)
#define KARPOS_VECTOR_MATH_ATTRIBUTES __attribute__((simd("notinbranch"), const, nothrow))
#define KARPOS_DECLARE_VECTOR_MATH_1(NAME)                                                         \
  extern "C" KARPOS_VECTOR_MATH_ATTRIBUTES float karpos_##NAME##f(float) __asm__(#NAME "f");       \
  extern "C" KARPOS_VECTOR_MATH_ATTRIBUTES double karpos_##NAME(double) __asm__(#NAME);
#define KARPOS_DECLARE_VECTOR_MATH_2(NAME)                                                         \
  extern "C" KARPOS_VECTOR_MATH_ATTRIBUTES float karpos_##NAME##f(float,                           \
                                                                  float) __asm__(#NAME "f");       \
  extern "C" KARPOS_VECTOR_MATH_ATTRIBUTES double karpos_##NAME(double, double) __asm__(#NAME);
#define KARPOS_HAS_VECTOR_MATH 1
#else
#define KARPOS_DECLARE_VECTOR_MATH_1(NAME)
#define KARPOS_DECLARE_VECTOR_MATH_2(NAME)
#define KARPOS_HAS_VECTOR_MATH 0
#endif

// The host's function: FIRST is exp, log, pow, sin, cos (glibc 2.22), SINCE_2_35 the rest.
#if KARPOS_HAS_VECTOR_MATH
#define KARPOS_HOST_MATH_FIRST(NAME, SUFFIX) karpos_##NAME##SUFFIX
#else
#define KARPOS_HOST_MATH_FIRST(NAME, SUFFIX) Kokkos::NAME
#endif
#if KARPOS_HAS_VECTOR_MATH
#if __GLIBC_PREREQ(2, 35)
#define KARPOS_HAS_VECTOR_MATH_2_35 1
#endif
#endif
#if defined(KARPOS_HAS_VECTOR_MATH_2_35)
#define KARPOS_HOST_MATH_SINCE_2_35(NAME, SUFFIX) karpos_##NAME##SUFFIX
#define KARPOS_DECLARE_VECTOR_MATH_1_SINCE_2_35(NAME) KARPOS_DECLARE_VECTOR_MATH_1(NAME)
#define KARPOS_DECLARE_VECTOR_MATH_2_SINCE_2_35(NAME) KARPOS_DECLARE_VECTOR_MATH_2(NAME)
#else
#define KARPOS_HOST_MATH_SINCE_2_35(NAME, SUFFIX) Kokkos::NAME
#define KARPOS_DECLARE_VECTOR_MATH_1_SINCE_2_35(NAME)
#define KARPOS_DECLARE_VECTOR_MATH_2_SINCE_2_35(NAME)
#endif

// x86-64 without SSE4.1 has no instruction that rounds to an integer; adding and taking away
// 2^mantissa does it in vectors, unless the compiler may cancel the two (-ffast-math).
#if defined(__x86_64__) && !defined(__SSE4_1__) && !defined(__FAST_MATH__) &&                      \
    !defined(__ASSOCIATIVE_MATH__)
#define KARPOS_HOST_ROUNDS_BY_ADDITION true
#else
#define KARPOS_HOST_ROUNDS_BY_ADDITION false
#endif
