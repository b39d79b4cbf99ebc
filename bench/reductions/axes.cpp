// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over one axis: rows, columns, the middle axis, few long rows, many short ones, few long
// columns.
#include "rows.hpp"

namespace karpos_bench {
namespace {

template <class T>
void add_matrix(matrix_size const& m) {
  auto const shape = by(m.rows, m.columns);
  add<reduction::rows, T>("sum_axis1", shape, m.count(), {m.rows, m.columns, 1});
  add<reduction::columns, T>("sum_axis0", shape, m.count(), {1, m.rows, m.columns});
}

template <class T>
void add_extreme(std::int64_t count) {
  std::int64_t const many = on_host ? 1 << 20 : 1 << 24;
  std::int64_t const outer = on_host ? 32 : 256, inner = 1024;
  add<reduction::middle, T>("sum_axis1", by(outer, 1024) + "x" + std::to_string(inner), count,
                            {outer, 1024, inner});
  add<reduction::rows, T>("sum_axis1", by(16, count / 16), count, {16, count / 16, 1});
  add<reduction::rows, T>("sum_axis1", by(many, 16), count, {many, 16, 1});
  add<reduction::columns, T>("sum_axis0", by(16, count / 16), count, {1, 16, count / 16});
}

}  // namespace

void add_axes() {
  for (auto const& m : matrix_sizes) {
    add_matrix<float>(m);
    add_matrix<double>(m);
  }
  auto const count = matrix_sizes[1].count();
  add_extreme<float>(count);
  add_extreme<double>(count);
}

}  // namespace karpos_bench
