// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running expressions: assign, eval, clone, item, fence.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/core/wrap.hpp>
#include <karpos/exec/assign.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/expr/relayout.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI {

namespace ops::detail {
// Destinations: tensors, views and Kokkos::Views, as views with elements that may be written.
template <class T, int Rank, class Space>
tensor_view<T, Rank, Space> as_destination(tensor<T, Rank, Space>& t) {
  return t.view();
}
template <class T, int Rank, class Space>
tensor_view<T, Rank, Space> as_destination(tensor_view<T, Rank, Space> const& v) {
  return v;
}
template <kokkos_view V>
auto as_destination(V const& v) {
  return karpos::wrap(v);
}

/// Something that can be written: a tensor, a tensor_view or a Kokkos::View.
template <class D>
concept destination = requires(D&& d) { detail::as_destination(d); };
}  // namespace ops::detail

/// dst[...] = e, in place, on the execution space instance given; e broadcasts to dst's shape.
/// Asynchronous.
/// @throws shape_error when e does not broadcast to dst; argument_error for a dst whose elements
/// overlap.
template <execution_space Exec, class D, operand E>
  requires ops::detail::destination<D>
void assign(Exec const& exec, D&& dst, E const& e) {
  auto const to = ops::detail::as_destination(dst);
  if constexpr (element<E>)
    exec::assign_scalar(exec, to, e);
  else
    exec::assign_node(exec, to, expr::as_node(e));
}

/// The same on the default instance of dst's execution space.
template <class D, operand E>
  requires ops::detail::destination<D>
void assign(D&& dst, E const& e) {
  using space = typename decltype(ops::detail::as_destination(dst))::space;
  karpos::assign(karpos::detail::default_instance<execution_space_of<space>>("assign"), dst, e);
}

/// A new tensor with the value of e, evaluated on exec. Asynchronous.
template <execution_space Exec, array_operand E>
[[nodiscard]] auto eval(Exec const& exec, E const& e) {
  using node = expr::node_of<E>;
  using own = result_space_t<typename node::space>;
  using space = std::conditional_t<std::is_same_v<typename node::space, any_space>,
                                   normal_space_t<Exec>, own>;
  auto const n = expr::as_node(e);
  using result = tensor<typename node::value_type, node::rank, space>;
  result out(result::uninitialised, n.shape(), exec);
  exec::assign_node(exec, out.view(), n);
  return out;
}

/// A new tensor with the value of e, on the default instance of its space (the default space for
/// generators).
template <array_operand E>
[[nodiscard]] auto eval(E const& e) {
  using exec = execution_space_of<result_space_t<typename expr::node_of<E>::space>>;
  return karpos::eval(karpos::detail::default_instance<exec>("eval"), e);
}

/// A copy of the elements in a new tensor. Asynchronous.
template <array_operand E>
[[nodiscard]] auto clone(E const& e) {
  return karpos::eval(e);
}

/// Waits for everything queued on the default instance (or on the one given).
inline void fence() {
  karpos::detail::default_instance<default_space>("fence").fence("karpos::fence");
}
template <execution_space Exec>
void fence(Exec const& exec) {
  exec.fence("karpos::fence");
}

/// The value of a rank-0 expression, on the host. Waits for it.
template <array_operand E>
[[nodiscard]] auto item(E const& e) {
  using node = expr::node_of<E>;
  static_assert(node::rank == 0,
                "karpos::item: the expression must have rank 0; item(t, i, ...) reads one element");
  using T = typename node::value_type;
  auto const result = karpos::eval(e);
  using space = typename decltype(result)::space;
  execution_space_of<space> const exec;
  T value;
  karpos::detail::copy_bytes<Kokkos::HostSpace, memory_space_of<space>>(exec, &value, result.data(),
                                                                        sizeof(T));
  exec.fence("karpos::item");
  return value;
}

/// Element (i, ...) of an operand of any space, on the host. Waits for it. @throws index_error.
template <array_operand E, index_like I, index_like... Rest>
[[nodiscard]] auto item(E const& e, I i, Rest... rest) {
  using node = expr::node_of<E>;
  static_assert(node::rank == 1 + sizeof...(Rest), "karpos::item: one index per axis");
  auto const n = expr::as_node(e);
  return karpos::item(expr::relayout(
      n, n.shape(), [&](layout<node::rank> const& l) { return slice(l, i, rest...); }));
}

/// Tells the pool that work you queued on `exec` yourself uses t's memory (a captured view, a raw
/// pointer): the memory is then not handed to other work before `exec` is done with it.
template <execution_space Exec, class T>
  requires(is_tensor<T> || is_tensor_view<T> || kokkos_view<T>)
void record_use(Exec const& exec, T const& t) {
  karpos::detail::note_use(exec, expr::as_node(t));
}

}  // namespace karpos::inline KARPOS_ABI
