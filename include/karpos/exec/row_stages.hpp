// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions with several stages over rows on devices (softmax, var, x - mean(x, 1, keepdims)):
// one kernel in which each row goes through all stages, instead of a kernel and a walk through
// memory for each stage.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/exec/detail/bind.hpp>
#include <karpos/exec/detail/device_engine.hpp>
#include <karpos/exec/detail/device_reduce.hpp>
#include <karpos/exec/detail/row_stages_kernel.hpp>
#include <karpos/exec/overlap.hpp>
#include <karpos/exec/reduce_plan.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/expr/restrict.hpp>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec {

/// What a whole-array operation is within a row: its member role_in_rows.
enum class row_role {
  reduction,   ///< over the last axes; Op has reducer, axes (their number) and operand_axis()
  value,       ///< one value per row of values per row
  elsewhere,   ///< none: another kernel serves better
  transparent  ///< its operand, without axes of extent 1 where the ranks differ
};

namespace detail {

template <class Op>
concept row_operation = requires { Op::role_in_rows; } && Op::role_in_rows != row_role::elsewhere;

/// Rank of the rows' elements and number of the axes within a row, from the first reduction.
struct row_form {
  int rank = 0, axes = 0;
};
constexpr row_form first_form() { return {}; }
template <class... F>
constexpr row_form first_form(row_form const& f, F const&... rest) {
  return f.rank > 0 ? f : first_form(rest...);
}
template <class N>
inline constexpr row_form form_of{};
template <class Op, class E>
constexpr row_form form_of_operation() {
  if constexpr (!row_operation<Op>)
    return {};
  else if constexpr (Op::role_in_rows == row_role::reduction)
    return {E::rank, Op::axes};
  else
    return form_of<E>;
}
template <class F, int R, class... E>
inline constexpr row_form form_of<expr::map_node<F, R, E...>> = first_form(form_of<E>...);
template <class Op, class E>
inline constexpr row_form form_of<expr::array_node<Op, E>> = form_of_operation<Op, E>();

/// Number of the operations of an expression that have a role.
template <class N, row_role Role>
inline constexpr int count_of = 0;
template <class F, int R, class... E, row_role Role>
inline constexpr int count_of<expr::map_node<F, R, E...>, Role> = (count_of<E, Role> + ... + 0);
template <class Op, class E, row_role Role>
constexpr int count_of_operation() {
  if constexpr (row_operation<Op>)
    return count_of<E, Role> + (Op::role_in_rows == Role ? 1 : 0);
  else
    return 0;
}
template <class Op, class E, row_role Role>
inline constexpr int count_of<expr::array_node<Op, E>, Role> = count_of_operation<Op, E, Role>();

template <class N>
inline constexpr int reductions_of = count_of<N, row_role::reduction>;
/// Values per row that an expression keeps.
template <class N>
inline constexpr int slots_of = reductions_of<N> + count_of<N, row_role::value>;

/// Whether each operation of an expression works within rows of rank R with A axes. Whole: the
/// expression has the rows' axes (with extent 1 perhaps), else they are gone.
template <class N, int R, int A, bool Whole>
inline constexpr bool within_rows = !expr::is_index<N> && !expr::is_array<N>;
template <class Op, class E, int R, int A, bool Whole>
constexpr bool operation_within_rows() {
  if constexpr (!row_operation<Op>) {
    return false;
  } else if constexpr (Op::role_in_rows == row_role::reduction) {
    constexpr bool fits = E::rank == R && Op::axes == A && Op::rank == (Whole ? R : R - A);
    return fits && within_rows<E, R, A, true>;
  } else if constexpr (E::rank == Op::rank) {
    return within_rows<E, R, A, Whole>;
  } else {  // drops the rows' axes
    return !Whole && E::rank == R && within_rows<E, R, A, true>;
  }
}
template <class F, int K, class... E, int R, int A, bool Whole>
inline constexpr bool within_rows<expr::map_node<F, K, E...>, R, A, Whole> =
    (within_rows<E, R, A, Whole> && ...);
template <class Op, class E, int R, int A, bool Whole>
inline constexpr bool within_rows<expr::array_node<Op, E>, R, A, Whole> =
    operation_within_rows<Op, E, R, A, Whole>();

/// Limits of a kernel's arguments and of the code that one expression makes.
inline constexpr int most_row_slots = 8, most_row_leaves = 16;

template <class Node>
struct row_program {
  static constexpr int rank = form_of<Node>.rank, axes = form_of<Node>.axes;
  static constexpr bool whole = Node::rank == rank;
  static constexpr int slots = slots_of<Node>, leaves = expr::leaf_count<Node>;
  static constexpr bool small = slots <= most_row_slots && leaves <= most_row_leaves;
  static constexpr bool has_rows = axes > 0 && rank > axes;
  /// A single reduction and what follows it for each row is left to the kernels of reductions.
  static constexpr bool several = reductions_of<Node> > 1 || (whole && expr::is_map<Node>);
  static constexpr bool serves =
      has_rows && small && several && within_rows<Node, rank, axes, whole>;
};

/// The shape of the first reduction's operand.
template <int R, class Node>
bool find_rows(Node const& node, extents<R>& shape) {
  if constexpr (expr::is_map<Node>) {
    return std::apply([&](auto const&... e) { return (detail::find_rows(e, shape) || ...); },
                      node.operands);
  } else if constexpr (expr::is_array<Node>) {
    auto const& operand = std::get<0>(node.operands);
    if constexpr (decltype(node.op)::role_in_rows == row_role::reduction) {
      shape = operand.shape();
      return true;
    } else {
      return detail::find_rows(operand, shape);
    }
  } else {
    return false;
  }
}

/// Whether all reductions of `node` go over the last A axes of `shape`, and no leaf is empty.
template <int A, int R, class Node>
bool fits_rows(Node const& node, extents<R> const& shape) {
  if constexpr (is_tensor_view<Node>) {
    return node.data() != nullptr;
  } else if constexpr (expr::is_map<Node>) {
    return std::apply([&](auto const&... e) { return (detail::fits_rows<A>(e, shape) && ...); },
                      node.operands);
  } else if constexpr (expr::is_array<Node>) {
    auto const& operand = std::get<0>(node.operands);
    constexpr auto role = decltype(node.op)::role_in_rows;
    for (int k = 0; k < R - A; ++k)
      if (node.op.operand_axis(k) != k)
        return false;
    if constexpr (role == row_role::reduction) {
      if (!(operand.shape() == shape))
        return false;
    } else if constexpr (role == row_role::value) {
      for (int k = R - A; k < Node::rank; ++k)
        if (node.shape()[k] != 1)
          return false;
    }
    return detail::fits_rows<A>(operand, shape);
  } else {
    return true;
  }
}

// The table of operands, as list_operands of bind.hpp, over the dimensions of the rows.
template <int R, class Node>
void list_row_operands(Node const& node, int rank, operand_info*& out) {
  if constexpr (expr::is_map<Node>) {
    std::apply([&](auto const&... e) { (detail::list_row_operands<R>(e, rank, out), ...); },
               node.operands);
  } else if constexpr (expr::is_array<Node>) {
    auto const& operand = std::get<0>(node.operands);
    constexpr int below = std::remove_cvref_t<decltype(operand)>::rank;
    detail::list_row_operands<R>(operand, below == Node::rank ? rank : R, out);
  } else {
    detail::list_operands(node, rank, out);
  }
}

/// Bound form of an expression over rows. Leaves and slots are numbered in the order of
/// evaluation.
template <int R, int Slots>
struct stages_binder : strided_binder<R> {
  void const* identities[Slots]{};

  int first_slot(int slot, void const* identity) {
    identities[slot] = identity;
    return static_cast<int>(std::find(identities, identities + slot, identity) - identities);
  }

  template <int Leaf, int Slot>
  pack<> rows_of() {
    return {};
  }
  template <int Leaf, int Slot, class E, class... Rest>
  auto rows_of(E const& e, Rest const&... rest) {
    auto head = row<Leaf, Slot>(e);
    auto tail = rows_of<Leaf + expr::leaf_count<E>, Slot + slots_of<E>>(rest...);
    return detail::prepend(head, tail);
  }
  template <int Leaf, int Slot, class Node>
  auto row(Node const& node) {
    if constexpr (expr::is_map<Node>) {
      return make_bound_map(
          node.function,
          std::apply([&](auto const&... e) { return rows_of<Leaf, Slot>(e...); }, node.operands));
    } else if constexpr (expr::is_array<Node>) {
      auto const& operand = std::get<0>(node.operands);
      constexpr int slot = Slot + slots_of<std::remove_cvref_t<decltype(operand)>>;
      using op = std::remove_cvref_t<decltype(node.op)>;
      using T = typename Node::value_type;
      auto const inner = row<Leaf, Slot>(operand);
      using B = std::remove_cvref_t<decltype(inner)>;
      if constexpr (op::role_in_rows == row_role::transparent)
        return inner;
      else if constexpr (op::role_in_rows == row_role::value)
        return row_constant<slot, T, B>{{first_slot(slot, node.identity.get())}, inner};
      else
        return row_reduction<slot, T, typename op::reducer, B>{
            {first_slot(slot, node.identity.get())}, inner};
    } else {
      return detail::bind<Leaf>(static_cast<strided_binder<R> const&>(*this), node);
    }
  }
};

/// What of each row is written, if the shape of the destination suits that of the rows.
enum class row_result { none, one_element, every_element };
template <int R, int A, int Rank>
row_result result_of_rows(extents<R> const& rows, extents<Rank> const& dst) {
  bool same = Rank == R, kept = true;
  for (int k = 0; k < Rank; ++k) {
    same = same && dst[k] == rows[k];
    kept = kept && dst[k] == (k < R - A ? rows[k] : 1);
  }
  return same ? row_result::every_element : kept ? row_result::one_element : row_result::none;
}

/// An operand that lies in columns: threads that walk along rows would use little of each line.
inline bool in_columns(operand_info const& op, reduce_plan const& p) {
  int const inner = p.kept + p.reduced - 1;
  return !op.is_virtual && detail::magnitude(op.strides[inner]) > 1 &&
         std::any_of(op.strides, op.strides + p.kept,
                     [](index_t s) { return detail::magnitude(s) == 1; });
}

/// Operands and dimensions of the rows; the last dimension is within a row.
template <int R, int Count>
struct row_plan {
  operand_info ops[Count]{};
  reduce_space<R> space{};
  index_t rows = 0;
  bool one_element = false;  // of a row is written
};

/// False where rows do not serve.
template <class T, int Rank, class Space, class Node, int R, int Count>
bool plan_rows(tensor_view<T, Rank, Space> const& dst, Node const& node, row_plan<R, Count>& p) {
  constexpr int A = row_program<Node>::axes;
  extents<R> shape;
  if (!detail::find_rows(node, shape) || shape.size() == 0 || !(node.shape() == dst.shape()) ||
      !detail::fits_rows<A>(node, shape))
    return false;
  auto const result = detail::result_of_rows<R, A>(shape, dst.shape());
  p.one_element = result == row_result::one_element;
  if (result == row_result::none || (p.one_element && reductions_of<Node> < 2))
    return false;

  operand_info* next = p.ops;
  detail::list_operands(dst, Rank, next);
  detail::list_row_operands<R>(node, Rank, next);
  if (overlaps(p.ops, Count, R, shape.values))
    return false;
  bool within[R]{};
  std::fill(within + R - A, within + R, true);
  auto const r = make_reduce_plan(R, shape.values, within, p.ops, Count);
  auto const hinders = [&](operand_info const& op) { return detail::in_columns(op, r); };
  if (!r.inner_reduced || r.reduced > 1 || std::any_of(p.ops + 1, p.ops + Count, hinders))
    return false;
  if (r.outputs > INT32_MAX || r.per_output > INT32_MAX / 2)  // what the kernel counts in 32 bits
    return false;
  p.space = detail::place_dimensions<R>(r, p.ops, Count);
  p.rows = r.outputs;
  return true;
}

template <class T, int R>
bool is_operand(operand_info const& op, strided_leaf<T, R> const& leaf) {
  return op.address == reinterpret_cast<std::uintptr_t>(leaf.data) &&
         op.element_size == static_cast<int>(sizeof(T)) &&
         std::equal(leaf.strides, leaf.strides + R, op.strides);
}

/// Launches the rows in packets of V elements; false where that would leave most of the device
/// idle. All: every operand of the type of the one that is held is that one.
template <int V, bool All, class D, int R, int Slots, class Exec, int Count, class Bound,
          class Held>
bool launch_row_stages(Exec const& exec, row_plan<R, Count> const& p, Bound const& bound,
                       Held const& held) {
  index_t const packets = p.space.extents[R - 1] / V;
  auto const team = detail::team_for_rows(
      exec, p.rows, packets, p.one_element ? 1 : tuning.row_least_lanes, tuning.row_stages_warps);
  index_t const lanes = team.lanes();
  bool const in_registers = packets <= lanes * tuning.row_packets;
  if (!in_registers && !host_execution<Exec> && 2 * p.rows * lanes < kokkos_ext::concurrency(exec))
    return false;
  detail::launch_rows_kernel(exec, "karpos::assign::row_stages", p.rows, team, Slots,
                             row_stages_kernel<Exec, D, V, All, Bound, Held, R, Slots>{
                                 reinterpret_cast<D*>(p.ops[0].address), bound, held, p.space,
                                 static_cast<unsigned>(p.rows), static_cast<unsigned>(packets),
                                 team, p.one_element});
  return true;
}

/// Runs an assignment row by row; false where that does not serve.
template <class Exec, class T, int Rank, class Space, class Node>
bool assign_by_row_stages(Exec const& exec, tensor_view<T, Rank, Space> const& dst,
                          Node const& node) {
  using program = row_program<Node>;
  if constexpr (Node::rank == Rank && program::serves) {
    constexpr int R = program::rank, count = program::leaves + 1, slots = program::slots;
    row_plan<R, count> p;
    if (!detail::plan_rows(dst, node, p))
      return false;
    access const modes[count]{};
    stages_binder<R, slots> binder{{p.ops + 1, modes + 1}};
    auto const bound = binder.template row<0, 0>(node);
    auto const held = held_operand::of(bound);
    using held_type = std::remove_cvref_t<decltype(held)>;
    constexpr int V = lanes_of_walk<held_type>;
    bool packets = p.space.extents[R - 1] >= V &&
                   (p.one_element || detail::aligned_along(p.ops[0], R, R - 1, V));
    for (int l = 1; l < count; ++l)
      packets = packets && detail::walks_in_packets(p.ops[l], R, V);
    bool all = true;
    if constexpr (!std::is_same_v<held_type, no_leaf>) {
      packets = packets && held.strides[R - 1] == 1;
      for (int l = 1; l < count; ++l)
        all = all && (p.ops[l].is_virtual || detail::is_operand(p.ops[l], held));
    }
    auto const launch = [&]<int Lanes, bool All>() {
      return detail::launch_row_stages<Lanes, All, T, R, slots>(exec, p, bound, held);
    };
    bool const launched = !packets ? launch.template operator()<1, false>()
                          : all    ? launch.template operator()<V, true>()
                                   : launch.template operator()<V, false>();
    if (launched)
      expr::for_each_leaf(node, -1,
                          [&](auto const& leaf, int) { karpos::detail::note_use(exec, leaf); });
    return launched;
  } else {
    return false;
  }
}

}  // namespace detail
}  // namespace karpos::inline KARPOS_ABI::exec
