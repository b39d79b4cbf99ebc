// expect: complex numbers have no order
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void largest(kp::tensor<Kokkos::complex<double>, 1> const& z) { auto m = kp::max(z); }
