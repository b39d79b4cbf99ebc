// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is paid besides the work: launches, allocations, transfers. Karpos, and Kokkos called
// directly.
#include "../common.hpp"
#include "families.hpp"

namespace karpos_bench {
namespace {

// The context is printed before the rows: the reason of rows that are not there, too.
void add_rows() {
  add_launches();
  add_allocations();
  add_transfers();
}

}  // namespace
}  // namespace karpos_bench

int main(int argc, char** argv) { return karpos_bench::run(argc, argv, &karpos_bench::add_rows); }
