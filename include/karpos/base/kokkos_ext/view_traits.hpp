// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Kokkos does not say about its views: traits of a Kokkos::View type and "is it a view at
// all".
#pragma once
#include <karpos/base/config.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI::kokkos_ext {

template <class V>
inline constexpr bool is_view = Kokkos::is_view<std::remove_cvref_t<V>>::value;

/// Rank of a view type (Kokkos spells it rank() or rank by version).
template <class V>
inline constexpr int view_rank = static_cast<int>(std::remove_cvref_t<V>::rank());

/// Views whose access goes through atomics cannot be read and written as plain memory.
template <class V>
inline constexpr bool is_atomic_view =
    static_cast<bool>(std::remove_cvref_t<V>::traits::memory_traits::is_atomic);

}  // namespace karpos::inline KARPOS_ABI::kokkos_ext
