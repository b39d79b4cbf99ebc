// expect: could not convert
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f() { kp::tensor<double, 2> t = {1.0, 2.0}; }
