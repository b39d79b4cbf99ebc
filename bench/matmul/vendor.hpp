// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The direct calls, as a program without Karpos makes them, with the arguments of a BLAS: matrices
// are column-major. A row-major c := a b is asked for as c^T = b^T a^T. The one place of bench/
// that knows the libraries.
#pragma once
#include <karpos/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

namespace karpos_bench {

/// c := op(a) op(b), all of them column-major; op is 'N' or 'T'. c is (m, n).
template <class T>
struct product_call {
  char op_a, op_b;
  std::int64_t m, n, k;
  T const* a;
  std::int64_t lda;
  T const* b;
  std::int64_t ldb;
  T* c;
  std::int64_t ldc;
};

/// y := a^T x for a column-major (m, n) without gaps, which is a row-major (n, m) times x.
template <class T>
struct vector_call {
  std::int64_t m, n;
  T const* a;
  T const* x;
  T* y;
};

}  // namespace karpos_bench

#if defined(KOKKOS_ENABLE_CUDA) && KARPOS_HAS_CUBLAS
#include <cublas_v2.h>

namespace karpos_bench {

template <class T>
class vendor_library {
public:
  static constexpr bool available = true;
  static constexpr char const* gemm_name = "cublas";
  static constexpr char const* gemv_name = "cublas";
  explicit vendor_library(Kokkos::Cuda const& exec) {
    require(cublasCreate(&handle_));
    require(cublasSetStream(handle_, exec.cuda_stream()));
  }
  vendor_library(vendor_library const&) = delete;
  vendor_library& operator=(vendor_library const&) = delete;
  ~vendor_library() { cublasDestroy(handle_); }

  void gemm(product_call<T> const& p) const {
    T const one = 1, zero = 0;
    auto const call = [&](auto const& function) {
      require(function(handle_, op(p.op_a), op(p.op_b), int(p.m), int(p.n), int(p.k), &one, p.a,
                       int(p.lda), p.b, int(p.ldb), &zero, p.c, int(p.ldc)));
    };
    if constexpr (std::is_same_v<T, float>)
      call(cublasSgemm);
    else
      call(cublasDgemm);
  }

  /// `batch` products, each of whose matrices follow one another without gaps.
  void gemm_batch(product_call<T> const& p, std::int64_t batch) const {
    T const one = 1, zero = 0;
    auto const call = [&](auto const& function) {
      require(function(handle_, op(p.op_a), op(p.op_b), int(p.m), int(p.n), int(p.k), &one, p.a,
                       int(p.lda), p.m * p.k, p.b, int(p.ldb), p.k * p.n, &zero, p.c, int(p.ldc),
                       p.m * p.n, int(batch)));
    };
    if constexpr (std::is_same_v<T, float>)
      call(cublasSgemmStridedBatched);
    else
      call(cublasDgemmStridedBatched);
  }

  void gemv(vector_call<T> const& p) const {
    T const one = 1, zero = 0;
    auto const call = [&](auto const& function) {
      require(function(handle_, CUBLAS_OP_T, int(p.m), int(p.n), &one, p.a, int(p.m), p.x, 1, &zero,
                       p.y, 1));
    };
    if constexpr (std::is_same_v<T, float>)
      call(cublasSgemv);
    else
      call(cublasDgemv);
  }

private:
  static cublasOperation_t op(char which) { return which == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T; }
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
void sgemv_(char const*, karpos_bench::blas_int const*, karpos_bench::blas_int const*, float const*,
            float const*, karpos_bench::blas_int const*, float const*,
            karpos_bench::blas_int const*, float const*, float*, karpos_bench::blas_int const*,
            std::size_t);
void dgemv_(char const*, karpos_bench::blas_int const*, karpos_bench::blas_int const*,
            double const*, double const*, karpos_bench::blas_int const*, double const*,
            karpos_bench::blas_int const*, double const*, double*, karpos_bench::blas_int const*,
            std::size_t);
__attribute__((weak)) void openblas_set_num_threads(int);
}

namespace karpos_bench {

template <class T>
class vendor_library {
public:
  static constexpr bool available = true;
  static constexpr char const* gemm_name = sizeof(T) == 4 ? "sgemm_" : "dgemm_";
  static constexpr char const* gemv_name = sizeof(T) == 4 ? "sgemv_" : "dgemv_";
  /// As many threads as the execution space has: one in a Serial build.
  explicit vendor_library(Kokkos::DefaultExecutionSpace const& exec) {
    if (openblas_set_num_threads != nullptr)
      openblas_set_num_threads(static_cast<int>(exec.concurrency()));
  }

  void gemm(product_call<T> const& p) const {
    T const one = 1, zero = 0;
    auto const m = static_cast<blas_int>(p.m), n = static_cast<blas_int>(p.n),
               k = static_cast<blas_int>(p.k), lda = static_cast<blas_int>(p.lda),
               ldb = static_cast<blas_int>(p.ldb), ldc = static_cast<blas_int>(p.ldc);
    if constexpr (std::is_same_v<T, float>)
      sgemm_(&p.op_a, &p.op_b, &m, &n, &k, &one, p.a, &lda, p.b, &ldb, &zero, p.c, &ldc, 1, 1);
    else
      dgemm_(&p.op_a, &p.op_b, &m, &n, &k, &one, p.a, &lda, p.b, &ldb, &zero, p.c, &ldc, 1, 1);
  }

  /// `batch` products, each of whose matrices follow one another without gaps, one after the other.
  void gemm_batch(product_call<T> p, std::int64_t batch) const {
    for (; batch > 0; --batch, p.a += p.m * p.k, p.b += p.k * p.n, p.c += p.m * p.n)
      gemm(p);
  }

  void gemv(vector_call<T> const& p) const {
    T const one = 1, zero = 0;
    auto const m = static_cast<blas_int>(p.m), n = static_cast<blas_int>(p.n);
    blas_int const step = 1;
    if constexpr (std::is_same_v<T, float>)
      sgemv_("T", &m, &n, &one, p.a, &m, p.x, &step, &zero, p.y, &step, 1);
    else
      dgemv_("T", &m, &n, &one, p.a, &m, p.x, &step, &zero, p.y, &step, 1);
  }
};

}  // namespace karpos_bench

#else

namespace karpos_bench {

/// A build without a library that could be called here: no baseline rows.
template <class T>
class vendor_library {
public:
  static constexpr bool available = false;
  static constexpr char const* gemm_name = "none";
  static constexpr char const* gemv_name = "none";
  explicit vendor_library(Kokkos::DefaultExecutionSpace const&) {}
  void gemm(product_call<T> const&) const {}
  void gemm_batch(product_call<T> const&, std::int64_t) const {}
  void gemv(vector_call<T> const&) const {}
};

}  // namespace karpos_bench

#endif
