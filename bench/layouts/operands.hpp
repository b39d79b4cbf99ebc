// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of the rows, and what a row does: both sides once, from the same elements, compared,
// then one of them timed.
#pragma once
#include "../common.hpp"
#include "raw.hpp"

#include <cstdint>

namespace karpos_bench {

template <class T>
kp::tensor<T, 1> random_elements(std::int64_t n, std::uint64_t seed) {
  kp::tensor<T, 1> x(n);
  if constexpr (kp::complex_floating<T>) {
    using real = kp::real_of_t<T>;
    x = kp::random::uniform<real>({n}, {.seed = seed}) +
        T(0, 1) * kp::random::uniform<real>({n}, {.seed = seed + 1});
  } else {
    x = kp::random::uniform<T>({n}, {.seed = seed});
  }
  return x;
}

/// A run of elements, which each row sees in the shape it needs, and a result for each side.
template <class T>
struct elements {
  explicit elements(std::int64_t count) : n(count), x(random_elements<T>(n, 1)), r(n), raw_r(n) {}
  void clear() {
    r = T(2.0f);
    raw_r = T(3.0f);
  }
  std::int64_t n;
  kp::tensor<T, 1> x, r, raw_r;
};

/// Checks and times a row that writes `count` elements of r or raw_r. No rounding: equal bits.
template <class T, class Karpos, class Raw>
void run_row(benchmark::State& state, elements<T>& e, side which, std::int64_t count, double bytes,
             double flops, Karpos const& karpos, Raw const& raw) {
  e.clear();
  karpos();
  raw();
  auto const used = kp::range(0, count);
  if (!checked(state, kp::array_equal(e.r(used), e.raw_r(used))))
    return;
  if (which == side::karpos)
    measure(state, bytes, flops, karpos);
  else
    measure(state, bytes, flops, raw);
}

// Each in a file of its own.
void add_permutes();
void add_transposes();
void add_strided();

}  // namespace karpos_bench
