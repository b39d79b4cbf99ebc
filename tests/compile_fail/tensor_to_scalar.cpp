// expect: cannot convert
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

double f(kp::tensor<double, 0> const& t) {
  double const x = t;
  return x;
}
