// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The direct call: c := a b for row-major n x n matrices, as a program without Karpos makes it.
// Column-major libraries are given c^T = b^T a^T. The one place of bench/ that knows the libraries.
#pragma once
#include <karpos/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#if defined(KOKKOS_ENABLE_CUDA) && KARPOS_HAS_CUBLAS
#include <cublas_v2.h>

namespace karpos_bench {

template <class T>
class vendor_product {
public:
  static constexpr bool available = true;
  static constexpr char const* name = "cublas";
  explicit vendor_product(Kokkos::Cuda const& exec) {
    require(cublasCreate(&handle_));
    require(cublasSetStream(handle_, exec.cuda_stream()));
  }
  vendor_product(vendor_product const&) = delete;
  vendor_product& operator=(vendor_product const&) = delete;
  ~vendor_product() { cublasDestroy(handle_); }

  void operator()(std::int64_t size, T const* a, T const* b, T* c) const {
    T const one = 1, zero = 0;
    int const n = static_cast<int>(size);
    if constexpr (std::is_same_v<T, float>)
      require(
          cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n));
    else
      require(
          cublasDgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n));
  }

private:
  static void require(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error(cublasGetStatusString(status));
  }
  cublasHandle_t handle_{};
};

}  // namespace karpos_bench

#elif !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP) &&                               \
    !defined(KOKKOS_ENABLE_SYCL) && KARPOS_HAS_BLAS

namespace karpos_bench {
using blas_int = std::conditional_t<KARPOS_BLAS_ILP64 != 0, std::int64_t, std::int32_t>;
}
extern "C" {
void sgemm_(char const*, char const*, karpos_bench::blas_int const*, karpos_bench::blas_int const*,
            karpos_bench::blas_int const*, float const*, float const*,
            karpos_bench::blas_int const*, float const*, karpos_bench::blas_int const*,
            float const*, float*, karpos_bench::blas_int const*, std::size_t, std::size_t);
void dgemm_(char const*, char const*, karpos_bench::blas_int const*, karpos_bench::blas_int const*,
            karpos_bench::blas_int const*, double const*, double const*,
            karpos_bench::blas_int const*, double const*, karpos_bench::blas_int const*,
            double const*, double*, karpos_bench::blas_int const*, std::size_t, std::size_t);
__attribute__((weak)) void openblas_set_num_threads(int);
}

namespace karpos_bench {

template <class T>
class vendor_product {
public:
  static constexpr bool available = true;
  static constexpr char const* name = sizeof(T) == 4 ? "sgemm_" : "dgemm_";
  /// As many threads as the execution space has: one in a Serial build.
  explicit vendor_product(Kokkos::DefaultExecutionSpace const& exec) {
    if (openblas_set_num_threads != nullptr)
      openblas_set_num_threads(static_cast<int>(exec.concurrency()));
  }
  void operator()(std::int64_t size, T const* a, T const* b, T* c) const {
    T const one = 1, zero = 0;
    auto const n = static_cast<blas_int>(size);
    if constexpr (std::is_same_v<T, float>)
      sgemm_("N", "N", &n, &n, &n, &one, b, &n, a, &n, &zero, c, &n, 1, 1);
    else
      dgemm_("N", "N", &n, &n, &n, &one, b, &n, a, &n, &zero, c, &n, 1, 1);
  }
};

}  // namespace karpos_bench

#else

namespace karpos_bench {

/// A build without a library that could be called here: no baseline rows.
template <class T>
class vendor_product {
public:
  static constexpr bool available = false;
  static constexpr char const* name = "none";
  explicit vendor_product(Kokkos::DefaultExecutionSpace const&) {}
  void operator()(std::int64_t, T const*, T const*, T*) const {}
};

}  // namespace karpos_bench

#endif
