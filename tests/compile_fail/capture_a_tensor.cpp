// expect: deleted
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 1>& t) {
  Kokkos::parallel_for("f", 3, KOKKOS_LAMBDA(int i) { (void)t.data()[i]; });
  auto const copied = [=] { return t.size(); };
  (void)copied;
}
