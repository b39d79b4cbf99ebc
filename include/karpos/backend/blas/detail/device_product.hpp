// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The portable product on devices: a team computes a tile of c, slices of a and b go through team
// scratch, each thread keeps a block of sums in registers. Any strides.
#pragma once
#include <karpos/backend/blas/detail/arithmetic.hpp>
#include <karpos/backend/blas/layout.hpp>

#include <algorithm>

namespace karpos::inline KARPOS_ABI::backend::blas::detail {

/// Threads x Threads threads, each with Each x Each elements of c; Depth steps of the sum per
/// slice.
template <int Threads, int Each, int Depth>
struct device_tiling {
  static constexpr int threads = Threads;
  static constexpr int each = Each;
  static constexpr int depth = Depth;
  static constexpr int tile = Threads * Each;
  static constexpr int pitch =
      tile + 1;  // odd: a slice that is stored along the other direction hits different banks
};

template <class Exec, class T, class Tiling>
struct device_product_kernel {
  using acc = arithmetic_t<T>;
  using team_member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int team_size = Tiling::threads * Tiling::threads;
  static constexpr int slice = Tiling::depth * Tiling::pitch;
  static constexpr int scratch_bytes = 2 * slice * static_cast<int>(sizeof(acc));

  gemm_problem<T> problem;
  index_t tiles_m, tiles_n, tiles;

  KOKKOS_FUNCTION void operator()(team_member const& team) const {
    constexpr int bytes = scratch_bytes,
                  alignment = 16;  // taken by reference: not a static member in device code
    auto* const a =
        static_cast<acc*>(team.team_scratch(0).get_shmem_aligned(int(bytes), int(alignment)));
    for (index_t i = team.league_rank(); i < tiles; i += team.league_size())
      run_tile(team, i, a, a + slice);
  }

private:
  KOKKOS_FUNCTION void run_tile(team_member const& team, index_t i, acc* a, acc* b) const {
    index_t const item = i / (tiles_m * tiles_n), in_item = i % (tiles_m * tiles_n);
    index_t const row = in_item / tiles_n * Tiling::tile, col = in_item % tiles_n * Tiling::tile;
    matrix_view<T const> const va = problem.a, vb = problem.b;
    T const* const from_a = va.data + item * problem.a_batch_stride + row * va.row_stride;
    T const* const from_b = vb.data + item * problem.b_batch_stride + col * vb.col_stride;
    int const me = team.team_rank();
    acc sum[Tiling::each][Tiling::each] = {};
    for (index_t p = 0; p < va.cols; p += Tiling::depth) {
      load(me, a, from_a + p * va.col_stride, va.rows - row, va.cols - p, va.row_stride,
           va.col_stride, problem.conj_a);
      load(me, b, from_b + p * vb.row_stride, vb.cols - col, vb.rows - p, vb.col_stride,
           vb.row_stride, problem.conj_b);
      team.team_barrier();
      multiply(me, a, b, sum);
      team.team_barrier();
    }
    store(me, sum, item, row, col);
  }

  // A slice: `tile` lines times `depth` steps, [step][line]; outside the matrix it is zero.
  // Neighbouring threads read along the smaller stride.
  KOKKOS_FUNCTION void load(int me, acc* to, T const* from, index_t lines, index_t steps,
                            index_t line_stride, index_t step_stride, bool conj) const {
    bool const along_steps = step_stride == 1 && line_stride != 1;
    for (int e = me; e < Tiling::tile * Tiling::depth; e += team_size) {
      int const line = along_steps ? e / Tiling::depth : e % Tiling::tile;
      int const step = along_steps ? e % Tiling::depth : e / Tiling::tile;
      bool const inside = line < lines && step < steps;
      to[step * Tiling::pitch + line] =
          inside ? widen(from[line * line_stride + step * step_stride], conj) : acc(0);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void multiply(int me, acc const* a, acc const* b,
                                            acc (&sum)[Tiling::each][Tiling::each]) const {
    int const ti = me / Tiling::threads, tj = me % Tiling::threads;
    for (int p = 0; p < Tiling::depth; ++p) {
      acc ai[Tiling::each], bj[Tiling::each];
      KARPOS_UNROLL_4
      for (int i = 0; i < Tiling::each; ++i)
        ai[i] = a[p * Tiling::pitch + ti + i * Tiling::threads];
      KARPOS_UNROLL_4
      for (int j = 0; j < Tiling::each; ++j)
        bj[j] = b[p * Tiling::pitch + tj + j * Tiling::threads];
      KARPOS_UNROLL_4
      for (int i = 0; i < Tiling::each; ++i) {
        KARPOS_UNROLL_4
        for (int j = 0; j < Tiling::each; ++j)
          sum[i][j] += ai[i] * bj[j];
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(int me, acc const (&sum)[Tiling::each][Tiling::each],
                                         index_t item, index_t row, index_t col) const {
    matrix_view<T> const c = problem.c;
    T* const to = c.data + item * problem.c_batch_stride;
    acc const alpha = widen(problem.alpha), beta = widen(problem.beta);
    bool const reads_c = problem.beta != T(0);
    KARPOS_UNROLL_4
    for (int i = 0; i < Tiling::each; ++i) {
      KARPOS_UNROLL_4
      for (int j = 0; j < Tiling::each; ++j) {
        index_t const r = row + me / Tiling::threads + i * Tiling::threads;
        index_t const s = col + me % Tiling::threads + j * Tiling::threads;
        if (r < c.rows && s < c.cols)
          update(to[r * c.row_stride + s * c.col_stride], alpha, sum[i][j], beta, reads_c);
      }
    }
  }
};

template <class Tiling, class Exec, class T>
void run_device_product(Exec const& exec, gemm_problem<T> const& given) {
  using kernel = device_product_kernel<Exec, T, Tiling>;
  // Neighbouring threads write along a row of c: make rows the contiguous direction.
  auto const p = given.c.row_stride == 1 && given.c.rows > 1 ? turn(given) : given;
  index_t const tiles_m = (p.c.rows + Tiling::tile - 1) / Tiling::tile,
                tiles_n = (p.c.cols + Tiling::tile - 1) / Tiling::tile;
  index_t const tiles = tiles_m * tiles_n * p.batch;
  int const league = static_cast<int>(std::min<index_t>(tiles, 1 << 20));
  Kokkos::TeamPolicy<Exec> policy(exec, league, kernel::team_size, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(kernel::scratch_bytes + 16));
  Kokkos::parallel_for("karpos::gemm::portable", policy, kernel{p, tiles_m, tiles_n, tiles});
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas::detail
