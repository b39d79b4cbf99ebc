// expect: karpos::cast: complex to real would drop the imaginary part
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void drop(kp::tensor<Kokkos::complex<double>, 1> const& z) {
  kp::tensor<double, 1> r = kp::cast<double>(z);
}
