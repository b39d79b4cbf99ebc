// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// npy_header: what the first bytes of a .npy file say about the array behind them.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/extents.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karpos::inline KARPOS_ABI::io {

/// Element type, order and shape of a .npy file. The number of elements is known to fit 64 bits and
/// the file to have them.
struct npy_header {
  std::string dtype;            ///< as karpos::dtype_name and NumPy have it: "float64"
  std::size_t itemsize = 0;     ///< bytes of one element
  char byte_order = '|';        ///< '<' little endian, '>' big endian, '|' one byte
  bool fortran_order = false;   ///< the first axis varies fastest
  std::vector<index_t> shape;   ///< empty for a 0-d array
  int major_version = 1;        ///< 1, 2 or 3
  std::size_t data_offset = 0;  ///< bytes before the first element

  [[nodiscard]] int rank() const { return static_cast<int>(shape.size()); }
  /// Number of elements; 1 for a 0-d array.
  [[nodiscard]] index_t size() const {
    index_t n = 1;
    for (index_t extent : shape)
      n = extent == 0 ? 0 : n * extent;
    return n;
  }
};

}  // namespace karpos::inline KARPOS_ABI::io
