// expect: karpos::tensor: not an element type
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

struct point {
  double x, y;
};
kp::tensor<point, 1> t;
