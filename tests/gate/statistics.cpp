// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of several stages for the compile gates: their elementwise parts and the operations
// that devices pass through.
#include <karpos/karpos.hpp>

namespace kp = karpos;

namespace {

template <class T>
void statistics(kp::tensor<T, 2>& x, kp::tensor<kp::index_t, 1>& index) {
  x = kp::softmax(x) + kp::layer_norm(x, 0) * kp::std(x, 1, kp::keepdims);
  x = kp::log_softmax(x, 0) + kp::logsumexp(x, 1, kp::keepdims);
  index = kp::argmax(x, 1) + kp::argmin(x, 0);
}

}  // namespace

void instantiate_statistics() {
  kp::tensor<kp::index_t, 1> index(4);
  kp::tensor<float, 2> x(4, 4);
  statistics(x, index);
  kp::tensor<kp::bfloat16, 2> h(4, 4);
  statistics(h, index);
  [[maybe_unused]] double const v = kp::item(kp::var(kp::tensor<Kokkos::complex<double>, 1>(4)));
  auto const s = kp::memory::stats();
  kp::memory::set_limit(s.limit);
}
