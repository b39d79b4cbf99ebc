// expect: a_tensor_is_not_assigned_to_another_use_assign_t_u_to_write_its_elements
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// b = a for two named tensors: clone, move or assign, never a silent copy.
#include <karpos/karpos.hpp>

namespace kp = karpos;

void copy(kp::tensor<double, 2>& b, kp::tensor<double, 2> const& a) { b = a; }
