// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the device engine: flat (pointers) and rows (strides), one packet per thread.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/exec/detail/bound.hpp>
#include <karpos/exec/detail/strided.hpp>
#include <karpos/exec/detail/tuning.hpp>
#include <karpos/fn/convert.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::exec::detail {

/// `count` elements of one or two bytes as a word. Shifts, since nvcc sees through copies of bytes
/// and then stores pairs of elements, one after the other.
template <class D>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word_of(D const* x, int count) {
  using bits = std::conditional_t<sizeof(D) == 1, std::uint8_t, std::uint16_t>;
  std::uint32_t word = 0;
  for (int k = 0; k < count; ++k) {
    bits b;
    memcpy(&b, x + k, sizeof(D));
    word |= static_cast<std::uint32_t>(b) << (8 * static_cast<int>(sizeof(D)) * k);
  }
  return word;
}

template <class D, int V, class P>
KOKKOS_FORCEINLINE_FUNCTION void store_vector(D* to, P const& r) {
  aligned_packet<D, V> w;
  for (int k = 0; k < V; ++k)
    w.lane[k] = fn::convert<D>(r.lane[k]);
  constexpr int size = static_cast<int>(sizeof(D)), words = V * size / 4;
  if constexpr (size <= 2 && words > 0) {
    aligned_packet<std::uint32_t, words> x;
    for (int k = 0; k < words; ++k)
      x.lane[k] = word_of(w.lane + k * (4 / size), 4 / size);
    *reinterpret_cast<aligned_packet<std::uint32_t, words>*>(to) = x;
  } else {
    *reinterpret_cast<aligned_packet<D, V>*>(to) = w;
  }
}

/// dst[0..n) = bound, every leaf with unit stride and aligned; a packet per thread, the tail
/// element by element.
template <class D, class Bound>
struct flat_kernel {
  static constexpr int lanes = lanes_for(static_cast<int>(sizeof(D)));
  D* dst;
  Bound bound;
  index_t n;

  KOKKOS_FUNCTION void operator()(int packet_number) const {
    index_t i = static_cast<index_t>(packet_number) * lanes;
    if (i + lanes <= n) {
      store_vector<D, lanes>(dst + i, bound.template load<lanes>(i));
    } else {
      for (; i < n; ++i)
        dst[i] = fn::convert<D>(bound.at(i));
    }
  }
};

/// Quotient and remainder by a divisor that fits 32 bits, by multiplication (Granlund, Montgomery
/// 1994; the 33-bit magic number is applied with an add, exact for every 32-bit numerator).
struct fast_divisor {
  unsigned divisor = 1, magic = 0, shift = 0;
  fast_divisor() = default;
  explicit fast_divisor(unsigned d) : divisor(d) {
    while (shift < 32 && (1ull << shift) < d)
      ++shift;
    magic = static_cast<unsigned>(((1ull << 32) * ((1ull << shift) - d)) / d + 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION unsigned quotient(unsigned n) const {
    unsigned const high = static_cast<unsigned>((static_cast<unsigned long long>(n) * magic) >> 32);
    return static_cast<unsigned>((static_cast<unsigned long long>(high) + n) >> shift);
  }
};

/// One packet of V elements along the last dimension per thread.
template <class D, class Bound, int R>
struct rows_kernel {
  static constexpr int lanes = lanes_for(static_cast<int>(sizeof(D)));
  D* dst;
  Bound bound;
  index_t strides[R];
  index_t last_extent;
  fast_divisor extents[R];  // of the outer dimensions; extents[R - 1] counts packets per row
  access mode;

  KOKKOS_FUNCTION void operator()(unsigned number) const {
    packet_at<R> at;
    unsigned rest = extents[R - 1].quotient(number);
    at.x[R - 1] = static_cast<index_t>(number - rest * extents[R - 1].divisor) * lanes;
    for (int k = R - 2; k >= 0; --k) {
      unsigned const q = k == 0 ? 0u : extents[k].quotient(rest);
      at.x[k] = static_cast<index_t>(rest - q * extents[k].divisor);
      rest = q;
    }
    D* const to = dst + dot<R>(at.x, strides);
    if (at.x[R - 1] + lanes <= last_extent)
      whole(at, to);
    else
      tail(at, to);
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void whole(packet_at<R> const& at, D* to) const {
    auto const r = bound.template load<lanes>(at);
    if (lanes > 1 && mode == access::vector) {
      store_vector<D, lanes>(to, r);
    } else {
      for (int k = 0; k < lanes; ++k)
        to[k * strides[R - 1]] = fn::convert<D>(r.lane[k]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void tail(packet_at<R> at, D* to) const {
    for (; at.x[R - 1] < last_extent; ++at.x[R - 1], to += strides[R - 1])
      *to = fn::convert<D>(bound.template load<1>(at).lane[0]);
  }
};

}  // namespace karpos::inline KARPOS_ABI::exec::detail
