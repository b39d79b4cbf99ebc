// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which library serves which execution space in this build. The only file of the module with #if.
//
//   space                       first         second
//   Serial, OpenMP, Threads     blas          kokkos_kernels
//   Cuda                        cublas        kokkos_kernels
//   HIP                         rocblas       kokkos_kernels
//   any other device                          kokkos_kernels
//
// each where the build has it. The second serves where there is no first and Kokkos Kernels was
// itself built with a BLAS for that space, or where a scoped_path asks for it.
#pragma once
#include <karpos/backend/blas/provider.hpp>
#include <karpos/core/spaces.hpp>

#if KARPOS_HAS_BLAS
#include <karpos/backend/blas/fortran.hpp>
#endif
#if KARPOS_HAS_CUBLAS && defined(KOKKOS_ENABLE_CUDA)
#include <karpos/backend/blas/cublas.hpp>
#endif
#if KARPOS_HAS_ROCBLAS && defined(KOKKOS_ENABLE_HIP)
#include <karpos/backend/blas/rocblas.hpp>
#endif
#if KARPOS_HAS_KOKKOS_KERNELS
#include <karpos/backend/blas/kokkos_kernels.hpp>
#endif

namespace karpos::inline KARPOS_ABI::backend::blas::detail {

template <class Exec>
struct vendor_of {
  using type = no_provider;
};

#if KARPOS_HAS_BLAS
template <class Exec>
  requires host_execution<Exec>
struct vendor_of<Exec> {
  using type = fortran_blas;
};
#endif
#if KARPOS_HAS_CUBLAS && defined(KOKKOS_ENABLE_CUDA)
template <>
struct vendor_of<Kokkos::Cuda> {
  using type = cublas;
};
#endif
#if KARPOS_HAS_ROCBLAS && defined(KOKKOS_ENABLE_HIP)
template <>
struct vendor_of<Kokkos::HIP> {
  using type = rocblas;
};
#endif

/// The vendor's library, or no_provider.
template <class Exec>
using vendor = typename vendor_of<Exec>::type;

// Kokkos Kernels' own kernels are slower than the portable one here: it is worth a call where it
// hands it on to a BLAS.
#if KARPOS_HAS_KOKKOS_KERNELS
template <class Exec>
using second = kokkos_kernels;
template <class Exec>
inline constexpr bool second_calls_blas = false;
#if defined(KOKKOSKERNELS_ENABLE_TPL_BLAS)
template <class Exec>
  requires host_execution<Exec>
inline constexpr bool second_calls_blas<Exec> = true;
#endif
#if defined(KOKKOSKERNELS_ENABLE_TPL_CUBLAS) && defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool second_calls_blas<Kokkos::Cuda> = true;
#endif
#if defined(KOKKOSKERNELS_ENABLE_TPL_ROCBLAS) && defined(KOKKOS_ENABLE_HIP)
template <>
inline constexpr bool second_calls_blas<Kokkos::HIP> = true;
#endif
#else
template <class Exec>
using second = no_provider;
template <class Exec>
inline constexpr bool second_calls_blas = false;
#endif

/// What serves when nobody asks for a path.
template <class Exec>
using preferred =
    std::conditional_t<vendor<Exec>::id != path::none, vendor<Exec>,
                       std::conditional_t<second_calls_blas<Exec>, second<Exec>, no_provider>>;

}  // namespace karpos::inline KARPOS_ABI::backend::blas::detail
