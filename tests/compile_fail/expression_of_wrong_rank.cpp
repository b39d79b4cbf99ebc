// expect: karpos::assign: the expression has more axes than the destination
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void write(kp::tensor<double, 1>& v, kp::tensor<double, 2> const& a) { v = a * 2.0; }
