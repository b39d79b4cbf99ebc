// expect: deleted
// expect: assign(v, t)
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor_view<double, 1> v, kp::tensor<double, 1> const& t) { v = t; }
