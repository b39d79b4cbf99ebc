// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lower(): replaces whole-array nodes of an expression by views of evaluated temporaries, so that
// only scalars, leaves, generators and maps remain. Temporaries live in the pool and are used in
// stream order.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/memory/block.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/expr/node.hpp>

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace karpos::inline KARPOS_ABI::exec {

/// What one assignment carries through lowering: the execution space instance, the space of
/// temporaries, and the array nodes that have been evaluated (copies of a node share an identity
/// and run once).
template <class Exec, class Space>
class lowering {
public:
  using execution_space = Exec;
  using space = Space;
  explicit lowering(Exec const& exec) : exec_(exec) {}
  [[nodiscard]] Exec const& exec() const { return exec_; }

  /// Row-major storage for a temporary, in stream order on exec.
  template <class T, int Rank>
  tensor_view<T, Rank, Space> temporary(extents<Rank> const& shape) const {
    return karpos::detail::allocate_view<T, Rank, Space>(exec_, shape, "karpos::temporary");
  }

  template <class View>
  bool find(void const* identity, View& result) const {
    for (auto const& [id, data, owner, strides] : done_)
      if (id == identity) {
        layout<View::rank> l{result.shape(), {}, 0};
        for (int k = 0; k < View::rank; ++k)
          l.strides[k] = strides[k];
        result.rebind(View(static_cast<typename View::element_type*>(data), l, owner));
        return true;
      }
    return false;
  }
  template <class View>
  void remember(void const* identity, View const& result) {
    auto& r = done_.emplace_back();
    r.identity = identity;
    r.data = const_cast<typename View::value_type*>(result.data());
    r.owner = result.owner();
    for (int k = 0; k < View::rank; ++k)
      r.strides[k] = result.strides()[k];
  }

private:
  struct record {
    void const* identity;
    void* data;
    karpos::detail::storage owner;
    index_t strides[max_rank];
  };
  Exec const& exec_;
  std::vector<record> done_;
};

template <class Context, class Node>
auto lower(Context& context, Node const& node);

/// A lowered expression as a view: leaves as they are, everything else evaluated into a temporary.
/// Defined in exec/assign.hpp (it launches).
template <class Context, class Node>
auto materialise(Context& context, Node const& lowered);
template <class Exec, class T, int Rank, class Space, class Node>
void run_assignment(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node);

namespace detail {

// Only operands of rank 0 come here, and what was broadcast from them: every other empty tensor has
// an extent of 0.
template <int Rank>
[[noreturn]] KARPOS_COLD void throw_no_storage(extents<Rank> const& shape) {
  throw memory_error("karpos::assign: an operand of shape " + karpos::to_string(shape) +
                     " has no storage: the tensor is default-constructed or moved-from");
}

/// Operations whose result may be a view of their operand (reshape) say so by a member gives_view.
/// (A concept: nvcc rejects requires-expressions within generic lambdas.)
template <class Op>
concept view_operation = Op::gives_view;

/// Operations that on some execution spaces are another operation: rewrite(node) gives its node,
/// with the identity of the first.
template <class Op, class Exec>
concept rewritten_operation = Op::template is_rewritten<Exec>;

template <class Context, class Node>
auto evaluate_array(Context& context, Node const& node) {
  return std::apply(
      [&](auto const&... e) {
        if constexpr (view_operation<decltype(node.op)>) {
          return node.op.view(context, node.shape(),
                              exec::lower(context, e)...);  // may be free (reshape)
        } else {
          auto out =
              context.template temporary<typename Node::value_type, Node::rank>(node.shape());
          node.op.run(context, out, exec::lower(context, e)...);
          return tensor_view<typename Node::value_type const, Node::rank, typename Context::space>(
              out);
        }
      },
      node.operands);
}

/// Operations that on some execution spaces only name their operand.
template <class Op, class Exec>
concept transparent_operation = Op::template passes_through<Exec>;

template <class Context, class Node>
auto lower_array(Context& context, Node const& node) {
  using view = tensor_view<typename Node::value_type const, Node::rank, typename Context::space>;
  view result(nullptr, row_major(node.shape()));
  if (context.find(node.identity.get(), result))
    return result;
  result.rebind(detail::evaluate_array(context, node));
  context.remember(node.identity.get(), result);
  return result;
}

// Elements of an evaluated array picked by a layout over its C-order index: direct when it lies in
// C order, else through the strides of each dimension.
template <class Context, class Node>
auto lower_index(Context& context, Node const& node) {
  auto const child = exec::materialise(context, exec::lower(context, node.child));
  using view = tensor_view<typename Node::value_type const, Node::rank, typename Context::space>;
  if (child.is_contiguous())
    return view(child.data(), node.where, child.owner());
  auto const packed =
      context.template temporary<typename Node::value_type, decltype(child)::rank>(child.shape());
  exec::run_assignment(context.exec(), packed, child);
  return view(packed.data(), node.where, packed.owner());
}

}  // namespace detail

/// The expression without whole-array nodes; runs their operations on context.exec().
template <class Context, class Node>
auto lower(Context& context, Node const& node) {
  if constexpr (is_tensor_view<Node>) {
    if (node.data() == nullptr && node.size() > 0)
      detail::throw_no_storage(node.shape());
    karpos::detail::note_use(context.exec(), node);
    return node;
  } else if constexpr (expr::is_array<Node>) {
    using execution = typename Context::execution_space;
    if constexpr (detail::transparent_operation<decltype(node.op), execution>)
      return exec::lower(context, std::get<0>(node.operands));
    else if constexpr (detail::rewritten_operation<decltype(node.op), execution>)
      return detail::lower_array(context, node.op.rewrite(node));
    else
      return detail::lower_array(context, node);
  } else if constexpr (expr::is_index<Node>) {
    return detail::lower_index(context, node);
  } else if constexpr (expr::is_map<Node>) {
    return std::apply(
        [&](auto const&... e) {
          return expr::map_node<decltype(node.function), Node::rank,
                                decltype(exec::lower(context, e))...>(node.function, node.shape(),
                                                                      exec::lower(context, e)...);
        },
        node.operands);
  } else {
    return node;
  }
}

}  // namespace karpos::inline KARPOS_ABI::exec
