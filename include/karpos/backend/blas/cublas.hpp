// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS: f32 f64 c64 c128, and f16 bf16 with sums in f32. The rest of the adapter is adapter.hpp.
#pragma once
#include <karpos/backend/blas/adapter.hpp>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <string>

namespace karpos::inline KARPOS_ABI::backend::blas {

namespace detail {

template <class T>
struct cublas_type;
template <>
struct cublas_type<float> {
  using native = float;
  static constexpr auto data = CUDA_R_32F;
  static constexpr auto compute = CUBLAS_COMPUTE_32F;
  static constexpr auto gemv = &cublasSgemv;
  static constexpr auto gemv_batched = &cublasSgemvStridedBatched;
};
template <>
struct cublas_type<double> {
  using native = double;
  static constexpr auto data = CUDA_R_64F;
  static constexpr auto compute = CUBLAS_COMPUTE_64F;
  static constexpr auto gemv = &cublasDgemv;
  static constexpr auto gemv_batched = &cublasDgemvStridedBatched;
};
template <>
struct cublas_type<Kokkos::complex<float>> {
  using native = cuComplex;
  static constexpr auto data = CUDA_C_32F;
  static constexpr auto compute = CUBLAS_COMPUTE_32F;
  static constexpr auto gemv = &cublasCgemv;
  static constexpr auto gemv_batched = &cublasCgemvStridedBatched;
};
template <>
struct cublas_type<Kokkos::complex<double>> {
  using native = cuDoubleComplex;
  static constexpr auto data = CUDA_C_64F;
  static constexpr auto compute = CUBLAS_COMPUTE_64F;
  static constexpr auto gemv = &cublasZgemv;
  static constexpr auto gemv_batched = &cublasZgemvStridedBatched;
};
template <>
struct cublas_type<half> {
  static constexpr auto data = CUDA_R_16F;
  static constexpr auto compute = CUBLAS_COMPUTE_32F;
};
template <>
struct cublas_type<bfloat16> {
  static constexpr auto data = CUDA_R_16BF;
  static constexpr auto compute = CUBLAS_COMPUTE_32F;
};

struct cublas_traits {
  using exec = Kokkos::Cuda;
  using handle = cublasHandle_t;
  using status = cublasStatus_t;
  using stream = cudaStream_t;
  static constexpr path id = path::cublas;
  static constexpr status success = CUBLAS_STATUS_SUCCESS;
  static constexpr char const* create_name = "cublasCreate";
  static constexpr char const* set_up_name = "cublasSetPointerMode and cublasSetMathMode";
  static constexpr char const* set_stream_name = "cublasSetStream";
  static constexpr char const* gemm_name = "cublasGemmEx or cublasGemmStridedBatchedEx";
  static constexpr char const* gemv_name = "cublas<t>gemv or cublas<t>gemvStridedBatched";

  template <class T>
  static constexpr bool has_type = real_floating<T> || complex_floating<T>;
  template <class T>
  static constexpr bool has_vector_calls = !is_half_v<T>;

  static char const* text(status s) { return cublasGetStatusName(s); }
  static stream stream_of(exec const& e) { return e.cuda_stream(); }
  static int device_of(exec const& e) { return e.cuda_device(); }
  static int current_device() {
    int device = 0;
    static_cast<void>(cudaGetDevice(&device));
    return device;
  }
  static void use_device(int device) { static_cast<void>(cudaSetDevice(device)); }

  static status create(handle* h) { return cublasCreate(h); }
  static status destroy(handle h) { return cublasDestroy(h); }
  static status set_stream(handle h, stream s) { return cublasSetStream(h, s); }
  static status set_up(handle h) {
    status const s = cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
    if (s != success)
      return s;
    // Sums of 16-bit products stay in f32, also those of a split sum.
    return cublasSetMathMode(
        h, static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH |
                                     CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION));
  }

  static constexpr cublasOperation_t native(op o) {
    return o == op::n ? CUBLAS_OP_N : o == op::t ? CUBLAS_OP_T : CUBLAS_OP_C;
  }

  template <class T>
  static status gemm(handle h, gemm_call<T> const& c) {
    using type = cublas_type<T>;
    auto const alpha = static_cast<compute_t<T>>(c.alpha), beta = static_cast<compute_t<T>>(c.beta);
    auto const op_a = native(c.op_a), op_b = native(c.op_b);
    int const m = int(c.m), n = int(c.n), k = int(c.k), lda = int(c.lda), ldb = int(c.ldb),
              ldc = int(c.ldc);
    if (c.batch == 1)
      return cublasGemmEx(h, op_a, op_b, m, n, k, &alpha, c.a, type::data, lda, c.b, type::data,
                          ldb, &beta, c.c, type::data, ldc, type::compute, CUBLAS_GEMM_DEFAULT);
    return cublasGemmStridedBatchedEx(h, op_a, op_b, m, n, k, &alpha, c.a, type::data, lda,
                                      c.a_stride, c.b, type::data, ldb, c.b_stride, &beta, c.c,
                                      type::data, ldc, c.c_stride, int(c.batch), type::compute,
                                      CUBLAS_GEMM_DEFAULT);
  }

  template <class T>
  static status gemv(handle h, gemv_call<T> const& c) {
    using type = cublas_type<T>;
    using N = typename type::native;
    auto const* const alpha = reinterpret_cast<N const*>(&c.alpha);
    auto const* const beta = reinterpret_cast<N const*>(&c.beta);
    auto const* const a = reinterpret_cast<N const*>(c.a);
    auto const* const x = reinterpret_cast<N const*>(c.x);
    auto* const y = reinterpret_cast<N*>(c.y);
    int const m = int(c.m), n = int(c.n), lda = int(c.lda), incx = int(c.incx), incy = int(c.incy);
    if (c.batch == 1)
      return type::gemv(h, native(c.how), m, n, alpha, a, lda, x, incx, beta, y, incy);
    return type::gemv_batched(h, native(c.how), m, n, alpha, a, lda, c.a_stride, x, incx,
                              c.x_stride, beta, y, incy, c.y_stride, int(c.batch));
  }

  static std::string version() {
    int major = 0, minor = 0, patch = 0;
    static_cast<void>(cublasGetProperty(MAJOR_VERSION, &major));
    static_cast<void>(cublasGetProperty(MINOR_VERSION, &minor));
    static_cast<void>(cublasGetProperty(PATCH_LEVEL, &patch));
    return "cuBLAS " + std::to_string(major) + "." + std::to_string(minor) + "." +
           std::to_string(patch);
  }
};

}  // namespace detail

/// The provider of Kokkos::Cuda.
using cublas = gpu_library<detail::cublas_traits>;
static_assert(provider<cublas>);

}  // namespace karpos::inline KARPOS_ABI::backend::blas
