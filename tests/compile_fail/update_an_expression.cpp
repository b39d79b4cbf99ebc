// expect: evaluate it first
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `auto` of an expression is a recipe, not a tensor.
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 1> const& a) {
  auto c = a + a;
  c += 1.0;
}
