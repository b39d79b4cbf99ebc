// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions of maxima: of everything, of each row, of each row together with the maximum.
#include "operands.hpp"

namespace karpos_bench {
namespace {

template <position Kind, class T>
void run_karpos(operands<T>& o, matrix_size const& m) {
  auto const x = kp::view_as(o.x, m.rows, m.columns);
  auto const rows = kp::range(0, m.rows);
  if constexpr (Kind == position::everywhere)
    kp::assign(kp::view_as(o.indices(kp::range(0, 1))), kp::argmax(o.x));
  else
    kp::assign(o.indices(rows), kp::argmax(x, 1));
  if constexpr (Kind == position::with_value)
    kp::assign(o.values(rows), kp::max(x, 1));
}

/// The index of everything is left in `found` by a raw loop.
template <position Kind, class T>
void run_side(operands<T>& o, matrix_size const& m, side which) {
  if (which == side::karpos)
    run_karpos<Kind>(o, m);
  else
    run_raw<Kind>(m.rows, Kind == position::everywhere ? m.count() : m.columns, o.x.data(),
                  o.indices.data(), o.values.data(), o.found);
}

template <position Kind, class T>
bool is_right(operands<T>& o, matrix_size const& m, side which) {
  constexpr bool everywhere = Kind == position::everywhere;
  o.clear();
  run_side<Kind>(o, m, which);
  if (everywhere && which == side::baseline) {
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), o.found);
    o.indices = found().loc;
  }
  return are_first_largest<T>(everywhere ? 1 : m.rows, everywhere ? m.count() : m.columns,
                              o.x.data(), o.indices.data(),
                              Kind == position::with_value ? o.values.data() : nullptr);
}

/// The bytes are those of the operand and the result.
template <position Kind, class T>
void run_row(benchmark::State& state, matrix_size const& m, side which) {
  auto& o = inputs<operands<T>>(m.count());
  if (!checked(state, is_right<Kind>(o, m, which)))
    return;
  auto const rows = static_cast<double>(Kind == position::everywhere ? 1 : m.rows);
  double const result = sizeof(std::int64_t) + (Kind == position::with_value ? sizeof(T) : 0);
  measure(state, static_cast<double>(m.count()) * sizeof(T) + rows * result, 0,
          [&] { run_side<Kind>(o, m, which); });
}

template <position Kind, class T>
void add(char const* name, std::string const& shape, matrix_size const& m) {
  for (side const which : {side::karpos, side::baseline})
    add_row(std::string(name) + "/" + dtype<T>() + "/" + shape + row_end(which),
            [=](benchmark::State& state) { run_row<Kind, T>(state, m, which); });
}

template <class T>
void add_all(matrix_size const& m) {
  auto const shape = by(m.rows, m.columns);
  add<position::everywhere, T>("argmax", std::to_string(m.count()), m);
  add<position::along_rows, T>("argmax_axis1", shape, m);
  add<position::with_value, T>("max_and_argmax_axis1", shape, m);
}

}  // namespace

void add_positions() {
  for (auto const& m : matrix_sizes) {
    add_all<float>(m);
    add_all<double>(m);
  }
}

}  // namespace karpos_bench
