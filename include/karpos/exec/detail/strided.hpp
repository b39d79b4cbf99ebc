// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided bound forms of the device engine: leaves with strides per merged dimension, read one
// packet or one block of packets at a time. How a leaf is read (vector, block of vectors,
// element-wise) is a run-time flag, so that one kernel serves every layout.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/plan.hpp>

#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec::detail {

enum class access : int { element, vector, transposed };

/// A position in the index space: V elements from index x along the last dimension.
template <int R>
struct packet_at {
  index_t x[R];
};
/// V x V elements from index x: V rows along dimension R - 2, V columns along the last.
template <int R>
struct block_at {
  index_t x[R];
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

  // N = V * V lanes, row after row.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, N> load(block_at<R> const& at) const {
    constexpr int V = N == 1 ? 1 : N == 4 ? 2 : N == 16 ? 4 : 8;
    static_assert(V * V == N);
    T const* const p = data + dot<R>(at.x, strides);
    index_t const down = R > 1 ? strides[R > 1 ? R - 2 : 0] : 0, right = strides[R - 1];
    packet<T, N> r;
    if (mode == access::transposed) {
      for (int j = 0; j < V; ++j) {
        auto const w = *reinterpret_cast<aligned_packet<T, V> const*>(p + j * right);
        for (int i = 0; i < V; ++i)
          r.lane[i * V + j] = w.lane[i];
      }
    } else if (mode == access::vector) {
      for (int i = 0; i < V; ++i) {
        auto const w = *reinterpret_cast<aligned_packet<T, V> const*>(p + i * down);
        for (int j = 0; j < V; ++j)
          r.lane[i * V + j] = w.lane[j];
      }
    } else {
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j)
          r.lane[i * V + j] = p[i * down + j * right];
    }
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
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION packet<value_type, N> load(block_at<R> const& at) const {
    constexpr int V = N == 1 ? 1 : N == 4 ? 2 : N == 16 ? 4 : 8;
    index_t const start = first + dot<R>(at.x, strides),
                  down = R > 1 ? strides[R > 1 ? R - 2 : 0] : 0;
    packet<value_type, N> r;
    for (int i = 0; i < V; ++i)
      for (int j = 0; j < V; ++j)
        r.lane[i * V + j] = generator(start + i * down + j * strides[R - 1]);
    return r;
  }
};

/// Makes the strided form of the leaves from the planned operand table (leaf l is ops[l]).
template <int R>
struct strided_binder {
  operand_info const* ops;
  access const* modes;
  template <int Leaf, class T>
  strided_leaf<T, R> leaf() const {
    strided_leaf<T, R> l;
    l.data = reinterpret_cast<T const*>(ops[Leaf].address);
    for (int k = 0; k < R; ++k)
      l.strides[k] = ops[Leaf].strides[k];
    l.mode = modes[Leaf];
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
