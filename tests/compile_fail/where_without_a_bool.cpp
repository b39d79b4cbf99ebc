// expect: karpos::where: the condition must be a bool expression
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 1> const& a) { return kp::where(a, a, 0.0); }
