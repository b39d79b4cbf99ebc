// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions: over everything, over one axis of several shapes, to a number on the host. Karpos,
// and the raw Kokkos loop beside each.
#include "rows.hpp"

namespace karpos_bench {
namespace {

void add_rows() {
  add_sums();
  add_products_and_maxima();
  add_axes();
  add_scalars();
}

}  // namespace
}  // namespace karpos_bench

int main(int argc, char** argv) { return karpos_bench::run(argc, argv, &karpos_bench::add_rows); }
