// expect: signed with unsigned 64-bit integers want a cast
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

#include <cstdint>

void add(kp::tensor<std::int64_t, 1> const& a, kp::tensor<std::uint64_t, 1> const& b) {
  auto c = a + b;
}
