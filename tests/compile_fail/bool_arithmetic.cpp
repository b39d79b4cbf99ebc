// expect: bool arithmetic wants & | ^ !
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void add(kp::tensor<bool, 1> const& a, kp::tensor<bool, 1> const& b) { auto c = a + b; }
