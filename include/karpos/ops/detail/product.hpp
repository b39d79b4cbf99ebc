// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole-array operation behind matmul and gemm: operands to matrices with strides, batches to
// strided batches, and the calls of backend::blas.
#pragma once
#include <karpos/backend/blas/gemm.hpp>
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/broadcast.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/exec/assign.hpp>
#include <karpos/exec/lower.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/fn/complex.hpp>
#include <karpos/fn/convert.hpp>

#include <tuple>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::ops::detail {

/// A stack of matrices: batch dimensions of the product (broadcast: stride 0), then rows and
/// columns.
template <class T, class Space>
struct matrix_stack {
  T* data = nullptr;
  index_t rows = 0, cols = 0, row_stride = 0, col_stride = 0;
  index_t batch_strides[max_rank]{};
  bool conjugate = false;
  karpos::detail::storage owner;

  [[nodiscard]] backend::blas::matrix_view<T> view(index_t offset = 0) const {
    return {data + offset, rows, cols, row_stride, col_stride};
  }
};

/// The product's batch dimensions, merged from the inside as far as every operand's strides allow.
struct batch_space {
  int rank = 0;
  index_t extents[max_rank]{};
};

template <class Node>
inline constexpr bool is_conjugated_view = false;
template <int R, class V>
inline constexpr bool is_conjugated_view<expr::map_node<fn::conj, R, V>> = is_tensor_view<V>;

/// An operand as a view with elements of type T: conj(view) is passed on as a flag, other
/// expressions are evaluated.
template <class T, class Context, class Node>
auto matrix_operand(Context& context, Node const& node, bool& conjugate) {
  using value = typename Node::value_type;
  if constexpr (is_conjugated_view<Node> && std::is_same_v<value, T>) {
    conjugate = is_complex_v<T>;
    return std::get<0>(node.operands);
  } else if constexpr (std::is_same_v<value, T>) {
    return exec::materialise(context, node);
  } else {
    return exec::materialise(context, expr::map_node<fn::cast_to<T>, Node::rank, Node>(
                                          fn::cast_to<T>{}, node.shape(), node));
  }
}

// A view of rank 1 is a row (left operand) or a column (right one); axes before the last two are
// the batch.
template <class T, int Rank, class Space>
matrix_stack<T, Space> as_stack(tensor_view<T, Rank, Space> const& v, bool left,
                                batch_space const& batch) {
  matrix_stack<T, Space> m;
  m.data = v.data();
  m.owner = v.owner();
  if constexpr (Rank == 1) {
    (left ? m.rows : m.cols) = 1;
    (left ? m.cols : m.rows) = v.shape()[0];
    (left ? m.col_stride : m.row_stride) = v.strides()[0];
    (left ? m.row_stride : m.col_stride) = v.shape()[0];
  } else {
    m.rows = v.shape()[Rank - 2];
    m.cols = v.shape()[Rank - 1];
    m.row_stride = v.strides()[Rank - 2];
    m.col_stride = v.strides()[Rank - 1];
    for (int k = 0; k < Rank - 2; ++k)
      m.batch_strides[batch.rank - (Rank - 2) + k] = v.shape()[k] == 1 ? 0 : v.strides()[k];
  }
  return m;
}

// The output: axes that rank-1 operands lack are not there.
template <class T, int Rank, class Space>
matrix_stack<T, Space> as_output(tensor_view<T, Rank, Space> const& v, bool row, bool column,
                                 batch_space const& batch) {
  matrix_stack<T, Space> m;
  m.data = v.data();
  m.owner = v.owner();
  int axis = batch.rank;
  for (int k = 0; k < batch.rank; ++k)
    m.batch_strides[k] = v.strides()[k];
  m.rows = row ? 1 : v.shape()[axis];
  m.row_stride = row ? 1 : v.strides()[axis++];
  m.cols = column ? 1 : v.shape()[axis];
  m.col_stride = column ? 1 : v.strides()[axis];
  return m;
}

template <class T, class Space>
bool merges(matrix_stack<T, Space> const& m, batch_space const& b, int outer) {
  return m.batch_strides[outer] == m.batch_strides[outer + 1] * b.extents[outer + 1];
}
template <class T, class Space>
void drop_dimension(matrix_stack<T, Space>& m, int rank, int at) {
  for (int k = at; k + 1 < rank; ++k)
    m.batch_strides[k] = m.batch_strides[k + 1];
}

template <class A, class B, class C>
void merge_batches(batch_space& batch, A& a, B& b, C& c) {
  for (int k = batch.rank - 2; k >= 0; --k) {
    bool const one = batch.extents[k] == 1;
    if (!one && !(merges(a, batch, k) && merges(b, batch, k) && merges(c, batch, k)))
      continue;
    batch.extents[k + 1] *= batch.extents[k];
    for (int q = k; q + 1 < batch.rank; ++q)
      batch.extents[q] = batch.extents[q + 1];
    drop_dimension(a, batch.rank, k);
    drop_dimension(b, batch.rank, k);
    drop_dimension(c, batch.rank, k);
    --batch.rank;
  }
}

/// Calls the back end once per index of the outer batch dimensions; the innermost one is a strided
/// batch.
template <class Exec, class T, class A, class B, class C>
void run_batches(Exec const& exec, backend::blas::gemm_problem<T> p, batch_space const& batch,
                 A const& a, B const& b, C const& c) {
  int const inner = batch.rank - 1;
  p.batch = inner >= 0 ? batch.extents[inner] : 1;
  p.a_batch_stride = inner >= 0 ? a.batch_strides[inner] : 0;
  p.b_batch_stride = inner >= 0 ? b.batch_strides[inner] : 0;
  p.c_batch_stride = inner >= 0 ? c.batch_strides[inner] : 0;
  index_t outer = 1;
  for (int k = 0; k < inner; ++k)
    outer *= batch.extents[k];
  for (index_t number = 0; number < outer; ++number) {
    index_t rest = number, at_a = 0, at_b = 0, at_c = 0;
    for (int k = inner - 1; k >= 0; --k) {
      index_t const i = rest % batch.extents[k];
      rest /= batch.extents[k];
      at_a += i * a.batch_strides[k];
      at_b += i * b.batch_strides[k];
      at_c += i * c.batch_strides[k];
    }
    p.a = a.view(at_a);
    p.b = b.view(at_b);
    p.c = c.view(at_c);
    backend::blas::gemm(exec, p);
  }
}

/// A row-major copy of an operand, conjugated where the flag says so.
template <class T, class Context, class View>
tensor_view<T const, View::rank, typename View::space>
packed_operand(Context& context, View const& v, bool& conjugate) {
  auto const copy = context.template temporary<T, View::rank>(v.shape());
  if constexpr (is_complex_v<T>) {
    if (conjugate) {
      exec::run_assignment(context.exec(), copy,
                           expr::map_node<fn::conj, View::rank, View>(fn::conj{}, v.shape(), v));
      conjugate = false;
      return {copy.data(), copy.get_layout(), copy.owner()};
    }
  }
  exec::run_assignment(context.exec(), copy, v);
  return {copy.data(), copy.get_layout(), copy.owner()};
}

/// c := alpha a b + beta c over stacks of matrices; a and b are views of const elements. Operands
/// that a library cannot take as they lie are packed once.
template <class T, class Context, class VA, class VB, class VC>
void multiply(Context& context, T alpha, VA a, bool conj_a, VB b, bool conj_b, T beta, VC const& c,
              batch_space batch) {
  if (c.size() == 0)
    return;
  backend::blas::gemm_problem<T> p{};
  p.alpha = alpha;
  p.beta = beta;
  auto fill = [&] {
    auto const x = as_stack(a, true, batch);
    auto const y = as_stack(b, false, batch);
    auto const z = as_output(c, VA::rank == 1, VB::rank == 1, batch);
    p.a = x.view();
    p.b = y.view();
    p.c = z.view();
    p.conj_a = conj_a;
    p.conj_b = conj_b;
    return std::tuple(x, y, z);
  };
  fill();
  using exec_space = typename Context::execution_space;
  if (auto const s = backend::blas::serves<exec_space>(p); s.library && p.a.cols > 0) {
    if (!s.c) {
      auto const packed = context.template temporary<T, VC::rank>(c.shape());
      if (beta != T(0))
        exec::run_assignment(context.exec(), packed,
                             tensor_view<T const, VC::rank, typename VC::space>(c));
      multiply(context, alpha, a, conj_a, b, conj_b, beta, packed, batch);
      exec::run_assignment(context.exec(), c,
                           tensor_view<T const, VC::rank, typename VC::space>(packed));
      return;
    }
    if (!s.a)
      a.rebind(packed_operand<T>(context, a, conj_a));
    if (!s.b)
      b.rebind(packed_operand<T>(context, b, conj_b));
  }
  auto [x, y, z] = fill();
  merge_batches(batch, x, y, z);
  run_batches(context.exec(), p, batch, x, y, z);
}

/// Rank of the product of operands of these ranks (NumPy's matmul).
constexpr int product_rank(int a, int b) {
  int const batch = (a > b ? a : b) > 2 ? (a > b ? a : b) - 2 : 0;
  return batch + (a > 1) + (b > 1);
}

template <class T, int RankA, int RankB>
struct matmul_op {
  using value_type = T;
  static constexpr int rank = product_rank(RankA, RankB);
  static constexpr int batch_rank = rank - (RankA > 1) - (RankB > 1);

  template <class Context, class View, class A, class B>
  void run(Context& context, View const& out, A const& a, B const& b) const {
    bool conj_a = false, conj_b = false;
    auto const x = matrix_operand<T>(context, a, conj_a);
    auto const y = matrix_operand<T>(context, b, conj_b);
    batch_space batch;
    batch.rank = batch_rank;
    for (int k = 0; k < batch_rank; ++k)
      batch.extents[k] = out.shape()[k];
    multiply<T>(context, T(1.0f), x, conj_a, y, conj_b, T(0.0f), out, batch);
  }
  template <class View>
  static bool accepts(View const& out) {
    return !exec::overlapping_elements(out);
  }
  template <class Context, class View, class A, class B>
  bool run_into(Context& context, View const& out, A const& a, B const& b) const {
    if (exec::may_read(a, out) || exec::may_read(b, out))
      return false;
    run(context, out, a, b);
    return true;
  }
};

}  // namespace karpos::inline KARPOS_ABI::ops::detail
