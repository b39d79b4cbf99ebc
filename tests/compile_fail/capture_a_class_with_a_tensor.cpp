// expect: deleted
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A class that owns a tensor, captured by its own kernel: the copy of the class would copy the
// tensor.
#include <karpos/karpos.hpp>

namespace kp = karpos;

struct solver {
  kp::tensor<double, 1> a;
  void run() const {
    Kokkos::parallel_for("run", 3, KOKKOS_CLASS_LAMBDA(int i) { (void)a.data()[i]; });
  }
};
