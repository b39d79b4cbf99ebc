// expect: the expression's rank differs from the tensor's
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 2> const& t) { kp::tensor<double, 1> u = t * 2.0; }
