// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that lifetime_test.cpp runs: tensors before Kokkos::initialize, after Kokkos::finalize,
// and across it.
#include <karpos/karpos.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

namespace kp = karpos;

kp::tensor<double, 1> global;
kp::tensor_view<double, 1> global_view;

// Objects in static storage that go after everything else.
std::vector<kp::tensor<float, 2>>& forever() {
  static auto* const list = new std::vector<kp::tensor<float, 2>>(2);
  return *list;
}

template <class F>
void expect_refusal(F const& f) {
  try {
    f();
    std::printf("not refused\n");
  } catch (kp::memory_error const& e) {
    std::printf("%s\n", e.what());
  }
}

void use() {
  expect_refusal([] { kp::tensor<double, 1> t(5); });
  expect_refusal([] { kp::tensor<double, 1> t{1.0, 2.0}; });
  expect_refusal([] { (void)kp::eval(kp::ones(3)); });
  expect_refusal([] { (void)kp::empty<double>(3); });
  expect_refusal([] { global = kp::ones(3); });
}

void across() {
  global = kp::ones(500);
  global_view.rebind(kp::eval(kp::ones(700)).view());
  forever()[0] = kp::ones<float>(10, 10);
  global += 1.0;
  std::printf("sum %g\n", kp::item(kp::sum(global)));
}

void many_allocations() {
  kp::tensor<double, 2> a = kp::ones(40, 50);
  for (int i = 0; i < 50; ++i)
    a = kp::matmul(kp::matmul(a, kp::transpose(a)), a) / kp::sum(a * a) + kp::ones(50);
  std::printf("finite %d\n", kp::item(kp::all(kp::isfinite(a))));
}

}  // namespace

int main(int argc, char** argv) {
  std::string const mode = argc > 1 ? argv[1] : "";
  kp::tensor<int, 3> const needs_nothing;
  if (mode == "before")
    use();
  Kokkos::initialize(argc, argv);
  if (mode == "across")
    across();
  if (mode == "many")
    many_allocations();
  Kokkos::finalize();
  if (mode == "after")
    use();
  std::printf("end of main\n");
  return 3;
}
