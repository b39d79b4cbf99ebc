// expect: deleted
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

double total(kp::tensor<double, 1> t);
double f(kp::tensor<double, 1> const& t) { return total(t); }
