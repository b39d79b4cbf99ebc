// expect: cannot convert
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank-0 tensor is no double: item(t) waits and says so.
#include <karpos/karpos.hpp>

namespace kp = karpos;

double read(kp::tensor<double, 0> const& t) { return t; }
