// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat on a plate that is divided into strips of columns, one a rank. A column is strided memory:
// `copy` packs it into a contiguous host buffer, MPI sends that, `copy` unpacks it on the other
// side. Any MPI will do, whether it knows devices or not. Every rank checks its strip against the
// whole plate computed alone. Run: mpiexec -n 2 example_mpi_halo
#include <karpos/karpos.hpp>

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

namespace kp = karpos;

constexpr int rows = 48;
constexpr int columns = 64;  // of the whole plate, the fixed edges apart
constexpr int steps = 40;

using plate = kp::tensor<double, 2>;
using host_column = kp::tensor<double, 1, kp::host_space>;

/// The plate at the start, from column `first` of the whole: the strip and one column on either
/// side.
plate start(int first, int width) {
  auto const i = kp::expand_dims(kp::arange(rows), 1);
  auto const j = kp::arange(width + 2) + first;
  return plate(kp::sin(0.1 * i) + 0.02 * j);
}

void step(plate& u, plate& next) {
  kp::range const inner(1, -1), before(0, -2), after(2, kp::none);
  auto const centre = u(inner, inner);
  next(inner, inner) = centre + 0.2 * (u(before, inner) + u(after, inner) + u(inner, before) +
                                       u(inner, after) - 4.0 * centre);
  // The edges are fixed, the halo is exchanged: both hold what u holds.
  for (int const edge : {0, -1}) {
    kp::assign(next(kp::all, edge), u(kp::all, edge));
    kp::assign(next(edge, kp::all), u(edge, kp::all));
  }
  swap(u, next);
}

/// Sends column `give` to `to` and puts what `from` sends into column `take`. A neighbour of
/// MPI_PROC_NULL: nothing.
void shift(plate& u, int give, int to, int take, int from, host_column& out, host_column& in) {
  if (to != MPI_PROC_NULL) {
    kp::copy(out, u(kp::all, give));
    kp::fence();  // MPI reads the buffer on the host
  }
  MPI_Sendrecv(out.data(), rows, MPI_DOUBLE, to, 0, in.data(), rows, MPI_DOUBLE, from, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (from != MPI_PROC_NULL) {
    kp::copy(u(kp::all, take), in);
    kp::fence();  // the next call receives into the same buffer
  }
}

void exchange(plate& u, int rank, int ranks, host_column& out, host_column& in) {
  int const left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int const right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  shift(u, 1, left, -1, right, out, in);
  shift(u, -2, right, 0, left, out, in);
}

bool is_as_computed_alone(plate const& strip, int first, int width) {
  plate whole = start(0, columns);
  plate next = kp::clone(whole);
  for (int s = 0; s < steps; ++s)
    step(whole, next);
  return kp::allclose(strip, whole(kp::all, kp::range(first, first + width + 2)),
                      {.rtol = 0, .atol = 1e-14});
}

int run() {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int const first = columns * rank / ranks;
  int const width = columns * (rank + 1) / ranks - first;
  if (width < 1)
    throw kp::argument_error("more ranks than columns");

  plate u = start(first, width);
  plate next = kp::clone(u);
  host_column out(rows), in(rows);
  for (int s = 0; s < steps; ++s) {
    step(u, next);
    exchange(u, rank, ranks, out, in);
  }

  int const mine = is_as_computed_alone(u, first, width) ? 1 : 0;
  int everyone = 0;
  MPI_Allreduce(&mine, &everyone, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%d ranks, %d steps: the strips %s the whole plate\n", ranks, steps,
                everyone ? "agree with" : "DIFFER from");
  return everyone ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = EXIT_FAILURE;
  try {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    status = run();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mpi_halo: %s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);  // the other ranks wait for this one
  }
  MPI_Finalize();
  return status;
}
