// expect: karpos::map: the function cannot be called with the operands' element types
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

struct two_arguments {
  double operator()(double a, double b) const { return a + b; }
};
auto f(kp::tensor<double, 1> const& a) { return kp::map(two_arguments{}, a); }
