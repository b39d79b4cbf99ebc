// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host engine: one loop per expression, over pointers with unit stride. Everything else (tiles,
// packing of strided operands into a buffer that stays in the L1/L2 cache, scattering, threads)
// does not depend on the expression's type.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/exec/detail/bind.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/detail/host_pack.hpp>
#include <karpos/exec/plan.hpp>
#include <karpos/fn/convert.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// Inputs of one row: leaf l is data[l][0..n); generator l takes first[l] + j * step[l].
struct row_inputs {
  void const* const* data;
  index_t const* first;
  index_t const* step;
};
/// out[0..n) = expression over the inputs; `node` is the lowered expression.
using row_function = void (*)(void const* node, void* out, row_inputs const& in, int n);

struct row_binder {
  row_inputs const& in;
  template <int Leaf, class T>
  pointer_leaf<T> leaf() const {
    return {static_cast<T const*>(in.data[Leaf])};
  }
  template <int Leaf, class G>
  linear_generator<G> generator(G const& g) const {
    return {g, in.first[Leaf], in.step[Leaf]};
  }
};

template <class D, class Node>
struct row_loop {
  static void run(void const* node, void* out, row_inputs const& in, int n) {
    auto const bound = detail::bind<0>(row_binder{in}, *static_cast<Node const*>(node));
    D* const o = static_cast<D*>(out);
    KARPOS_SIMD
    for (int j = 0; j < n; ++j)
      o[j] = fn::convert<D>(bound.at(j));
  }
};

/// One assignment on the host: the expression's row loop and the planned operands (ops[0] is the
/// destination).
struct host_job {
  row_function row;
  void const* node;
  plan const& p;
  operand_info const* ops;
  int leaves;  // operands without the destination
};

/// Tile of a job: `rows` steps along `axis` times `columns` steps along the innermost dimension.
struct host_tiling {
  int axis = 0;
  int rows = 1, columns = 1;
  index_t row_tiles = 1, column_tiles = 1, count = 1;
  int patch = 1;        // edge of the squares of tiles that follow each other
  bool stream = false;  // the destination is written past the caches
};

inline constexpr int max_leaves = 64;
inline constexpr std::size_t tile_buffer_bytes = std::size_t{1}
                                                 << 18;  // packed operands of one tile: stays in L2
inline constexpr int tile_elements =
    8192;  // a tile of this size on one thread costs less than waking the others
inline constexpr int transposed_tile = 64;
inline constexpr int tiles_of_a_patch =
    16;  // tiled: 16 x 16 tiles after each other, whose pages the TLB holds
inline constexpr std::size_t streamed_bytes =
    std::size_t{8} << 20;  // a destination of this size has left the caches before it is read

// A large destination of which no operand reads the lines.
inline bool worth_streaming(host_job const& job) {
  operand_info const& dst = job.ops[0];
  bool read = false;
  for (int l = 1; l <= job.leaves; ++l)
    read |= job.ops[l].address == dst.address;
  return !read && dst.strides[job.p.rank - 1] == 1 &&
         static_cast<std::size_t>(job.p.size) * static_cast<std::size_t>(dst.element_size) >=
             streamed_bytes;
}

inline host_tiling make_tiling(host_job const& job) {
  auto const& p = job.p;
  host_tiling t;
  int const inner = p.rank - 1;
  if (p.rank == 0)
    return t;
  int packed_bytes = 0;  // per element of the tile
  for (int l = 0; l <= job.leaves; ++l)
    packed_bytes += job.ops[l].element_size;
  int const budget = std::clamp(static_cast<int>(tile_buffer_bytes) / std::max(packed_bytes, 1),
                                128, tile_elements);
  t.axis = p.kind == plan_kind::tiled ? p.transposed_axis : inner - 1;
  if (p.kind == plan_kind::tiled && budget >= transposed_tile * transposed_tile) {
    t.rows = transposed_tile;
    t.columns = transposed_tile;
    t.patch = tiles_of_a_patch;
    t.stream = worth_streaming(job);
  } else {
    t.columns = static_cast<int>(std::min<index_t>(p.extents[inner], budget));
    t.rows =
        p.rank > 1 ? static_cast<int>(std::min<index_t>(p.extents[t.axis], budget / t.columns)) : 1;
  }
  t.column_tiles = (p.extents[inner] + t.columns - 1) / t.columns;
  t.row_tiles = p.rank > 1 ? (p.extents[t.axis] + t.rows - 1) / t.rows : 1;
  t.count = t.column_tiles * t.row_tiles;
  for (int k = 0; k < inner; ++k)
    if (k != t.axis)
      t.count *= p.extents[k];
  return t;
}

/// First index of a tile and its extents.
struct tile_place {
  index_t index[max_rank]{};
  int rows = 1, columns = 1;
};
struct tile_number {
  index_t row, column;
};
// Tiles in C order, or patch by patch: bands of `patch` rows of tiles, cut into squares.
inline tile_number order_tiles(host_tiling const& t, index_t tile) {
  if (t.patch == 1)
    return {tile / t.column_tiles, tile % t.column_tiles};
  index_t const band = tile / (t.patch * t.column_tiles),
                in_band = tile % (t.patch * t.column_tiles);
  index_t const height = std::min<index_t>(t.patch, t.row_tiles - band * t.patch);
  index_t const square = in_band / (height * t.patch), in_square = in_band % (height * t.patch);
  index_t const width = std::min<index_t>(t.patch, t.column_tiles - square * t.patch);
  return {band * t.patch + in_square / width, square * t.patch + in_square % width};
}

inline tile_place locate(plan const& p, host_tiling const& t, index_t tile) {
  tile_place at;
  int const inner = p.rank - 1;
  if (p.rank == 0)
    return at;
  index_t const tiles = t.row_tiles * t.column_tiles;
  tile_number const number = order_tiles(t, tile % tiles);
  tile /= tiles;
  at.index[inner] = number.column * t.columns;
  at.columns = static_cast<int>(std::min<index_t>(t.columns, p.extents[inner] - at.index[inner]));
  if (p.rank == 1)
    return at;
  at.index[t.axis] = number.row * t.rows;
  at.rows = static_cast<int>(std::min<index_t>(t.rows, p.extents[t.axis] - at.index[t.axis]));
  for (int k = inner - 1; k >= 0; --k)
    if (k != t.axis) {
      at.index[k] = tile % p.extents[k];
      tile /= p.extents[k];
    }
  return at;
}

inline index_t element_offset(operand_info const& op, int rank, index_t const* index) {
  index_t at = op.offset;
  for (int k = 0; k < rank; ++k)
    at += index[k] * op.strides[k];
  return at;
}

// Where the rows of one operand lie within a tile.
struct tile_operand {
  char* data = nullptr;
  index_t row_bytes = 0;                      // from one row to the next
  index_t first = 0, step = 0, row_step = 0;  // generators
};

// Evaluates one tile of a job: packs what is not contiguous, then calls the row loop as few times
// as possible.
class host_tile {
public:
  /// `axis` steps from row to row, `inner` from column to column (-1: there is one column).
  host_tile(host_job const& job, tile_place const& at, int axis, int inner, char* buffer)
      : job_(job), at_(at), axis_(axis), inner_(inner), buffer_(buffer) {
    for (int l = 0; l < job.leaves; ++l)
      all_packed_ &= prepare(job.ops[l + 1], operands_[l]);
  }

  /// Writes the tile: element (i, j) goes to out + i * row_stride + j * inner_stride elements.
  void write(char* out, int element_size, index_t row_stride, index_t inner_stride,
             bool stream = false) {
    bool const unit = inner_stride == 1 || at_.columns == 1;
    if (stream)
      return stream_rows(out, element_size, row_stride);
    if (all_packed_ && at_.rows > 1 && unit && row_stride == at_.columns) {
      call(out, 0, at_.rows * at_.columns);
      return;
    }
    char* const staged =
        unit ? nullptr
             : take(static_cast<std::size_t>(at_.columns) * static_cast<std::size_t>(element_size));
    for (int i = 0; i < at_.rows; ++i, out += row_stride * element_size) {
      call(unit ? out : staged, i, at_.columns);
      if (!unit)
        scatter_row(out, staged, element_size, at_.columns, inner_stride);
    }
  }

  /// Where leaf 0 lies: for expressions that are one leaf and need no evaluation.
  [[nodiscard]] char const* data() const { return operands_[0].data; }
  [[nodiscard]] index_t row_bytes() const { return operands_[0].row_bytes; }

private:
  void stream_rows(char* out, int element_size, index_t row_stride) {
    std::size_t const bytes = static_cast<std::size_t>(at_.columns) * element_size;
    char* const staged = take(bytes * static_cast<std::size_t>(at_.rows));
    write(staged, element_size, at_.columns, 1);
    for (int i = 0; i < at_.rows; ++i, out += row_stride * element_size)
      stream_bytes(out, staged + i * bytes, bytes);
    KARPOS_STREAM_FENCE();
  }

  // True when the operand lies contiguously over all rows of the tile.
  bool prepare(operand_info const& op, tile_operand& to) {
    int const rank = job_.p.rank;
    index_t const start = element_offset(op, rank, at_.index);
    index_t const inner = inner_ >= 0 ? op.strides[inner_] : 1,
                  outer = at_.rows > 1 ? op.strides[axis_] : 0;
    bool const short_rows =
        at_.rows > 1 && at_.columns < 32;  // pack them, so that one loop runs over many
    if (op.is_virtual) {
      to.first = start;
      to.step = inner;
      to.row_step = outer;
      return false;
    }
    char const* const source = reinterpret_cast<char const*>(op.address) + start * op.element_size;
    bool const unit = inner == 1 || at_.columns == 1;
    if (unit && (!short_rows || outer == at_.columns)) {
      to.data = const_cast<char*>(source);
      to.row_bytes = outer * op.element_size;
      return outer == at_.columns;
    }
    to.data = take(static_cast<std::size_t>(at_.columns) * static_cast<std::size_t>(at_.rows) *
                   static_cast<std::size_t>(op.element_size));
    if (inner == 0 && outer == 0 && !short_rows) {  // a constant: one row serves all
      pack_tile(to.data, source, op.element_size, 1, at_.columns, 0, 0);
      to.row_bytes = 0;
      return false;
    }
    pack_tile(to.data, source, op.element_size, at_.rows, at_.columns, outer, inner);
    to.row_bytes = static_cast<index_t>(at_.columns) * op.element_size;
    return true;
  }

  char* take(std::size_t bytes) {
    char* const here = buffer_;
    buffer_ += (bytes + 63) / 64 * 64;
    return here;
  }

  void call(char* out, int row, int n) {
    void const* data[max_leaves];
    index_t first[max_leaves], step[max_leaves];
    for (int l = 0; l < job_.leaves; ++l) {
      auto const& o = operands_[l];
      data[l] = o.data + row * o.row_bytes;
      first[l] = o.first + row * o.row_step;
      step[l] = o.step;
    }
    job_.row(job_.node, out, row_inputs{data, first, step}, n);
  }

  host_job const& job_;
  tile_place const& at_;
  int axis_, inner_;
  char* buffer_;
  bool all_packed_ = true;
  tile_operand operands_[max_leaves];
};

/// Memory of the calling thread for one task; Use tells the buffers apart. A user's function that
/// assigns itself asks again while the first is in use, and gets one of its own.
template <class Use, std::size_t Bytes>
class thread_buffer {
public:
  thread_buffer() : outermost_(!taken()), data_(kept()) {
    taken() = true;
    if (outermost_)
      return;
    own_.reset(new char[Bytes + 64]);
    data_ = own_.get() + (64 - reinterpret_cast<std::uintptr_t>(own_.get()) % 64) % 64;
  }
  thread_buffer(thread_buffer const&) = delete;
  thread_buffer& operator=(thread_buffer const&) = delete;
  ~thread_buffer() { taken() = !outermost_; }
  [[nodiscard]] char* data() const { return data_; }

private:
  static bool& taken() {
    static thread_local bool state = false;
    return state;
  }
  static char* kept() {
    alignas(64) static thread_local char buffer[Bytes];
    return buffer;
  }
  bool outermost_;
  char* data_;
  std::unique_ptr<char[]> own_;
};
using tile_buffer = thread_buffer<struct packed_operands, tile_buffer_bytes + 64 * max_leaves>;

struct host_tile_kernel {
  host_job const* job;
  host_tiling tiling;
  KOKKOS_FUNCTION void operator()([[maybe_unused]] index_t tile) const {
    KOKKOS_IF_ON_HOST((run(tile);))
  }
  void run(index_t tile) const {
    tile_place const at = locate(job->p, tiling, tile);
    operand_info const& dst = job->ops[0];
    int const rank = job->p.rank;
    char* const out = reinterpret_cast<char*>(dst.address) +
                      element_offset(dst, rank, at.index) * dst.element_size;
    tile_buffer const buffer;
    host_tile(*job, at, tiling.axis, rank - 1, buffer.data())
        .write(out, dst.element_size, at.rows > 1 ? dst.strides[tiling.axis] : 0,
               rank > 0 ? dst.strides[rank - 1] : 1, tiling.stream);
  }
};

/// Runs a job on a host execution space; as many elements as one tile may have, on the calling
/// thread. Returns when the work is done.
template <class Exec>
void run_host_job(Exec const& exec, host_job const& job, char const* label) {
  host_tile_kernel const kernel{&job, make_tiling(job)};
  if (kernel.tiling.count == 1 || job.p.size <= tile_elements ||
      kokkos_ext::in_parallel_region(exec)) {
    for (index_t tile = 0; tile < kernel.tiling.count; ++tile)
      kernel.run(tile);
    return;
  }
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<index_t>>(exec, 0, kernel.tiling.count),
      kernel);
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
