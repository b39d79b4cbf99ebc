// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding to integers. Integers and bool pass through; infinities, NaN and zeros stay, the sign of
// a zero result is that of x.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/vector_math.hpp>

namespace karpos::inline KARPOS_ABI::fn {

#define KARPOS_ROUNDING_FUNCTOR(NAME)                                                              \
  struct NAME {                                                                                    \
    template <element T>                                                                           \
      requires(!complex_floating<T>)                                                               \
    KOKKOS_FORCEINLINE_FUNCTION T operator()(T const& x) const {                                   \
      if constexpr (real_floating<T>) {                                                            \
        return static_cast<T>(detail::NAME(fn::convert<compute_t<T>>(x)));                         \
      } else {                                                                                     \
        return x;                                                                                  \
      }                                                                                            \
    }                                                                                              \
  };

/// The largest integer not above x.
KARPOS_ROUNDING_FUNCTOR(floor)
/// The smallest integer not below x.
KARPOS_ROUNDING_FUNCTOR(ceil)
/// The nearest integer, ties to even (NumPy's rint and round).
KARPOS_ROUNDING_FUNCTOR(rint)
/// The integer part.
KARPOS_ROUNDING_FUNCTOR(trunc)
#undef KARPOS_ROUNDING_FUNCTOR

}  // namespace karpos::inline KARPOS_ABI::fn
