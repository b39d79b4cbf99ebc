// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The portable product on host spaces: one tile of c per index, packed panels and sums in a buffer
// of the thread, any strides.
#pragma once
#include <karpos/backend/blas/detail/host_micro.hpp>
#include <karpos/backend/blas/layout.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace karpos::inline KARPOS_ABI::backend::blas::detail {

// Memory that a thread keeps for its next tile; it goes back when the thread ends.
class thread_buffer {
public:
  thread_buffer() = default;
  thread_buffer(thread_buffer const&) = delete;
  thread_buffer& operator=(thread_buffer const&) = delete;
  ~thread_buffer() { release(); }

  void* get(std::size_t bytes) {
    if (bytes > size_) {
      release();
      data_ = ::operator new(bytes, alignment);
      size_ = bytes;
    }
    return data_;
  }

private:
  static constexpr std::align_val_t alignment{128};
  void release() {
    if (data_ != nullptr)
      ::operator delete(data_, alignment);
    data_ = nullptr;
    size_ = 0;
  }
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

inline void* this_thread_buffer(std::size_t bytes) {
  thread_local thread_buffer buffer;
  return buffer.get(bytes);
}

/// How the result is cut: tiles of tile_m x tile_n, the sum in steps of tile_k.
struct host_tiling {
  index_t tile_m, tile_n, tile_k;
  index_t tiles_m, tiles_n;
};

constexpr index_t ceil_div(index_t a, index_t b) noexcept { return (a + b - 1) / b; }

// A panel of b (tile_k x cols) stays in L1, the panels of a and b and the sums of a tile in L2.
// Tiles shrink until every thread has some.
template <class T>
host_tiling tile_host(index_t m, index_t n, index_t k, index_t batch, int concurrency) {
  using s = micro<T>;
  index_t const most_k =
      16384 / (s::cols * s::parts * static_cast<index_t>(sizeof(typename s::lane)));
  host_tiling t{ceil_div(192, s::rows) * s::rows, 12 * s::cols, std::min(k, most_k), 1, 1};
  t.tile_m = std::min(t.tile_m, ceil_div(m, s::rows) * s::rows);
  t.tile_n = std::min(t.tile_n, ceil_div(n, s::cols) * s::cols);
  for (;;) {
    t.tiles_m = ceil_div(m, t.tile_m);
    t.tiles_n = ceil_div(n, t.tile_n);
    if (concurrency == 1 || t.tiles_m * t.tiles_n * batch >= 3 * concurrency)
      return t;
    if (t.tile_m >= t.tile_n && t.tile_m >= 8 * s::rows) {
      t.tile_m = ceil_div(t.tile_m / 2, s::rows) * s::rows;
    } else if (t.tile_n >= 2 * s::cols) {
      t.tile_n = ceil_div(t.tile_n / 2, s::cols) * s::cols;
    } else {
      return t;
    }
  }
}

template <class T>
struct host_product_kernel {
  using s = micro<T>;
  using lane = typename s::lane;

  gemm_problem<T> problem;
  host_tiling tiling;

  void operator()(index_t i) const {
    auto const& t = tiling;
    index_t const item = i / (t.tiles_m * t.tiles_n), tile = i % (t.tiles_m * t.tiles_n);
    index_t const row = tile / t.tiles_n * t.tile_m, col = tile % t.tiles_n * t.tile_n;
    index_t const m = std::min(t.tile_m, problem.c.rows - row),
                  n = std::min(t.tile_n, problem.c.cols - col);
    index_t const panels_m = ceil_div(m, s::rows), panels_n = ceil_div(n, s::cols);

    index_t const a_size = rounded(panels_m * s::rows * s::parts * t.tile_k);
    index_t const b_size = rounded(panels_n * s::cols * s::parts * t.tile_k);
    index_t const sums = panels_m * panels_n * s::block;
    auto* const a = static_cast<lane*>(
        this_thread_buffer(sizeof(lane) * static_cast<std::size_t>(a_size + b_size + sums)));
    lane* const b = a + a_size;
    lane* const sum = b + b_size;

    for (index_t p = 0; p < problem.a.cols; p += t.tile_k) {
      index_t const k = std::min(t.tile_k, problem.a.cols - p);
      pack_a(a, item, row, m, p, k);
      pack_b(b, item, col, n, p, k);
      multiply(a, b, sum, panels_m, panels_n, k, p != 0);
    }
    store(sum, item, row, col, m, n, panels_n);
  }

private:
  static constexpr index_t rounded(index_t elements) { return ceil_div(elements, 128) * 128; }

  void pack_a(lane* to, index_t item, index_t row, index_t m, index_t p, index_t k) const {
    auto const& v = problem.a;
    T const* const from =
        v.data + item * problem.a_batch_stride + row * v.row_stride + p * v.col_stride;
    for (index_t i = 0; i < m; i += s::rows, to += s::rows * s::parts * k)
      pack_panel<T, s::rows>(to, from + i * v.row_stride, m - i, k, v.row_stride, v.col_stride,
                             problem.conj_a);
  }
  void pack_b(lane* to, index_t item, index_t col, index_t n, index_t p, index_t k) const {
    auto const& v = problem.b;
    T const* const from =
        v.data + item * problem.b_batch_stride + col * v.col_stride + p * v.row_stride;
    for (index_t j = 0; j < n; j += s::cols, to += s::cols * s::parts * k)
      pack_panel<T, s::cols>(to, from + j * v.col_stride, n - j, k, v.col_stride, v.row_stride,
                             problem.conj_b);
  }

  void multiply(lane const* a, lane const* b, lane* sum, index_t panels_m, index_t panels_n,
                index_t k, bool add) const {
    for (index_t j = 0; j < panels_n; ++j)
      for (index_t i = 0; i < panels_m; ++i)
        multiply_panels<T>(k, a + i * s::rows * s::parts * k, b + j * s::cols * s::parts * k,
                           sum + (i * panels_n + j) * s::block, add,
                           std::make_integer_sequence<int, s::rows>());
  }

  void store(lane const* sum, index_t item, index_t row, index_t col, index_t m, index_t n,
             index_t panels_n) const {
    auto const& c = problem.c;
    T* const to = c.data + item * problem.c_batch_stride + row * c.row_stride + col * c.col_stride;
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < n; j += s::cols) {
        lane const* const block = sum + (i / s::rows * panels_n + j / s::cols) * s::block;
        lane const* const line = block + i % s::rows * s::cols * s::parts;
        T* const at = to + i * c.row_stride + j * c.col_stride;
        index_t const count = std::min<index_t>(s::cols, n - j);
        if (c.col_stride == 1)
          store_line(at, line, count, 1);
        else
          store_line(at, line, count, c.col_stride);
      }
  }

  void store_line(T* __restrict__ to, lane const* __restrict__ line, index_t count,
                  index_t stride) const {
    auto const alpha = widen(problem.alpha), beta = widen(problem.beta);
    bool const reads_c = problem.beta != T(0);
    for (index_t j = 0; j < count; ++j) {
      if constexpr (is_complex_v<T>)
        update(to[j * stride], alpha, T(line[j], line[s::cols + j]), beta, reads_c);
      else
        update(to[j * stride], alpha, line[j], beta, reads_c);
    }
  }
};

/// y = A x for a block of rows per index; the problem's c has one column.
template <class T>
struct host_vector_kernel {
  using acc = arithmetic_t<T>;
  static constexpr index_t rows_per_index = 64;

  gemm_problem<T> problem;
  index_t blocks;

  void operator()(index_t i) const {
    index_t const item = i / blocks, row = i % blocks * rows_per_index;
    index_t const m = std::min(rows_per_index, problem.c.rows - row);
    T const* const a = problem.a.data + item * problem.a_batch_stride + row * problem.a.row_stride;
    T const* const x = problem.b.data + item * problem.b_batch_stride;
    acc sum[rows_per_index] = {};
    if (problem.a.row_stride == 1)
      by_columns(sum, a, x, m);
    else if (problem.a.col_stride == 1 && problem.b.row_stride == 1)
      for (index_t r = 0; r < m; ++r)
        sum[r] = dot(a + r * problem.a.row_stride, x, 1, 1);
    else
      for (index_t r = 0; r < m; ++r)
        sum[r] = dot(a + r * problem.a.row_stride, x, problem.a.col_stride, problem.b.row_stride);
    T* const y = problem.c.data + item * problem.c_batch_stride + row * problem.c.row_stride;
    for (index_t r = 0; r < m; ++r)
      update(y[r * problem.c.row_stride], widen(problem.alpha), sum[r], widen(problem.beta),
             problem.beta != T(0));
  }

private:
  void by_columns(acc* __restrict__ sum, T const* __restrict__ a, T const* __restrict__ x,
                  index_t m) const {
    for (index_t p = 0; p < problem.a.cols; ++p) {
      acc const xp = widen(x[p * problem.b.row_stride], problem.conj_b);
      T const* const __restrict__ column = a + p * problem.a.col_stride;
      for (index_t r = 0; r < m; ++r)
        sum[r] += widen(column[r], problem.conj_a) * xp;
    }
  }
  // Lanes of partial sums, so that the order of additions is the same with every compiler and
  // vector width.
  acc dot(T const* a, T const* x, index_t a_stride, index_t x_stride) const {
    constexpr index_t lanes = 16;
    acc part[lanes] = {};
    index_t const k = problem.a.cols, whole = k - k % lanes;
    for (index_t p = 0; p < whole; p += lanes) {
      for (index_t l = 0; l < lanes; ++l)
        part[l] += widen(a[(p + l) * a_stride], problem.conj_a) *
                   widen(x[(p + l) * x_stride], problem.conj_b);
    }
    for (index_t p = whole; p < k; ++p)
      part[p - whole] +=
          widen(a[p * a_stride], problem.conj_a) * widen(x[p * x_stride], problem.conj_b);
    for (index_t half = lanes / 2; half > 0; half /= 2)
      for (index_t l = 0; l < half; ++l)
        part[l] += part[l + half];
    return part[0];
  }
};

// Work below one launch's cost runs on the calling thread.
template <class Exec, class Kernel>
void run_on_host(Exec const& exec, char const* label, Kernel const& kernel, index_t count,
                 double work) {
  if (count == 1 || work < 131072.0 || kokkos_ext::in_parallel_region(exec)) {
    for (index_t i = 0; i < count; ++i)
      kernel(i);
    return;
  }
  using policy =
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<index_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  index_t const chunk =
      std::max<index_t>(1, count / (16 * std::max(1, kokkos_ext::concurrency(exec))));
  Kokkos::parallel_for(
      label,
      policy(exec, 0, count,
             Kokkos::ChunkSize(static_cast<int>(std::min<index_t>(chunk, 1 << 20)))),
      kernel);
}

template <class Exec, class T>
void run_host_product(Exec const& exec, gemm_problem<T> const& given) {
  auto p = given;
  if (p.c.rows == 1)
    p = turn(p);
  double const work = static_cast<double>(p.c.rows) * static_cast<double>(p.c.cols) *
                      static_cast<double>(p.a.cols) * static_cast<double>(p.batch);
  if (p.c.cols == 1) {
    index_t const blocks = ceil_div(p.c.rows, host_vector_kernel<T>::rows_per_index);
    return run_on_host(exec, "karpos::gemm::portable_vector", host_vector_kernel<T>{p, blocks},
                       blocks * p.batch, work);
  }
  // Rows of c are written as vectors: make them the contiguous direction, unless they would be too
  // short.
  constexpr index_t least = micro<T>::cols;
  bool const turned =
      p.c.cols < least || p.c.rows < least ? p.c.cols < p.c.rows : p.c.row_stride == 1;
  if (turned)
    p = turn(p);
  auto const tiling =
      tile_host<T>(p.c.rows, p.c.cols, p.a.cols, p.batch, kokkos_ext::concurrency(exec));
  run_on_host(exec, "karpos::gemm::portable", host_product_kernel<T>{p, tiling},
              tiling.tiles_m * tiling.tiles_n * p.batch, work);
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas::detail
