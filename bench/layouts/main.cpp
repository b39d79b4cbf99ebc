// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that lie in memory in another order than the result: Karpos, and the raw MDRangePolicy
// loop beside each.
#include "operands.hpp"

namespace karpos_bench {
namespace {

void add_rows() {
  add_permutes();
  add_transposes();
  add_strided();
}

}  // namespace
}  // namespace karpos_bench

int main(int argc, char** argv) { return karpos_bench::run(argc, argv, &karpos_bench::add_rows); }
