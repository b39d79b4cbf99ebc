// expect: karpos::wrap: a Kokkos::View with Atomic memory traits cannot be wrapped
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void take(Kokkos::View<double*, Kokkos::MemoryTraits<Kokkos::Atomic>> v) { auto w = kp::wrap(v); }
