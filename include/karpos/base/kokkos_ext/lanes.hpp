// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchange between the lanes of a warp. Kokkos has it only inside its nested loops, whose trip
// counts cost integer divisions.
#pragma once
#include <karpos/base/config.hpp>

#include <cstring>

#if defined(KOKKOS_ENABLE_SYCL) || defined(KOKKOS_ENABLE_OPENMPTARGET) ||                          \
    defined(KOKKOS_ENABLE_OPENACC)
#error                                                                                             \
    "karpos: the lanes of a warp exchange values on CUDA and HIP only; this Kokkos has another device"
#endif

namespace karpos::inline KARPOS_ABI::kokkos_ext {

/// Lanes of a warp that exchange values: 32 on every device (half a wavefront of 64).
inline constexpr int warp_lanes = 32;

namespace detail {
KOKKOS_FORCEINLINE_FUNCTION unsigned exchange(unsigned word, [[maybe_unused]] unsigned distance) {
#if defined(KOKKOS_ENABLE_CUDA)
  KOKKOS_IF_ON_DEVICE((word = __shfl_xor_sync(0xffffffffu, word, static_cast<int>(distance));))
#elif defined(KOKKOS_ENABLE_HIP)
  KOKKOS_IF_ON_DEVICE((word = __shfl_xor(word, static_cast<int>(distance), warp_lanes);))
#endif
  return word;
}
KOKKOS_FORCEINLINE_FUNCTION unsigned of_first(unsigned word, [[maybe_unused]] unsigned lanes) {
#if defined(KOKKOS_ENABLE_CUDA)
  KOKKOS_IF_ON_DEVICE((word = __shfl_sync(0xffffffffu, word, 0, static_cast<int>(lanes));))
#elif defined(KOKKOS_ENABLE_HIP)
  KOKKOS_IF_ON_DEVICE((word = __shfl(word, 0, static_cast<int>(lanes));))
#endif
  return word;
}

/// f(word) for each 32-bit word of a value.
template <class T, class F>
KOKKOS_FORCEINLINE_FUNCTION T map_words(T const& value, F const& f) {
  constexpr int words = static_cast<int>((sizeof(T) + sizeof(unsigned) - 1) / sizeof(unsigned));
  unsigned word[words]{};
  memcpy(word, &value, sizeof(T));
  for (int k = 0; k < words; ++k)
    word[k] = f(word[k]);
  T other;
  memcpy(&other, word, sizeof(T));
  return other;
}
}  // namespace detail

/// The value that the lane holds whose number differs from this one's by xor `distance` (a power of
/// two below warp_lanes). All lanes of a warp call it together. On a host: the value itself.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exchange_lanes(T const& value, unsigned distance) {
  return detail::map_words(value, [=](unsigned word) { return detail::exchange(word, distance); });
}

/// The value that the first lane holds of each group of `lanes` (a power of two up to warp_lanes).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T first_of_lanes(T const& value, unsigned lanes) {
  return detail::map_words(value, [=](unsigned word) { return detail::of_first(word, lanes); });
}

}  // namespace karpos::inline KARPOS_ABI::kokkos_ext
