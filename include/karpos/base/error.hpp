// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exceptions of the library. Text: "karpos::<function>: <rule>: <values>". Thrown on the host,
// before any launch.
#pragma once
#include <karpos/base/config.hpp>

#include <stdexcept>
#include <string>

namespace karpos::inline KARPOS_ABI {

/// Base of every exception that Karpos throws.
struct KARPOS_PROCESS_WIDE error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Shapes or ranks that do not fit each other.
struct KARPOS_PROCESS_WIDE shape_error : error {
  using error::error;
};
/// An index or an axis out of range.
struct KARPOS_PROCESS_WIDE index_error : error {
  using error::error;
};
/// Any other argument that the function cannot take.
struct KARPOS_PROCESS_WIDE argument_error : error {
  using error::error;
};
/// An allocation that failed, or use of memory before initialize or after finalize.
struct KARPOS_PROCESS_WIDE memory_error : error {
  using error::error;
};
/// A file that cannot be read or written, or that holds something else than asked for.
struct KARPOS_PROCESS_WIDE io_error : error {
  using error::error;
};
/// A vendor library reported a failure.
struct KARPOS_PROCESS_WIDE backend_error : error {
  using error::error;
};

}  // namespace karpos::inline KARPOS_ABI
