// expect: karpos::matmul: takes two tensors, views, expressions or Kokkos::Views
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

auto f(kp::tensor<double, 2> const& a) { return kp::matmul(a, 2.0); }
