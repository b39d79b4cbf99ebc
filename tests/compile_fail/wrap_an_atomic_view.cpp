// expect: a Kokkos::View with Atomic memory traits cannot be wrapped
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(Kokkos::View<double*, kp::default_space, Kokkos::MemoryTraits<Kokkos::Atomic>> const& v) { return kp::wrap(v); }
