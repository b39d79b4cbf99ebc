// expect: the_assignment_engine_is_in_karpos_exec_assign_hpp
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/core/tensor.hpp>

void f(karpos::tensor<double, 1>& t) { t = 1.0; }
