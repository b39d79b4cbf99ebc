// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// var, softmax, log_softmax and layer_norm over rows.
#include "operands.hpp"

#include <limits>

namespace karpos_bench {
namespace {

template <statistic Kind, class T>
void run_karpos(operands<T>& o, matrix_size const& m) {
  auto const x = kp::view_as(o.x, m.rows, m.columns);
  auto const r = kp::view_as(o.r, m.rows, m.columns);
  if constexpr (Kind == statistic::variance)
    kp::assign(o.r(kp::range(0, m.rows)), kp::var(x, 1));
  if constexpr (Kind == statistic::softmax)
    kp::assign(r, kp::softmax(x, 1));
  if constexpr (Kind == statistic::log_softmax)
    kp::assign(r, kp::log_softmax(x, 1));
  if constexpr (Kind == statistic::layer_norm)
    kp::assign(r, kp::layer_norm(x, 1, {.epsilon = layer_norm_epsilon}));
}

template <statistic Kind, class T>
void run_side(operands<T>& o, matrix_size const& m, side which) {
  if (which == side::karpos)
    run_karpos<Kind>(o, m);
  else
    run_raw<Kind>(m.rows, m.columns, o.x.data(), o.r.data());
}

/// Plain loops add elements one by one, the raw ones and those of the check in double: their own
/// error is no concern here.
template <statistic Kind, class T>
bool is_right(operands<T>& o, matrix_size const& m, side which) {
  o.clear();
  run_side<Kind>(o, m, which);
  double const of_karpos = sizeof(T) == 4 ? 16 : 256;
  double const allowed =
      (which == side::karpos ? of_karpos : 4096) * std::numeric_limits<T>::epsilon();
  return are_statistics<Kind>(m.rows, m.columns, o.x.data(), o.r.data(), allowed);
}

/// The bytes are those of the operand and the result.
template <statistic Kind, class T>
void run_row(benchmark::State& state, matrix_size const& m, side which) {
  auto& o = inputs<operands<T>>(m.count());
  if (!checked(state, is_right<Kind>(o, m, which)))
    return;
  auto const results = static_cast<double>(Kind == statistic::variance ? m.rows : m.count());
  double const bytes = (static_cast<double>(m.count()) + results) * sizeof(T);
  measure(state, bytes, 0, [&] { run_side<Kind>(o, m, which); });
}

template <statistic Kind, class T>
void add(char const* name, matrix_size const& m) {
  for (side const which : {side::karpos, side::baseline})
    add_row(std::string(name) + "/" + dtype<T>() + "/" + by(m.rows, m.columns) + row_end(which),
            [=](benchmark::State& state) { run_row<Kind, T>(state, m, which); });
}

template <class T>
void add_all(matrix_size const& m) {
  add<statistic::variance, T>("var_axis1", m);
  add<statistic::softmax, T>("softmax", m);
  add<statistic::log_softmax, T>("log_softmax", m);
  add<statistic::layer_norm, T>("layer_norm", m);
}

}  // namespace

void add_statistics() {
  for (auto const& m : matrix_sizes) {
    add_all<float>(m);
    add_all<double>(m);
  }
}

}  // namespace karpos_bench
