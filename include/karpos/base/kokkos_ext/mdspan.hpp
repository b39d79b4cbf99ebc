// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kokkos_ext::md: the namespace that has mdspan: std from C++23 on, else Kokkos where it was built
// with its own. Where there is neither, KARPOS_HAS_MDSPAN is 0 and the type is incomplete; its name
// says so.
#pragma once
#include <karpos/base/config.hpp>

#include <cstddef>
#include <version>

#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

#if defined(__cpp_lib_mdspan) || defined(KOKKOS_ENABLE_IMPL_MDSPAN)
#define KARPOS_HAS_MDSPAN 1
#else
#define KARPOS_HAS_MDSPAN 0
#endif

namespace karpos::inline KARPOS_ABI::kokkos_ext {

#if defined(__cpp_lib_mdspan)
namespace md = std;
#elif defined(KOKKOS_ENABLE_IMPL_MDSPAN)
namespace md = Kokkos;
#else
namespace md {
struct layout_right;
struct layout_left;
struct layout_stride;
template <class Index, std::size_t Rank>
struct dextents;
template <class T, class Extents, class Layout>
struct neither_the_standard_library_nor_this_Kokkos_has_mdspan;
template <class T, class Extents, class Layout>
using mdspan = neither_the_standard_library_nor_this_Kokkos_has_mdspan<T, Extents, Layout>;
}  // namespace md
#endif

}  // namespace karpos::inline KARPOS_ABI::kokkos_ext
