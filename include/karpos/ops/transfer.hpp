// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers between spaces: to_host, to<Space>, copy(exec, dst, src) for any strides (pack, move,
// unpack).
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/broadcast.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/exec/assign.hpp>
#include <karpos/exec/lower.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/ops/evaluate.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// The host's execution space of the build.
using host_space = normal_space_t<Kokkos::DefaultHostExecutionSpace>;

namespace ops::detail {

template <class View>
std::size_t bytes_of(View const& v) {
  return static_cast<std::size_t>(v.size()) * sizeof(typename View::value_type);
}

/// x as contiguous elements of type T on its own side: as it lies, or packed by an evaluation
/// there.
template <class T, class Exec, class Node>
auto packed(Exec const& exec, Node const& node) {
  using own = result_space_t<typename Node::space>;
  using result = tensor_view<T const, Node::rank, own>;
  if constexpr (is_tensor_view<Node> && std::is_same_v<typename Node::value_type, T>) {
    if (node.is_contiguous()) {
      exec::lowering<Exec, own> context(exec);
      return result(exec::lower(context, node));
    }
  }
  if constexpr (can_access<Exec, own>) {
    auto const buffer =
        karpos::detail::allocate_view<T, Node::rank, own>(exec, node.shape(), "karpos::copy::pack");
    exec::assign_node(exec, buffer, node);
    return result(buffer);
  } else {  // the source lies where exec cannot go: packed there, complete before the bytes are
            // moved
    execution_space_of<own> const side;
    auto const buffer =
        karpos::detail::allocate_view<T, Node::rank, own>(side, node.shape(), "karpos::copy::pack");
    exec::assign_node(side, buffer, node);
    side.fence("karpos::copy: packed source");
    return result(buffer);
  }
}

/// Contiguous bytes in the destination's memory become its elements.
template <class Exec, class T, int Rank, class Space, int From>
void unpack(Exec const& exec, tensor_view<T, Rank, Space> const& dst,
            tensor_view<T, From, Space> const& buffer) {
  if constexpr (can_access<Exec, Space>) {
    exec::assign_node(exec, dst, tensor_view<T const, From, Space>(buffer));
  } else {
    exec.fence("karpos::copy: before unpacking");
    execution_space_of<Space> const side;
    exec::assign_node(side, dst, tensor_view<T const, From, Space>(buffer));
    side.fence("karpos::copy: unpacked");
  }
}

template <class Exec, class T, int Rank, class Space, class Node>
void copy_across(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node) {
  using from = memory_space_of<result_space_t<typename Node::space>>;
  using to = memory_space_of<Space>;
  auto const source = detail::packed<T>(exec, node);
  if (dst.is_contiguous() && node.shape().size() == dst.size()) {
    karpos::detail::copy_bytes<to, from>(exec, dst.data(), source.data(), bytes_of(source));
    return;
  }
  auto const buffer = karpos::detail::allocate_view<T, Node::rank, Space>(exec, node.shape(),
                                                                          "karpos::copy::unpack");
  karpos::detail::copy_bytes<to, from>(exec, buffer.data(), source.data(), bytes_of(source));
  detail::unpack(exec, dst, buffer);
}

/// Where a copy from `From` into `To` is queued: the device when one side is one (generators have
/// no side).
template <class To, class From>
using copying_space = execution_space_of<
    std::conditional_t<host_execution<execution_space_of<To>> && !std::is_same_v<From, any_space>,
                       result_space_t<From>, To>>;

template <class A, class B>
inline constexpr bool same_memory = std::is_same_v<memory_space_of<A>, memory_space_of<B>>;

}  // namespace ops::detail

/// dst[...] = src between any spaces, strides and element types; src broadcasts to dst's shape.
/// Queued on exec, an instance of the device's execution space when one side is a device (of dst's
/// otherwise). Asynchronous, except that a strided host side is packed or unpacked by the host,
/// which waits. @throws shape_error; memory_error for a side without storage; argument_error for a
/// dst whose elements overlap.
template <execution_space Exec, class D, array_operand E>
  requires ops::detail::destination<D>
void copy(Exec const& exec, D&& dst, E const& src) {
  auto const to = ops::detail::as_destination(dst);
  using space = typename decltype(to)::space;
  auto const node = expr::as_node(src);
  using from = typename expr::node_of<E>::space;
  if constexpr (std::is_same_v<from, any_space>) {
    exec::assign_node(exec, to, node);
  } else if constexpr (ops::detail::same_memory<space, from> ||
                       (can_access<Exec, space> && can_access<Exec, from>)) {
    exec::assign_node(exec, to, node);
  } else {
    static_assert(expr::node_of<E>::rank <= decltype(to)::rank,
                  "karpos::copy: the source has more axes than the destination");
    if (!broadcasts_to(node.shape(), to.shape()))
      throw shape_error("karpos::copy: cannot write shape " + karpos::to_string(node.shape()) +
                        " into " + karpos::to_string(to.shape()));
    if (to.data() == nullptr && to.size() > 0)
      throw memory_error("karpos::copy: the destination has no storage");
    exec::check_writable("copy", to);
    karpos::detail::note_use(exec, to);
    if (to.size() > 0)
      ops::detail::copy_across(exec, to, node);
  }
}

/// The same on the default instance of the device's execution space (of dst's when both sides are
/// host memory).
template <class D, array_operand E>
  requires(ops::detail::destination<D> && !execution_space<D>)
void copy(D&& dst, E const& src) {
  using to = typename decltype(ops::detail::as_destination(dst))::space;
  using exec = ops::detail::copying_space<to, typename expr::node_of<E>::space>;
  karpos::copy(karpos::detail::default_instance<exec>("copy"), dst, src);
}

/// A new tensor in Space with the value of e. Waits when Space is host memory and e is not, else
/// asynchronous (on host spaces the work is done when the launch returns).
template <class Space, array_operand E>
[[nodiscard]] auto to(E const& e) {
  using node = expr::node_of<E>;
  using space = normal_space_t<Space>;
  using result = tensor<typename node::value_type, node::rank, space>;
  result out(result::uninitialised, expr::as_node(e).shape());
  using exec = ops::detail::copying_space<space, typename node::space>;
  exec const instance = karpos::detail::default_instance<exec>("to");
  karpos::copy(instance, out, e);
  if constexpr (host_accessible<space> && !host_execution<exec>)
    instance.fence("karpos::to");
  return out;
}

/// A new tensor in host memory with the value of e. Waits; its elements can be read at once.
template <array_operand E>
[[nodiscard]] auto to_host(E const& e) {
  return karpos::to<host_space>(e);
}

}  // namespace karpos::inline KARPOS_ABI
