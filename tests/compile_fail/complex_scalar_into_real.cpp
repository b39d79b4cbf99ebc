// expect: a complex value does not fit real elements
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 1>& a) { a = Kokkos::complex<double>(1, 2); }
