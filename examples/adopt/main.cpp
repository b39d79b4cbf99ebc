// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A code that is full of Kokkos::Views takes Karpos in step by step. The code: the heat equation on
// a square plate, with an explicit step, a source and the total heat. Every stage runs by itself
// and must give the original's result.
#include <karpos/karpos.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

namespace {

namespace kp = karpos;

using field = Kokkos::View<double**>;  // the code's own type: whatever layout the default space has
using policy = Kokkos::MDRangePolicy<Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;

constexpr int n = 130;
constexpr int steps = 50;
constexpr double coefficient = 0.2;  // a dt / h^2
constexpr double rate = 1e-3;        // of the source, per step

// ---- The original: a kernel for everything.

struct start_kernel {
  field u;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    double const x = static_cast<double>(i) / (n - 1), y = static_cast<double>(j) / (n - 1);
    u(i, j) = Kokkos::sin(3.0 * x) * y;
  }
};

struct source_kernel {
  field u, source;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    u(i, j) += rate * source(i, j);
  }
};

struct heat_kernel {
  field u, next;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    next(i, j) = u(i, j) + coefficient * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) -
                                          4.0 * u(i, j));
  }
};

struct total_kernel {
  field u;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, double& total) const {
    total += u(i, j);
  }
};

struct plate {
  field u{"u", n, n}, next{"next", n, n}, source{"source", n, n};
};

void start(plate const& p) {
  Kokkos::parallel_for("start", policy({0, 0}, {n, n}), start_kernel{p.u});
  Kokkos::parallel_for("start::source", policy({0, 0}, {n, n}), start_kernel{p.source});
  Kokkos::deep_copy(p.next, p.u);
}

void heat_step(plate& p) {
  Kokkos::parallel_for("heat", policy({1, 1}, {n - 1, n - 1}), heat_kernel{p.u, p.next});
  std::swap(p.u, p.next);
}

double total_heat(plate const& p) {
  double total = 0;
  Kokkos::parallel_reduce("total", policy({0, 0}, {n, n}), total_kernel{p.u}, total);
  return total;
}

double original(plate& p) {
  start(p);
  for (int s = 0; s < steps; ++s) {
    Kokkos::parallel_for("source", policy({0, 0}, {n, n}), source_kernel{p.u, p.source});
    heat_step(p);
  }
  return total_heat(p);
}

// ---- Step 1: reductions and checks. A Kokkos::View is an operand as it stands; no other line
// changes.
double with_reduction(plate& p) {
  start(p);
  for (int s = 0; s < steps; ++s) {
    Kokkos::parallel_for("source", policy({0, 0}, {n, n}), source_kernel{p.u, p.source});
    heat_step(p);
  }
  return kp::item(kp::sum(p.u));
}

// ---- Step 2: simple kernels become expressions that are assigned to the views: `assign` writes a
// Kokkos::View, `wrap` gives a handle with operators. Both sides queue on the default instance, so
// no fence stands between them.
double with_expressions(plate& p) {
  start(p);
  for (int s = 0; s < steps; ++s) {
    kp::wrap(p.u) += rate * kp::wrap(p.source);
    heat_step(p);
  }
  return kp::item(kp::sum(p.u));
}

// ---- Step 3: the stencil too, from shifted slices of the wrapped view; it runs as one kernel.
void sliced_step(plate& p) {
  using kp::range;
  auto const u = kp::wrap(p.u);
  range const inner(1, -1), before(0, -2), after(2, kp::none);
  auto const centre = u(inner, inner);
  kp::assign(kp::wrap(p.next)(inner, inner),
             centre + coefficient * (u(before, inner) + u(after, inner) + u(inner, before) +
                                     u(inner, after) - 4.0 * centre));
  std::swap(p.u, p.next);
}

double with_slices(plate& p) {
  start(p);
  for (int s = 0; s < steps; ++s) {
    kp::wrap(p.u) += rate * kp::wrap(p.source);
    sliced_step(p);
  }
  return kp::item(kp::sum(p.u));
}

// ---- Step 4: the storage. Tensors own the fields, and what is left of the old kernels takes
// `.kokkos()`.
struct old_clamp_kernel {
  Kokkos::View<double**, Kokkos::LayoutRight, kp::default_space,
               Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      u;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    u(i, j) = Kokkos::fmin(u(i, j), 1e6);
  }
};

double with_tensors(plate& p) {
  auto const at = kp::linspace(0, 1, n);
  kp::tensor<double, 2> u = kp::sin(3.0 * kp::expand_dims(at, 1)) * at;
  kp::tensor<double, 2> const source = kp::clone(u);
  kp::tensor<double, 2> next = kp::clone(u);
  kp::range const inner(1, -1), before(0, -2), after(2, kp::none);
  for (int s = 0; s < steps; ++s) {
    u += rate * source;
    auto const centre = u(inner, inner);
    next(inner, inner) = centre + coefficient * (u(before, inner) + u(after, inner) +
                                                 u(inner, before) + u(inner, after) - 4.0 * centre);
    swap(u, next);
  }
  Kokkos::parallel_for("clamp", policy({0, 0}, {n, n}), old_clamp_kernel{u.kokkos()});
  kp::assign(p.u, u);  // for the rest of the code, which still has its views
  return kp::item(kp::sum(u));
}

bool compare(char const* stage, double (*run)(plate&), field const& expected,
             double expected_total) {
  plate p;
  double const total = run(p);
  bool const same = kp::allclose(p.u, expected, {.rtol = 1e-12, .atol = 1e-12}) &&
                    Kokkos::fabs(total - expected_total) <= 1e-10 * Kokkos::fabs(expected_total);
  std::printf("%-28s total heat %.12g  %s\n", stage, total, same ? "as the original" : "DIFFERS");
  return same;
}

int run() {
  plate p;
  double const total = original(p);
  std::printf("%-28s total heat %.12g\n", "original", total);
  bool good = total > 0;
  good = compare("1: reductions", with_reduction, p.u, total) && good;
  good = compare("2: expressions into views", with_expressions, p.u, total) && good;
  good = compare("3: the stencil from slices", with_slices, p.u, total) && good;
  good = compare("4: tensors own the fields", with_tensors, p.u, total) && good;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  try {
    return run();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "adopt: %s\n", e.what());
    return EXIT_FAILURE;
  }
}
