// expect: karpos::item: the expression must have rank 0
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

double f(kp::tensor<double, 1> const& a) { return kp::item(a); }
