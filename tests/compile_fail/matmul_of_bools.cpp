// expect: karpos::matmul: bool matrices have no product
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<bool, 2> const& a) { return kp::matmul(a, a); }
