// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of a product, fused with it, and the maximum, to a number that stays on the device.
#include "rows.hpp"

namespace karpos_bench {
namespace {

template <class T>
void add_all(std::int64_t n) {
  add<reduction::dot, T>("sum(x*y)", std::to_string(n), n, {1, n, 1});
  add<reduction::largest, T>("max", std::to_string(n), n, {1, n, 1});
}

}  // namespace

void add_products_and_maxima() {
  for (auto const& m : matrix_sizes) {
    add_all<float>(m.count());
    add_all<double>(m.count());
  }
}

}  // namespace karpos_bench
