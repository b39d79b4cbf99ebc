// expect: deleted
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor captured in a kernel: a copy on every backend, not a handle.
#include <karpos/karpos.hpp>

namespace kp = karpos;

struct kernel {
  kp::tensor<double, 1> a;
  KOKKOS_FUNCTION void operator()(int i) const { (void)a.data()[i]; }
};
void launch(kernel const& k) { Kokkos::parallel_for("k", 3, k); }
