// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiled kernel: a Kokkos team per tile of the last two dimensions. Operands whose unit stride
// is down the tile are read along it into team scratch and taken from there; the others, and the
// destination, along its rows. So all go to memory by whole lines.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/pack.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/detail/device_kernels.hpp>
#include <karpos/exec/detail/strided.hpp>
#include <karpos/exec/detail/tuning.hpp>
#include <karpos/fn/convert.hpp>

#include <cstddef>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// One tile, as a thread of its team sees it. Packets are Shape::lanes elements of a row, or, in
/// scratch, of a column. Full: the destination fills the tile.
template <int R, class Shape, int Threads, bool Full>
struct tile_of {
  index_t const* x;        // of its first element
  unsigned rows, columns;  // those within the destination
  unsigned rank;
  char* scratch;
  static constexpr unsigned threads = Threads;

  /// f(batch) for this thread's packets: numbers batch + k * Threads for k below Shape::each.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_batch(F const& f) const {
    for (unsigned n = rank; n < Shape::packets; n += Shape::each * Threads)
      f(n);
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool has(unsigned row, unsigned column) const {
    return Full || (row < rows && column < columns);
  }
};

/// Reads the operands that go through scratch.
template <int R, class Shape, class Tile>
struct fill_tile {
  Tile const& tile;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(constant<T> const&) const {}
  template <class G>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(strided_generator<G, R> const&) const {}
  template <class F, class... B>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(bound_map<F, B...> const& m) const {
    karpos::apply(each_operand{*this}, m.operands);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(strided_leaf<T, R> const& leaf) const {
    if (leaf.mode != access::scratch && leaf.mode != access::scratch_element)
      return;
    if (leaf.mode == access::scratch)
      fill<Shape::lanes>(leaf);
    else
      fill<1>(leaf);
  }

private:
  // Width: of an access. A batch is loaded before the first of it is stored.
  template <int Width, class T>
  KOKKOS_FORCEINLINE_FUNCTION void fill(strided_leaf<T, R> const& leaf) const {
    constexpr int V = Shape::lanes, each = Shape::each;
    T const* const from = leaf.data + dot<R>(tile.x, leaf.strides);
    T* const to = reinterpret_cast<T*>(tile.scratch + leaf.scratch);
    index_t const right = leaf.strides[R - 1];
    tile.for_each_batch([&](unsigned batch) {
      packet<T, V> p[each];
      KARPOS_UNROLL
      for (int k = 0; k < each; ++k) {
        auto const [i, j] = place(batch, k);
        T const* const q = from + (static_cast<index_t>(j) * right + static_cast<index_t>(i));
        for (int r = 0; r < V; r += Width)
          if (tile.has(i + static_cast<unsigned>(r + Width - 1), j)) {
            auto const w = *reinterpret_cast<aligned_packet<T, Width> const*>(q + r);
            for (int c = 0; c < Width; ++c)
              p[k].lane[r + c] = w.lane[c];
          } else {
            for (int c = 0; c < Width; ++c)
              p[k].lane[r + c] = tile.has(i + static_cast<unsigned>(r + c), j) ? q[r + c] : T{};
          }
      }
      KARPOS_UNROLL
      for (int k = 0; k < each; ++k) {
        auto const [i, j] = place(batch, k);
        for (int r = 0; r < V; ++r)
          to[j * Shape::pitch + i + static_cast<unsigned>(r)] = p[k].lane[r];
      }
    });
  }

  struct position {
    unsigned i, j;
  };
  KOKKOS_FORCEINLINE_FUNCTION static position place(unsigned batch, int k) {
    constexpr unsigned down = Shape::edge / Shape::lanes;  // packets of a column
    unsigned const n = batch + static_cast<unsigned>(k) * Tile::threads;
    return {n % down * Shape::lanes, n / down};
  }

  struct each_operand {
    fill_tile const& fill;
    template <class... B>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(B const&... b) const {
      (fill(b), ...);
    }
  };
};

/// dst = bound over tiles. Dimension R - 2 goes down the tiles, the last one along their rows.
template <class Exec, class D, class Bound, int R>
struct tiled_kernel {
  using shape = tile_shape<static_cast<int>(sizeof(D))>;
  using member = typename Kokkos::TeamPolicy<Exec>::member_type;
  D* dst;
  Bound bound;
  index_t strides[R];
  index_t rows, columns;    // extents of the last two dimensions
  fast_divisor extents[R];  // outer dimensions; [R - 2] and [R - 1] count tiles
  access mode;
  int scratch;  // bytes

  static constexpr int threads = host_execution<Exec> ? 1 : tuning.tile_threads;

  KOKKOS_FUNCTION void operator()(member const& team) const {
    index_t x[R];
    unsigned rest = static_cast<unsigned>(team.league_rank());
    for (int k = R - 1; k >= 0; --k) {
      unsigned const q = k == 0 ? 0u : extents[k].quotient(rest);
      x[k] = static_cast<index_t>(rest - q * extents[k].divisor) * (k < R - 2 ? 1 : shape::edge);
      rest = q;
    }
    index_t const down = rows - x[R - 2], right = columns - x[R - 1];
    if (down >= shape::edge && right >= shape::edge)
      run<true>(team, x, shape::edge, shape::edge);
    else
      run<false>(team, x, down, right);
  }

private:
  template <bool Full>
  KOKKOS_FORCEINLINE_FUNCTION void run(member const& team, index_t const* x, index_t down,
                                       index_t right) const {
    using tile_type = tile_of<R, shape, threads, Full>;
    tile_type const tile{x, within(down), within(right), static_cast<unsigned>(team.team_rank()),
                         static_cast<char*>(team.team_scratch(0).get_shmem_aligned(
                             static_cast<std::size_t>(scratch), 16))};
    fill_tile<R, shape, tile_type>{tile}(bound);
    team.team_barrier();
    write(tile);
  }
  KOKKOS_FORCEINLINE_FUNCTION static unsigned within(index_t rest) {
    return static_cast<unsigned>(rest < shape::edge ? rest : shape::edge);
  }

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void write(Tile const& tile) const {
    constexpr int V = shape::lanes;
    constexpr unsigned across = shape::edge / V;
    packet_in_tile<R, shape> at;
    at.scratch = tile.scratch;
    for (int d = 0; d < R; ++d)
      at.x[d] = tile.x[d];
    D* const first = dst + dot<R>(tile.x, strides);
    tile.for_each_batch([&](unsigned batch) {
      KARPOS_UNROLL
      for (int k = 0; k < shape::each; ++k) {
        unsigned const n = batch + static_cast<unsigned>(k) * threads;
        at.i = n / across;
        at.j = n % across * V;
        if (!tile.has(at.i, at.j))
          continue;
        at.x[R - 2] = tile.x[R - 2] + at.i;
        at.x[R - 1] = tile.x[R - 1] + at.j;
        D* const to = first + (static_cast<index_t>(at.i) * strides[R - 2] +
                               static_cast<index_t>(at.j) * strides[R - 1]);
        if (tile.has(at.i, at.j + V - 1))
          whole(at, to);
        else
          tail(at, to, tile.columns);
      }
    });
  }
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION void whole(At const& at, D* to) const {
    constexpr int V = shape::lanes;
    auto const r = bound.template load<V>(at);
    if (mode == access::vector)
      store_vector<D, V>(to, r);
    else
      for (int k = 0; k < V; ++k)
        to[k * strides[R - 1]] = fn::convert<D>(r.lane[k]);
  }
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION void tail(At at, D* to, unsigned columns_of_tile) const {
    for (; at.j < columns_of_tile; ++at.j, ++at.x[R - 1], to += strides[R - 1])
      *to = fn::convert<D>(bound.template load<1>(at).lane[0]);
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
