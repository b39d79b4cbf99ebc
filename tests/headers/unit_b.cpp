// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of two sources that include every header and use the library: see two_units.cpp.
#include <all_headers.hpp>

namespace kp = karpos;

double unit_b(int n) {
  kp::tensor<double, 1> x = kp::ones<double>(n);
  kp::tensor<double, 1> y = kp::exp(x) - kp::exp(x) + x;
  return kp::item(kp::sum(y));
}
