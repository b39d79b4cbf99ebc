// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of n x n matrices: karpos::matmul, and the library called directly beside it.
#include "common.hpp"
#include "vendor.hpp"

#include <limits>

namespace karpos_bench {
namespace {

template <class T>
struct factors {
  explicit factors(std::int64_t size) : n(size) {
    a = kp::random::uniform<T>({n, n}, {.seed = 1, .low = -1.0, .high = 1.0});
    b = kp::random::uniform<T>({n, n}, {.seed = 2, .low = -1.0, .high = 1.0});
    c = kp::zeros<T>(n, n);
  }
  std::int64_t n;
  kp::tensor<T, 2> a, b, c;
};

/// Freivalds: c v against a (b v) in double, for a random v, with the bound of the rounding errors
/// of a product.
template <class T>
bool is_product(factors<T> const& f) {
  auto const v =
      kp::eval(kp::random::uniform<double>({f.n}, {.seed = 3, .low = -1.0, .high = 1.0}));
  kp::tensor<double, 2> const a = kp::cast<double>(f.a), b = kp::cast<double>(f.b);
  kp::tensor<double, 1> const expected = kp::matmul(a, kp::matmul(b, v));
  kp::tensor<double, 1> const got = kp::matmul(kp::cast<double>(f.c), v);
  kp::tensor<double, 1> const sizes = kp::matmul(kp::abs(a), kp::matmul(kp::abs(b), kp::abs(v)));
  double const bound =
      4.0 * static_cast<double>(f.n) * static_cast<double>(std::numeric_limits<T>::epsilon());
  return kp::item(kp::all(kp::abs(got - expected) <= bound * sizes));
}

template <class T, class F>
void run_row(benchmark::State& state, factors<T>& f, F const& product) {
  f.c = T(0);
  product();
  if (!checked(state, is_product(f)))
    return;
  auto const n = static_cast<double>(f.n);
  measure(state, 3 * n * n * sizeof(T), 2 * n * n * n, product);
}

template <class T>
void run_karpos(benchmark::State& state, std::int64_t n) {
  auto& f = inputs<factors<T>>(n);
  run_row(state, f, [&] { f.c = kp::matmul(f.a, f.b); });
}

template <class T>
void run_vendor(benchmark::State& state, std::int64_t n) {
  auto& f = inputs<factors<T>>(n);
  vendor_product<T> const multiply{space()};
  run_row(state, f, [&] { multiply(f.n, f.a.data(), f.b.data(), f.c.data()); });
}

template <class T>
void add(std::int64_t n) {
  auto const name = std::string("matmul/") + dtype<T>() + "/" + std::to_string(n) + "/";
  add_row(name + "karpos", [=](benchmark::State& state) { run_karpos<T>(state, n); });
  if constexpr (vendor_product<T>::available)
    add_row(name + vendor_product<T>::name,
            [=](benchmark::State& state) { run_vendor<T>(state, n); });
}

void add_rows() {
  for (std::int64_t const n : {256, 1000, 4096}) {
    add<float>(n);
    add<double>(n);
  }
}

}  // namespace
}  // namespace karpos_bench

int main(int argc, char** argv) { return karpos_bench::run(argc, argv, &karpos_bench::add_rows); }
