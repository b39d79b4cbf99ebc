// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wrap: tensor_views over memory that somebody else owns: raw pointers and Kokkos::Views.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/view_traits.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/memory/block.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor_view.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// View of row-major elements at `data`, which stay the caller's and must outlive every use.
/// @throws shape_error for negative extents; argument_error for a null pointer with elements.
template <class Space = default_space, class T, std::size_t Rank>
[[nodiscard]] tensor_view<T, static_cast<int>(Rank), normal_space_t<Space>>
wrap(T* data, dim const (&shape)[Rank]) {
  constexpr int rank = static_cast<int>(Rank);
  auto const s = make_shape<rank>("wrap", shape);
  if (data == nullptr && s.size() > 0)
    throw argument_error("karpos::wrap: null pointer for shape " + to_string(s));
  return {data, row_major(s)};
}

/// The same with strides, in elements, of any sign.
template <class Space = default_space, class T, std::size_t Rank>
[[nodiscard]] tensor_view<T, static_cast<int>(Rank), normal_space_t<Space>>
wrap(T* data, dim const (&shape)[Rank], dim const (&strides)[Rank]) {
  constexpr int rank = static_cast<int>(Rank);
  auto const s = make_shape<rank>("wrap", shape);
  if (data == nullptr && s.size() > 0)
    throw argument_error("karpos::wrap: null pointer for shape " + to_string(s));
  layout<rank> l{s, {}, 0};
  for (int i = 0; i < rank; ++i)
    l.strides[i] = strides[i].value;
  return {data, l};
}

/// View of a Kokkos::View's elements: any layout, static extents, const, RandomAccess, Aligned or
/// Unmanaged. A managed view is kept alive. Atomic views and element types that Karpos does not
/// know do not compile.
template <kokkos_view V>
[[nodiscard]] auto wrap(V const& v) {
  using value = typename V::value_type;
  static_assert(!kokkos_ext::is_atomic_view<V>,
                "karpos::wrap: a Kokkos::View with Atomic memory traits cannot be wrapped: its "
                "elements are not plain memory");
  static_assert(element<std::remove_const_t<value>>,
                "karpos::wrap: the element type of the Kokkos::View is not a Karpos element type");
  constexpr int rank = kokkos_ext::view_rank<V>;
  layout<rank> l;
  for (int i = 0; i < rank; ++i) {
    l.shape[i] = static_cast<index_t>(v.extent(static_cast<std::size_t>(i)));
    l.strides[i] = static_cast<index_t>(v.stride(static_cast<std::size_t>(i)));
  }
  detail::storage owner;
  if constexpr (!V::traits::memory_traits::is_unmanaged)
    if (v.use_count() > 0)
      owner = detail::storage(new detail::foreign_block(std::make_shared<V>(v)));
  return tensor_view<value, rank, normal_space_t<typename V::device_type>>(v.data(), l,
                                                                           std::move(owner));
}

}  // namespace karpos::inline KARPOS_ABI
