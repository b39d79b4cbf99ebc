// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile gates only, in place of Kokkos' generated file of this name: the device's keywords.
#pragma once

#if defined(KARPOS_GATE_CUDA)
#include <setup/Kokkos_Setup_Cuda.hpp>
#else
#include <setup/Kokkos_Setup_HIP.hpp>
#endif
