// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of the rows, and the groups of rows, each in a file of its own.
#pragma once
#include "../common.hpp"
#include "checks.hpp"
#include "raw.hpp"

#include <cstdint>

namespace karpos_bench {

/// Elements in [-4, 4), which each row sees in the shape it needs, and room for every result.
template <class T>
struct operands {
  explicit operands(std::int64_t count) : n(count), r(n), values(n / 1024), indices(n / 1024) {
    x = kp::random::uniform<T>({n}, {.seed = 1, .low = -4.0, .high = 4.0});
  }
  void clear() {
    r = T(77.0f);
    values = T(77.0f);
    indices = std::int64_t(-1);
  }
  std::int64_t n;
  kp::tensor<T, 1> x, r, values;
  kp::tensor<std::int64_t, 1> indices;
  Kokkos::View<located<T>, space::memory_space> found{"found"};
};

void add_positions();
void add_statistics();

}  // namespace karpos_bench
