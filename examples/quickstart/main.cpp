// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first program: two random matrices are made and multiplied where Kokkos runs by default, the
// product is copied back and compared with a plain loop's on one host thread. quickstart [n], 300
// by default.
#include <karpos/bench/measure.hpp>
#include <karpos/karpos.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

namespace kp = karpos;

template <class T>
using host_matrix = kp::tensor<T, 2, kp::host_space>;

/// What one writes without a library: c += a b for row-major matrices.
void multiply(kp::index_t n, double const* a, double const* b, double* c) {
  for (kp::index_t i = 0; i < n; ++i)
    for (kp::index_t k = 0; k < n; ++k)
      for (kp::index_t j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int run(int n) {
  // All of Karpos that the job needs.
  kp::tensor<double, 2> const a = kp::random::uniform({n, n}, {.seed = 1});
  kp::tensor<double, 2> const b = kp::random::uniform({n, n}, {.seed = 2});
  kp::tensor<double, 2> const c = kp::matmul(a, b);
  host_matrix<double> const back = kp::to_host(c);

  // The comparison, on copies of the same matrices.
  host_matrix<double> const x = kp::to_host(a), y = kp::to_host(b);
  host_matrix<double> z(n, n);
  kp::fence(kp::host_space{});  // the loop below is no work of Kokkos'
  auto const begin = std::chrono::steady_clock::now();
  multiply(n, x.data(), y.data(), z.data());
  double const loop =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  bool const agree = kp::allclose(back, z, {.rtol = 1e-12});

  kp::tensor<double, 2> again(n, n);
  auto const time = kp::bench::measure(kp::default_space{}, [&] { again = kp::matmul(a, b); });
  double const flops = 2.0 * n * n * n;
  std::printf("%d x %d, double\n", n, n);
  std::printf("  karpos::matmul on %-8s %9.3f ms %9.2f GFLOP/s\n", kp::default_space::name(),
              1e3 * time.median, 1e-9 * flops / time.median);
  std::printf("  a loop on one thread       %9.3f ms %9.2f GFLOP/s\n", 1e3 * loop,
              1e-9 * flops / loop);
  std::printf("the products agree: %s\n", agree ? "yes" : "NO");
  return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  try {
    int const n = argc > 1 ? std::atoi(argv[1]) : 300;
    if (n < 1) {
      std::fprintf(stderr, "quickstart: n must be a positive integer\n");
      return 2;
    }
    return run(n);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "quickstart: %s\n", e.what());
    return EXIT_FAILURE;
  }
}
