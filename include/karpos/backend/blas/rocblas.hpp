// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rocBLAS: f32 f64 c64 c128, and f16 bf16 with sums in f32. The rest of the adapter is adapter.hpp.
#pragma once
#include <karpos/backend/blas/adapter.hpp>

#include <hip/hip_runtime_api.h>
#include <rocblas/rocblas.h>

#include <cstddef>
#include <string>

namespace karpos::inline KARPOS_ABI::backend::blas {

namespace detail {

template <class T>
struct rocblas_type;
template <>
struct rocblas_type<float> {
  using native = float;
  static constexpr auto data = rocblas_datatype_f32_r;
  static constexpr auto compute = rocblas_datatype_f32_r;
  static constexpr auto gemv = &rocblas_sgemv;
  static constexpr auto gemv_batched = &rocblas_sgemv_strided_batched;
};
template <>
struct rocblas_type<double> {
  using native = double;
  static constexpr auto data = rocblas_datatype_f64_r;
  static constexpr auto compute = rocblas_datatype_f64_r;
  static constexpr auto gemv = &rocblas_dgemv;
  static constexpr auto gemv_batched = &rocblas_dgemv_strided_batched;
};
template <>
struct rocblas_type<Kokkos::complex<float>> {
  using native = rocblas_float_complex;
  static constexpr auto data = rocblas_datatype_f32_c;
  static constexpr auto compute = rocblas_datatype_f32_c;
  static constexpr auto gemv = &rocblas_cgemv;
  static constexpr auto gemv_batched = &rocblas_cgemv_strided_batched;
};
template <>
struct rocblas_type<Kokkos::complex<double>> {
  using native = rocblas_double_complex;
  static constexpr auto data = rocblas_datatype_f64_c;
  static constexpr auto compute = rocblas_datatype_f64_c;
  static constexpr auto gemv = &rocblas_zgemv;
  static constexpr auto gemv_batched = &rocblas_zgemv_strided_batched;
};
template <>
struct rocblas_type<half> {
  static constexpr auto data = rocblas_datatype_f16_r;
  static constexpr auto compute = rocblas_datatype_f32_r;
};
template <>
struct rocblas_type<bfloat16> {
  static constexpr auto data = rocblas_datatype_bf16_r;
  static constexpr auto compute = rocblas_datatype_f32_r;
};

struct rocblas_traits {
  using exec = Kokkos::HIP;
  using handle = rocblas_handle;
  using status = rocblas_status;
  using stream = hipStream_t;
  static constexpr path id = path::rocblas;
  static constexpr status success = rocblas_status_success;
  static constexpr char const* create_name = "rocblas_create_handle";
  static constexpr char const* set_up_name = "rocblas_set_pointer_mode";
  static constexpr char const* set_stream_name = "rocblas_set_stream";
  static constexpr char const* gemm_name = "rocblas_gemm_ex or rocblas_gemm_strided_batched_ex";
  static constexpr char const* gemv_name = "rocblas_<t>gemv or rocblas_<t>gemv_strided_batched";

  template <class T>
  static constexpr bool has_type = real_floating<T> || complex_floating<T>;
  template <class T>
  static constexpr bool has_vector_calls = !is_half_v<T>;

  static char const* text(status s) { return rocblas_status_to_string(s); }
  static stream stream_of(exec const& e) { return e.hip_stream(); }
  static int device_of(exec const& e) { return e.hip_device(); }
  static int current_device() {
    int device = 0;
    static_cast<void>(hipGetDevice(&device));
    return device;
  }
  static void use_device(int device) { static_cast<void>(hipSetDevice(device)); }

  static status create(handle* h) { return rocblas_create_handle(h); }
  static status destroy(handle h) { return rocblas_destroy_handle(h); }
  static status set_stream(handle h, stream s) { return rocblas_set_stream(h, s); }
  static status set_up(handle h) { return rocblas_set_pointer_mode(h, rocblas_pointer_mode_host); }

  static constexpr rocblas_operation native(op o) {
    return o == op::n   ? rocblas_operation_none
           : o == op::t ? rocblas_operation_transpose
                        : rocblas_operation_conjugate_transpose;
  }

  // The extended calls have c once as input and once as output.
  template <class T>
  static status gemm(handle h, gemm_call<T> const& c) {
    using type = rocblas_type<T>;
    auto const alpha = static_cast<compute_t<T>>(c.alpha), beta = static_cast<compute_t<T>>(c.beta);
    auto const op_a = native(c.op_a), op_b = native(c.op_b);
    int const m = int(c.m), n = int(c.n), k = int(c.k), lda = int(c.lda), ldb = int(c.ldb),
              ldc = int(c.ldc);
    if (c.batch == 1)
      return rocblas_gemm_ex(h, op_a, op_b, m, n, k, &alpha, c.a, type::data, lda, c.b, type::data,
                             ldb, &beta, c.c, type::data, ldc, c.c, type::data, ldc, type::compute,
                             rocblas_gemm_algo_standard, 0, 0);
    return rocblas_gemm_strided_batched_ex(
        h, op_a, op_b, m, n, k, &alpha, c.a, type::data, lda, c.a_stride, c.b, type::data, ldb,
        c.b_stride, &beta, c.c, type::data, ldc, c.c_stride, c.c, type::data, ldc, c.c_stride,
        int(c.batch), type::compute, rocblas_gemm_algo_standard, 0, 0);
  }

  template <class T>
  static status gemv(handle h, gemv_call<T> const& c) {
    using type = rocblas_type<T>;
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
    char text[128] = {};
    static_cast<void>(rocblas_get_version_string(text, sizeof(text)));
    return std::string("rocBLAS ") + text;
  }
};

}  // namespace detail

/// The provider of Kokkos::HIP.
using rocblas = gpu_library<detail::rocblas_traits>;
static_assert(provider<rocblas>);

}  // namespace karpos::inline KARPOS_ABI::backend::blas
