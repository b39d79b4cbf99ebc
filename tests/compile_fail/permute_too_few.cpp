// expect: karpos::permute: one axis per dimension of the operand
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 3>& t) { return kp::permute(t, 1, 0); }
