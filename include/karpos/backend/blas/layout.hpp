// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From strides to the arguments of a BLAS: transpose flags, leading dimensions, increments. No
// library is called here.
#pragma once
#include <karpos/backend/blas/api.hpp>
#include <karpos/core/dtype.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace karpos::inline KARPOS_ABI::backend::blas {

/// How a column-major matrix enters a product: as it is, transposed, conjugate-transposed.
enum class op : char { n = 'N', t = 'T', c = 'C' };

/// c := alpha op(a) op(b) + beta c on column-major storage; c is (m, n), the sum runs over k.
template <class T>
struct gemm_call {
  op op_a, op_b;
  index_t m, n, k;
  T alpha;
  T const* a;
  index_t lda, a_stride;
  T const* b;
  index_t ldb, b_stride;
  T beta;
  T* c;
  index_t ldc, c_stride;
  index_t batch;
};

/// y := alpha op(a) x + beta y on column-major storage; a is stored as (m, n). For a negative
/// increment the pointer is the lowest address of the vector, as BLAS wants it.
template <class T>
struct gemv_call {
  op how;
  index_t m, n;
  T alpha;
  T const* a;
  index_t lda, a_stride;
  T const* x;
  index_t incx, x_stride;
  T beta;
  T* y;
  index_t incy, y_stride;
  index_t batch;
};

namespace detail {

/// The two ways to read a matrix as column-major storage: of itself (`plain`) or of its transpose.
/// 0: not that way.
struct leading_dimensions {
  index_t plain, transposed;
};

// An extent of 1 leaves its stride without meaning, so the smallest valid leading dimension stands
// for it.
constexpr index_t leading_dimension(index_t rows, index_t cols, index_t row_stride,
                                    index_t col_stride) noexcept {
  if (rows > 1 && row_stride != 1)
    return 0;
  index_t const least = std::max<index_t>(rows, 1);
  if (cols <= 1)
    return least;
  return col_stride >= least ? col_stride : 0;
}

template <class T>
constexpr leading_dimensions storage_of(matrix_view<T> const& v) noexcept {
  return {leading_dimension(v.rows, v.cols, v.row_stride, v.col_stride),
          leading_dimension(v.cols, v.rows, v.col_stride, v.row_stride)};
}

struct operand {
  op how;
  index_t ld;  // 0: not possible
};

// The operand of a call that wants v (or its transpose, `swapped`), conjugated or not. Only 'C'
// conjugates.
template <class T>
constexpr operand operand_of(matrix_view<T const> const& v, bool swapped, bool conj) noexcept {
  auto const s = storage_of(v);
  index_t const straight = swapped ? s.transposed : s.plain;
  index_t const turned = swapped ? s.plain : s.transposed;
  bool const conjugated = conj && is_complex_v<T>;
  if (straight != 0 && !conjugated)
    return {op::n, straight};
  return {conjugated ? op::c : op::t, turned};
}

template <class T>
struct gemm_operands {
  bool swapped;
  operand a, b;
  index_t ldc;
  constexpr bool fits() const noexcept { return a.ld != 0 && b.ld != 0 && ldc != 0; }
};

template <class T>
constexpr gemm_operands<T> operands_of(gemm_problem<T> const& p, bool swapped) noexcept {
  auto const c = storage_of(p.c);
  return {swapped, operand_of(p.a, swapped, p.conj_a), operand_of(p.b, swapped, p.conj_b),
          swapped ? c.transposed : c.plain};
}

// A row-major c is the column-major transpose: c^T = b^T a^T. A c that reads both ways takes the
// way that fits a and b.
template <class T>
constexpr gemm_operands<T> operands_of(gemm_problem<T> const& p) noexcept {
  auto const swapped = operands_of(p, true);
  if (swapped.fits())
    return swapped;
  auto const straight = operands_of(p, false);
  return straight.fits() || swapped.ldc == 0 ? straight : swapped;
}

template <class T>
T* lowest(T* data, index_t count, index_t increment) noexcept {
  return increment < 0 ? data + (count - 1) * increment : data;
}

// y = A x with y, x columns of the problem; `a` is the matrix, possibly transposed by the caller.
template <class T>
std::optional<gemv_call<T>> as_gemv(gemm_problem<T> const& p, matrix_view<T const> const& a,
                                    bool conj_a, index_t a_stride, T const* x, index_t incx,
                                    index_t x_stride, index_t incy) {
  auto const s = storage_of(a);
  bool const conjugated = conj_a && is_complex_v<T>;
  if (a.cols <= 1)
    incx = 1;
  if (a.rows <= 1)
    incy = 1;
  // A single row is a dot product: its storage as one column is read with unit stride.
  bool const turned = s.transposed != 0 && (conjugated || s.plain == 0 || a.rows <= 1);
  if (incx == 0 || incy == 0 || !(turned || (s.plain != 0 && !conjugated)))
    return {};
  auto const x0 = lowest(x, a.cols, incx);
  auto const y0 = lowest(p.c.data, a.rows, incy);
  if (turned)
    return gemv_call<T>{conjugated ? op::c : op::t,
                        a.cols,
                        a.rows,
                        p.alpha,
                        a.data,
                        s.transposed,
                        a_stride,
                        x0,
                        incx,
                        x_stride,
                        p.beta,
                        y0,
                        incy,
                        p.c_batch_stride,
                        p.batch};
  return gemv_call<T>{op::n, a.rows,   a.cols, p.alpha, a.data, s.plain,          a_stride, x0,
                      incx,  x_stride, p.beta, y0,      incy,   p.c_batch_stride, p.batch};
}

template <class T>
constexpr matrix_view<T> turn(matrix_view<T> const& v) noexcept {
  return {v.data, v.cols, v.rows, v.col_stride, v.row_stride};
}

/// The problem for the transposed result: c^T = b^T a^T.
template <class T>
constexpr gemm_problem<T> turn(gemm_problem<T> const& p) noexcept {
  return {p.alpha,          turn(p.b),        turn(p.a),        p.beta,   turn(p.c), p.batch,
          p.b_batch_stride, p.a_batch_stride, p.c_batch_stride, p.conj_b, p.conj_a};
}

// Stacked rows: the batches of v continue its rows with the same stride.
template <class T>
constexpr bool stacks(matrix_view<T> const& v, index_t batch_stride) noexcept {
  return batch_stride > 0 && (v.rows == 1 || batch_stride == v.rows * v.row_stride);
}
template <class T>
constexpr void stack(matrix_view<T>& v, index_t batch, index_t& batch_stride) noexcept {
  if (v.rows == 1)
    v.row_stride = batch_stride;
  v.rows *= batch;
  batch_stride = 0;
}
template <class T>
constexpr gemm_problem<T> stack_rows(gemm_problem<T> p) noexcept {
  if (p.batch <= 1 || p.b_batch_stride != 0 || !stacks(p.a, p.a_batch_stride) ||
      !stacks(p.c, p.c_batch_stride))
    return p;
  stack(p.a, p.batch, p.a_batch_stride);
  stack(p.c, p.batch, p.c_batch_stride);
  p.batch = 1;
  return p;
}

/// A batch that shares one operand and continues the other and c is a single larger product.
template <class T>
constexpr gemm_problem<T> merge_batch(gemm_problem<T> const& p) noexcept {
  if (p.batch <= 1)
    return p;
  auto const rows = stack_rows(p);
  return rows.batch == 1 ? rows : turn(stack_rows(turn(p)));
}

}  // namespace detail

template <class T>
constexpr bool blas_compatible(matrix_view<T> const& m) noexcept {
  auto const s = detail::storage_of(m);
  return s.plain != 0 || s.transposed != 0;
}

/// The call for a BLAS, or nothing where some operand would have to be packed.
template <class T>
[[nodiscard]] std::optional<gemm_call<T>> as_gemm(gemm_problem<T> const& p) {
  auto const o = detail::operands_of(p);
  if (!o.fits())
    return {};
  if (o.swapped)
    return gemm_call<T>{o.b.how,          o.a.how,          p.c.cols, p.c.rows,         p.a.cols,
                        p.alpha,          p.b.data,         o.b.ld,   p.b_batch_stride, p.a.data,
                        o.a.ld,           p.a_batch_stride, p.beta,   p.c.data,         o.ldc,
                        p.c_batch_stride, p.batch};
  return gemm_call<T>{o.a.how,          o.b.how,          p.c.rows, p.c.cols,         p.a.cols,
                      p.alpha,          p.a.data,         o.a.ld,   p.a_batch_stride, p.b.data,
                      o.b.ld,           p.b_batch_stride, p.beta,   p.c.data,         o.ldc,
                      p.c_batch_stride, p.batch};
}

/// Every number of the call fits the library's integer type.
template <class Int, class T>
[[nodiscard]] constexpr bool fits_integers(gemm_call<T> const& c) noexcept {
  constexpr index_t most = std::numeric_limits<Int>::max();
  return std::max({c.m, c.n, c.k, c.lda, c.ldb, c.ldc, c.batch}) <= most;
}
template <class Int, class T>
[[nodiscard]] constexpr bool fits_integers(gemv_call<T> const& c) noexcept {
  constexpr index_t most = std::numeric_limits<Int>::max();
  return std::max({c.m, c.n, c.lda, c.incx, c.incy, -c.incx, -c.incy, c.batch}) <= most;
}

/// The matrix-vector call for a result of one column or one row, or nothing where it has neither or
/// the operands do not fit.
template <class T>
[[nodiscard]] std::optional<gemv_call<T>> as_gemv(gemm_problem<T> const& p) {
  if (p.c.cols == 1 && !(p.conj_b && is_complex_v<T>))
    if (auto call = detail::as_gemv(p, p.a, p.conj_a, p.a_batch_stride, p.b.data, p.b.row_stride,
                                    p.b_batch_stride, p.c.row_stride))
      return call;
  if (p.c.rows == 1 && !(p.conj_a && is_complex_v<T>))
    return detail::as_gemv(p, detail::turn(p.b), p.conj_b, p.b_batch_stride, p.a.data,
                           p.a.col_stride, p.a_batch_stride, p.c.col_stride);
  return {};
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas
