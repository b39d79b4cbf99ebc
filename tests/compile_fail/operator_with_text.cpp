// expect: no match for
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators stay friendly to overload resolution: no hard error, the compiler lists the operands.
#include <karpos/karpos.hpp>

namespace kp = karpos;

void wrong(kp::tensor<double, 1> const& a) { auto b = a + "x"; }
