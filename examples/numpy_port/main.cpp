// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A NumPy script and its port, line by line: columns are standardised, their covariance (then:
// correlation) is formed, and each point is given to the nearer of two centres. The comments are
// the script.
#include <karpos/karpos.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

namespace kp = karpos;

bool check(char const* what, bool holds) {
  std::printf("%-34s %s\n", what, holds ? "ok" : "WRONG");
  return holds;
}

int run() {
  // x = np.array([[1., 10.], [2., 20.], [3., 30.], [4., 20.]])
  kp::tensor<double, 2> const x{{1, 10}, {2, 20}, {3, 30}, {4, 20}};
  // n = x.shape[0]
  auto const n = static_cast<double>(x.extent(0));

  // A tensor holds values, `auto` holds an expression that runs where it is assigned: name what is
  // used twice a tensor. mu = x.mean(axis=0)
  kp::tensor<double, 1> const mu = kp::mean(x, 0);
  // sd = np.sqrt(((x - mu) ** 2).mean(axis=0))
  kp::tensor<double, 1> const sd = kp::sqrt(kp::mean((x - mu) * (x - mu), 0));
  // z = (x - mu) / sd
  kp::tensor<double, 2> const z = (x - mu) / sd;
  // corr = z.T @ z / n
  kp::tensor<double, 2> const corr = kp::matmul(kp::transpose(z), z) / n;

  // centres = np.array([[-1., -1.], [1., 1.]])
  kp::tensor<double, 2> const centres{{-1, -1}, {1, 1}};
  // diff = z[:, None, :] - centres[None, :, :]
  auto const diff = z(kp::all, kp::newaxis, kp::all) - centres(kp::newaxis, kp::all, kp::all);
  // d2 = (diff ** 2).sum(axis=2)
  kp::tensor<double, 2> const d2 = kp::sum(diff * diff, 2);
  // label = np.where(d2[:, 0] <= d2[:, 1], 0, 1)
  kp::tensor<int, 1> const label = kp::where(d2(kp::all, 0) <= d2(kp::all, 1), 0, 1);
  // members = (label == 1).sum()
  auto const members = kp::item(kp::sum(label == 1));
  // print(z)
  std::printf("%s\n", kp::to_string(z).c_str());

  // What NumPy gives: deviations (-1.5, -0.5, 0.5, 1.5) over sqrt(1.25) and (-1, 0, 1, 0) over
  // sqrt(0.5), so the correlation is 0.5 / sqrt(1.25 * 0.5).
  double const r = 0.63245553203367588;
  double const p = 1.3416407864998738, q = 0.44721359549995793, s = 1.4142135623730951;
  kp::tensor<double, 1> const known_mu{2.5, 20};
  kp::tensor<double, 1> const known_sd{1.1180339887498949, 7.0710678118654755};
  kp::tensor<double, 2> const known_z{{-p, -s}, {-q, 0}, {q, s}, {p, 0}};
  kp::tensor<double, 2> const known_corr{{1, r}, {r, 1}};
  kp::tensor<int, 1> const known_label{0, 0, 1, 1};
  kp::close_options const close{.rtol = 1e-14, .atol = 1e-15};
  bool good = check("mean of each column", kp::array_equal(mu, known_mu));
  good = check("deviation of each column", kp::allclose(sd, known_sd, close)) && good;
  good = check("standardised values", kp::allclose(z, known_z, close)) && good;
  good = check("correlation", kp::allclose(corr, known_corr, close)) && good;
  good = check("labels", kp::array_equal(label, known_label)) && good;
  good = check("members of the second centre", members == 2) && good;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  try {
    return run();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "numpy_port: %s\n", e.what());
    return EXIT_FAILURE;
  }
}
