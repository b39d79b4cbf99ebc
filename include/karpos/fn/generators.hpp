// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index functions of generators: the value at a C-order linear index. Host and device; no tensors.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/fn/convert.hpp>

#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI::fn {

/// The same value everywhere.
template <class T>
struct constant_at {
  T value;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(index_t) const { return value; }
};

/// start + i * step; integers wrap.
template <class T>
struct arithmetic_at {
  T start, step;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(index_t i) const {
    if constexpr (integer<T>) {
      // 64 bits: 16-bit operands would be promoted to int, which does not wrap.
      return static_cast<T>(wrapping_sum(static_cast<index_t>(start),
                                         wrapping_product(i, static_cast<index_t>(step))));
    } else {
      return fn::convert<T>(fn::convert<compute_t<T>>(start) +
                            static_cast<compute_t<T>>(i) * fn::convert<compute_t<T>>(step));
    }
  }
};

/// n values from start to stop; the last one is exactly `stop`. Worked out in double (float
/// elements too).
template <class T>
struct linspace_at {
  double start, step, stop;
  index_t last;  // index of the element that is `stop`; -1: none (the end point is left out)
  KOKKOS_FORCEINLINE_FUNCTION T operator()(index_t i) const {
    return fn::convert<T>(i == last ? stop : start + static_cast<double>(i) * step);
  }
};

/// base to the power of a linspace.
template <class T>
struct logspace_at {
  linspace_at<double> exponent;
  double base;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(index_t i) const {
    return fn::convert<T>(Kokkos::pow(base, exponent(i)));
  }
};

/// 1 on diagonal k of a matrix with `columns` columns, 0 elsewhere.
template <class T>
struct eye_at {
  index_t columns, k;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(index_t i) const {
    index_t const row = i / columns;
    return fn::convert<T>(i - row * columns - row == k);
  }
};

/// f(i, j, ...) of a user's function of the multi-index.
template <class F, int Rank>
struct function_at {
  F f;
  extents<Rank> shape;
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(index_t i) const {
    return call(i, std::make_integer_sequence<int, Rank>{});
  }

private:
  template <int... K>
  KOKKOS_FORCEINLINE_FUNCTION auto call(index_t i, std::integer_sequence<int, K...>) const {
    index_t at[Rank > 0 ? Rank : 1] = {};
    for (int k = Rank - 1; k > 0; --k) {
      index_t const q = i / shape[k];
      at[k] = i - q * shape[k];
      i = q;
    }
    at[0] = i;
    return f(at[K]...);
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
