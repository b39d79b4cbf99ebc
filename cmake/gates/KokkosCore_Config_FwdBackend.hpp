// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile gates only, in place of Kokkos' generated file of this name: forward declarations of the
// spaces.
#pragma once

#include <fwd/Kokkos_Fwd_SERIAL.hpp>
#if defined(KARPOS_GATE_CUDA)
#include <fwd/Kokkos_Fwd_CUDA.hpp>
#else
#include <fwd/Kokkos_Fwd_HIP.hpp>
#endif
