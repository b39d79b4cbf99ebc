// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix product as loops, for the tests of matmul and gemm.
#pragma once
#include <gtest/gtest.h>
#include <support/host.hpp>

namespace karpos_test::inline KARPOS_ABI {

/// NumPy's matmul as loops, in type T.
template <class T>
host_array<T> product(host_array<T> a, host_array<T> b) {
  bool const row = a.shape.size() == 1;
  bool const column = b.shape.size() == 1;
  if (row)
    a.shape.insert(a.shape.begin(), 1);
  if (column)
    b.shape.push_back(1);
  shape_t batch;
  EXPECT_TRUE(broadcast_model(shape_t(a.shape.begin(), a.shape.end() - 2),
                              shape_t(b.shape.begin(), b.shape.end() - 2), batch));
  index_t const m = a.shape[a.shape.size() - 2];
  index_t const k = a.shape.back();
  index_t const n = b.shape.back();
  auto const with = [&](index_t rows, index_t columns) {
    auto s = batch;
    s.push_back(rows);
    s.push_back(columns);
    return s;
  };
  auto const x = stretched(a, with(m, k));
  auto const y = stretched(b, with(k, n));
  host_array<T> c(with(m, n));
  for_each_index(batch, [&](shape_t const& at) {
    auto const element = [&](auto& array, index_t i, index_t j) -> auto& {
      auto index = at;
      index.push_back(i);
      index.push_back(j);
      return array.at(index);
    };
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < n; ++j)
        for (index_t p = 0; p < k; ++p)
          element(c, i, j) = static_cast<T>(element(c, i, j) + element(x, i, p) * element(y, p, j));
  });
  if (column)
    c.shape.pop_back();
  if (row)
    c.shape.erase(c.shape.end() - (column ? 1 : 2));
  return c;
}

}  // namespace karpos_test::inline KARPOS_ABI
