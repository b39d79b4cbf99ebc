// expect: karpos::exp: takes a tensor, view, expression or Kokkos::View
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void wrong() { auto b = kp::exp("x"); }
