// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once, linked into each module.
#include <karpos/karpos.hpp>

#include <plugins/calls.hpp>

#include <mutex>
#include <utility>
#include <vector>

namespace karpos_test {

namespace {

namespace kp = karpos;

std::vector<matrix> held;

auto& pool() { return kp::detail::memory_pool<kp::default_space::memory_space>::get(); }

matrix make(kp::index_t n, double value) { return kp::eval(kp::full({n, n}, value)); }
matrix multiply(matrix const& a, matrix const& b) { return kp::eval(kp::matmul(a, b)); }
double total(matrix const& a) { return kp::item(kp::sum(a)); }
void release(matrix&& a) { matrix const gone = std::move(a); }
void hold(matrix&& a) { held.push_back(std::move(a)); }
void fail() { release(kp::eval(make(2, 1.0) + make(3, 1.0))); }
void const* registry() { return &kp::detail::registry(); }
std::size_t singletons() {
  auto& r = kp::detail::registry();
  std::lock_guard const lock(r.mutex);
  return r.entries.size();
}
std::size_t bytes_in_use() { return pool().stats().in_use; }
void trim() { pool().trim(); }

}  // namespace

calls const& own_calls() {
  static constexpr calls all{make, multiply, total,      release,      hold,
                             fail, registry, singletons, bytes_in_use, trim};
  return all;
}

}  // namespace karpos_test
