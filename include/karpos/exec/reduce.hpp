// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over any axes of a lowered expression, fused with it.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/exec/assign.hpp>
#include <karpos/exec/detail/device_reduce.hpp>
#include <karpos/exec/detail/host_reduce.hpp>
#include <karpos/exec/reduce_plan.hpp>
#include <karpos/fn/reducers.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec {

/// out[kept index] = reducer over the reduced axes of `node` (lowered). `reduced[k]` says whether
/// axis k is reduced; `out` has the kept axes in order (reduced axes dropped). Asynchronous on
/// exec. `out` overlaps no operand.
template <class Reducer, class Exec, class Out, int OutRank, class Space, class Node>
void run_reduction(Exec const& exec, tensor_view<Out, OutRank, Space> const& out, Node const& node,
                   bool const* reduced) {
  using T = typename Node::value_type;
  constexpr int rank = Node::rank, leaves = expr::leaf_count<Node>;
  if (out.size() == 0)
    return;
  if (node.shape().size() == 0) {
    exec::run_assignment(
        exec, out,
        expr::scalar_node<Out>(fn::from_lane<Out>(
            Reducer::template identity<typename Reducer::template accumulator<T>>())));
    return;
  }
  operand_info ops[leaves + 1]{};
  ops[0].address = reinterpret_cast<std::uintptr_t>(out.data());
  ops[0].element_size = static_cast<int>(sizeof(Out));
  for (int k = 0, q = 0; k < rank; ++k)
    ops[0].strides[k] = reduced[k] ? 0 : out.strides()[q++];
  operand_info* next = ops + 1;
  detail::list_operands(node, rank, next);
  auto const p = make_reduce_plan(rank, node.shape().values, reduced, ops, leaves + 1);
  if constexpr (uses_host_engine<Exec>) {
    static_assert(leaves <= detail::max_leaves,
                  "karpos: more than 64 operands in one reduced expression");
    plan all;
    all.rank = p.kept + p.reduced;
    for (int k = 0; k < all.rank; ++k)
      all.extents[k] = p.extents[k];
    detail::host_job const job{&detail::row_loop<T, Node>::run, &node, all, ops, leaves};
    detail::run_host_reduction(
        exec, detail::host_reduction{job, detail::host_reduce_loops<Reducer, T>::table, p,
                                     is_tensor_view<Node>});
  } else {
    detail::run_device_reduction<Reducer, T, Out, rank, memory_space_of<Space>>(exec, node, p, ops);
  }
}

}  // namespace karpos::inline KARPOS_ABI::exec
