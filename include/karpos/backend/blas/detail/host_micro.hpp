// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The innermost part of the portable product on the host: a block of c held in vector registers,
// operands packed into panels. Complex numbers are packed as separate real and imaginary parts, so
// that every multiplication is a real vector's.
#pragma once
#include <karpos/backend/blas/detail/arithmetic.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace karpos::inline KARPOS_ABI::backend::blas::detail {

// The widest vector that the compiler's target has: 16 bytes (SSE2, NEON), 32 (AVX) or 64
// (AVX-512).
inline constexpr int vector_bytes = __BIGGEST_ALIGNMENT__ >= 64   ? 64
                                    : __BIGGEST_ALIGNMENT__ >= 32 ? 32
                                                                  : 16;

template <class R>
struct simd;
template <>
struct simd<float> {
  using type __attribute__((vector_size(vector_bytes), may_alias)) = float;
};
template <>
struct simd<double> {
  using type __attribute__((vector_size(vector_bytes), may_alias)) = double;
};
template <>
struct simd<std::uint32_t> {
  using type __attribute__((vector_size(vector_bytes), may_alias)) = std::uint32_t;
};
template <>
struct simd<std::uint64_t> {
  using type __attribute__((vector_size(vector_bytes), may_alias)) = std::uint64_t;
};

/// Shape of the register block for elements of type T. A row of it is two vectors.
template <class T>
struct micro {
  using lane = real_of_t<arithmetic_t<T>>;
  using vector = typename simd<lane>::type;
  static constexpr int parts = is_complex_v<T> ? 2 : 1;
  static constexpr int width = vector_bytes / static_cast<int>(sizeof(lane));
  // Two vectors per row and part must stay in 16 registers, or in the 32 of AVX-512.
  static constexpr int rows = (vector_bytes == 64 ? 12 : 6) / parts;
  static constexpr int cols = 2 * width;
  static constexpr int block = rows * cols * parts;
};

template <class V, class R>
inline V load_vector(R const* p) {
  return *reinterpret_cast<V const*>(p);
}
template <class V, class R>
inline void store_vector(R* p, V v, bool add) {
  V* const to = reinterpret_cast<V*>(p);
  *to = add ? *to + v : v;
}

// sum (rows x cols) (+)= a b over k steps of the panels. Fold expressions unroll whatever the
// optimisation level is.
template <class T, int... I>
void multiply_panels(index_t k, typename micro<T>::lane const* a, typename micro<T>::lane const* b,
                     typename micro<T>::lane* sum, bool add, std::integer_sequence<int, I...>) {
  using m = micro<T>;
  using V = typename m::vector;
  if constexpr (m::parts == 1) {
    V s[m::rows][2] = {};
    for (index_t p = 0; p < k; ++p, a += m::rows, b += m::cols) {
      V const b0 = load_vector<V>(b), b1 = load_vector<V>(b + m::width);
      ((s[I][0] += a[I] * b0, s[I][1] += a[I] * b1), ...);
    }
    ((store_vector(sum + I * m::cols, s[I][0], add),
      store_vector(sum + I * m::cols + m::width, s[I][1], add)),
     ...);
  } else {
    // Complex: s holds (re, re, im, im) of each row.
    V s[m::rows][4] = {};
    for (index_t p = 0; p < k; ++p, a += 2 * m::rows, b += 2 * m::cols) {
      V const r0 = load_vector<V>(b), r1 = load_vector<V>(b + m::width);
      V const i0 = load_vector<V>(b + m::cols), i1 = load_vector<V>(b + m::cols + m::width);
      ((s[I][0] += a[I] * r0, s[I][1] += a[I] * r1, s[I][2] += a[I] * i0, s[I][3] += a[I] * i1),
       ...);
      ((s[I][0] -= a[m::rows + I] * i0, s[I][1] -= a[m::rows + I] * i1,
        s[I][2] += a[m::rows + I] * r0, s[I][3] += a[m::rows + I] * r1),
       ...);
    }
    ((store_vector(sum + 2 * I * m::cols, s[I][0], add),
      store_vector(sum + 2 * I * m::cols + m::width, s[I][1], add),
      store_vector(sum + (2 * I + 1) * m::cols, s[I][2], add),
      store_vector(sum + (2 * I + 1) * m::cols + m::width, s[I][3], add)),
     ...);
  }
}

template <class T>
inline void put_packed(typename micro<T>::lane* to, int part_stride, T x, bool conj) {
  if constexpr (is_complex_v<T>) {
    to[0] = x.real();
    to[part_stride] = conj ? -x.imag() : x.imag();
  } else {
    to[0] = widen(x);
  }
}

// One panel: Width lines (rows of a, columns of b) times k steps, step-major; lines beyond `count`
// are zero.
template <class T, int Width>
void pack_panel(typename micro<T>::lane* to, T const* from, index_t count, index_t k,
                index_t line_stride, index_t step_stride, bool conj) {
  constexpr int step = Width * micro<T>::parts;
  if (count < Width)
    std::fill(to, to + k * step, typename micro<T>::lane(0));
  if (count >= Width && line_stride == 1) {
    for (index_t p = 0; p < k; ++p) {
      KARPOS_SIMD
      for (int i = 0; i < Width; ++i)
        put_packed(to + p * step + i, Width, from[p * step_stride + i], conj);
    }
  } else if (step_stride == 1) {
    for (index_t i = 0; i < count && i < Width; ++i)
      for (index_t p = 0; p < k; ++p)
        put_packed(to + p * step + i, Width, from[i * line_stride + p], conj);
  } else {
    for (index_t p = 0; p < k; ++p)
      for (index_t i = 0; i < count && i < Width; ++i)
        put_packed(to + p * step + i, Width, from[i * line_stride + p * step_stride], conj);
  }
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas::detail
