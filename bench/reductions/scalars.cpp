// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum that the host waits for: item(sum(x)), and parallel_reduce into a variable.
#include "rows.hpp"

namespace karpos_bench {
namespace {

template <class T>
T sum_on_host(operands<T> const& o, side which) {
  if (which == side::karpos)
    return kp::item(kp::sum(o.x));
  T total = 0;
  Kokkos::parallel_reduce("raw", Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, o.n),
                          terms<T, T, false>{o.x.data(), nullptr, 0, 1}, total);
  return total;
}

template <class T>
void run_scalar(benchmark::State& state, std::int64_t n, side which) {
  auto const& o = inputs<operands<T>>(n);
  auto const elements = kp::to_host(o.x);
  double expected = 0;
  for (std::int64_t i = 0; i < n; ++i)
    expected += static_cast<double>(elements(i));
  double const allowed = static_cast<double>(n) * std::numeric_limits<T>::epsilon();
  if (checked(state, Kokkos::fabs(sum_on_host(o, which) - expected) <= allowed))
    measure_calls(state, [&] { benchmark::DoNotOptimize(sum_on_host(o, which)); });
}

template <class T>
void add_scalar(std::int64_t n) {
  for (side const which : {side::karpos, side::baseline})
    add_row(std::string("item(sum)/") + dtype<T>() + "/" + std::to_string(n) + row_end(which),
            [=](benchmark::State& state) { run_scalar<T>(state, n, which); });
}

}  // namespace

void add_scalars() {
  add_scalar<float>(1024);
  add_scalar<double>(1024);
}

}  // namespace karpos_bench
