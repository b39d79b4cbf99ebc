// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos::View types over a tensor's memory, and the checks that a strided array fits a Kokkos
// layout.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/spaces.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

namespace detail {
template <class T, int Rank>
struct pointer_to_rank {
  using type = typename pointer_to_rank<T, Rank - 1>::type*;
};
template <class T>
struct pointer_to_rank<T, 0> {
  using type = T;
};
}  // namespace detail

/// Unmanaged Kokkos::View of rank Rank over memory of Space.
template <class T, int Rank, class Layout, class Space>
using kokkos_view_t =
    Kokkos::View<typename detail::pointer_to_rank<T, Rank>::type, Layout,
                 Kokkos::Device<execution_space_of<Space>, memory_space_of<Space>>,
                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

namespace detail {
template <class Layout, int Rank>
bool fits_layout(extents<Rank> const& shape, extents<Rank> const& strides) {
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>)
    return is_row_major(shape, strides);
  extents<Rank> s, t;
  for (int i = 0; i < Rank; ++i) {
    s[i] = shape[Rank - 1 - i];
    t[i] = strides[Rank - 1 - i];
  }
  return is_row_major(s, t);
}

template <class Layout, int Rank>
Layout kokkos_layout(extents<Rank> const& shape, extents<Rank> const& strides) {
  Layout out;
  for (int i = 0; i < Rank; ++i)
    out.dimension[i] = static_cast<std::size_t>(shape[i]);
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) {
    for (int i = 0; i < Rank; ++i) {
      if (strides[i] < 0 && shape[i] > 1)
        throw argument_error("karpos::kokkos: a Kokkos::View has no negative strides: shape " +
                             to_string(shape) + ", strides " + to_string(strides));
      out.stride[i] = static_cast<std::size_t>(strides[i] < 0 ? 0 : strides[i]);
    }
  } else if (!fits_layout<Layout>(shape, strides)) {
    throw argument_error(
        std::string("karpos::kokkos: the strides do not fit ") +
        (std::is_same_v<Layout, Kokkos::LayoutRight> ? "LayoutRight" : "LayoutLeft") + ": shape " +
        to_string(shape) + ", strides " + to_string(strides));
  }
  return out;
}
}  // namespace detail

}  // namespace karpos::inline KARPOS_ABI
