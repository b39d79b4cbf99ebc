// expect: the elements of the destination are const
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void write(kp::tensor_view<double const, 1> v, kp::tensor<double, 1> const& a) {
  kp::assign(v, a * 2.0);
}
