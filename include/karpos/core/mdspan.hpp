// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mdspan types over a tensor's memory, and the checks that a strided array fits a layout of mdspan.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/mdspan.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/kokkos_view.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// std::mdspan (C++23) or Kokkos' own, with run-time extents of index_t.
template <class T, int Rank, class Layout>
using mdspan_t =
    kokkos_ext::md::mdspan<T, kokkos_ext::md::dextents<index_t, static_cast<std::size_t>(Rank)>,
                           Layout>;

namespace detail {
/// Strides as layout_stride asks for them: positive, each axis stepping over all elements of those
/// with smaller strides. (A slice with a step steps over them, though not over the gap behind the
/// last one, which the standard's wording has too.) Where an extent is 0 or 1 any stride is right.
/// @throws argument_error where a longer axis has another.
template <int Rank>
extents<Rank> mdspan_strides(extents<Rank> const& shape, extents<Rank> const& strides) {
  if (shape.size() == 0) {
    extents<Rank> ones = shape;
    for (int i = 0; i < Rank; ++i)
      ones[i] = ones[i] == 0 ? 1 : ones[i];
    return row_major_strides(ones);
  }
  index_t span = 1;  // from the first to the last element of the axes taken so far
  extents<Rank> out;
  for (;;) {
    int next = -1;
    for (int i = 0; i < Rank; ++i)
      if (out[i] == 0 && shape[i] > 1 && (next < 0 || strides[i] < strides[next]))
        next = i;
    if (next < 0)
      break;
    if (strides[next] < span)
      throw argument_error("karpos::mdspan: the strides do not fit layout_stride, which takes "
                           "positive ones without overlap: shape " +
                           to_string(shape) + ", strides " + to_string(strides));
    out[next] = strides[next];
    span += strides[next] * (shape[next] - 1);
  }
  for (int i = 0; i < Rank; ++i)
    if (shape[i] == 1)
      out[i] = span;
  return out;
}

template <class Layout, class T, int Rank>
mdspan_t<T, Rank, Layout> make_mdspan(T* data, extents<Rank> const& shape,
                                      extents<Rank> const& strides) {
  namespace md = kokkos_ext::md;
  constexpr bool right = std::is_same_v<Layout, md::layout_right>;
  constexpr bool left = std::is_same_v<Layout, md::layout_left>;
  static_assert(right || left || std::is_same_v<Layout, md::layout_stride>,
                "karpos::mdspan: the layout is layout_right, layout_left or layout_stride");
  using result = mdspan_t<T, Rank, Layout>;
  using list = std::array<index_t, static_cast<std::size_t>(Rank)>;
  auto const listed = [](extents<Rank> const& e) {
    list out{};
    for (int i = 0; i < Rank; ++i)
      out[static_cast<std::size_t>(i)] = e[i];
    return out;
  };
  typename result::extents_type const size(listed(shape));
  using mapping = typename result::mapping_type;
  if constexpr (right || left) {
    using kokkos_layout = std::conditional_t<right, Kokkos::LayoutRight, Kokkos::LayoutLeft>;
    if (!fits_layout<kokkos_layout>(shape, strides))
      throw argument_error(std::string("karpos::mdspan: the strides do not fit ") +
                           (right ? "layout_right" : "layout_left") + ": shape " +
                           to_string(shape) + ", strides " + to_string(strides));
    return result(data, mapping(size));
  } else {
    return result(data, mapping(size, listed(mdspan_strides(shape, strides))));
  }
}
}  // namespace detail

}  // namespace karpos::inline KARPOS_ABI
