// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on the host: tiles of the operand are evaluated into a buffer (or read in place) and
// reduced by loops that depend on the reducer and the element type, not on the expression.
// Splitting depends on the shape alone, so that the result does not change with the number of
// threads.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/exec/detail/host_engine.hpp>
#include <karpos/exec/reduce_plan.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/reducers.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// What the tile driver calls; built once per reducer and element type.
struct host_reducer {
  int accumulator_size;
  int element_size;  // of the evaluated operand
  void (*clear)(void* acc, index_t n);
  /// acc[i] combines row i of the tile.
  void (*rows)(void* acc, char const* tile, int rows, int columns, index_t row_bytes);
  /// acc[j] combines column j of the tile.
  void (*columns)(void* acc, char const* tile, int rows, int columns, index_t row_bytes);
  /// acc[i] combines part[i].
  void (*join)(void* acc, void const* part, index_t n);
  /// out[i * stride] = result of acc[i].
  void (*finish)(void* out, void const* acc, index_t n, index_t stride);
};

template <class Reducer, class T>
struct host_reduce_loops {
  using A = typename Reducer::template accumulator<T>;
  using L = typename Reducer::template lane<T>;
  using R = typename Reducer::template result<T>;

  static void clear(void* acc, index_t n) {
    for (index_t i = 0; i < n; ++i)
      static_cast<A*>(acc)[i] = Reducer::template identity<A>();
  }

  static A row(T const* x, int n) {
    constexpr int width =
        256 / static_cast<int>(sizeof(L));  // a few vector registers of running values
    L run[width];
    for (int k = 0; k < width; ++k)
      run[k] = Reducer::template identity<L>();
    int j = 0;
    for (; j + width <= n; j += width) {
      KARPOS_SIMD
      for (int k = 0; k < width; ++k)
        run[k] = Reducer::combine(run[k], fn::to_lane<L>(x[j + k]));
    }
    for (int k = 0; j < n; ++j, ++k)
      run[k] = Reducer::combine(run[k], fn::to_lane<L>(x[j]));
    A total = Reducer::template identity<A>();
    for (int k = 0; k < width; ++k)
      total = Reducer::combine(total, fn::from_lane<A>(run[k]));
    return total;
  }
  /// a[i] combines row i of Count short rows. Each is a chain of dependent operations: several go
  /// side by side, so that one does not wait for the other.
  template <int Count>
  static void short_rows(A* a, char const* tile, int n, index_t row_bytes) {
    A total[Count];
    for (int i = 0; i < Count; ++i)
      total[i] = Reducer::template identity<A>();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < Count; ++i) {
        auto const* x = reinterpret_cast<T const*>(tile + i * row_bytes);
        total[i] = Reducer::combine(total[i], fn::from_lane<A>(fn::to_lane<L>(x[j])));
      }
    for (int i = 0; i < Count; ++i)
      a[i] = Reducer::combine(a[i], total[i]);
  }

  static void rows(void* acc, char const* tile, int rows, int columns, index_t row_bytes) {
    A* const a = static_cast<A*>(acc);
    constexpr int together = 8;
    bool const is_short = columns < 64;
    int i = 0;
    if (is_short)
      for (; i + together <= rows; i += together)
        short_rows<together>(a + i, tile + i * row_bytes, columns, row_bytes);
    for (; i < rows; ++i) {
      char const* const at = tile + i * row_bytes;
      if (is_short)
        short_rows<1>(a + i, at, columns, row_bytes);
      else
        a[i] = Reducer::combine(a[i], row(reinterpret_cast<T const*>(at), columns));
    }
  }

  static void columns(void* acc, char const* tile, int rows, int columns, index_t row_bytes) {
    A* const a = static_cast<A*>(acc);
    for (int i = 0; i < rows; ++i, tile += row_bytes) {
      auto const* x = reinterpret_cast<T const*>(tile);
      KARPOS_SIMD
      for (int j = 0; j < columns; ++j)
        a[j] = Reducer::combine(a[j], fn::from_lane<A>(fn::to_lane<L>(x[j])));
    }
  }

  static void join(void* acc, void const* part, index_t n) {
    A* const a = static_cast<A*>(acc);
    for (index_t i = 0; i < n; ++i)
      a[i] = Reducer::combine(a[i], static_cast<A const*>(part)[i]);
  }

  static void finish(void* out, void const* acc, index_t n, index_t stride) {
    for (index_t i = 0; i < n; ++i)
      static_cast<R*>(out)[i * stride] = fn::from_lane<R>(static_cast<A const*>(acc)[i]);
  }

  static constexpr host_reducer table{static_cast<int>(sizeof(A)),
                                      static_cast<int>(sizeof(T)),
                                      &clear,
                                      &rows,
                                      &columns,
                                      &join,
                                      &finish};
};

/// How a reduction is cut: output tiles, each walked in `steps` tiles that are dealt to `segments`
/// tasks.
struct host_reduction {
  host_job const& job;  // job.p: all dimensions, kept first; job.ops[0]: the output
  host_reducer const& loops;
  reduce_plan const& p;
  bool in_place;             // the operand is one leaf: read it where it lies
  int inner = 0, axis = -1;  // tile dimensions
  int rows = 1, columns = 1;
  index_t row_tiles = 1, column_tiles = 1;
  index_t output_tiles = 1, steps = 1, segments = 1;
  index_t tile_outputs = 1;  // accumulators of one output tile
  char* partials = nullptr;  // [output tile][segment][tile_outputs]
};

inline constexpr int most_tile_values = 4096;
// Accumulators of one output tile, and values of one tile, of up to 16 bytes each.
using accumulator_buffer = thread_buffer<struct accumulators_of_a_task, most_tile_values * 16>;
using value_buffer = thread_buffer<struct values_of_a_tile, most_tile_values * 16>;

inline constexpr index_t reduce_grain = 1 << 15;  // elements of one task at least
inline constexpr index_t reduce_tasks = 128;      // tasks wanted, whatever the number of threads

inline void choose_tiles(host_reduction& r) {
  auto const& p = r.p;
  int const n = p.kept + p.reduced;
  int packed_bytes = 1;  // per element of a tile: all operands must fit the buffer
  for (int l = 1; l <= r.job.leaves; ++l)
    packed_bytes += r.job.ops[l].element_size;
  int const budget =
      std::clamp(static_cast<int>(tile_buffer_bytes) / packed_bytes, 128, most_tile_values);
  r.inner = p.inner_reduced ? n - 1 : p.kept - 1;
  r.axis = p.inner_reduced ? p.kept - 1 : p.reduced > 0 ? n - 1 : -1;
  index_t const across = r.inner >= 0 ? p.extents[r.inner] : 1,
                down = r.axis >= 0 ? p.extents[r.axis] : 1;
  r.columns = static_cast<int>(std::min<index_t>(across, p.inner_reduced ? budget : budget / 4));
  r.rows = p.inner_reduced && across > budget / 2
               ? 1
               : static_cast<int>(std::min<index_t>(down, budget / r.columns));
  r.column_tiles = (across + r.columns - 1) / r.columns;
  r.row_tiles = (down + r.rows - 1) / r.rows;
  r.tile_outputs = p.inner_reduced ? r.rows : r.columns;
  r.output_tiles = p.inner_reduced ? (p.kept > 0 ? r.row_tiles : 1) : r.column_tiles;
  r.steps = p.inner_reduced ? (p.reduced > 0 ? r.column_tiles : 1) : r.row_tiles;
  for (int k = 0; k < n; ++k)
    if (k != r.inner && k != r.axis)
      (k < p.kept ? r.output_tiles : r.steps) *= p.extents[k];
  index_t const elements = p.outputs * p.per_output;
  index_t const wanted = std::min(reduce_tasks, std::max<index_t>(1, elements / reduce_grain));
  r.segments = std::clamp<index_t>((wanted + r.output_tiles - 1) / r.output_tiles, 1, r.steps);
}

// Mixed-radix digits of `number` over the dimensions [first, last) without the tile's own.
inline void spread(host_reduction const& r, index_t number, int first, int last, index_t* index) {
  for (int k = last - 1; k >= first; --k)
    if (k != r.inner && k != r.axis) {
      index[k] = number % r.p.extents[k];
      number /= r.p.extents[k];
    }
}

inline void place_along(index_t tile, int size, index_t extent, index_t& at, int& length) {
  at = tile * size;
  length = static_cast<int>(std::min<index_t>(size, extent - at));
}

struct reduce_task {
  host_reduction const* r;

  KOKKOS_FUNCTION void operator()([[maybe_unused]] index_t task) const {
    KOKKOS_IF_ON_HOST((run(task);))
  }

  void run(index_t task) const {
    index_t const output = task / r->segments, segment = task % r->segments;
    tile_place at;
    place_outputs(output, at);
    accumulator_buffer const local;
    char* const acc = r->partials != nullptr ? partial(task) : local.data();
    r->loops.clear(acc, r->tile_outputs);
    index_t const first = segment * r->steps / r->segments,
                  last = (segment + 1) * r->steps / r->segments;
    for (index_t step = first; step < last; ++step)
      reduce_tile(step, at, acc);
    if (r->segments == 1)
      finish(at, acc);
  }

  void join(index_t output) const {
    tile_place at;
    place_outputs(output, at);
    char* const acc = partial(output * r->segments);
    index_t const stride = r->tile_outputs * r->loops.accumulator_size;
    for (index_t s = 1; s < r->segments; ++s)
      r->loops.join(acc, acc + s * stride, r->tile_outputs);
    finish(at, acc);
  }

private:
  char* partial(index_t task) const {
    return r->partials + task * r->tile_outputs * r->loops.accumulator_size;
  }

  // Index of the output tile along the kept dimensions.
  void place_outputs(index_t output, tile_place& at) const {
    auto const& p = r->p;
    index_t outer = output;
    if (p.inner_reduced) {
      if (p.kept > 0) {
        place_along(output % r->row_tiles, r->rows, p.extents[r->axis], at.index[r->axis], at.rows);
        outer = output / r->row_tiles;
      }
    } else {
      place_along(output % r->column_tiles, r->columns, p.extents[r->inner], at.index[r->inner],
                  at.columns);
      outer = output / r->column_tiles;
    }
    spread(*r, outer, 0, p.kept, at.index);
  }

  void reduce_tile(index_t step, tile_place& at, char* acc) const {
    auto const& p = r->p;
    int const n = p.kept + p.reduced;
    index_t outer = step;
    if (p.inner_reduced) {
      if (r->inner >= 0) {
        place_along(step % r->column_tiles, r->columns, p.extents[r->inner], at.index[r->inner],
                    at.columns);
        outer = step / r->column_tiles;
      }
    } else if (p.reduced > 0) {
      place_along(step % r->row_tiles, r->rows, p.extents[r->axis], at.index[r->axis], at.rows);
      outer = step / r->row_tiles;
    }
    spread(*r, outer, p.kept, n, at.index);
    evaluate(at, acc);
  }

  void evaluate(tile_place const& at, char* acc) const {
    tile_buffer const packed;
    value_buffer const values;
    host_tile tile(r->job, at, r->axis, r->inner, packed.data());
    char const* data = values.data();
    index_t row_bytes = static_cast<index_t>(at.columns) * r->loops.element_size;
    if (r->in_place) {
      data = tile.data();
      row_bytes = tile.row_bytes();
    } else {
      tile.write(values.data(), r->loops.element_size, at.columns, 1);
    }
    (r->p.inner_reduced ? r->loops.rows : r->loops.columns)(acc, data, at.rows, at.columns,
                                                            row_bytes);
  }

  void finish(tile_place const& at, char const* acc) const {
    operand_info const& out = r->job.ops[0];
    tile_place corner = at;
    for (int k = r->p.kept; k < r->p.kept + r->p.reduced; ++k)
      corner.index[k] = 0;
    char* const to = reinterpret_cast<char*>(out.address) +
                     element_offset(out, r->p.kept + r->p.reduced, corner.index) * out.element_size;
    int const n = r->p.inner_reduced ? at.rows : at.columns,
              along = r->p.inner_reduced ? r->axis : r->inner;
    r->loops.finish(to, acc, n, along >= 0 && n > 1 ? out.strides[along] : 1);
  }
};

struct join_task {
  reduce_task task;
  KOKKOS_FUNCTION void operator()([[maybe_unused]] index_t output) const {
    KOKKOS_IF_ON_HOST((task.join(output);))
  }
};

// Few elements are reduced on the calling thread: waking the others takes longer.
template <class Exec, class Kernel>
void run_tasks(Exec const& exec, index_t count, index_t elements, Kernel const& kernel,
               char const* label) {
  if (count == 1 || elements <= tile_elements || kokkos_ext::in_parallel_region(exec))
    for (index_t task = 0; task < count; ++task)
      kernel(task);
  else
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<index_t>>(exec, 0, count), kernel);
}

/// Runs a planned reduction on a host execution space; returns when it is done.
template <class Exec>
void run_host_reduction(Exec const& exec, host_reduction r) {
  choose_tiles(r);
  std::unique_ptr<char[]> partials;
  if (r.segments > 1) {
    partials.reset(new char[static_cast<std::size_t>(r.output_tiles * r.segments * r.tile_outputs *
                                                     r.loops.accumulator_size) +
                            64]);
    r.partials = partials.get() + (64 - reinterpret_cast<std::uintptr_t>(partials.get()) % 64) % 64;
  }
  reduce_task const task{&r};
  run_tasks(exec, r.output_tiles * r.segments, r.p.outputs * r.p.per_output, task,
            "karpos::reduce::host");
  if (r.segments > 1)
    run_tasks(exec, r.output_tiles, r.p.outputs * r.segments, join_task{task},
              "karpos::reduce::host::join");
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
