// expect: karpos::item: one index per axis
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

double f(kp::tensor<double, 2> const& a) { return kp::item(a, 1); }
