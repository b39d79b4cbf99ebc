// expect: deleted
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor passed by value: move-only, and the message names the way.
#include <karpos/karpos.hpp>

namespace kp = karpos;

void take(kp::tensor<double, 2> a);
void pass(kp::tensor<double, 2> const& a) { take(a); }
