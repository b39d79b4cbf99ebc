// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile gates only: without these macros desul, Kokkos' atomics, has no device part.
#pragma once

#include_next <desul/atomics/Config.hpp>

#if defined(KARPOS_GATE_CUDA)
#undef DESUL_ATOMICS_ENABLE_CUDA
#define DESUL_ATOMICS_ENABLE_CUDA
#else
#undef DESUL_ATOMICS_ENABLE_HIP
#define DESUL_ATOMICS_ENABLE_HIP
#endif
