// compiles
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control of this folder: what the other sources do wrong, done right.
#include <karpos/karpos.hpp>

#include <utility>

namespace kp = karpos;

void control() {
  kp::tensor<double, 2> a(3, 4);
  kp::tensor<double, 2> b = kp::clone(a);
  a += b * 2.0;
  kp::tensor<double, 2> moved = std::move(a);
}
