// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Version, configuration macros and the inline namespace that keeps differently configured objects
// apart. Every header includes it first; nothing else in the library looks at the compiler or the
// back end by #if.
#pragma once
#include <Kokkos_Core.hpp>

#define KARPOS_VERSION_MAJOR 0
#define KARPOS_VERSION_MINOR 1
#define KARPOS_VERSION_PATCH 0
#define KARPOS_VERSION_STRING "0.1.0"

// The build system defines these to 1; a plain include without it gets the portable paths.
#ifndef KARPOS_HAS_BLAS
#define KARPOS_HAS_BLAS 0
#endif
#ifndef KARPOS_BLAS_ILP64
#define KARPOS_BLAS_ILP64 0
#endif
#ifndef KARPOS_HAS_KOKKOS_KERNELS
#define KARPOS_HAS_KOKKOS_KERNELS 0
#endif
#ifndef KARPOS_HAS_CUBLAS
#define KARPOS_HAS_CUBLAS 0
#endif
#ifndef KARPOS_HAS_ROCBLAS
#define KARPOS_HAS_ROCBLAS 0
#endif

// 0: memory is taken from and returned to the memory space each time, unless the environment says
// KARPOS_POOL=on.
#ifndef KARPOS_USE_POOL
#define KARPOS_USE_POOL 1
#endif

// Tests run the kernels of the device engine on host spaces by this switch.
#ifndef KARPOS_DEVICE_ENGINE_ON_HOST
#define KARPOS_DEVICE_ENGINE_ON_HOST 0
#endif

// The device of the build enters the name of the inline namespace, so do the libraries: objects
// that were configured differently then fail to link instead of sharing symbols of different
// meaning.
#if defined(KOKKOS_ENABLE_CUDA)
#define KARPOS_ABI_DEVICE cuda
#elif defined(KOKKOS_ENABLE_HIP)
#define KARPOS_ABI_DEVICE hip
#elif defined(KOKKOS_ENABLE_SYCL)
#define KARPOS_ABI_DEVICE sycl
#elif defined(KOKKOS_ENABLE_OPENMP)
#define KARPOS_ABI_DEVICE openmp
#elif defined(KOKKOS_ENABLE_THREADS)
#define KARPOS_ABI_DEVICE threads
#else
#define KARPOS_ABI_DEVICE serial
#endif
#define KARPOS_ABI_JOIN_(dev, blas, ilp, kk, cu, roc, eng) v0_##dev##_##blas##ilp##kk##cu##roc##eng
#define KARPOS_ABI_JOIN(dev, blas, ilp, kk, cu, roc, eng)                                          \
  KARPOS_ABI_JOIN_(dev, blas, ilp, kk, cu, roc, eng)
#define KARPOS_ABI                                                                                 \
  KARPOS_ABI_JOIN(KARPOS_ABI_DEVICE, KARPOS_HAS_BLAS, KARPOS_BLAS_ILP64,                           \
                  KARPOS_HAS_KOKKOS_KERNELS, KARPOS_HAS_CUBLAS, KARPOS_HAS_ROCBLAS,                \
                  KARPOS_DEVICE_ENGINE_ON_HOST)
#define KARPOS_ABI_STRING_(abi) #abi
#define KARPOS_ABI_STRING_OF(abi) KARPOS_ABI_STRING_(abi)
#define KARPOS_ABI_STRING KARPOS_ABI_STRING_OF(KARPOS_ABI)

// Types that cross the boundaries of shared libraries (exceptions, bases with virtual functions)
// have one identity in a process, also where symbols are hidden by default; what is local to a
// module is so wherever symbols are not.
#if defined(__GNUC__) || defined(__clang__)
#define KARPOS_PROCESS_WIDE __attribute__((visibility("default")))
#define KARPOS_MODULE_LOCAL __attribute__((visibility("hidden")))
#else
#define KARPOS_PROCESS_WIDE
#define KARPOS_MODULE_LOCAL
#endif

// A loop without dependences between its iterations: vectorise it, whatever the cost model of -O2
// says.
#if defined(_OPENMP) || defined(KARPOS_OPENMP_SIMD)
#define KARPOS_SIMD _Pragma("omp simd")
#elif defined(__clang__)
#define KARPOS_SIMD _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define KARPOS_SIMD _Pragma("GCC ivdep")
#else
#define KARPOS_SIMD
#endif

// 16 bytes past the caches to 16-byte aligned memory, and the order of such stores before later
// ones: memory that is only written need not be read first.
#if defined(__SSE2__)
#include <emmintrin.h>
#define KARPOS_STREAM_16(to, from)                                                                 \
  _mm_stream_si128(reinterpret_cast<__m128i*>(to),                                                 \
                   _mm_loadu_si128(reinterpret_cast<__m128i const*>(from)))
#define KARPOS_STREAM_FENCE() _mm_sfence()
#define KARPOS_HAS_STREAM 1
#else
#define KARPOS_STREAM_16(to, from) std::memcpy(to, from, 16)
#define KARPOS_STREAM_FENCE() static_cast<void>(0)
#define KARPOS_HAS_STREAM 0
#endif

// glibc's vector math (libmvec) through declarations of the scalar functions: see
// fn/vector_math.hpp.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__) &&   \
    !defined(KARPOS_NO_VECTOR_MATH)
#define KARPOS_VECTOR_MATH 1
#else
#define KARPOS_VECTOR_MATH 0
#endif

// Types through which memory of any element type may be moved.
#if defined(__GNUC__) || defined(__clang__)
#define KARPOS_MAY_ALIAS __attribute__((may_alias))
#else
#define KARPOS_MAY_ALIAS
#endif

// Cold paths (throwing) stay out of line, so that the checked access around them inlines.
#if defined(__GNUC__) || defined(__clang__)
#define KARPOS_COLD __attribute__((noinline, cold))
#else
#define KARPOS_COLD
#endif

// Device passes: unroll hints for loops whose loads should all be in flight at once.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KARPOS_UNROLL _Pragma("unroll")
#define KARPOS_UNROLL_4 _Pragma("unroll 4")
#define KARPOS_UNROLL_8 _Pragma("unroll 8")
#else
#define KARPOS_UNROLL
#define KARPOS_UNROLL_4
#define KARPOS_UNROLL_8
#endif
