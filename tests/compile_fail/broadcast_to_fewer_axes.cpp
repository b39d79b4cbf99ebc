// expect: karpos::broadcast_to: the shape has fewer axes than the operand
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 2>& t) { return kp::broadcast_to(t, 3); }
