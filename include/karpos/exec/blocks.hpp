// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions with several stages on the host (x - mean(x, 1, keepdims), softmax, var): blocks of
// rows go through all stages while they are in the cache, each on one thread, instead of each stage
// through the whole memory.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/core/memory/pool.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/exec/detail/bind.hpp>
#include <karpos/exec/lower.hpp>
#include <karpos/exec/overlap.hpp>
#include <karpos/exec/reduce_plan.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/expr/restrict.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI::exec {

template <class Exec, class T, int Rank, class Space, class Node>
void assign_whole(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node);

namespace detail {

// Elements of a block over all axes: with the temporaries beside them some 256 KiB.
inline constexpr index_t block_elements = 1 << 14;
inline constexpr index_t largest_row = 1 << 16;       // more elements do not stay in the cache
inline constexpr index_t least_for_blocks = 1 << 16;  // the cache holds the whole

/// What the stages of an expression walk over: the largest number of elements, and how many stages
/// have at least half as many.
class stages {
public:
  template <class Node>
  explicit stages(Node const& root) {
    note(root.shape().size());
    visit(root);
  }
  [[nodiscard]] index_t largest() const { return *std::max_element(sizes_, sizes_ + count_); }
  [[nodiscard]] bool several() const {
    return std::count_if(sizes_, sizes_ + count_,
                         [half = largest() / 2](index_t n) { return n > half; }) > 1;
  }

private:
  static constexpr int most = 32;
  void note(index_t size) {
    if (count_ < most)
      sizes_[count_++] = size;
  }
  template <class Node>
  void visit(Node const& node) {
    if constexpr (expr::is_map<Node>) {
      std::apply([&](auto const&... e) { (visit(e), ...); }, node.operands);
    } else if constexpr (expr::is_array<Node>) {
      std::apply([&](auto const&... e) { ((note(e.shape().size()), visit(e)), ...); },
                 node.operands);
    }
  }
  int count_ = 0;
  index_t sizes_[most]{};
};

/// A leaf of which rows are read while other rows of them are written: it shares memory with dst
/// and is not, along `axis` of dst, the same elements at the same index.
template <class Leaf, class T, int Rank, class Space>
bool reads_other_rows(Leaf const& leaf, int own, tensor_view<T, Rank, Space> const& dst, int axis) {
  if (leaf.size() == 0)
    return false;
  operand_info a, b;
  operand_info *next = &a, *other = &b;
  detail::list_operands(leaf, Leaf::rank, next);
  detail::list_operands(dst, Rank, other);
  auto const x = detail::bounds(a, Leaf::rank, leaf.shape().values);
  auto const y = detail::bounds(b, Rank, dst.shape().values);
  if (x.first >= y.last || y.first >= x.last)
    return false;
  if constexpr (Leaf::rank == Rank)
    return own != axis || !(leaf.shape() == dst.shape()) ||
           !detail::same_elements(a, b, Rank, dst.shape().values);
  else
    return true;
}

/// A leaf that lies in columns: blocks of rows would use little of each line that they load.
template <class Leaf>
bool lies_in_columns(Leaf const& leaf, int own) {
  return own >= 0 && own + 1 < Leaf::rank && leaf.shape()[own] > 1 &&
         detail::magnitude(leaf.strides()[own]) == 1;
}

/// True when a leaf forbids blocks along `axis` with single indices of the axes before.
template <class Node, class T, int Rank, class Space>
bool hinders_blocks(Node const& node, tensor_view<T, Rank, Space> const& dst, int axis) {
  bool hindered = false;
  for (int k = 0; k <= axis; ++k)
    expr::for_each_leaf(node, k, [&](auto const& leaf, int own) {
      hindered |= (dst.shape()[k] > 1 && detail::reads_other_rows(leaf, own, dst, k)) ||
                  (k == axis && detail::lies_in_columns(leaf, own));
    });
  return hindered;
}

/// How an assignment is cut: single indices of the axes before `axis`, blocks of `rows` along it.
struct blocking {
  int axis = -1;  // -1: not at all
  index_t rows = 1, blocks = 1, count = 1;
};

template <class T, int Rank, class Space, class Node>
blocking choose_blocks(tensor_view<T, Rank, Space> const& dst, Node const& node, int threads) {
  blocking b;
  stages const s(node);
  index_t const elements = s.largest();
  if (elements < least_for_blocks || !s.several())
    return b;
  index_t outer = 1;
  for (int axis = 0; axis < Rank; ++axis) {
    if (dst.shape()[axis] > 1 && !expr::can_restrict(node, axis))
      return b;
    if (node.shape()[axis] != dst.shape()[axis])
      return b;
    index_t const n = dst.shape()[axis], row = elements / (outer * n);
    if (n > 1 && row <= largest_row && outer * n >= 4 * threads) {
      b.rows = std::clamp<index_t>(block_elements / row, 1, n);
      b.blocks = (n + b.rows - 1) / b.rows;
      if (outer * b.blocks < 4 * threads) {  // fewer rows for each, so that all threads have some
        b.rows = std::max<index_t>(1, outer * n / (4 * threads));
        b.blocks = (n + b.rows - 1) / b.rows;
      }
      if (detail::hinders_blocks(node, dst, axis))
        return b;
      b.axis = axis;
      b.count = outer * b.blocks;
      return b;
    }
    outer *= n;
  }
  return b;
}

/// The first exception of several tasks, thrown again when all have ended.
class first_error {
public:
  void keep(std::exception_ptr e) {
    std::lock_guard const lock(mutex_);
    if (!error_)
      error_ = std::move(e);
  }
  void rethrow() const {
    if (error_)
      std::rethrow_exception(error_);
  }

private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

template <class Exec, class View, class Node>
struct block_task {
  Exec const* exec;
  View const* dst;
  Node const* node;
  blocking cut;
  first_error* error;

  KOKKOS_FUNCTION void operator()([[maybe_unused]] index_t task) const {
    KOKKOS_IF_ON_HOST((run(task);))
  }

private:
  void run(index_t task) const {
    kokkos_ext::serial_scope const serial;
    try {
      View to(*dst);
      Node part(*node);
      index_t const block = task % cut.blocks;
      index_t outer = task / cut.blocks;
      restrict_both(to, part, cut.axis, block * cut.rows,
                    std::min(cut.rows, dst->shape()[cut.axis] - block * cut.rows));
      for (int k = cut.axis - 1; k >= 0; --k) {
        restrict_both(to, part, k, outer % dst->shape()[k], 1);
        outer /= dst->shape()[k];
      }
      exec::assign_whole(*exec, to, part);
    } catch (...) {
      error->keep(std::current_exception());
    }
  }
  static void restrict_both(View& to, Node& part, int axis, index_t begin, index_t count) {
    to.rebind(expr::restrict_to(to, axis, begin, count));
    Node next = expr::restrict_to(part, axis, begin, count);
    std::destroy_at(&part);
    std::construct_at(&part, std::move(next));
  }
};

/// Runs an assignment block by block; false where that does not serve.
template <class Exec, class T, int Rank, class Space, class Node>
bool assign_by_blocks(Exec const& exec, tensor_view<T, Rank, Space> const& dst, Node const& node) {
  if constexpr (Node::rank == Rank && expr::operation_count<Node> > 0 && expr::is_separable<Node> &&
                (expr::is_map<Node> || expr::operation_count<Node> > 1)) {
    // Without the pool each temporary is freed through Kokkos, which waits for the kernel that
    // runs.
    if (dst.size() == 0 || kokkos_ext::in_parallel_region(exec) ||
        karpos::detail::pool_switched_off())
      return false;
    blocking const cut = detail::choose_blocks(dst, node, kokkos_ext::concurrency(exec));
    if (cut.axis < 0)
      return false;
    first_error error;
    using view = tensor_view<T, Rank, Space>;
    Kokkos::parallel_for(
        "karpos::assign::blocks",
        Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<index_t>>(
            exec, 0, cut.count),
        block_task<Exec, view, Node>{&exec, &dst, &node, cut, &error});
    error.rethrow();
    return true;
  } else {
    return false;
  }
}

}  // namespace detail
}  // namespace karpos::inline KARPOS_ABI::exec
