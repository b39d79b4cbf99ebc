// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the device engine: flat (pointers, one packet per thread), rows (strides, one
// packet per thread) and tiled (one V x V block per thread, turned in registers).
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/detail/strided.hpp>
#include <karpos/exec/detail/tuning.hpp>
#include <karpos/fn/convert.hpp>

namespace karpos::inline KARPOS_ABI::exec::detail {

template <class D, int V, class P>
KOKKOS_FORCEINLINE_FUNCTION void store_vector(D* to, P const& r, int first) {
  aligned_packet<D, V> w;
  for (int k = 0; k < V; ++k)
    w.lane[k] = fn::convert<D>(r.lane[first + k]);
  *reinterpret_cast<aligned_packet<D, V>*>(to) = w;
}

/// dst[0..n) = bound, every leaf with unit stride and aligned; a packet per thread, the tail
/// element by element.
template <class D, class Bound>
struct flat_kernel {
  static constexpr int lanes = lanes_for(static_cast<int>(sizeof(D)));
  D* dst;
  Bound bound;
  index_t n;

  KOKKOS_FUNCTION void operator()(int packet_number) const {
    index_t i = static_cast<index_t>(packet_number) * lanes;
    if (i + lanes <= n) {
      store_vector<D, lanes>(dst + i, bound.template load<lanes>(i), 0);
    } else {
      for (; i < n; ++i)
        dst[i] = fn::convert<D>(bound.at(i));
    }
  }
};

/// Quotient and remainder by a divisor that fits 32 bits, by multiplication (Granlund, Montgomery
/// 1994; the 33-bit magic number is applied with an add, exact for every 32-bit numerator).
struct fast_divisor {
  unsigned divisor = 1, magic = 0, shift = 0;
  fast_divisor() = default;
  explicit fast_divisor(unsigned d) : divisor(d) {
    while (shift < 32 && (1ull << shift) < d)
      ++shift;
    magic = static_cast<unsigned>(((1ull << 32) * ((1ull << shift) - d)) / d + 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION unsigned quotient(unsigned n) const {
    unsigned const high = static_cast<unsigned>((static_cast<unsigned long long>(n) * magic) >> 32);
    return static_cast<unsigned>((static_cast<unsigned long long>(high) + n) >> shift);
  }
};

/// One packet of V elements along the last dimension per thread.
template <class D, class Bound, int R>
struct rows_kernel {
  static constexpr int lanes = lanes_for(static_cast<int>(sizeof(D)));
  D* dst;
  Bound bound;
  index_t strides[R];
  index_t last_extent;
  fast_divisor extents[R];  // of the outer dimensions; extents[R - 1] counts packets per row
  access mode;

  KOKKOS_FUNCTION void operator()(unsigned number) const {
    packet_at<R> at;
    unsigned rest = extents[R - 1].quotient(number);
    at.x[R - 1] = static_cast<index_t>(number - rest * extents[R - 1].divisor) * lanes;
    for (int k = R - 2; k >= 0; --k) {
      unsigned const q = k == 0 ? 0u : extents[k].quotient(rest);
      at.x[k] = static_cast<index_t>(rest - q * extents[k].divisor);
      rest = q;
    }
    D* const to = dst + dot<R>(at.x, strides);
    if (at.x[R - 1] + lanes <= last_extent)
      whole(at, to);
    else
      tail(at, to);
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void whole(packet_at<R> const& at, D* to) const {
    auto const r = bound.template load<lanes>(at);
    if (lanes > 1 && mode == access::vector) {
      store_vector<D, lanes>(to, r, 0);
    } else {
      for (int k = 0; k < lanes; ++k)
        to[k * strides[R - 1]] = fn::convert<D>(r.lane[k]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void tail(packet_at<R> at, D* to) const {
    for (; at.x[R - 1] < last_extent; ++at.x[R - 1], to += strides[R - 1])
      *to = fn::convert<D>(bound.template load<1>(at).lane[0]);
  }
};

/// One V x V block per thread: rows along dimension R - 2, columns along the last. Threads of a
/// warp cover a patch of blocks, warps a tile, so that both the transposed and the straight
/// operands are read by whole sectors.
template <class D, class Bound, int R>
struct tiled_kernel {
  static constexpr int lanes = tile_lanes_for(static_cast<int>(sizeof(D)));
  static constexpr int warp_rows = tuning.block_warp_rows, warp_columns = tuning.block_warp_columns;
  static constexpr int tile_rows = tuning.tile_blocks;  // in blocks; tiles are square
  static constexpr int warps_across = tile_rows / warp_columns;
  D* dst;
  Bound bound;
  index_t strides[R];
  index_t rows, columns;    // extents of the last two dimensions
  fast_divisor extents[R];  // outer dimensions; [R - 2] and [R - 1] count tiles
  access mode;

  static constexpr unsigned threads_per_tile = static_cast<unsigned>(tile_rows * tile_rows);

  KOKKOS_FUNCTION void operator()(unsigned number) const {
    unsigned const in_tile = number % threads_per_tile;
    unsigned rest = number / threads_per_tile;
    unsigned const lane = in_tile % (warp_rows * warp_columns),
                   warp = in_tile / (warp_rows * warp_columns);
    block_at<R> at;
    unsigned const across = extents[R - 1].quotient(rest);
    index_t const tile_column = static_cast<index_t>(rest - across * extents[R - 1].divisor);
    unsigned const down = extents[R - 2].quotient(across);
    index_t const tile_row = static_cast<index_t>(across - down * extents[R - 2].divisor);
    at.x[R - 1] =
        (tile_column * tile_rows + (warp % warps_across) * warp_columns + lane / warp_rows) * lanes;
    at.x[R - 2] =
        (tile_row * tile_rows + (warp / warps_across) * warp_rows + lane % warp_rows) * lanes;
    if (at.x[R - 1] >= columns || at.x[R - 2] >= rows)
      return;
    rest = down;
    for (int k = R - 3; k >= 0; --k) {
      unsigned const q = extents[k].quotient(rest);
      at.x[k] = static_cast<index_t>(rest - q * extents[k].divisor);
      rest = q;
    }
    if (at.x[R - 1] + lanes <= columns && at.x[R - 2] + lanes <= rows)
      whole(at);
    else
      edge(at);
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void whole(block_at<R> const& at) const {
    auto const r = bound.template load<lanes * lanes>(at);
    D* const to = dst + dot<R>(at.x, strides);
    for (int i = 0; i < lanes; ++i) {
      if (mode == access::vector) {
        store_vector<D, lanes>(to + i * strides[R - 2], r, i * lanes);
      } else {
        for (int j = 0; j < lanes; ++j)
          to[i * strides[R - 2] + j * strides[R - 1]] = fn::convert<D>(r.lane[i * lanes + j]);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void edge(block_at<R> const& from) const {
    packet_at<R> at;
    for (int k = 0; k < R; ++k)
      at.x[k] = from.x[k];
    for (int i = 0; i < lanes && from.x[R - 2] + i < rows; ++i)
      for (int j = 0; j < lanes && from.x[R - 1] + j < columns; ++j) {
        at.x[R - 2] = from.x[R - 2] + i;
        at.x[R - 1] = from.x[R - 1] + j;
        dst[dot<R>(at.x, strides)] = fn::convert<D>(bound.template load<1>(at).lane[0]);
      }
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
