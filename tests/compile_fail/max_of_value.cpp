// expect: a reduction takes axes as integers
// expect: maximum(a, b)
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// max(a, 0.0) is no reduction over axis 0.0.
#include <karpos/karpos.hpp>

namespace kp = karpos;

void larger(kp::tensor<double, 1> const& a) { kp::tensor<double, 1> b = kp::max(a, 0.0); }
