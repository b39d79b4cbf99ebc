// expect: karpos::matmul: a rank-0 operand has no matrix product
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void product(kp::tensor<double, 0> const& s, kp::tensor<double, 2> const& a) {
  auto b = kp::matmul(s, a);
}
