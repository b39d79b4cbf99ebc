// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile gates only, in place of Kokkos' generated file of this name: the spaces.
#pragma once

#include <decl/Kokkos_Declare_SERIAL.hpp>
#if defined(KARPOS_GATE_CUDA)
#include <decl/Kokkos_Declare_CUDA.hpp>
#else
#include <decl/Kokkos_Declare_HIP.hpp>
#endif
