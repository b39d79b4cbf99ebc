// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only the engine of host spaces meets: user functions that assign themselves, and assignments
// inside the application's own parallel regions.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <cstdlib>
#include <string_view>

namespace {

using namespace karpos_test;
using space = kp::host_space;

/// Transposes and sums a small matrix for every element. x, if the result is right.
struct assigning {
  KOKKOS_FUNCTION double operator()(double x) const {
    KOKKOS_IF_ON_HOST((return x + deviation();))
    KOKKOS_IF_ON_DEVICE((return x;))
  }
  static double deviation() {
    kp::tensor<double, 2, space> const a = kp::full({3, 5}, 7.0);
    kp::tensor<double, 2, space> const b = kp::transpose(a) + 1.0;
    kp::tensor<double, 1, space> const c = kp::sum(b * b, 0);
    return c(2) - 5.0 * 64.0;
  }
};

void expect_functions_that_assign_to_work(index_t rows, index_t columns) {
  SCOPED_TRACE(rows);
  auto const x = counting<double>({rows, columns});
  auto const t = upload<2, space>(x);
  auto const turned = kp::transpose(t);  // packed while the function runs
  EXPECT_TRUE(same(fetch(kp::eval(kp::map(assigning{}, turned))), fetch(turned)));
  EXPECT_TRUE(same(fetch(kp::eval(kp::sum(kp::map(assigning{}, turned), 0))),
                   fetch(kp::eval(kp::sum(t, 1)))));
  EXPECT_TRUE(
      same(fetch(kp::eval(kp::sum(kp::map(assigning{}, t), 0))), fetch(kp::eval(kp::sum(t, 0)))));
}

TEST(host_engine, runs_functions_that_assign_themselves) {
  expect_functions_that_assign_to_work(40, 50);  // on the calling thread
  char const* const pool = std::getenv("KARPOS_POOL");
  if (pool != nullptr && std::string_view(pool) == "off")
    GTEST_SKIP() << "without the pool memory is freed through Kokkos, which waits for the kernel";
  expect_functions_that_assign_to_work(100, 83);  // on all threads
}

#if defined(KOKKOS_ENABLE_OPENMP)

// Wrong results of every kind of work that is dealt to threads elsewhere.
int wrong_results() {
  int wrong = 0;
  kp::tensor<double, 2, space> z(150, 160);
  kp::tensor<double, 2, space> const a = kp::transpose(z) + 2.0;
  wrong += !kp::array_equal(a, kp::full({160, 150}, 2.0));
  wrong += kp::item(kp::sum(a)) != 48000.0;
  kp::tensor<double, 2, space> c = kp::matmul(a, z + 3.0);
  wrong += !kp::array_equal(c, kp::full({160, 160}, 900.0));
  kp::gemm(0.0, a, z, 2.0, c);
  wrong += !kp::array_equal(c, kp::full({160, 160}, 1800.0));
  kp::tensor<int, 2, space> i = kp::full({150, 160}, 3);
  wrong += !kp::array_equal(kp::matmul(i, kp::transpose(i)), kp::full({150, 150}, 1440));
  kp::tensor<float, 3, space> const stack = kp::ones<float>(40, 40, 40);
  wrong += !kp::array_equal(kp::matmul(stack, stack), kp::full({40, 40, 40}, 40.0f));
  wrong += !kp::array_equal(kp::to_host(kp::clone(a)), a);
  return wrong;
}

TEST(host_engine, works_inside_parallel_regions_of_the_application) {
  int wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
  wrong += wrong_results();
  EXPECT_EQ(wrong, 0);
#pragma omp parallel num_threads(1) reduction(+ : wrong)
  wrong += wrong_results();
  EXPECT_EQ(wrong, 0);
}

#endif

}  // namespace
