// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: karpos::matmul, and beside it the library called directly, where there is one,
// and raw Kokkos loops, where a Kokkos user would write one.
#include "products.hpp"

namespace karpos_bench {
namespace {

void add_rows() {
  add_square();
  add_mixed();
  add_tall();
  add_batched();
}

}  // namespace
}  // namespace karpos_bench

int main(int argc, char** argv) { return karpos_bench::run(argc, argv, &karpos_bench::add_rows); }
