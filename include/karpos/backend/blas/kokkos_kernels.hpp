// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos Kernels, for the calls in which it serves: f32 f64 c64 c128, products and batches of them
// as KokkosBlas::gemm, and matrix times vector with unit increments as KokkosBlas::gemv, on every
// execution space. All three matrices are always handed over as LayoutLeft with transpose flags,
// whatever their order: with mixed layouts KokkosBlas::gemm leaves its BLAS and becomes some twenty
// times slower. select.hpp says where it is chosen.
#pragma once
#include <karpos/backend/blas/detail/host_threads.hpp>
#include <karpos/backend/blas/provider.hpp>
#include <karpos/core/spaces.hpp>

#include <KokkosBlas2_gemv.hpp>
#include <KokkosBlas3_gemm.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

namespace karpos::inline KARPOS_ABI::backend::blas {

namespace detail {

template <class Exec>
using unmanaged_device = Kokkos::Device<Exec, typename Exec::memory_space>;

// A column-major matrix whose columns are ld elements apart.
template <class Exec, class T>
auto left_matrix(T* data, index_t rows, index_t cols, index_t ld) {
  using view = Kokkos::View<T**, Kokkos::LayoutLeft, unmanaged_device<Exec>,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  auto const size = [](index_t n) { return static_cast<std::size_t>(n); };
  view const whole(data, size(ld), size(cols));
  return view(Kokkos::subview(whole, std::pair(std::size_t{0}, size(rows)), Kokkos::ALL));
}

template <class Exec, class T>
auto left_vector(T* data, index_t size) {
  return Kokkos::View<T*, Kokkos::LayoutLeft, unmanaged_device<Exec>,
                      Kokkos::MemoryTraits<Kokkos::Unmanaged>>(data,
                                                               static_cast<std::size_t>(size));
}

constexpr char const* flag(op o) noexcept { return o == op::n ? "N" : o == op::t ? "T" : "C"; }

template <class Exec, class T>
void kokkos_kernels_one(Exec const& exec, gemm_call<T> const& c, index_t i) {
  bool const a_plain = c.op_a == op::n, b_plain = c.op_b == op::n;
  auto const a =
      left_matrix<Exec>(c.a + i * c.a_stride, a_plain ? c.m : c.k, a_plain ? c.k : c.m, c.lda);
  auto const b =
      left_matrix<Exec>(c.b + i * c.b_stride, b_plain ? c.k : c.n, b_plain ? c.n : c.k, c.ldb);
  auto const to = left_matrix<Exec>(c.c + i * c.c_stride, c.m, c.n, c.ldc);
  KokkosBlas::gemm(exec, flag(c.op_a), flag(c.op_b), c.alpha, a, b, c.beta, to);
}

template <class Exec, class T>
void kokkos_kernels_one(Exec const& exec, gemv_call<T> const& c, index_t i) {
  bool const plain = c.how == op::n;
  auto const a = left_matrix<Exec>(c.a + i * c.a_stride, c.m, c.n, c.lda);
  auto const x = left_vector<Exec>(c.x + i * c.x_stride, plain ? c.n : c.m);
  auto const y = left_vector<Exec>(c.y + i * c.y_stride, plain ? c.m : c.n);
  KokkosBlas::gemv(exec, flag(c.how), c.alpha, a, x, c.beta, y);
}

}  // namespace detail

/// The provider that stands second on every execution space.
struct kokkos_kernels {
  static constexpr path id = path::kokkos_kernels;

  template <class T>
  static constexpr bool has_type =
      std::same_as<T, float> || std::same_as<T, double> || complex_floating<T>;

  template <class T>
  static constexpr bool takes(gemm_call<T> const& call) {
    return fits_integers<int>(call);
  }
  template <class T>
  static constexpr bool takes(gemv_call<T> const& call) {
    return call.incx == 1 && call.incy == 1 && fits_integers<int>(call);
  }

  template <class Exec, class Call>
  static void run(Exec const& exec, Call const& call) {
    if constexpr (host_execution<Exec>) {  // it calls a BLAS of the host, whose threads are ours to
                                           // mind
      detail::scoped_threads const limit(detail::thread_allowance(exec));
      for (index_t i = 0; i < call.batch; ++i)
        detail::kokkos_kernels_one(exec, call, i);
    } else {
      for (index_t i = 0; i < call.batch; ++i)
        detail::kokkos_kernels_one(exec, call, i);
    }
  }

  template <class Exec>
  static std::string library() {
    std::string const name = "Kokkos Kernels " + std::to_string(KOKKOSKERNELS_VERSION / 10000) +
                             "." + std::to_string(KOKKOSKERNELS_VERSION / 100 % 100) + "." +
                             std::to_string(KOKKOSKERNELS_VERSION % 100);
    return host_execution<Exec> ? name + ", " + detail::host_library() : name;
  }
  template <class Exec>
  static int threads(Exec const& exec) {
    return detail::effective_threads(detail::thread_allowance(exec));
  }
};
static_assert(provider<kokkos_kernels>);

}  // namespace karpos::inline KARPOS_ABI::backend::blas
