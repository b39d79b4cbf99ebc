// expect: several axes of a reduction are axes(0, 1)
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 2> const& a) { return kp::sum(a, {0, 1}); }
