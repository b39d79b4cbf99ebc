// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// assign: evaluates an expression into a destination. One kernel per assignment; whole-array
// operations run first, or straight into the destination when they are the root.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/broadcast.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/exec/blocks.hpp>
#include <karpos/exec/detail/bind.hpp>
#include <karpos/exec/detail/device_engine.hpp>
#include <karpos/exec/detail/host_engine.hpp>
#include <karpos/exec/lower.hpp>
#include <karpos/exec/overlap.hpp>
#include <karpos/exec/plan.hpp>
#include <karpos/exec/row_stages.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/fn/convert.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI::exec {

/// The host engine serves this execution space (the device engine's kernels can be run there by a
/// test switch).
template <class Exec>
inline constexpr bool uses_host_engine = host_execution<Exec> && KARPOS_DEVICE_ENGINE_ON_HOST == 0;

/// The plan of the last assignment of this thread: what `explain` and the tests look at.
inline plan_kind& last_plan() {
  static thread_local plan_kind kind = plan_kind::flat;
  return kind;
}

template <class Exec, class T, int Rank, class Space, class Node>
void run_assignment(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node);
/// The operations of `node` one after the other, then one kernel into dst.
template <class Exec, class T, int Rank, class Space, class Node>
void assign_whole(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node);

namespace detail {

// What the kernel needs of a lowered assignment: the operand table, planned.
template <int Leaves>
struct planned {
  operand_info ops[Leaves + 1]{};
  plan p;
};

template <class Exec, class T, int Rank, class Space, class Node, int Leaves>
void launch(Exec const& exec, tensor_view<T, Rank, Space> const&, Node const& node,
            planned<Leaves> const& job) {
  last_plan() = job.p.kind;
  if constexpr (uses_host_engine<Exec>) {
    static_assert(Leaves <= max_leaves, "karpos::assign: more than 64 operands in one expression");
    host_job const host{&row_loop<T, Node>::run, &node, job.p, job.ops, Leaves};
    run_host_job(exec, host, "karpos::assign::host");
  } else {
    run_on_device<T, Rank>(exec, node, job.p, job.ops);
  }
}

template <class Exec, class T, int Rank, class Space, class Node>
void assign_through_temporary(Exec const& exec, tensor_view<T, Rank, Space> const& dst,
                              Node const& node) {
  auto const temporary =
      karpos::detail::allocate_view<T, Rank, Space>(exec, dst.shape(), "karpos::assign::temporary");
  exec::run_assignment(exec, temporary, node);
  exec::run_assignment(exec, dst, tensor_view<T const, Rank, Space>(temporary));
}

inline void check_destination(char const* function, operand_info const& dst, int rank,
                              index_t const* shape) {
  if (self_overlapping(dst, rank, shape))
    throw argument_error(
        std::string("karpos::") + function +
        ": the destination may show some element at several indices (a broadcast or "
        "overlapping view): shape " +
        karpos::to_string(shape, rank) + ", strides " + karpos::to_string(dst.strides, rank));
}

}  // namespace detail

/// dst[...] = node, for a lowered node whose shape broadcasts to dst's. Asynchronous on exec.
/// @pre no two indices of dst share an element (check_writable)
template <class Exec, class T, int Rank, class Space, class Node>
void run_assignment(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node) {
  static_assert(!std::is_const_v<T>, "karpos::assign: the elements of the destination are const");
  static_assert(can_access<Exec, Space> && can_access<Exec, typename Node::space>,
                "karpos::assign: this execution space cannot access the memory of the destination "
                "or of an operand");
  constexpr int leaves = expr::leaf_count<Node>;
  if (dst.size() == 0)
    return;
  detail::planned<leaves> job;
  operand_info* next = job.ops;
  detail::list_operands(dst, Rank, next);
  detail::list_operands(node, Rank, next);
  if (overlaps(job.ops, leaves + 1, Rank, dst.shape().values)) {
    detail::assign_through_temporary(exec, dst, node);
    return;
  }
  job.p = make_plan(Rank, dst.shape().values, job.ops, leaves + 1);
  detail::launch(exec, dst, node, job);
}

/// True when two indices of a view show the same element.
template <class T, int Rank, class Space>
bool overlapping_elements(tensor_view<T, Rank, Space> const& v) {
  operand_info op;
  for (int k = 0; k < Rank; ++k)
    op.strides[k] = v.strides()[k];
  return v.size() > 0 && self_overlapping(op, Rank, v.shape().values);
}
/// @throws argument_error naming `function` for a destination that shows some element at several
/// indices.
template <class T, int Rank, class Space>
void check_writable(char const* function, tensor_view<T, Rank, Space> const& v) {
  static_assert(!std::is_const_v<T>, "karpos: the elements of the destination are const");
  operand_info op;
  for (int k = 0; k < Rank; ++k)
    op.strides[k] = v.strides()[k];
  if (v.size() > 0)
    detail::check_destination(function, op, Rank, v.shape().values);
}

/// True when a leaf of `node` (lowered) shares bytes with `out`: a whole-array operation must not
/// write there.
template <class Node, class T, int Rank, class Space>
bool may_read(Node const& node, tensor_view<T, Rank, Space> const& out) {
  if constexpr (is_tensor_view<Node>) {
    operand_info a, b;
    operand_info *next = &a, *other = &b;
    detail::list_operands(node, Node::rank, next);
    detail::list_operands(out, Rank, other);
    if (node.size() == 0 || out.size() == 0)
      return false;
    auto const x = detail::bounds(a, Node::rank, node.shape().values);
    auto const y = detail::bounds(b, Rank, out.shape().values);
    return x.first < y.last && y.first < x.last;
  } else if constexpr (expr::is_map<Node>) {
    return std::apply([&](auto const&... e) { return (exec::may_read(e, out) || ...); },
                      node.operands);
  } else {
    return false;
  }
}

template <class Context, class Node>
auto materialise(Context& context, Node const& lowered) {
  if constexpr (is_tensor_view<Node>) {
    return lowered;
  } else {
    auto const out =
        context.template temporary<typename Node::value_type, Node::rank>(lowered.shape());
    exec::run_assignment(context.exec(), out, lowered);
    return tensor_view<typename Node::value_type const, Node::rank, typename Context::space>(out);
  }
}

namespace detail {

template <class Op, class View>
concept root_operation = requires(Op const& op, View const& dst) { op.accepts(dst); };

// A whole-array operation at the root may write into the destination itself when it says that it
// can.
template <class Context, class T, int Rank, class Space, class Node>
bool run_root_in_place(Context& context, tensor_view<T, Rank, Space> const& dst, Node const& node) {
  if constexpr (expr::is_array<Node>) {
    if constexpr (rewritten_operation<decltype(node.op), typename Context::execution_space>)
      return detail::run_root_in_place(context, dst, node.op.rewrite(node));
    else if constexpr (Node::rank == Rank && std::is_same_v<T, typename Node::value_type> &&
                       root_operation<decltype(node.op), tensor_view<T, Rank, Space>>) {
      if (node.shape() == dst.shape() && node.op.accepts(dst) && dst.size() > 0) {
        return std::apply(
            [&](auto const&... e) {
              return node.op.run_into(context, dst, exec::lower(context, e)...);
            },
            node.operands);
      }
    }
  }
  return false;
}

}  // namespace detail

template <class Exec, class T, int Rank, class Space, class Node>
void assign_whole(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node) {
  lowering<Exec, Space> context(exec);
  if (!detail::run_root_in_place(context, dst, node))
    exec::run_assignment(exec, dst, exec::lower(context, node));
}

/// dst[...] = node, for any node. @throws before anything runs shape_error when the shapes do not
/// fit, argument_error when dst shows some element at several indices.
template <class Exec, class T, int Rank, class Space, class Node>
void assign_node(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node) {
  static_assert(Node::rank <= Rank,
                "karpos::assign: the expression has more axes than the destination");
  static_assert(!is_complex_v<typename Node::value_type> || is_complex_v<T>,
                "karpos::assign: complex values do not fit a real destination: take real(e), "
                "imag(e) or abs(e)");
  if constexpr (Node::rank <= Rank) {
    if (!broadcasts_to(node.shape(), dst.shape()))
      throw shape_error("karpos::assign: cannot write shape " + karpos::to_string(node.shape()) +
                        " into " + karpos::to_string(dst.shape()));
    if (dst.data() == nullptr && dst.size() > 0)
      throw memory_error("karpos::assign: the destination has no storage");
    exec::check_writable("assign", dst);
    karpos::detail::note_use(exec, dst);
    if constexpr (uses_host_engine<Exec>) {
      if (detail::assign_by_blocks(exec, dst, node))
        return;
    } else if (detail::assign_by_row_stages(exec, dst, node)) {
      last_plan() = plan_kind::row_stages;
      return;
    }
    exec::assign_whole(exec, dst, node);
  }
}

/// dst[...] = value. @throws argument_error when an integer does not fit dst's integer type.
template <class Exec, class T, int Rank, class Space, class C>
void assign_scalar(Exec const& exec, tensor_view<T, Rank, Space> const& dst, C value) {
  static_assert(!is_complex_v<C> || is_complex_v<T>,
                "karpos::assign: a complex value does not fit real elements");
  if constexpr (integer<T> && integer<C>)
    if (!std::in_range<T>(value))
      throw argument_error("karpos::assign: scalar " + std::to_string(value) +
                           " does not fit the element type " + dtype_name<T>());
  exec::assign_node(exec, dst, expr::scalar_node<T>(fn::convert<T>(value)));
}

}  // namespace karpos::inline KARPOS_ABI::exec

namespace karpos::inline KARPOS_ABI::detail {

// The engine that core declares.
template <>
struct the_assignment_engine_is_in_karpos_exec_assign_hpp<void> {
  template <class T, int Rank, class Space, class E>
  static void assign_default(tensor_view<T, Rank, Space> const& dst, E const& e) {
    exec::assign_node(default_instance<execution_space_of<Space>>("assign"), dst, expr::as_node(e));
  }
  template <class T, int Rank, class Space, class C>
  static void fill_default(tensor_view<T, Rank, Space> const& dst, C value) {
    exec::assign_scalar(default_instance<execution_space_of<Space>>("assign"), dst, value);
  }
  template <int Rank, class E>
  static extents<Rank> result_shape(E const& e) {
    using node = expr::node_of<E>;
    static_assert(node::rank == Rank,
                  "karpos::tensor: the expression's rank differs from the tensor's");
    if constexpr (node::rank == Rank)
      return expr::as_node(e).shape();
    else
      return {};
  }
  // Shape that an empty tensor takes from the expression assigned to it.
  template <int Rank, class E>
  static extents<Rank> first_shape(E const& e) {
    using node = expr::node_of<E>;
    if constexpr (node::rank == Rank)
      return expr::as_node(e).shape();
    else
      throw shape_error("karpos::assign: an empty tensor of rank " + std::to_string(Rank) +
                        " takes no shape from an expression of rank " + std::to_string(node::rank) +
                        ": " + karpos::to_string(expr::as_node(e).shape()));
  }
};

}  // namespace karpos::inline KARPOS_ABI::detail
