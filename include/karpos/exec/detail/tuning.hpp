// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning numbers of the device engine: data, one struct per back end, with the reason for each.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>

namespace karpos::inline KARPOS_ABI::exec::detail {

struct device_tuning {
  int access_bytes = 16;  ///< widest load and store of one thread: below it a copy does not reach
                          ///< the memory's rate
  int max_lanes =
      8;  ///< values that one thread holds of a row; more (16 bytes of int8) costs registers
  int tile_lanes =
      2;  ///< tiled: block of 2 x 2 for 4- and 8-byte elements (f32 copy 3550 GB/s; 4 x 4: 2920)
  int small_tile_lanes =
      8;  ///< tiled: block of 8 x 8 for 1- and 2-byte elements (f16 copy 2460 GB/s; 4 x 4: 1500)
  int block_warp_rows =
      4;  ///< tiled: a warp covers 4 x 8 blocks (8 x 4: 3290 GB/s), so that stores fill longer
  int block_warp_columns = 8;  ///<   segments than loads, which the caches gather
  int tile_blocks = 16;        ///< tiled: a tile is 16 x 16 blocks, a block of 256 threads
  int row_packets = 8;  ///< rows: packets of 16 bytes that one lane takes before lanes double (sums
                        ///< of rows of 256 floats: 8 4089 GB/s, 4 2916, 2 1618); row stages hold
                        ///< them in half of a lane's 64 registers
  int row_least_lanes = 4;   ///< rows written whole: lanes that write side by side (softmax over 64
                             ///< floats: 4 2075 GB/s, 2 1183)
  int row_team_lanes = 128;  ///< lanes of a team that serves several rows
  int reduce_threads = 2;    ///< warps on one row of a reduction (rows of 4096 floats: 2 4326
                             ///< GB/s, 4 3884, 8 4001)
  int row_stages_threads = 16;  ///< warps on one row of row stages (softmax over 16384 floats: 16
                                ///< 2361 GB/s, 8 2052)
  /// Indices of one launch, which counts in 32 bits. On the host, where the engine is only tested,
  /// few: every test of some size sees the cuts.
  index_t max_launch = KARPOS_DEVICE_ENGINE_ON_HOST ? index_t{1} << 14 : index_t{1} << 29;
};

// Found on an H200; HIP devices run the same numbers until somebody measures there.
inline constexpr device_tuning tuning{};

/// Lanes of one access for elements of this size.
constexpr int lanes_for(int element_size) {
  int const n = tuning.access_bytes / element_size;
  return n < 1 ? 1 : n > tuning.max_lanes ? tuning.max_lanes : n;
}

/// Rows and columns of the block that one thread of the tiled kernel turns.
constexpr int tile_lanes_for(int element_size) {
  return element_size >= 16 ? 1 : element_size >= 4 ? tuning.tile_lanes : tuning.small_tile_lanes;
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
