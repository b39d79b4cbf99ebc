// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocating and freeing 4 MB: through the pool, as a tensor, and from the memory space.
#include "../common.hpp"
#include "families.hpp"

namespace karpos_bench {
namespace {

constexpr std::int64_t bytes = 4'000'000;

/// The pool gives a tensor's block to the next of its size.
bool reuses_blocks() {
  static_cast<void>(kp::empty<std::uint8_t>(bytes));
  auto const before = kp::memory::stats();
  kp::tensor<std::uint8_t, 1> t = kp::empty<std::uint8_t>(bytes);
  t = std::uint8_t(3);
  auto const now = kp::memory::stats();
  return now.hits - before.hits == 1 && now.allocations - before.allocations == 1 &&
         kp::item(kp::all(t == std::uint8_t(3)));
}

/// `hits`: of the allocations, those that the pool served. One block from the memory space is all
/// that it may take.
void run_pool(benchmark::State& state) {
  if (!checked(state, reuses_blocks(), "no block was reused: is the pool off?"))
    return;
  auto const before = kp::memory::stats();
  measure_calls(state, [] { benchmark::DoNotOptimize(kp::empty<std::uint8_t>(bytes).data()); });
  auto const now = kp::memory::stats();
  auto const blocks = static_cast<double>(now.allocations - before.allocations);
  auto const hits = static_cast<double>(now.hits - before.hits);
  state.counters["hits"] = hits / blocks;
  checked(state, hits == blocks, "a block was not reused");
}

void run_kokkos(benchmark::State& state) {
  measure_calls(state, [] {
    void* data = Kokkos::kokkos_malloc<space::memory_space>("raw", bytes);
    benchmark::DoNotOptimize(data);
    Kokkos::kokkos_free<space::memory_space>(data);
  });
}

}  // namespace

void add_allocations() {
  add_row("allocate_and_free/4MB/karpos", &run_pool);
  add_row("allocate_and_free/4MB/kokkos_malloc", &run_kokkos);
}

}  // namespace karpos_bench
