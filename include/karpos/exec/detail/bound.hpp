// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bound expressions: the trivially copyable form that kernels evaluate. In the flat form every leaf
// is a pointer and an element is found by one linear index; the host's row loops and the device's
// flat kernel share it.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/pack.hpp>

#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// V values that travel through the tree together; functors are applied lane by lane.
template <class T, int V>
struct packet {
  T lane[V];
};
/// The same, aligned for one 16-byte access (or the largest that its size allows).
template <class T, int V>
struct alignas(sizeof(T) * V >= 16 ? 16 : sizeof(T) * V) aligned_packet {
  T lane[V];
};

template <class T>
struct constant {
  using value_type = T;
  T value;
  KOKKOS_FORCEINLINE_FUNCTION T at(index_t) const { return value; }
  template <int V, class Context>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> load(Context const&) const {
    packet<T, V> r;
    for (int k = 0; k < V; ++k)
      r.lane[k] = value;
    return r;
  }
};

template <class T>
struct pointer_leaf {
  using value_type = T;
  T const* data;
  KOKKOS_FORCEINLINE_FUNCTION T at(index_t i) const { return data[i]; }
  template <int V>
  KOKKOS_FORCEINLINE_FUNCTION packet<T, V> load(index_t i) const {
    packet<T, V> r;
    auto const* const q = reinterpret_cast<aligned_packet<T, V> const*>(data + i);
    aligned_packet<T, V> const w = *q;
    for (int k = 0; k < V; ++k)
      r.lane[k] = w.lane[k];
    return r;
  }
};

template <class G>
struct linear_generator {
  using value_type = std::remove_cvref_t<decltype(std::declval<G const&>()(index_t{}))>;
  G generator;
  index_t first, step;
  KOKKOS_FORCEINLINE_FUNCTION value_type at(index_t i) const { return generator(first + i * step); }
  template <int V>
  KOKKOS_FORCEINLINE_FUNCTION packet<value_type, V> load(index_t i) const {
    packet<value_type, V> r;
    for (int k = 0; k < V; ++k)
      r.lane[k] = at(i + k);
    return r;
  }
};

// Applies a scalar functor to values, or lane by lane to packets.
template <class F>
struct apply_scalar {
  F const& f;
  index_t i;
  template <class... B>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(B const&... b) const {
    return f(b.at(i)...);
  }
};
template <int V, class F, class Context>
struct apply_lanes {
  F const& f;
  Context const& context;
  template <class... B>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(B const&... b) const {
    return lanes(b.template load<V>(context)...);
  }
  template <class... P>
  KOKKOS_FORCEINLINE_FUNCTION auto lanes(P const&... p) const {
    packet<std::remove_cvref_t<decltype(f(p.lane[0]...))>, V> r;
    for (int k = 0; k < V; ++k)
      r.lane[k] = f(p.lane[k]...);
    return r;
  }
};

template <class F, class... B>
struct bound_map {
  using value_type = std::remove_cvref_t<decltype(std::declval<F const&>()(
      std::declval<typename B::value_type>()...))>;
  F function;
  pack<B...> operands;
  KOKKOS_FORCEINLINE_FUNCTION value_type at(index_t i) const {
    return karpos::apply(apply_scalar<F>{function, i}, operands);
  }
  template <int V, class Context>
  KOKKOS_FORCEINLINE_FUNCTION auto load(Context const& context) const {
    return karpos::apply(apply_lanes<V, F, Context>{function, context}, operands);
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
