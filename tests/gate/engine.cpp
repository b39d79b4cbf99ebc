// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At least one instantiation of every kernel family for the compile gates: the elementwise kernels
// (flat, rows, tiled) with leaves, generators and scalars, reductions (rows, short rows, columns,
// join), products, transfers.
#include <karpos/karpos.hpp>

namespace kp = karpos;

namespace {

struct cube {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x * x * x;
  }
};
struct checkerboard {
  KOKKOS_FUNCTION double operator()(kp::index_t i, kp::index_t j) const {
    return static_cast<double>((i + j) % 2);
  }
};

template <class T>
void elementwise(kp::tensor<T, 2>& x, kp::tensor<T, 2> const& y, kp::tensor<T, 1> const& row) {
  x = kp::exp(-x * x) * kp::sin(y) + T(0.5f) * x + row;
  x += kp::transpose(y);
  x(kp::all, kp::range(0, kp::none, 2)) = kp::map(cube{}, y(kp::all, kp::range(0, kp::none, 2)));
  x = kp::where(x > y, kp::random::uniform<T>({4, 4}, {.seed = 1}), kp::cast<T>(kp::eye(4)));
}

template <class T>
void reductions(kp::tensor<T, 3> const& x) {
  [[maybe_unused]] T const all = kp::item(kp::sum(x) + kp::prod(x) + kp::max(x) - kp::min(x));
  [[maybe_unused]] bool const truth = kp::item(kp::any(x > T(0.0f))) && kp::item(kp::all(x == x));
  kp::tensor middle = kp::mean(x * x, 1);
  kp::tensor outer = kp::sum(x, kp::axes(0, 2), kp::keepdims);
}

template <class T>
void products(kp::tensor<T, 2> const& a, kp::tensor<T, 3> const& b) {
  kp::tensor c = kp::matmul(a, b);
  kp::gemm(2, a, kp::transpose(a), 0, c(0));
  auto const host = kp::to_host(c(kp::all, kp::range(0, kp::none, 2)));
  kp::copy(c, host(0));
}

}  // namespace

void instantiate_kernel_families() {
  kp::tensor<float, 2> x(4, 4), y(4, 4);
  kp::tensor<float, 1> row(4);
  elementwise(x, y, row);
  kp::tensor<double, 2> u(4, 4), v(4, 4);
  kp::tensor<double, 1> w(4);
  elementwise(u, v, w);
  u = kp::from_function({4, 4}, checkerboard{}) + kp::reshape(kp::arange(16), 4, 4);
  kp::tensor<kp::half, 2> h(4, 4);
  h = h * h + kp::half(1.0f);
  kp::tensor<Kokkos::complex<double>, 2> z(4, 4);
  z = kp::conj(z) * z;
  kp::tensor<float, 3> s(2, 4, 4);
  reductions(s);
  kp::tensor<int, 3> n(2, 4, 4);
  reductions(n);
  products(x, s);
  kp::tensor<int, 2> m(4, 4);
  products(m, n);
}
