// expect: deleted
// expect: v.rebind(w)
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// w = v for named views would be read as re-pointing by one and as copying by the other.
#include <karpos/karpos.hpp>

namespace kp = karpos;

void copy(kp::tensor_view<double, 1> w, kp::tensor_view<double, 1> v) { w = v; }
