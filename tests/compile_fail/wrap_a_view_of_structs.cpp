// expect: the element type of the Kokkos::View is not a Karpos element type
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

struct point {
  double x, y;
};
auto f(Kokkos::View<point*> const& v) { return kp::wrap(v); }
