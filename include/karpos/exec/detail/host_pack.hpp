// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing of strided tiles into contiguous buffers and scattering back, by element size.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI::exec::detail {

// Elements as bits; they may alias every element type.
struct KARPOS_MAY_ALIAS bits8 {
  std::uint8_t bits;
};
struct KARPOS_MAY_ALIAS bits16 {
  std::uint16_t bits;
};
struct KARPOS_MAY_ALIAS bits32 {
  std::uint32_t bits;
};
struct KARPOS_MAY_ALIAS bits64 {
  std::uint64_t bits;
};
struct KARPOS_MAY_ALIAS bits128 {
  std::uint64_t low, high;
};

// rows x columns elements, source strides `outer` and `inner` (elements), into a contiguous
// row-major buffer.
template <class T>
void pack_strided(T* to, T const* from, int rows, int columns, index_t outer, index_t inner) {
  for (int i = 0; i < rows; ++i, from += outer, to += columns) {
    if (inner == 0) {
      T const value = *from;
      for (int j = 0; j < columns; ++j)
        to[j] = value;
    } else {
      for (int j = 0; j < columns; ++j)
        to[j] = from[j * inner];
    }
  }
}

// The blocks that transposed sources are read in: a cache line wide, 8 to 16 elements.
template <class T>
inline constexpr int turned_block = sizeof(T) >= 8 ? 8 : 16;

// What local copies of elements are computed in: integers, which compilers make vectors of.
template <class T>
using plain_bits =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, T>>>;

// A block x block square, row-major, transposed. Elements of up to 4 bytes: rows that lie half a
// block apart are interleaved, log2(block) times (perfect shuffles), which compiles to vector
// permutes; wider ones are as fast one by one.
template <class T>
void turn_block(T const* from, index_t from_stride, T* to, index_t to_stride) {
  constexpr int B = turned_block<T>;
  using U = plain_bits<T>;
  alignas(64) U a[B * B];
  for (int j = 0; j < B; ++j)
    std::memcpy(a + j * B, from + j * from_stride, B * sizeof(T));
  if constexpr (sizeof(T) > 4) {
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j)
        to[i * to_stride + j] = a[j * B + i];
  } else {
    alignas(64) U b[B * B];
    U *source = a, *target = b;
    for (int step = 1; step < B; step *= 2) {
      for (int j = 0; j < B / 2; ++j)
        for (int k = 0; k < B; ++k) {
          target[2 * (j * B + k)] = source[j * B + k];
          target[2 * (j * B + k) + 1] = source[(j + B / 2) * B + k];
        }
      std::swap(source, target);
    }
    for (int i = 0; i < B; ++i)
      std::memcpy(to + i * to_stride, source + i * B, B * sizeof(T));
  }
}

// A source with unit stride along the rows: blocks of one cache line are read whole, then turned.
template <class T>
void pack_transposed(T* to, T const* from, int rows, int columns, index_t inner) {
  constexpr int block = turned_block<T>;
  for (int j0 = 0; j0 < columns; j0 += block)
    for (int i0 = 0; i0 < rows; i0 += block) {
      int const nj = columns - j0 < block ? columns - j0 : block,
                ni = rows - i0 < block ? rows - i0 : block;
      if (nj == block && ni == block) {
        turn_block(from + i0 + j0 * inner, inner, to + i0 * columns + j0, columns);
      } else {
        for (int i = 0; i < ni; ++i)
          for (int j = 0; j < nj; ++j)
            to[(i0 + i) * columns + j0 + j] = from[i0 + i + (j0 + j) * inner];
      }
    }
}

template <class T>
void pack_elements(char* to, char const* from, int rows, int columns, index_t outer,
                   index_t inner) {
  auto* const t = reinterpret_cast<T*>(to);
  auto const* const f = reinterpret_cast<T const*>(from);
  if (outer == 1 && rows > 1 && inner != 0)
    pack_transposed(t, f, rows, columns, inner);
  else
    pack_strided(t, f, rows, columns, outer, inner);
}

inline void pack_tile(char* to, char const* from, int element_size, int rows, int columns,
                      index_t outer, index_t inner) {
  switch (element_size) {
  case 1:
    return pack_elements<bits8>(to, from, rows, columns, outer, inner);
  case 2:
    return pack_elements<bits16>(to, from, rows, columns, outer, inner);
  case 4:
    return pack_elements<bits32>(to, from, rows, columns, outer, inner);
  case 8:
    return pack_elements<bits64>(to, from, rows, columns, outer, inner);
  default:
    return pack_elements<bits128>(to, from, rows, columns, outer, inner);
  }
}

// bytes to memory that nothing reads soon, past the caches where whole lines are written.
inline void stream_bytes(char* to, char const* from, std::size_t bytes) {
  std::size_t const head = (64 - reinterpret_cast<std::uintptr_t>(to) % 64) % 64;
  if (KARPOS_HAS_STREAM == 0 || bytes < head + 64) {
    std::memcpy(to, from, bytes);
    return;
  }
  std::memcpy(to, from, head);
  std::size_t const end = head + (bytes - head) / 64 * 64;
  for (std::size_t i = head; i < end; i += 16)
    KARPOS_STREAM_16(to + i, from + i);
  std::memcpy(to + end, from + end, bytes - end);
}

template <class T>
void scatter_elements(char* to, char const* from, int n, index_t stride) {
  auto* const t = reinterpret_cast<T*>(to);
  auto const* const f = reinterpret_cast<T const*>(from);
  for (int j = 0; j < n; ++j)
    t[j * stride] = f[j];
}

inline void scatter_row(char* to, char const* from, int element_size, int n, index_t stride) {
  switch (element_size) {
  case 1:
    return scatter_elements<bits8>(to, from, n, stride);
  case 2:
    return scatter_elements<bits16>(to, from, n, stride);
  case 4:
    return scatter_elements<bits32>(to, from, n, stride);
  case 8:
    return scatter_elements<bits64>(to, from, n, stride);
  default:
    return scatter_elements<bits128>(to, from, n, stride);
  }
}

}  // namespace karpos::inline KARPOS_ABI::exec::detail
