// expect: a_tensor_is_move_only_use_clone_t_to_copy_or_t_dot_view_to_share_or_capture_it
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

void f(kp::tensor<double, 2> const& a) { kp::tensor<double, 2> b = a; }
