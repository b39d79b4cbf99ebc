// expect: the elements of the destination are const
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 2> const& t) { t(1) = kp::ones(3); }
