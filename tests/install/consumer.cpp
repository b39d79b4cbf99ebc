// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of every consumer in this folder: exit 0 when tensors work in the build it was made
// by.
#include <karpos/karpos.hpp>

#include <cstdio>

namespace kp = karpos;

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  kp::tensor<double, 2> a = kp::full({8, 4}, 2.0);
  kp::tensor<double, 2> b = kp::full({4, 8}, 0.5);
  kp::tensor<double, 2> c = kp::matmul(a, b) + 1.0;  // 4 * 1 + 1
  double const sum = kp::item(kp::sum(c));
  std::printf("consumer: %s, sum %g, %zu blocks reused\n", Kokkos::DefaultExecutionSpace::name(),
              sum, kp::memory::stats().hits);
  return sum == 8 * 8 * 5.0 ? 0 : 1;
}
