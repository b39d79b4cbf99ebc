// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type in which an elementary function of an element is computed, and the type of its result.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// Result of an elementary function: double for integers and bool, else the type itself.
template <element T>
using math_result_t = std::conditional_t<(integer<T> || boolean<T>), double, T>;

/// The type in which it is computed: float for the 16-bit formats.
template <element T>
using math_compute_t = compute_t<math_result_t<T>>;

}  // namespace karpos::inline KARPOS_ABI
