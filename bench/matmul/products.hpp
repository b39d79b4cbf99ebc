// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rows of products share: the check, and the groups of rows, each in a file of its own.
#pragma once
#include "../common.hpp"
#include "vendor.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace karpos_bench {

template <class T, class... Extents>
auto random_elements(std::uint64_t seed, Extents... extents) {
  kp::tensor<T, sizeof...(Extents)> const t =
      kp::random::uniform<T>({extents...}, {.seed = seed, .low = -1.0, .high = 1.0});
  return t.view();
}

/// m v in double, by a sum along the last axis.
template <class M, class V>
auto applied(M const& m, V const& v) {
  return kp::eval(kp::sum(kp::cast<double>(m) * v, -1));
}
template <class M, class V>
auto applied_magnitudes(M const& m, V const& v) {
  return kp::eval(kp::sum(kp::abs(kp::cast<double>(m)) * kp::abs(v), -1));
}

/// Freivalds: c v against a (b v) in double, for a random v, with the bound of the rounding errors
/// of a product. Matrices or stacks of them, in any layout.
template <class T, class A, class B, class C>
bool is_product(A const& a, B const& b, C const& c) {
  std::int64_t const n = kp::extent(b, -1), k = kp::extent(a, -1);
  auto const v = kp::eval(kp::random::uniform<double>({n}, {.seed = 3, .low = -1.0, .high = 1.0}));
  auto const expected = applied(a, kp::expand_dims(applied(b, v), -2));
  auto const sizes = applied_magnitudes(a, kp::expand_dims(applied_magnitudes(b, v), -2));
  double const bound =
      4.0 * static_cast<double>(n + k) * static_cast<double>(std::numeric_limits<T>::epsilon());
  return kp::item(kp::all(kp::abs(applied(c, v) - expected) <= bound * sizes));
}

/// Checks and times one way of a product: `multiply` writes c = a b.
template <class T, class A, class B, class C, class F>
void run_product(benchmark::State& state, A const& a, B const& b, C const& c, F const& multiply) {
  kp::assign(c, T(77));
  multiply();
  if (!checked(state, is_product<T>(a, b, c)))
    return;
  auto const elements = static_cast<double>(kp::size(a) + kp::size(b) + kp::size(c));
  double const bytes = elements * sizeof(T);
  double const flops =
      2.0 * static_cast<double>(kp::size(c)) * static_cast<double>(kp::extent(a, -1));
  measure(state, bytes, flops, product_floor<T>(bytes, flops), multiply);
}

void add_square();
void add_mixed();
void add_tall();
void add_batched();

}  // namespace karpos_bench
