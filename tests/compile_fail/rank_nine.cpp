// expect: the rank of a tensor is 0 to 8
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f() { kp::tensor<double, 9> t; }
