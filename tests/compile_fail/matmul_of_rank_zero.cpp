// expect: a rank-0 operand has no matrix product
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 0> const& a, kp::tensor<double, 2> const& b) { return kp::matmul(a, b); }
