// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul and gemm. Vectors, matrices and batches of matrices with broadcasting; f32, f64, c64 and
// c128 through the vendor's BLAS from strides (no copy for rows, columns or leading slices), every
// other type through a portable kernel.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/broadcast.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/ops/detail/elementwise.hpp>
#include <karpos/ops/detail/product.hpp>
#include <karpos/ops/evaluate.hpp>

#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

namespace ops::detail {

template <int Rank>
extents<(Rank > 2 ? Rank - 2 : 0)> batch_of(extents<Rank> const& shape) {
  extents<(Rank > 2 ? Rank - 2 : 0)> b;
  for (int k = 0; k < Rank - 2; ++k)
    b[k] = shape[k];
  return b;
}

template <int A, int B>
auto product_shape(char const* function, extents<A> const& a, extents<B> const& b) {
  index_t const inner_a = a[A - 1], inner_b = b[B > 1 ? B - 2 : 0];
  if (inner_a != inner_b)
    throw shape_error(std::string("karpos::") + function + ": inner extents differ: a is " +
                      karpos::to_string(a) + ", b is " + karpos::to_string(b));
  extents<product_rank(A, B)> shape;
  constexpr int batch_rank = product_rank(A, B) - (A > 1) - (B > 1);
  auto const batch = broadcast_shapes(function, batch_of(a), batch_of(b));
  for (int k = 0; k < batch_rank; ++k)
    shape[k] = batch[k];
  if constexpr (A > 1)
    shape[batch_rank] = a[A - 2];
  if constexpr (B > 1)
    shape[batch_rank + (A > 1)] = b[B - 1];
  karpos::detail::check_shape(function, shape.values, shape.rank);  // an inner extent of 0 goes
  return shape;
}

/// A factor of the product in its element type. @throws argument_error for one that an integer type
/// cannot hold (a fraction would silently become another number).
template <class T, class S>
T coefficient(char const* function, S value) {
  if constexpr (integer<T> && real_floating<S>) {
    auto const exact = static_cast<double>(value);
    if (static_cast<double>(fn::convert<T>(value)) != exact)
      throw argument_error(std::string("karpos::") + function + ": scalar " +
                           std::to_string(exact) + " does not fit the element type " +
                           dtype_name<T>());
  }
  return detail::fit_scalar<T>(function, value);
}

}  // namespace ops::detail

/// The matrix product of NumPy's matmul: (..., m, k) times (..., k, n) gives (..., m, n); batches
/// broadcast; a rank-1 operand is a row (left) or a column (right) and its axis is dropped.
/// Integers wrap in their own type, 16-bit floats add in float. k = 0 gives zeros. A node: runs
/// when it is assigned, straight into the destination where that can be.
/// @throws shape_error when inner extents differ or batches do not broadcast.
template <class A, class B>
[[nodiscard]] auto matmul(A const& a, B const& b) {
  static_assert(array_operand<A> && array_operand<B>,
                "karpos::matmul: takes two tensors, views, expressions or Kokkos::Views");
  if constexpr (array_operand<A> && array_operand<B>) {
    using x = expr::node_of<A>;
    using y = expr::node_of<B>;
    using tx = typename x::value_type;
    using ty = typename y::value_type;
    static_assert(x::rank > 0 && y::rank > 0,
                  "karpos::matmul: a rank-0 operand has no matrix product: use a * b");
    static_assert(!boolean<tx> && !boolean<ty>,
                  "karpos::matmul: bool matrices have no product: cast them to an integer type");
    static_assert(promotable<tx, ty>,
                  "karpos::matmul: the element types have no common type: cast one operand");
    using op = ops::detail::matmul_op<promote_t<tx, ty>, x::rank, y::rank>;
    x const nx = expr::as_node(a);
    y const ny = expr::as_node(b);
    auto const shape = ops::detail::product_shape("matmul", extents<x::rank>(nx.shape()),
                                                  extents<y::rank>(ny.shape()));
    return expr::array_node<op, x, y>(op{}, shape, nx, ny);
  }
}

/// c := alpha a b + beta c for matrices (or stacks of them in c's batch shape), in place, on the
/// instance given. c is not read when beta is 0. a and b may be expressions; where they overlap c,
/// the product goes through a temporary. Asynchronous. @throws shape_error; argument_error for
/// alpha or beta that an integer type of c cannot hold.
template <execution_space Exec, element S, array_operand A, array_operand B, element U, class C>
  requires ops::detail::destination<C>
void gemm(Exec const& exec, S alpha, A const& a, B const& b, U beta, C&& c) {
  auto const out = ops::detail::as_destination(c);
  using view = std::remove_cvref_t<decltype(out)>;
  using T = typename view::value_type;
  static_assert(!boolean<T>, "karpos::gemm: bool matrices have no product");
  static_assert(
      kind<typename expr::node_of<A>::value_type> <= kind<T> &&
          kind<typename expr::node_of<B>::value_type> <= kind<T>,
      "karpos::gemm: c's elements cannot hold the product (real into integer, complex into "
      "real): cast the operands");
  constexpr int rank_a = expr::node_of<A>::rank, rank_b = expr::node_of<B>::rank;
  static_assert(rank_a >= 2 && rank_b >= 2 &&
                    ops::detail::product_rank(rank_a, rank_b) == view::rank,
                "karpos::gemm: a, b and c are matrices, or stacks of matrices of c's rank");
  auto const na = expr::as_node(a);
  auto const nb = expr::as_node(b);
  auto const shape =
      ops::detail::product_shape("gemm", extents<rank_a>(na.shape()), extents<rank_b>(nb.shape()));
  if (!(shape == out.shape()))
    throw shape_error("karpos::gemm: a b is " + karpos::to_string(shape) + ", c is " +
                      karpos::to_string(out.shape()));
  exec::check_writable("gemm", out);
  T const s = ops::detail::coefficient<T>("gemm", alpha),
          t = ops::detail::coefficient<T>("gemm", beta);
  if (out.size() == 0)
    return;
  karpos::detail::note_use(exec, out);
  exec::lowering<Exec, typename view::space> context(exec);
  auto const la = exec::lower(context, na);
  auto const lb = exec::lower(context, nb);
  ops::detail::batch_space batch;
  batch.rank = view::rank - 2;
  for (int k = 0; k < batch.rank; ++k)
    batch.extents[k] = shape[k];
  bool conj_a = false, conj_b = false;
  auto const x = ops::detail::matrix_operand<T>(context, la, conj_a);
  auto const y = ops::detail::matrix_operand<T>(context, lb, conj_b);
  if (exec::may_read(x, out) || exec::may_read(y, out)) {
    auto const copy = context.template temporary<T, view::rank>(shape);
    if (t != fn::convert<T>(0))
      exec::run_assignment(exec, copy, expr::as_node(out));
    ops::detail::multiply<T>(context, s, x, conj_a, y, conj_b, t, copy, batch);
    exec::run_assignment(exec, out, expr::as_node(copy));
  } else {
    ops::detail::multiply<T>(context, s, x, conj_a, y, conj_b, t, out, batch);
  }
}

/// The same on the default instance of c's execution space.
template <element S, array_operand A, array_operand B, element U, class C>
  requires ops::detail::destination<C>
void gemm(S alpha, A const& a, B const& b, U beta, C&& c) {
  using space = typename std::remove_cvref_t<decltype(ops::detail::as_destination(c))>::space;
  karpos::gemm(karpos::detail::default_instance<execution_space_of<space>>("gemm"), alpha, a, b,
               beta, c);
}

}  // namespace karpos::inline KARPOS_ABI
