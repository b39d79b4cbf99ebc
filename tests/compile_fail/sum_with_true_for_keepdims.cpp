// expect: keepdims: f(e, 1, keepdims)
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 2> const& a) { return kp::sum(a, 0, true); }
