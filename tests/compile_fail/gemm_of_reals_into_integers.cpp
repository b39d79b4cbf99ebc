// expect: karpos::gemm: c's elements cannot hold the product
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 2> const& a, kp::tensor<int, 2>& c) { kp::gemm(1, a, a, 0, c); }
