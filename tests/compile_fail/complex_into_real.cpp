// expect: complex values do not fit a real destination: take real(e), imag(e) or abs(e)
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 1>& a, kp::tensor<Kokkos::complex<double>, 1> const& b) { a = b * 2.0; }
