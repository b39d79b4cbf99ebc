// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of the portable products: integers in an unsigned type (they wrap), 16-bit floats
// in float.
#pragma once
#include <karpos/backend/blas/api.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/core/dtype.hpp>

#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::backend::blas::detail {

template <class T>
struct arithmetic {
  using type = compute_t<T>;
};
template <integer T>
struct arithmetic<T> {
  using type = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;
};

/// What products of T are added up in.
template <class T>
using arithmetic_t = typename arithmetic<std::remove_cv_t<T>>::type;

template <class T>
KOKKOS_FORCEINLINE_FUNCTION arithmetic_t<T> widen(T x) {
  return static_cast<arithmetic_t<T>>(x);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION arithmetic_t<T> widen(T x, bool conj) {
  if constexpr (is_complex_v<T>) {
    return conj ? T(x.real(), -x.imag()) : x;
  } else {
    static_cast<void>(conj);
    return widen(x);
  }
}

/// c := alpha sum + beta c, rounded to T once.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void update(T& c, arithmetic_t<T> alpha, arithmetic_t<T> sum,
                                        arithmetic_t<T> beta, bool reads_c) {
  arithmetic_t<T> result = alpha * sum;
  if (reads_c)
    result += beta * widen(c);
  c = static_cast<T>(result);
}

/// c := beta c over a batch of matrices, one element per index.
template <class T>
struct scale_kernel {
  matrix_view<T> c;
  index_t batch_stride;
  arithmetic_t<T> beta;
  bool reads_c;

  KOKKOS_FUNCTION void operator()(index_t i) const {
    index_t const in_matrix = i % (c.rows * c.cols);
    T& element = c.data[i / (c.rows * c.cols) * batch_stride + in_matrix / c.cols * c.row_stride +
                        in_matrix % c.cols * c.col_stride];
    element = reads_c ? static_cast<T>(beta * widen(element)) : T(0);
  }
};

template <class Exec, class T>
void scale(Exec const& exec, gemm_problem<T> const& p) {
  if (p.beta == T(1))
    return;
  using policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<index_t>>;
  scale_kernel<T> const kernel{p.c, p.c_batch_stride, widen(p.beta), p.beta != T(0)};
  index_t const count = p.batch * p.c.rows * p.c.cols;
  if (kokkos_ext::in_parallel_region(exec))
    for (index_t i = 0; i < count; ++i)
      kernel(i);
  else
    Kokkos::parallel_for("karpos::gemm::scale", policy(exec, 0, count), kernel);
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas::detail
