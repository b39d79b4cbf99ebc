// expect: karpos::item: the expression must have rank 0
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void read(kp::tensor<double, 2> const& a) { (void)kp::item(a); }
