// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints 32 or 64: the bits of an integer of the BLAS it is linked with. The low half of n is 3,
// the whole of n is negative: a BLAS with 32-bit integers searches three elements, one with 64-bit
// integers none. (Little-endian, as every platform of Kokkos.)
#include <cstdint>
#include <cstdio>

extern "C" std::int64_t isamax_(std::int64_t const* n, float const* x, std::int64_t const* incx);

int main() {
  std::int64_t const n = static_cast<std::int64_t>(0xffffffff00000003ULL);
  std::int64_t const incx = 1;
  float const x[3] = {1.0f, 2.0f, 3.0f};
  // Only the low half of the result is defined where it is a 32-bit one.
  std::printf("%d", static_cast<std::int32_t>(isamax_(&n, x, &incx)) == 3 ? 32 : 64);
}
