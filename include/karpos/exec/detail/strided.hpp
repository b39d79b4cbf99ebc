// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided bound forms of the device engine: leaves with strides per merged dimension, read one
// packet at a time. How a leaf is read is a run-time flag, so that one kernel serves every layout.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/plan.hpp>

#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// How a leaf is read: packets element by element or at once; through a tile in scratch, which is
/// read at once or element by element.
enum class access : int { element, vector, scratch, scratch_element };

/// A position in the index space: V elements from index x along the last dimension.
template <int R>
struct packet_at {
  index_t x[R];
};
/// The same within a tile (device_tiles.hpp) of which some operands stand in scratch.
template <int R, class Shape>
struct packet_in_tile : packet_at<R> {
  char const* scratch;
  unsigned i, j;  // row and column within the tile
};

template <int R>
KOKKOS_FORCEINLINE_FUNCTION index_t dot(index_t const* x, index_t const* strides) {
  index_t at = 0;
  for (int k = 0; k < R; ++k)
    at += x[k] * strides[k];
  return at;
}

template <class T, int R>
struct strided_leaf {
  using value_type = T;
  T const* data;
  index_t strides[R];
  access mode;
  int scratch;  // bytes of the team's scratch before this leaf's tile

  template <int V>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> load(packet_at<R> const& at) const {
    T const* const p = data + dot<R>(at.x, strides);
    packet<T, V> r;
    if (V > 1 && mode == access::vector) {
      auto const w = *reinterpret_cast<aligned_packet<T, V> const*>(p);
      for (int k = 0; k < V; ++k)
        r.lane[k] = w.lane[k];
    } else {
      for (int k = 0; k < V; ++k)
        r.lane[k] = p[k * strides[R - 1]];
    }
    return r;
  }

  template <int V, class Shape>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> load(packet_in_tile<R, Shape> const& at) const {
    if (mode != access::scratch && mode != access::scratch_element)
      return load<V>(static_cast<packet_at<R> const&>(at));
    T const* const p =
        reinterpret_cast<T const*>(at.scratch + scratch) + at.j * Shape::pitch + at.i;
    packet<T, V> r;
    for (int k = 0; k < V; ++k)
      r.lane[k] = p[k * static_cast<int>(Shape::pitch)];
    return r;
  }
};

template <class G, int R>
struct strided_generator {
  using value_type = std::remove_cvref_t<decltype(std::declval<G const&>()(index_t{}))>;
  G generator;
  index_t first;
  index_t strides[R];

  template <int V>
  KOKKOS_FORCEINLINE_FUNCTION packet<value_type, V> load(packet_at<R> const& at) const {
    index_t const start = first + dot<R>(at.x, strides);
    packet<value_type, V> r;
    for (int k = 0; k < V; ++k)
      r.lane[k] = generator(start + k * strides[R - 1]);
    return r;
  }
};

/// Makes the strided form of the leaves from the planned operand table (leaf l is ops[l]).
template <int R>
struct strided_binder {
  operand_info const* ops;
  access const* modes;
  int const* scratch = nullptr;  // of each leaf, where some go through tiles
  template <int Leaf, class T>
  strided_leaf<T, R> leaf() const {
    strided_leaf<T, R> l;
    l.data = reinterpret_cast<T const*>(ops[Leaf].address);
    for (int k = 0; k < R; ++k)
      l.strides[k] = ops[Leaf].strides[k];
    l.mode = modes[Leaf];
    l.scratch = scratch == nullptr ? 0 : scratch[Leaf];
    return l;
  }
  template <int Leaf, class G>
  strided_generator<G, R> generator(G const& g) const {
    strided_generator<G, R> l{g, ops[Leaf].offset, {}};
    for (int k = 0; k < R; ++k)
      l.strides[k] = ops[Leaf].strides[k];
    return l;
  }
};

struct flat_binder {
  operand_info const* ops;
  template <int Leaf, class T>
  pointer_leaf<T> leaf() const {
    return {reinterpret_cast<T const*>(ops[Leaf].address)};
  }
  template <int Leaf, class G>
  linear_generator<G> generator(G const& g) const {
    return {g, ops[Leaf].offset, ops[Leaf].strides[0]};
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
