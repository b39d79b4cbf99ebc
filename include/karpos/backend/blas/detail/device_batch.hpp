// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of small products on devices: a team takes several matrices, which go through its scratch
// once, in 16-byte packets where they lie in memory without gaps; a thread computes a block of c.
// Any strides.
#pragma once
#include <karpos/backend/blas/detail/arithmetic.hpp>
#include <karpos/backend/blas/layout.hpp>
#include <karpos/base/kokkos_ext/policies.hpp>

#include <algorithm>
#include <cstdint>

namespace karpos::inline KARPOS_ABI::backend::blas::detail {

/// Elements that are read or written together.
template <class T, int V>
struct alignas(sizeof(T) * V >= 16 ? 16 : sizeof(T) * V) small_packet {
  T v[V];
};

/// Quotients by a number that is the same for all threads, of numerators below 2^15: one
/// multiplication.
struct small_divisor {
  unsigned value = 1;
  std::uint64_t factor = std::uint64_t{1} << 31;
  small_divisor() = default;
  explicit small_divisor(unsigned d) : value(d), factor(((std::uint64_t{1} << 31) + d - 1) / d) {}
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION unsigned quotient(unsigned n) const {
    return static_cast<unsigned>((n * factor) >> 31);
  }
};

/// One operand on its way to scratch. `lines` (rows of a, columns of b) times `steps` of the sum;
/// the direction in which it lies in memory is the inner one in scratch.
struct small_operand {
  index_t batch_stride, inner_stride, outer_stride;
  unsigned inner, outer;                // extents of the matrix
  unsigned padded_inner, padded_outer;  // in scratch, with zeros
  unsigned pitch;                       // from matrix to matrix in scratch
  bool by_steps;                        // steps are the inner direction
  bool whole;                           // in memory as in scratch, but for the pitch
  small_divisor each, line;             // of packets or elements: those of a matrix, of a line
};

/// A team's work: `matrices` products, each in blocks_m x blocks_n blocks of c, `depth` steps.
struct small_tiling {
  unsigned blocks_m, blocks_n, depth, matrices;
  small_divisor blocks, columns;  // blocks of a matrix, of a row of blocks
};

/// Threads of a team; extents of a thread's block of c.
template <class Exec, class T, int Threads, int Block>
struct small_products_kernel {
  using acc = arithmetic_t<T>;
  using team_member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int lanes = sizeof(acc) >= 16 ? 1 : 16 / static_cast<int>(sizeof(acc));
  static constexpr int packet = sizeof(T) >= 16 ? 1 : 16 / static_cast<int>(sizeof(T));
  static constexpr int in_flight = 4;
  using quad = small_packet<acc, 4>;
  using run_of_steps = small_packet<acc, lanes>;
  using transfer = small_packet<T, packet>;

  gemm_problem<T> problem;
  small_operand a, b;
  small_tiling tiling;
  bool c_in_packets;

  KOKKOS_FUNCTION void operator()(team_member const& team) const {
    unsigned const matrices = tiling.matrices;
    auto* const sa = static_cast<acc*>(
        team.team_scratch(0).get_shmem_aligned(scratch_bytes(a, b, matrices), 16));
    acc* const sb = sa + matrices * a.pitch;
    index_t const groups = (problem.batch + matrices - 1) / matrices;
    for (index_t g = team.league_rank(); g < groups; g += team.league_size()) {
      index_t const first = g * matrices, left = problem.batch - first;
      unsigned const count = left < matrices ? static_cast<unsigned>(left) : matrices;
      auto const me = static_cast<unsigned>(team.team_rank());
      T const* const from_a = problem.a.data + first * a.batch_stride;
      T const* const from_b = problem.b.data + first * b.batch_stride;
      load_packets(me, count, from_a, sa, from_b, sb);
      if (!a.whole)
        load_elements(me, count, a, from_a, sa, problem.conj_a);
      if (!b.whole)
        load_elements(me, count, b, from_b, sb, problem.conj_b);
      team.team_barrier();
      for (unsigned slot = me; slot < count * tiling.blocks.value; slot += Threads)
        multiply(first, slot, sa, sb);
      team.team_barrier();
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION static int
  scratch_bytes(small_operand const& a, small_operand const& b, unsigned matrices) {
    return static_cast<int>(matrices * (a.pitch + b.pitch) * sizeof(acc));
  }

private:
  // Of both operands first, then the stores: a thread has eight reads in flight.
  KOKKOS_FORCEINLINE_FUNCTION void load_packets(unsigned me, unsigned count, T const* from_a,
                                                acc* to_a, T const* from_b, acc* to_b) const {
    unsigned const na = a.whole ? count * a.each.value : 0, nb = b.whole ? count * b.each.value : 0,
                   n = na > nb ? na : nb;
    for (unsigned e = me; e < n; e += in_flight * Threads) {
      transfer wa[in_flight], wb[in_flight];
      read(e, na, from_a, wa);
      read(e, nb, from_b, wb);
      keep(e, na, a, wa, to_a, problem.conj_a);
      keep(e, nb, b, wb, to_b, problem.conj_b);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void read(unsigned e, unsigned n, T const* from,
                                        transfer (&w)[in_flight]) const {
    KARPOS_UNROLL_4
    for (int f = 0; f < in_flight; ++f)
      w[f] = e + f * Threads < n ? reinterpret_cast<transfer const*>(from)[e + f * Threads]
                                 : transfer{};
  }
  KOKKOS_FORCEINLINE_FUNCTION void keep(unsigned first, unsigned n, small_operand const& op,
                                        transfer const (&w)[in_flight], acc* to, bool conj) const {
    KARPOS_UNROLL_4
    for (int f = 0; f < in_flight; ++f) {
      unsigned const e = first + f * Threads;
      if (e < n) {
        unsigned const item = op.each.quotient(e);
        acc* const q = to + item * op.pitch + (e - item * op.each.value) * packet;
        for (int s = 0; s < packet; s += lanes) {
          run_of_steps x;
          for (int l = 0; l < lanes; ++l)
            x.v[l] = detail::widen(w[f].v[s + l], conj);
          *reinterpret_cast<run_of_steps*>(q + s) = x;
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void load_elements(unsigned me, unsigned count,
                                                 small_operand const& op, T const* from, acc* to,
                                                 bool conj) const {
    unsigned const n = count * op.each.value;
    for (unsigned first = me; first < n; first += in_flight * Threads) {
      acc x[in_flight];
      unsigned at[in_flight];
      KARPOS_UNROLL_4
      for (int f = 0; f < in_flight; ++f) {
        unsigned const e = first + f * Threads;
        unsigned const item = op.each.quotient(e), in_item = e - item * op.each.value;
        unsigned const outer = op.line.quotient(in_item), inner = in_item - outer * op.line.value;
        bool const inside = e < n && inner < op.inner && outer < op.outer;
        x[f] = inside ? detail::widen(from[item * op.batch_stride + inner * op.inner_stride +
                                           outer * op.outer_stride],
                                      conj)
                      : acc(0);
        at[f] = item * op.pitch + in_item;
      }
      KARPOS_UNROLL_4
      for (int f = 0; f < in_flight; ++f)
        if (first + f * Threads < n)
          to[at[f]] = x[f];
    }
  }

  // Line i of thread t's block, of `blocks` such blocks: four neighbours where lines are the inner
  // direction, else far apart, so that threads side by side read from different banks.
  KOKKOS_FORCEINLINE_FUNCTION static unsigned line_of(small_operand const& op, unsigned blocks,
                                                      unsigned t, int i) {
    return op.by_steps ? t + i * blocks : i / 4 * (4 * blocks) + 4 * t + i % 4;
  }

  /// `lanes` steps of the block's lines, from step p on.
  KOKKOS_FORCEINLINE_FUNCTION void fragment(small_operand const& op, acc const* from,
                                            unsigned blocks, unsigned t, unsigned p,
                                            acc (&x)[Block][lanes]) const {
    if (op.by_steps) {
      KARPOS_UNROLL
      for (int i = 0; i < Block; ++i) {
        auto const w =
            *reinterpret_cast<run_of_steps const*>(from + (t + i * blocks) * op.padded_inner + p);
        KARPOS_UNROLL
        for (int l = 0; l < lanes; ++l)
          x[i][l] = w.v[l];
      }
    } else {
      KARPOS_UNROLL
      for (int l = 0; l < lanes; ++l) {
        KARPOS_UNROLL
        for (int i = 0; i < Block; i += 4) {
          auto const w =
              *reinterpret_cast<quad const*>(from + (p + l) * op.padded_inner + i * blocks + 4 * t);
          KARPOS_UNROLL
          for (int k = 0; k < 4; ++k)
            x[i + k][l] = w.v[k];
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void multiply(index_t first, unsigned slot, acc const* sa,
                                            acc const* sb) const {
    unsigned const item = tiling.blocks.quotient(slot), block = slot - item * tiling.blocks.value;
    unsigned const ti = tiling.columns.quotient(block), tj = block - ti * tiling.blocks_n;
    acc const* const x = sa + item * a.pitch;
    acc const* const y = sb + item * b.pitch;
    acc sum[Block][Block] = {};
    for (unsigned p = 0; p < tiling.depth; p += lanes) {
      acc ai[Block][lanes], bj[Block][lanes];
      fragment(a, x, tiling.blocks_m, ti, p, ai);
      fragment(b, y, tiling.blocks_n, tj, p, bj);
      KARPOS_UNROLL
      for (int l = 0; l < lanes; ++l) {
        KARPOS_UNROLL
        for (int i = 0; i < Block; ++i) {
          KARPOS_UNROLL
          for (int j = 0; j < Block; ++j)
            sum[i][j] += ai[i][l] * bj[j][l];
        }
      }
    }
    store(first + item, ti, tj, sum);
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(index_t item, unsigned ti, unsigned tj,
                                         acc const (&sum)[Block][Block]) const {
    matrix_view<T> const c = problem.c;
    T* const to = c.data + item * problem.c_batch_stride;
    acc const alpha = detail::widen(problem.alpha), beta = detail::widen(problem.beta);
    bool const reads_c = problem.beta != T(0);
    KARPOS_UNROLL
    for (int i = 0; i < Block; ++i) {
      unsigned const row = line_of(a, tiling.blocks_m, ti, i);
      if (row < c.rows) {
        T* const q = to + row * c.row_stride;
        if (c_in_packets) {
          KARPOS_UNROLL
          for (int j = 0; j < Block; j += 4) {
            unsigned const column = line_of(b, tiling.blocks_n, tj, j);
            if (column < c.cols) {
              auto& target = *reinterpret_cast<small_packet<T, 4>*>(q + column);
              small_packet<T, 4> w;
              if (reads_c)
                w = target;
              KARPOS_UNROLL
              for (int k = 0; k < 4; ++k)
                detail::update(w.v[k], alpha, sum[i][j + k], beta, reads_c);
              target = w;
            }
          }
        } else {
          KARPOS_UNROLL
          for (int j = 0; j < Block; ++j) {
            unsigned const column = line_of(b, tiling.blocks_n, tj, j);
            if (column < c.cols)
              detail::update(q[column * c.col_stride], alpha, sum[i][j], beta, reads_c);
          }
        }
      }
    }
  }
};

/// Several products, of extents up to `most`. The kernel takes at most 32.
template <class T>
constexpr bool is_small_batch(gemm_problem<T> const& p, index_t most = 32) noexcept {
  return p.batch > 1 && p.c.rows <= most && p.c.cols <= most && p.a.cols <= most;
}

/// The extents up to which it is faster than the vendor's batched product.
// Found on an H200 against cuBLAS 13.0: 20 x 20 in float 7.5 TFLOP/s against 5.0 and 24 x 24 6.9
// against 8.4, 16 x 16 in double 3.7 against 2.3 and 20 x 20 3.3 against 3.6. Not measured:
// complex double, and AMD hardware.
template <class T>
inline constexpr index_t small_product_extent = sizeof(arithmetic_t<T>) > 4 ? 16 : 20;

/// How a matrix of (lines, steps) goes to scratch.
template <class Kernel, class T>
small_operand small_operand_of(matrix_view<T const> const& m, index_t batch_stride,
                               unsigned padded_lines, unsigned padded_steps, unsigned blocks) {
  auto const magnitude = [](index_t s) { return s < 0 ? -s : s; };
  auto const lines = static_cast<unsigned>(m.rows), steps = static_cast<unsigned>(m.cols);
  bool const by_steps =
      lines <= 1 || (steps > 1 && magnitude(m.col_stride) <= magnitude(m.row_stride));
  small_operand op;
  op.batch_stride = batch_stride;
  op.by_steps = by_steps;
  op.inner = by_steps ? steps : lines, op.outer = by_steps ? lines : steps;
  op.padded_inner = by_steps ? padded_steps : padded_lines;
  op.padded_outer = by_steps ? padded_lines : padded_steps;
  op.inner_stride = by_steps ? m.col_stride : m.row_stride;
  op.outer_stride = by_steps ? m.row_stride : m.col_stride;
  unsigned const elements = op.inner * op.outer;
  // Lines beyond the matrix may hold anything: only c's elements beyond it are made of them.
  bool const dense = (op.inner == 1 || op.inner_stride == 1) &&
                     (op.outer == 1 || op.outer_stride == op.inner) && batch_stride == elements;
  op.whole = dense && op.inner == op.padded_inner && steps == padded_steps &&
             elements % Kernel::packet == 0 &&
             reinterpret_cast<std::uintptr_t>(m.data) % sizeof(typename Kernel::transfer) == 0;
  op.each = small_divisor(op.whole ? elements / Kernel::packet : op.padded_inner * op.padded_outer);
  op.line = small_divisor(op.padded_inner);
  // Where a quarter of a warp spans several matrices, they start in different banks.
  op.pitch = op.padded_inner * op.padded_outer;
  if (blocks < 8) {
    unsigned const packets = op.pitch / Kernel::lanes, shift = Kernel::lanes < 4 ? 1 : blocks;
    op.pitch = (packets + (3 * shift - packets % (2 * shift)) % (2 * shift)) * Kernel::lanes;
  }
  return op;
}

/// A batch for which is_small_batch() holds; false where one product does not fit the scratch. Does
/// not fence.
template <int Threads, int Block, class Exec, class T>
bool run_small_products(Exec const& exec, gemm_problem<T> const& given) {
  using kernel = small_products_kernel<Exec, T, Threads, Block>;
  // Threads side by side write along a row of c: make rows the contiguous direction.
  auto const p = given.c.row_stride == 1 && given.c.rows > 1 ? turn(given) : given;
  auto const parts = [](index_t n, int of) { return static_cast<unsigned>((n + of - 1) / of); };
  small_tiling t{parts(p.c.rows, Block),
                 parts(p.c.cols, Block),
                 parts(p.a.cols, kernel::lanes) * kernel::lanes,
                 1,
                 {},
                 {}};
  unsigned const blocks = t.blocks_m * t.blocks_n;
  t.blocks = small_divisor(blocks), t.columns = small_divisor(t.blocks_n);
  matrix_view<T const> const columns_of_b{p.b.data, p.b.cols, p.b.rows, p.b.col_stride,
                                          p.b.row_stride};
  auto const a =
      detail::small_operand_of<kernel>(p.a, p.a_batch_stride, t.blocks_m * Block, t.depth, blocks);
  auto const b = detail::small_operand_of<kernel>(columns_of_b, p.b_batch_stride,
                                                  t.blocks_n * Block, t.depth, blocks);
  // Teams of a multiprocessor hide each other's waiting; its scratch has to hold them all. Eight
  // measured best on an H200 in float, where 131 registers of a thread leave seven; in double no
  // number did better than none.
  constexpr unsigned teams = sizeof(typename kernel::acc) > 4 ? 0 : 8;
  using bounds = typename kokkos_ext::team_bounds<Exec, unsigned(Threads), teams>::type;
  auto const room = static_cast<unsigned>(kokkos_ext::scratch_beside(exec, std::max(teams, 2u)));
  unsigned const each = (a.pitch + b.pitch) * static_cast<unsigned>(sizeof(typename kernel::acc));
  if (each > room)
    return false;
  t.matrices = std::clamp(static_cast<unsigned>(Threads) / blocks, 1u, room / each);
  bool const c_in_packets = !b.by_steps && p.c.col_stride == 1 && p.c.cols % 4 == 0 &&
                            p.c.row_stride % 4 == 0 && p.c_batch_stride % 4 == 0 &&
                            reinterpret_cast<std::uintptr_t>(p.c.data) % 16 == 0;
  index_t const groups = (p.batch + t.matrices - 1) / t.matrices;
  int const league = static_cast<int>(std::min<index_t>(groups, 1 << 20));
  Kokkos::TeamPolicy<Exec, bounds> policy(exec, league, Threads, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(kernel::scratch_bytes(a, b, t.matrices) + 16));
  Kokkos::parallel_for("karpos::gemm::small_batch", kokkos_ext::light(policy),
                       kernel{p, a, b, t, c_in_packets});
  return true;
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas::detail
