// expect: more axes to reduce than the operand has
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 1> const& a) { return kp::sum(a, kp::axes(0, 0)); }
