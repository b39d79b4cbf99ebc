// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile gates only: the installed Kokkos' configuration with its devices exchanged for Serial and
// a GPU. Versions and options stay the installed ones. No include guard: Kokkos' own file refuses a
// second inclusion, and this one forwards to it.
#include_next <KokkosCore_config.h>

#undef KOKKOS_ENABLE_OPENMP
#undef KOKKOS_ENABLE_THREADS
#undef KOKKOS_ENABLE_SERIAL
#define KOKKOS_ENABLE_SERIAL

#if defined(KARPOS_GATE_CUDA)
#undef KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA
#define KOKKOS_ARCH_HOPPER
#define KOKKOS_ARCH_HOPPER90
#elif defined(KARPOS_GATE_HIP_GFX90A)
#undef KOKKOS_ENABLE_HIP
#define KOKKOS_ENABLE_HIP
#define KOKKOS_ARCH_AMD_GPU "gfx90a"
#define KOKKOS_ARCH_AMD_GFX90A
#elif defined(KARPOS_GATE_HIP_GFX942)
#undef KOKKOS_ENABLE_HIP
#define KOKKOS_ENABLE_HIP
#define KOKKOS_ARCH_AMD_GPU "gfx942"
#define KOKKOS_ARCH_AMD_GFX942
#else
#error "define KARPOS_GATE_CUDA, KARPOS_GATE_HIP_GFX90A or KARPOS_GATE_HIP_GFX942"
#endif

// The compiler's target and the configuration come from two arguments.
#if (defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900) ||                                            \
    (defined(__HIP_DEVICE_COMPILE__) && defined(KARPOS_GATE_HIP_GFX90A) &&                         \
     !defined(__gfx90a__)) ||                                                                      \
    (defined(__HIP_DEVICE_COMPILE__) && defined(KARPOS_GATE_HIP_GFX942) && !defined(__gfx942__))
#error "the compiler's target is not the one of the gate"
#endif
