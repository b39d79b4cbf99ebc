// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of everything, to a number that stays on the device.
#include "rows.hpp"

namespace karpos_bench {
namespace {

template <class T>
void add_sum(std::int64_t n) {
  add<reduction::total, T>("sum", std::to_string(n), n, {1, n, 1});
}

}  // namespace

void add_sums() {
  for (auto const& m : matrix_sizes) {
    add_sum<kp::half>(m.count());
    add_sum<float>(m.count());
    add_sum<double>(m.count());
  }
}

}  // namespace karpos_bench
