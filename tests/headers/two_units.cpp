// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls two sources that both include every header. That it links is the test.
#include <Kokkos_Core.hpp>

double unit_a(int n);
double unit_b(int n);

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  return unit_a(3) == 3.0 && unit_b(4) == 4.0 ? 0 : 1;
}
