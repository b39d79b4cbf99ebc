// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two operands of a comparison, from files or random, in host memory.
#pragma once
#include "common/results.hpp"
#include "compare/options.hpp"
#include <karpos/core/tensor.hpp>
#include <karpos/ops/transfer.hpp>

#include <cstdint>
#include <string>

namespace karpos::tools {

template <class T>
using host_matrix = tensor<T, 2, host_space>;

template <class T>
struct operands {
  host_matrix<T> first, second;
  problem head;  ///< operation, dtype, shape, inputs, hash; no rows
};

/// The element type of both files, "float32" or "float64"; their shapes are known to fit the
/// operation. Reads headers only.
/// @throws usage_error, io_error.
[[nodiscard]] std::string check_files(compare_options const& o);

template <class T>
[[nodiscard]] operands<T> load_operands(compare_options const& o);

template <class T>
[[nodiscard]] operands<T> random_operands(compare_options const& o, std::int64_t n);

}  // namespace karpos::tools
