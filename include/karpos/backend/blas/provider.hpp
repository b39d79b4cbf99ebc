// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the module asks of a library behind it, and the provider that is none. Each library has one
// header with one such type.
#pragma once
#include <karpos/backend/blas/layout.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>

#include <concepts>
#include <string>

namespace karpos::inline KARPOS_ABI::backend::blas {

/// A library of products: its path, the element types it takes, whether it takes a call on
/// column-major storage (a gemm_call or gemv_call; the library may lack some, and its integers are
/// narrower than ours), and run(exec, call), which has extents, sum and batch >= 1 and does not
/// fence.
template <class P>
concept provider =
    requires(gemm_call<double> const& product, gemv_call<double> const& vector_product) {
      { P::id } -> std::convertible_to<path>;
      { P::template has_type<double> } -> std::convertible_to<bool>;
      { P::takes(product) } -> std::convertible_to<bool>;
      { P::takes(vector_product) } -> std::convertible_to<bool>;
    };

struct no_provider {
  static constexpr path id = path::none;
  template <class T>
  static constexpr bool has_type = false;
  template <class Call>
  static constexpr bool takes(Call const&) {
    return false;
  }
  template <class Exec>
  static std::string library() {
    return "portable";
  }
  template <class Exec>
  static int threads(Exec const& exec) {
    return kokkos_ext::concurrency(exec);
  }
};
static_assert(provider<no_provider>);

}  // namespace karpos::inline KARPOS_ABI::backend::blas
