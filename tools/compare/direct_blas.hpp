// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library called as a program without Karpos calls it: the baseline of matmul.
#pragma once
#include <karpos/backend/blas/adapter.hpp>
#include <karpos/backend/blas/select.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

// Declared apart from the library under test, and weak: a build need not have a BLAS.
#define KARPOS_TOOLS_TEXT_(x) #x
#define KARPOS_TOOLS_TEXT(x) KARPOS_TOOLS_TEXT_(x)
#define KARPOS_TOOLS_WEAK(name)                                                                    \
  __asm__(KARPOS_TOOLS_TEXT(__USER_LABEL_PREFIX__) name) __attribute__((weak))
namespace karpos::tools {
using blas_int = std::conditional_t<KARPOS_BLAS_ILP64 != 0, std::int64_t, std::int32_t>;
}
extern "C" {
void karpos_tools_sgemm(char const*, char const*, karpos::tools::blas_int const*,
                        karpos::tools::blas_int const*, karpos::tools::blas_int const*,
                        float const*, float const*, karpos::tools::blas_int const*, float const*,
                        karpos::tools::blas_int const*, float const*, float*,
                        karpos::tools::blas_int const*, std::size_t, std::size_t)
    KARPOS_TOOLS_WEAK("sgemm_");
void karpos_tools_dgemm(char const*, char const*, karpos::tools::blas_int const*,
                        karpos::tools::blas_int const*, karpos::tools::blas_int const*,
                        double const*, double const*, karpos::tools::blas_int const*, double const*,
                        karpos::tools::blas_int const*, double const*, double*,
                        karpos::tools::blas_int const*, std::size_t, std::size_t)
    KARPOS_TOOLS_WEAK("dgemm_");
int karpos_tools_omp_get_max_threads() KARPOS_TOOLS_WEAK("omp_get_max_threads");
void karpos_tools_omp_set_num_threads(int) KARPOS_TOOLS_WEAK("omp_set_num_threads");
int karpos_tools_openblas_get_parallel() KARPOS_TOOLS_WEAK("openblas_get_parallel");
int karpos_tools_openblas_get_num_threads() KARPOS_TOOLS_WEAK("openblas_get_num_threads");
void karpos_tools_openblas_set_num_threads(int) KARPOS_TOOLS_WEAK("openblas_set_num_threads");
}
#undef KARPOS_TOOLS_WEAK
#undef KARPOS_TOOLS_TEXT
#undef KARPOS_TOOLS_TEXT_

namespace karpos::tools {

namespace detail {

inline auto host_gemm(float) { return &karpos_tools_sgemm; }
inline auto host_gemm(double) { return &karpos_tools_dgemm; }

/// While it lives, a host BLAS uses so many threads.
class blas_threads {
public:
  explicit blas_threads(int threads) {
    if (karpos_tools_omp_get_max_threads != nullptr &&
        karpos_tools_omp_set_num_threads != nullptr) {
      openmp_before_ = karpos_tools_omp_get_max_threads();
      karpos_tools_omp_set_num_threads(threads);
    }
    bool const own_threads = karpos_tools_openblas_get_parallel != nullptr &&
                             karpos_tools_openblas_get_num_threads != nullptr &&
                             karpos_tools_openblas_set_num_threads != nullptr &&
                             karpos_tools_openblas_get_parallel() == 1;
    if (own_threads) {
      openblas_before_ = karpos_tools_openblas_get_num_threads();
      karpos_tools_openblas_set_num_threads(threads);
    }
  }
  blas_threads(blas_threads const&) = delete;
  blas_threads& operator=(blas_threads const&) = delete;
  ~blas_threads() {
    if (openmp_before_ > 0)
      karpos_tools_omp_set_num_threads(openmp_before_);
    if (openblas_before_ > 0)
      karpos_tools_openblas_set_num_threads(openblas_before_);
  }

private:
  int openmp_before_ = 0, openblas_before_ = 0;
};

}  // namespace detail

/// c := a b for row-major matrices on one instance, by the library itself; here: a space for which
/// the build has none. Column-major libraries are given c^T = b^T a^T.
template <class Exec, class T, class Provider = backend::blas::detail::vendor<Exec>>
class direct_product {
public:
  explicit direct_product(Exec const&) {}
  static bool available() { return false; }
  static char const* name() { return "none"; }
  void operator()(std::int64_t, std::int64_t, std::int64_t, T const*, T const*, T*) const {}
};

/// The host's BLAS.
template <class Exec, class T, class Provider>
  requires host_execution<Exec>
class direct_product<Exec, T, Provider> {
public:
  explicit direct_product(Exec const& exec) : threads_(kokkos_ext::concurrency(exec)) {}
  static bool available() { return detail::host_gemm(T{}) != nullptr; }
  static char const* name() { return sizeof(T) == 4 ? "sgemm_" : "dgemm_"; }

  void operator()(std::int64_t m, std::int64_t n, std::int64_t k, T const* a, T const* b,
                  T* c) const {
    auto const rows = static_cast<blas_int>(n), columns = static_cast<blas_int>(m),
               inner = static_cast<blas_int>(k);
    T const one = 1, zero = 0;
    detail::host_gemm(T{})("N", "N", &rows, &columns, &inner, &one, b, &rows, a, &inner, &zero, c,
                           &rows, 1, 1);
  }

private:
  detail::blas_threads threads_;
};

/// cuBLAS, rocBLAS: a handle of its own on the instance's stream.
template <class Exec, class T, class Traits>
class direct_product<Exec, T, backend::blas::gpu_library<Traits>> {
public:
  explicit direct_product(Exec const& exec) {
    require(Traits::create(&handle_));
    require(Traits::set_up(handle_));
    require(Traits::set_stream(handle_, Traits::stream_of(exec)));
  }
  direct_product(direct_product const&) = delete;
  direct_product& operator=(direct_product const&) = delete;
  ~direct_product() { static_cast<void>(Traits::destroy(handle_)); }
  static bool available() { return true; }
  static char const* name() { return backend::blas::to_string(Traits::id); }

  void operator()(std::int64_t m, std::int64_t n, std::int64_t k, T const* a, T const* b,
                  T* c) const {
    using backend::blas::op;
    backend::blas::gemm_call<T> const call{op::n, op::n, n, m,    k, T(1), b, n, 0,
                                           a,     k,     0, T(0), c, n,    0, 1};
    require(Traits::gemm(handle_, call));
  }

private:
  static void require(typename Traits::status s) {
    if (s != Traits::success)
      throw backend_error(std::string("direct call of ") + name() + ": " + Traits::text(s));
  }
  typename Traits::handle handle_{};
};

}  // namespace karpos::tools
