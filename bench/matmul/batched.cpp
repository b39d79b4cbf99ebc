// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of small matrices.
#include "products.hpp"
#include "raw.hpp"

namespace karpos_bench {
namespace {

enum class way { karpos, vendor, raw };

/// As many n x n matrices as a device is given; a tenth of them on a host.
constexpr std::int64_t batch_of(std::int64_t n) {
  std::int64_t const many = n <= 16 ? 100000 : n <= 32 ? 20000 : 10000;
  return on_host ? many / 10 : many;
}

template <class T>
struct stacks {
  explicit stacks(std::int64_t size)
      : n(size), batch(batch_of(n)), a(random_elements<T>(1, batch, n, n)),
        b(random_elements<T>(2, batch, n, n)), c(batch, n, n) {}
  std::int64_t n, batch;
  kp::tensor_view<T const, 3> a, b;
  kp::tensor<T, 3> c;
};

template <class T>
void run_batch(benchmark::State& state, std::int64_t n, way how) {
  auto& o = inputs<stacks<T>>(n);
  vendor_library<T> const library{space()};
  product_call<T> const call{'N', 'N', n, n, n, o.b.data(), n, o.a.data(), n, o.c.data(), n};
  auto const run = [&](auto const& multiply) {
    run_product<T>(state, o.a, o.b, o.c.view(), multiply);
  };
  if (how == way::karpos)
    run([&] { o.c = kp::matmul(o.a, o.b); });
  else if (how == way::vendor)
    run([&] { library.gemm_batch(call, o.batch); });
  else
    run([&] { run_raw(o.batch, n, o.a.data(), o.b.data(), o.c.data()); });
}

template <class T>
void add_batch(std::int64_t n) {
  auto const row = std::string("matmul_batch/") + dtype<T>() + "/" + by(batch_of(n), n) + "x" +
                   std::to_string(n) + "/";
  auto const add = [&](char const* name, way how) {
    add_row(row + name, [=](benchmark::State& state) { run_batch<T>(state, n, how); });
  };
  add("karpos", way::karpos);
  if (vendor_library<T>::available)
    add(vendor_library<T>::gemm_name, way::vendor);
  add("raw_kokkos", way::raw);
}

}  // namespace

void add_batched() {
  for (std::int64_t const n : {8, 16, 32, 64})
    add_batch<float>(n);
}

}  // namespace karpos_bench
