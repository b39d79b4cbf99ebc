// expect: karpos: this operation has no meaning for these element types (bool arithmetic wants & | ^ !
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<bool, 1> const& a) { return a + a; }
