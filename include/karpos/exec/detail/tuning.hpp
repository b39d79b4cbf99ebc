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
  int tile_edge = 64;          ///< tiled: elements of up to 4 bytes (f32 copy: 64 3890 GB/s, 32
                               ///< 3220); half of it for larger ones
  int tile_access_bytes = 16;  ///< tiled: of one load and store (f16 copy: 16 3870, 8 3520; X +
                               ///< transpose(X) in f32: 4240, 3820)
  int tile_threads = 256;      ///< tiled: of a team (f64 copy: 128 3640, 256 3700, 512 3000)
  int tile_scratch = 1 << 16;  ///< tiled: bytes of a team at most, where the device has them
  int row_packets = 8;  ///< rows: packets of 16 bytes that one lane takes before lanes double (sums
                        ///< of rows of 256 floats: 8 4415 GB/s, an earlier kernel 4 2916, 2 1618);
                        ///< row stages hold them in half of a lane's 64 registers
  int row_least_lanes = 4;   ///< rows written whole: lanes that write side by side (softmax over 64
                             ///< floats: 4 3290 GB/s, an earlier kernel 2 1183)
  int row_team_lanes = 128;  ///< lanes of a team that serves several rows: not varied
  int reduce_warps = 2;      ///< on one row of a reduction (rows of 4096 floats: 2 4580 GB/s, an
                             ///< earlier kernel 4 3884, 8 4001)
  int row_stages_warps = 16;  ///< on one row of row stages (softmax over 16384 floats: 16 4100
                              ///< GB/s, an earlier kernel 8 2052)
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

/// The tiles of a destination whose elements have Size bytes.
template <int Size>
struct tile_shape {
  static constexpr int edge = Size <= 4 ? tuning.tile_edge : tuning.tile_edge / 2;
  static constexpr int lanes =
      Size < tuning.tile_access_bytes ? tuning.tile_access_bytes / Size : 1;
  static constexpr unsigned pitch = edge + 1;  // of a column in scratch: spreads over the banks
  static constexpr unsigned packets = edge * edge / lanes;
  static constexpr int each = static_cast<int>(packets) / tuning.tile_threads;  // per thread
  /// Bytes of an operand's tile.
  static constexpr int bytes(int element_size) {
    return (edge * static_cast<int>(pitch) * element_size + 15) / 16 * 16;
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
