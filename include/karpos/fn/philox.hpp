// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox4x32-10, the counter-based generator of J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC'11 (2011). Any element is computed alone, so
// the result depends on neither order nor device.
#pragma once
#include <karpos/base/config.hpp>

#include <cstdint>

namespace karpos::inline KARPOS_ABI::fn {

/// Four words of 32 bits: a counter or a block of random bits.
struct philox_block {
  std::uint32_t word[4];

  KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t operator[](int i) const { return word[i]; }
  friend bool operator==(philox_block const&, philox_block const&) = default;
};

/// The key: a seed of 64 bits, low word first.
struct philox_key {
  std::uint32_t word[2];

  KOKKOS_FORCEINLINE_FUNCTION static constexpr philox_key from_seed(std::uint64_t seed) {
    return {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  }
};

/// Ten rounds over the counter: a bijection of counters for each key. Known answers are in
/// tests/fn/philox_test.cpp.
[[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr philox_block philox4x32(philox_block counter,
                                                                       philox_key key) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53u;
  constexpr std::uint64_t multiplier1 = 0xCD9E8D57u;
  constexpr std::uint32_t weyl0 = 0x9E3779B9u;  // golden ratio
  constexpr std::uint32_t weyl1 = 0xBB67AE85u;  // sqrt(3) - 1
  std::uint32_t x0 = counter.word[0];
  std::uint32_t x1 = counter.word[1];
  std::uint32_t x2 = counter.word[2];
  std::uint32_t x3 = counter.word[3];
  std::uint32_t k0 = key.word[0];
  std::uint32_t k1 = key.word[1];
  for (int round = 0; round < 10; ++round) {
    std::uint64_t const product0 = multiplier0 * x0;
    std::uint64_t const product1 = multiplier1 * x2;
    x0 = static_cast<std::uint32_t>(product1 >> 32) ^ x1 ^ k0;
    x1 = static_cast<std::uint32_t>(product1);
    x2 = static_cast<std::uint32_t>(product0 >> 32) ^ x3 ^ k1;
    x3 = static_cast<std::uint32_t>(product0);
    k0 += weyl0;
    k1 += weyl1;
  }
  return {{x0, x1, x2, x3}};
}

/// Block `index` of stream `stream` of a seed.
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr philox_block
philox_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return fn::philox4x32(
      {{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
        static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)}},
      philox_key::from_seed(seed));
}

}  // namespace karpos::inline KARPOS_ABI::fn
