// expect: deleted
// expect: assign(t, u) writes the elements
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 1>& a, kp::tensor<float, 1> const& b) { a = b; }
