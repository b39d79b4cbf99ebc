// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time of one small assignment, queued behind others, and of one parallel_for.
#include "../common.hpp"
#include "families.hpp"

namespace karpos_bench {
namespace {

template <class T>
struct axpy_kernel {
  T const* x;
  T const* y;
  T* r;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { r[i] = T(0.5) * x[i] + y[i]; }
};

template <class T>
struct small_operands {
  explicit small_operands(std::int64_t size) : n(size) {
    x = kp::random::uniform<T>({n}, {.seed = 1});
    y = kp::random::uniform<T>({n}, {.seed = 2});
    r = kp::zeros<T>(n);
  }
  std::int64_t n;
  kp::tensor<T, 1> x, y, r;
};

template <class T>
void run_once(small_operands<T>& o, side which) {
  if (which == side::karpos)
    o.r = 0.5 * o.x + o.y;
  else
    Kokkos::parallel_for("raw", Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, o.n),
                         axpy_kernel<T>{o.x.data(), o.y.data(), o.r.data()});
}

template <class T>
bool is_axpy(small_operands<T> const& o) {
  auto const x = kp::to_host(o.x), y = kp::to_host(o.y), r = kp::to_host(o.r);
  double const epsilon = sizeof(T) == 4 ? 1.2e-7 : 2.3e-16;
  for (std::int64_t i = 0; i < o.n; ++i)
    if (!(Kokkos::fabs(static_cast<double>(r(i)) - (0.5 * x(i) + y(i))) <= 2 * epsilon))
      return false;
  return true;
}

/// A small assignment takes no memory: not one block while it was timed.
template <class T>
void run_launch(benchmark::State& state, std::int64_t n, side which) {
  auto& o = inputs<small_operands<T>>(n);
  o.r = T(0);
  run_once(o, which);
  if (!checked(state, is_axpy(o)))
    return;
  auto const before = kp::memory::stats().allocations;
  measure_calls(state, [&] { run_once(o, which); });
  auto const blocks = kp::memory::stats().allocations - before;
  state.counters["allocations"] = static_cast<double>(blocks);
  checked(state, blocks == 0, "the assignment allocated");
}

template <class T>
void add(std::int64_t n) {
  for (side const which : {side::karpos, side::baseline})
    add_row(std::string("launch/") + dtype<T>() + "/" + std::to_string(n) + row_end(which),
            [=](benchmark::State& state) { run_launch<T>(state, n, which); });
}

}  // namespace

void add_launches() {
  for (std::int64_t const n : {16, 1024}) {
    add<float>(n);
    add<double>(n);
  }
}

}  // namespace karpos_bench
