// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statistics and normalisations over rows, positions of maxima: Karpos, and the raw Kokkos loop
// beside each.
#include "operands.hpp"

namespace karpos_bench {
namespace {

void add_rows() {
  add_positions();
  add_statistics();
}

}  // namespace
}  // namespace karpos_bench

int main(int argc, char** argv) { return karpos_bench::run(argc, argv, &karpos_bench::add_rows); }
