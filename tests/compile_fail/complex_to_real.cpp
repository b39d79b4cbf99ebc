// expect: complex values do not fit a real destination
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void drop(kp::tensor<double, 1>& a, kp::tensor<Kokkos::complex<double>, 1> const& z) {
  a = z * 2.0;
}
