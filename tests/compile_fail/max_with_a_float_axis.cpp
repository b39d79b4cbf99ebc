// expect: a reduction takes axes as integers: f(e, 1), f(e, axes(0, 1)); the larger or smaller of two values is maximum(a, b) or minimum(a, b)
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 1> const& a) { return kp::max(a, 0.0); }
