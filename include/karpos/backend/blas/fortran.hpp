// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's BLAS through its Fortran symbols (?gemm_, ?gemv_): OpenBLAS, MKL, BLIS, LibSci, ESSL,
// Netlib. f32 f64 c64 c128. KARPOS_BLAS_ILP64 says that the library's integers have 64 bits.
#pragma once
#include <karpos/backend/blas/detail/host_threads.hpp>
#include <karpos/backend/blas/provider.hpp>
#include <karpos/core/spaces.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::backend::blas::detail {
using fortran_int = std::conditional_t<KARPOS_BLAS_ILP64 != 0, std::int64_t, std::int32_t>;
}

// Declared under names of our own, bound to the symbols: an application may declare dgemm_ in its
// own way. The two lengths at the end are those of the character arguments, which Fortran compilers
// expect and C ones ignore.
#define KARPOS_SYMBOL_TEXT_(x) #x
#define KARPOS_SYMBOL_TEXT(x) KARPOS_SYMBOL_TEXT_(x)
#define KARPOS_FORTRAN_SYMBOL(name) __asm__(KARPOS_SYMBOL_TEXT(__USER_LABEL_PREFIX__) name)
#define KARPOS_FORTRAN_BLAS(letter, T)                                                             \
  extern "C" void karpos_##letter##gemm(                                                           \
      char const*, char const*, karpos::backend::blas::detail::fortran_int const*,                 \
      karpos::backend::blas::detail::fortran_int const*,                                           \
      karpos::backend::blas::detail::fortran_int const*, T const*, T const*,                       \
      karpos::backend::blas::detail::fortran_int const*, T const*,                                 \
      karpos::backend::blas::detail::fortran_int const*, T const*, T*,                             \
      karpos::backend::blas::detail::fortran_int const*, std::size_t, std::size_t)                 \
      KARPOS_FORTRAN_SYMBOL(#letter "gemm_");                                                      \
  extern "C" void karpos_##letter##gemv(                                                           \
      char const*, karpos::backend::blas::detail::fortran_int const*,                              \
      karpos::backend::blas::detail::fortran_int const*, T const*, T const*,                       \
      karpos::backend::blas::detail::fortran_int const*, T const*,                                 \
      karpos::backend::blas::detail::fortran_int const*, T const*, T*,                             \
      karpos::backend::blas::detail::fortran_int const*, std::size_t)                              \
      KARPOS_FORTRAN_SYMBOL(#letter "gemv_");                                                      \
  namespace karpos::inline KARPOS_ABI::backend::blas::detail {                                     \
  template <>                                                                                      \
  struct fortran_routines<T> {                                                                     \
    static constexpr auto gemm = &karpos_##letter##gemm;                                           \
    static constexpr auto gemv = &karpos_##letter##gemv;                                           \
  };                                                                                               \
  }

namespace karpos::inline KARPOS_ABI::backend::blas::detail {
template <class T>
struct fortran_routines;
}
KARPOS_FORTRAN_BLAS(s, float)
KARPOS_FORTRAN_BLAS(d, double)
KARPOS_FORTRAN_BLAS(c, Kokkos::complex<float>)
KARPOS_FORTRAN_BLAS(z, Kokkos::complex<double>)
#undef KARPOS_FORTRAN_BLAS
#undef KARPOS_FORTRAN_SYMBOL
#undef KARPOS_SYMBOL_TEXT
#undef KARPOS_SYMBOL_TEXT_

namespace karpos::inline KARPOS_ABI::backend::blas {

namespace detail {

template <class T>
void fortran_one(gemm_call<T> const& c, index_t i) {
  auto const op_a = static_cast<char>(c.op_a), op_b = static_cast<char>(c.op_b);
  auto const m = static_cast<fortran_int>(c.m), n = static_cast<fortran_int>(c.n),
             k = static_cast<fortran_int>(c.k);
  auto const lda = static_cast<fortran_int>(c.lda), ldb = static_cast<fortran_int>(c.ldb),
             ldc = static_cast<fortran_int>(c.ldc);
  fortran_routines<T>::gemm(&op_a, &op_b, &m, &n, &k, &c.alpha, c.a + i * c.a_stride, &lda,
                            c.b + i * c.b_stride, &ldb, &c.beta, c.c + i * c.c_stride, &ldc, 1, 1);
}

// Some versions of some libraries multiply y by beta == 0 instead of ignoring it, so NaN would
// survive: clear y first.
template <class T>
void clear_vector(T* y, index_t count, index_t increment) {
  if (increment < 0)
    increment = -increment;
  for (index_t i = 0; i < count; ++i)
    y[i * increment] = T(0);
}

template <class T>
void fortran_one(gemv_call<T> const& c, index_t i) {
  auto const how = static_cast<char>(c.how);
  auto const m = static_cast<fortran_int>(c.m), n = static_cast<fortran_int>(c.n),
             lda = static_cast<fortran_int>(c.lda);
  auto const incx = static_cast<fortran_int>(c.incx), incy = static_cast<fortran_int>(c.incy);
  T* const y = c.y + i * c.y_stride;
  if (c.beta == T(0))
    clear_vector(y, c.how == op::n ? c.m : c.n, c.incy);
  fortran_routines<T>::gemv(&how, &m, &n, &c.alpha, c.a + i * c.a_stride, &lda,
                            c.x + i * c.x_stride, &incx, &c.beta, y, &incy, 1);
}

template <class Call>
struct fortran_batch {
  Call call;
  void operator()(index_t i) const {
    scoped_threads const single(1);
    fortran_one(call, i);
  }
};

template <class T>
double work_of(gemm_call<T> const& c) noexcept {
  return static_cast<double>(c.m) * static_cast<double>(c.n) * static_cast<double>(c.k);
}
template <class T>
double work_of(gemv_call<T> const& c) noexcept {
  return static_cast<double>(c.m) * static_cast<double>(c.n);
}

}  // namespace detail

/// The provider of host spaces. Calls are complete when they return.
struct fortran_blas {
  static constexpr path id = path::blas;

  template <class T>
  static constexpr bool has_type =
      std::same_as<T, float> || std::same_as<T, double> || complex_floating<T>;

  template <class Call>
  static constexpr bool takes(Call const& call) {
    return fits_integers<detail::fortran_int>(call);
  }

  template <class Exec, class Call>
  static void run(Exec const& exec, Call const& call) {
    static_assert(host_execution<Exec>);
    int const threads = detail::thread_allowance(exec);
    if (call.batch > 1 && threads > 1 && batch_in_parallel(call, threads))
      return run_batch(exec, call);
    detail::scoped_threads const limit(threads);
    for (index_t i = 0; i < call.batch; ++i)
      detail::fortran_one(call, i);
  }

  template <class Exec>
  static std::string library() {
    return detail::host_library();
  }
  template <class Exec>
  static int threads(Exec const& exec) {
    return detail::effective_threads(detail::thread_allowance(exec));
  }

private:
  // One call of 8 x 8 x 8 costs 0.08 us, less than the portable kernel's 0.22: batches of any size
  // go to the library. Whole products per thread: no shared panels, no barrier inside a product.
  // Few large ones keep the library's own threads.
  template <class Call>
  static bool batch_in_parallel(Call const& call, int threads) {
    double const work = detail::work_of(call);
    return work * static_cast<double>(call.batch) >= 16384.0 &&
           (call.batch >= 4 * threads || work <= 262144.0);
  }
  template <class Exec, class Call>
  static void run_batch(Exec const& exec, Call const& call) {
    using policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<index_t>>;
    Kokkos::parallel_for("karpos::gemm::blas_batch", policy(exec, 0, call.batch),
                         detail::fortran_batch<Call>{call});
  }
};
static_assert(provider<fortran_blas>);

}  // namespace karpos::inline KARPOS_ABI::backend::blas
