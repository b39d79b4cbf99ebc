// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program, the two libraries and the plugin of this test do for each other. All symbols
// are hidden, so the calls travel as pointers.
#pragma once
#include <karpos/core/tensor.hpp>

#include <cstddef>

namespace karpos_test {

using matrix = karpos::tensor<double, 2>;

struct calls {
  matrix (*make)(karpos::index_t n, double value);  // n x n, all elements the same
  matrix (*multiply)(matrix const& a, matrix const& b);
  double (*total)(matrix const& a);
  void (*release)(matrix&& a);
  void (*hold)(matrix&& a);  // in static storage
  void (*fail)();            // throws shape_error
  void const* (*registry)();
  std::size_t (*singletons)();  // how many objects the registry has
  std::size_t (*bytes_in_use)();
  void (*trim)();  // the pool keeps no free block
};

/// The calls of the module that asks. Hidden: every module has its own.
calls const& own_calls();

}  // namespace karpos_test
