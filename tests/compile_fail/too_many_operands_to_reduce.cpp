// expect: more than 64 operands in one reduced expression
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

template <int N, class T>
auto sum_of(T const& a) {
  if constexpr (N == 1)
    return a + a;
  else
    return sum_of<N / 2>(a) + sum_of<N - N / 2>(a);
}
void reduce(kp::tensor<double, 1, kp::host_space> const& a) { kp::eval(kp::sum(sum_of<33>(a))); }
