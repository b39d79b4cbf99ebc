// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing of strided tiles into contiguous buffers and scattering back, by element size.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>

#include <cstdint>
#include <cstring>

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

// A source with unit stride along the rows: blocks of one cache line are read whole, then turned.
template <class T>
void pack_transposed(T* to, T const* from, int rows, int columns, index_t inner) {
  constexpr int block = 64 / static_cast<int>(sizeof(T)) < 8    ? 8
                        : 64 / static_cast<int>(sizeof(T)) > 16 ? 16
                                                                : 64 / static_cast<int>(sizeof(T));
  T turned[block][block];
  for (int j0 = 0; j0 < columns; j0 += block)
    for (int i0 = 0; i0 < rows; i0 += block) {
      int const nj = columns - j0 < block ? columns - j0 : block,
                ni = rows - i0 < block ? rows - i0 : block;
      if (nj == block && ni == block) {
        for (int j = 0; j < block; ++j)
          std::memcpy(turned[j], from + i0 + (j0 + j) * inner, sizeof(turned[j]));
        for (int i = 0; i < block; ++i)
          for (int j = 0; j < block; ++j)
            to[(i0 + i) * columns + j0 + j] = turned[j][i];
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
