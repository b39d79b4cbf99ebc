// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning numbers of the device engine: data, one struct per back end, with the reason for each.
#pragma once
#include <karpos/base/config.hpp>

namespace karpos::inline KARPOS_ABI::exec::detail {

struct device_tuning {
  int access_bytes = 16;        ///< widest load and store of one thread: below it a copy does not reach the memory's rate
  int max_lanes = 8;            ///< values that one thread holds of a row; more (16 bytes of int8) costs registers
  int block_warp_rows = 8;      ///< tiled: a warp covers 8 x 4 blocks, so that loads along the transposed axis touch
  int block_warp_columns = 4;   ///<   128-byte and stores 64-byte segments (whole sectors both ways)
  int tile_warps = 2;           ///< tiled: warps of one tile along the transposed axis: 64 rows of 4-byte elements
  int argument_bytes = 512;     ///< Kokkos 4 sends functors from this size on through constant memory, with a wait
};

// Found on an H200; HIP devices run the same numbers until somebody measures there.
inline constexpr device_tuning tuning{};

/// Lanes of one access for elements of this size.
constexpr int lanes_for(int element_size) {
  int const n = tuning.access_bytes / element_size;
  return n < 1 ? 1 : n > tuning.max_lanes ? tuning.max_lanes : n;
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
