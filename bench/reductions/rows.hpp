// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One row: a reduction of random elements in Karpos and as a raw loop, checked, timed. Include it
// in a file for each few reductions, which compile for a while.
#pragma once
#include "../common.hpp"
#include "raw.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace karpos_bench {

/// Elements in [-1, 1), which each row sees in the shape it needs.
template <class T>
struct operands {
  explicit operands(std::int64_t count) : n(count) {
    x = kp::random::uniform<T>({n}, {.seed = 1, .low = -1.0, .high = 1.0});
    y = kp::random::uniform<T>({n}, {.seed = 2, .low = -1.0, .high = 1.0});
  }
  std::int64_t n;
  kp::tensor<T, 1> x, y;
};

/// The operands in the shape of one row, and a result for each side.
template <class T>
struct problem {
  using sum_type = kp::compute_t<T>;
  problem(operands<T> const& o, reduced_shape const& shape)
      : s(shape), x(o.x(kp::range(0, shape.size()))), y(o.y(kp::range(0, shape.size()))),
        result(shape.outputs()), raw_result("raw", static_cast<std::size_t>(shape.outputs())) {
    clear();
  }
  void clear() {
    result = T(77.0f);
    Kokkos::deep_copy(raw_result, sum_type(77));
  }
  reduced_shape s;
  kp::tensor_view<T const, 1> x, y;
  kp::tensor<T, 1> result;
  Kokkos::View<sum_type*> raw_result;
};

template <reduction Kind, class T>
void run_karpos(problem<T>& p) {
  auto const& s = p.s;
  if constexpr (Kind == reduction::total)
    kp::assign(kp::view_as(p.result), kp::sum(p.x));
  if constexpr (Kind == reduction::dot)
    kp::assign(kp::view_as(p.result), kp::sum(p.x * p.y));
  if constexpr (Kind == reduction::largest)
    kp::assign(kp::view_as(p.result), kp::max(p.x));
  if constexpr (Kind == reduction::rows)
    p.result = kp::sum(kp::view_as(p.x, s.outer, s.length), 1);
  if constexpr (Kind == reduction::columns)
    p.result = kp::sum(kp::view_as(p.x, s.length, s.inner), 0);
  if constexpr (Kind == reduction::middle)
    kp::assign(kp::view_as(p.result, s.outer, s.inner),
               kp::sum(kp::view_as(p.x, s.outer, s.length, s.inner), 1));
}

template <reduction Kind, class T>
void run_side(problem<T>& p, side which) {
  if (which == side::karpos)
    run_karpos<Kind>(p);
  else
    run_raw<Kind>(p.s, p.x.data(), p.y.data(), p.raw_result);
}

/// The result of a side against sums in double; the maximum, which has no rounding, against the
/// other side's.
template <reduction Kind, class T>
bool agrees(problem<T>& p, side which) {
  p.clear();
  run_side<Kind>(p, which);
  if constexpr (Kind == reduction::largest) {
    run_side<Kind>(p, which == side::karpos ? side::baseline : side::karpos);
    return kp::array_equal(p.result, p.raw_result);
  } else {
    constexpr bool product = Kind == reduction::dot;
    double const epsilon = std::numeric_limits<kp::compute_t<T>>::epsilon();
    if (which == side::karpos)
      return are_sums<product>(p.s, p.x.data(), p.y.data(), p.result.data(), epsilon);
    return are_sums<product>(p.s, p.x.data(), p.y.data(), p.raw_result.data(), epsilon);
  }
}

/// The bytes are those of the operands and the result.
template <reduction Kind, class T>
void run_row(benchmark::State& state, std::int64_t elements, reduced_shape const& s, side which) {
  problem<T> p(inputs<operands<T>>(elements), s);
  if (!checked(state, agrees<Kind>(p, which)))
    return;
  constexpr int read = Kind == reduction::dot ? 2 : 1;
  auto const count = static_cast<double>(s.size());
  double const bytes = (count * read + static_cast<double>(s.outputs())) * sizeof(T);
  measure(state, bytes, Kind == reduction::largest ? 0 : count * read,
          [&] { run_side<Kind>(p, which); });
}

/// Registers both sides of a reduction of `shape`, a part of `elements` elements.
template <reduction Kind, class T>
void add(char const* name, std::string const& shape, std::int64_t elements,
         reduced_shape const& s) {
  for (side const which : {side::karpos, side::baseline})
    add_row(std::string(name) + "/" + dtype<T>() + "/" + shape + row_end(which),
            [=](benchmark::State& state) { run_row<Kind, T>(state, elements, s, which); });
}

// Each in a file of its own.
void add_sums();
void add_products_and_maxima();
void add_axes();
void add_scalars();

}  // namespace karpos_bench
