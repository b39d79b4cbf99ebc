// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one function through which the status of every vendor call goes.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>

#include <string>

namespace karpos::inline KARPOS_ABI::backend::blas::detail {

KARPOS_COLD inline void throw_status(char const* call, char const* name, int code, char const* file,
                                     int line) {
  throw backend_error(std::string("karpos::backend::blas: ") + call + " returned " + name + " (" +
                      std::to_string(code) + ") at " + file + ":" + std::to_string(line));
}

/// @throws backend_error naming the call, the status and the place, unless the call succeeded.
template <class Traits>
void check(typename Traits::status status, char const* call, char const* file = __builtin_FILE(),
           int line = __builtin_LINE()) {
  if (status != Traits::success)
    throw_status(call, Traits::text(status), static_cast<int>(status), file, line);
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas::detail
