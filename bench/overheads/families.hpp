// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of rows, each in a file of its own.
#pragma once

namespace karpos_bench {

void add_launches();
void add_allocations();
void add_transfers();

}  // namespace karpos_bench
