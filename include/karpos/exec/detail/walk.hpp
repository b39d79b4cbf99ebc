// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks: a strided expression along one dimension from one index of the others on. All offsets are
// computed once, before the loop; a step reads V elements that lie side by side in the last
// dimension. Reductions and row stages are loops over walks.
//   at_step     the packet of a step
//   at_element  the single element i of a walk along the last dimension (what whole packets leave)
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/pack.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/detail/strided.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// Unit: elements from one step to the next, side by side; 0: `step` says how many.
template <class T, int Unit>
struct walk_leaf {
  using value_type = T;
  T const* data;
  index_t step;
  bool repeated;  // broadcast along the last dimension: a packet is one element V times
  bool held;      // the operand that row stages hold in registers

  template <int V>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> packet_of(unsigned t) const {
    if (V == 1 || !repeated)
      return side_by_side<V>(t);
    packet<T, V> r;
    T const x = *at(t);
    for (int k = 0; k < V; ++k)
      r.lane[k] = x;
    return r;
  }
  /// The packet of a leaf that is not repeated.
  template <int V>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> side_by_side(unsigned t) const {
    packet<T, V> r;
    auto const w = *reinterpret_cast<aligned_packet<T, V> const*>(at(t));
    for (int k = 0; k < V; ++k)
      r.lane[k] = w.lane[k];
    return r;
  }
  KOKKOS_FORCEINLINE_FUNCTION T element(index_t i) const { return data[repeated ? 0 : i]; }

  template <int V, class At>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> load(At const& at) const {
    return at.template read<V>(*this);
  }

private:
  // One instruction where Unit is known: 64-bit products are several.
  KOKKOS_FORCEINLINE_FUNCTION T const* at(unsigned t) const {
    if constexpr (Unit > 0)
      return data + (repeated ? std::size_t{0} : std::size_t{t} * Unit);
    else
      return data + static_cast<index_t>(t) * step;
  }
};

template <class Walk>
inline constexpr bool is_walk_leaf = false;
template <class T, int Unit>
inline constexpr bool is_walk_leaf<walk_leaf<T, Unit>> = true;

template <class G>
struct walk_generator {
  using value_type = std::remove_cvref_t<decltype(std::declval<G const&>()(index_t{}))>;
  G generator;
  index_t first, step, lane;

  template <int V>
  KOKKOS_FORCEINLINE_FUNCTION packet<value_type, V> packet_of(unsigned t) const {
    index_t const start = first + static_cast<index_t>(t) * step;
    packet<value_type, V> r;
    for (int k = 0; k < V; ++k)
      r.lane[k] = generator(start + k * lane);
    return r;
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type element(index_t i) const {
    return generator(first + i * lane);
  }

  template <int V, class At>
  KOKKOS_FORCEINLINE_FUNCTION packet<value_type, V> load(At const& at) const {
    return at.template read<V>(*this);
  }
};

struct at_step {
  unsigned t;
  template <int V, class Walk>
  KOKKOS_FORCEINLINE_FUNCTION auto read(Walk const& w) const {
    return w.template packet_of<V>(t);
  }
};
struct at_element {
  index_t i;
  template <int V, class Walk>
  KOKKOS_FORCEINLINE_FUNCTION auto read(Walk const& w) const {
    static_assert(V == 1);
    return packet<typename Walk::value_type, 1>{{w.element(i)}};
  }
};

/// Starts walks at an index: along dimension Axis, Unit indices per step. Nodes of other engines
/// bring a member walk(walker).
/// All: every operand in memory is the one that is held, so that none but its walk is started.
template <int Axis, int R, int Unit, bool All = false>
struct walker {
  static constexpr int packet_unit = Axis == R - 1 && Unit > 1 ? Unit : 0;
  packet_at<R> const& at;
  void const* held = nullptr;  // where the walk of the operand that is held starts, and its step
  index_t held_step = 0;

  template <class F>
  struct walk_operands {
    F const& function;
    walker const& w;
    template <class... B>
    KOKKOS_FORCEINLINE_FUNCTION auto operator()(B const&... b) const {
      return bound_map<F, decltype(w(b))...>{function, make_pack(w(b)...)};
    }
  };

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION constant<T> operator()(constant<T> const& c) const {
    return c;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION walk_leaf<T, packet_unit>
  operator()(strided_leaf<T, R> const& l) const {
    if constexpr (All)
      return {static_cast<T const*>(held), held_step, false, true};
    T const* const p = l.data + dot<R>(at.x, l.strides);
    index_t const step = l.strides[Axis] * Unit;
    return {p, step, l.strides[R - 1] == 0, p == held && step == held_step};
  }
  template <class G>
  KOKKOS_FORCEINLINE_FUNCTION walk_generator<G> operator()(strided_generator<G, R> const& g) const {
    return {g.generator, g.first + dot<R>(at.x, g.strides), g.strides[Axis] * Unit,
            g.strides[R - 1]};
  }
  template <class F, class... B>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(bound_map<F, B...> const& m) const {
    return karpos::apply(walk_operands<F>{m.function, *this}, m.operands);
  }
  template <class Node>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(Node const& node) const {
    return node.walk(*this);
  }
};

/// Bytes of the largest element that an expression reads from memory; 0 where it reads none.
template <class B>
inline constexpr int largest_read = 0;
template <class T, int R>
inline constexpr int largest_read<strided_leaf<T, R>> = static_cast<int>(sizeof(T));
constexpr int largest_of(int a) { return a; }
template <class... N>
constexpr int largest_of(int a, int b, N... rest) {
  return largest_of(a > b ? a : b, rest...);
}
template <class F, class... B>
inline constexpr int largest_read<bound_map<F, B...>> = largest_of(0, largest_read<B>...);

}  // namespace karpos::inline KARPOS_ABI::exec::detail
