// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuple that is an aggregate and usable in device code (std::tuple is neither trivially copyable
// nor host-device).
#pragma once
#include <karpos/base/config.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI {

template <class... Ts>
struct pack;

template <>
struct pack<> {
  static constexpr int size = 0;
};

/// Heterogeneous list of values; trivially copyable when its members are.
template <class T, class... Rest>
struct pack<T, Rest...> {
  static constexpr int size = 1 + static_cast<int>(sizeof...(Rest));
  T head;
  pack<Rest...> tail;
};

/// Builds a pack from values.
KOKKOS_FORCEINLINE_FUNCTION constexpr pack<> make_pack() { return {}; }
template <class T, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION constexpr pack<T, Rest...> make_pack(T const& head,
                                                                 Rest const&... rest) {
  return {head, make_pack(rest...)};
}

/// f(values...) with the values of the pack.
template <class F, class... Done>
KOKKOS_FORCEINLINE_FUNCTION constexpr decltype(auto) apply(F const& f, pack<> const&,
                                                           Done const&... done) {
  return f(done...);
}
template <class F, class T, class... Rest, class... Done>
KOKKOS_FORCEINLINE_FUNCTION constexpr decltype(auto) apply(F const& f, pack<T, Rest...> const& p,
                                                           Done const&... done) {
  return karpos::apply(f, p.tail, done..., p.head);
}

}  // namespace karpos::inline KARPOS_ABI
