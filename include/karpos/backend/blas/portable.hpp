// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products in plain Kokkos, for every element type and any strides: what runs where no
// library serves.
#pragma once
#include <karpos/backend/blas/api.hpp>
#include <karpos/backend/blas/detail/device_batch.hpp>
#include <karpos/backend/blas/detail/device_product.hpp>
#include <karpos/backend/blas/detail/host_product.hpp>
#include <karpos/core/spaces.hpp>

namespace karpos::inline KARPOS_ABI::backend::blas {

/// The product of api.hpp's gemm through the portable kernel: packed panels and vector registers on
/// a host space, team scratch and register blocks on a device, where batches of small matrices have
/// a kernel of their own. m, n, k, batch >= 1. Does not fence.
template <class Exec, class T>
void portable_gemm(Exec const& exec, gemm_problem<T> const& problem) {
  if constexpr (host_execution<Exec>) {
    detail::run_host_product(exec, problem);
  } else if (detail::is_small_batch(problem) && detail::run_small_products<64, 4>(exec, problem)) {
    return;
  } else if constexpr (sizeof(detail::arithmetic_t<T>) > 8) {
    // Complex double: half the block, so that the sums stay in registers.
    detail::run_device_product<detail::device_tiling<16, 2, 16>>(exec, problem);
  } else {
    detail::run_device_product<detail::device_tiling<16, 4, 16>>(exec, problem);
  }
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas
