// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise parts of var, argmin, argmax, logsumexp, softmax and layer_norm.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/math_types.hpp>
#include <karpos/fn/vector_math.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI::fn {

/// total / n as an R: in double, so that below double the inverse gives the same.
template <class R>
struct over {
  double n, inverse = 1 / n;
  template <class C>
  KOKKOS_FORCEINLINE_FUNCTION R operator()(C total) const {
    if constexpr (std::is_same_v<R, double>)
      return static_cast<double>(total) / n;
    else
      return fn::convert<R>(static_cast<double>(total) * inverse);
  }
};

/// (x - mean)^2 in the type of the mean.
struct squared_distance {
  template <element T, class C>
  KOKKOS_FORCEINLINE_FUNCTION C operator()(T const& x, C mean) const {
    C const d = fn::convert<C>(x) - mean;
    return d * d;
  }
};

/// 1 / sqrt(total / n + epsilon) as a C.
template <class C>
struct inverse_deviation {
  double n, epsilon;
  KOKKOS_FORCEINLINE_FUNCTION C operator()(C total) const {
    return static_cast<C>(1 / Kokkos::sqrt(static_cast<double>(total) / n + epsilon));
  }
};
/// (x - mean) * factor in C, as an R.
template <class R>
struct normalised {
  template <element T, class C>
  KOKKOS_FORCEINLINE_FUNCTION R operator()(T const& x, C mean, C factor) const {
    return fn::convert<R>((fn::convert<C>(x) - mean) * factor);
  }
};

/// The index where x is the extremum sought (or NaN, which wins), else the largest index.
struct index_where_found {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION index_t operator()(T const& x, T const& extremum,
                                                 index_t index) const {
    using C = std::conditional_t<boolean<T>, bool, compute_t<T>>;
    auto const v = fn::convert<C>(x), e = fn::convert<C>(extremum);
    return ((v == e) | (v != v)) ? index : Kokkos::Experimental::finite_max_v<index_t>;
  }
};

/// exp(x - m) for the largest element m, in the type of computation.
struct exp_below {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION math_compute_t<T> operator()(T const& x, T const& m) const {
    using C = math_compute_t<T>;
    return detail::exp(fn::convert<C>(x) - fn::convert<C>(m));
  }
};
/// The same with 1 where x is m: where m is infinite too.
struct exp_below_or_at {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION math_compute_t<T> operator()(T const& x, T const& m) const {
    using C = math_compute_t<T>;
    C const a = fn::convert<C>(x), b = fn::convert<C>(m);
    return detail::exp(a == b ? C(0) : a - b);
  }
};
/// m + log(s)
struct log_above {
  template <element T, class C>
  KOKKOS_FORCEINLINE_FUNCTION math_result_t<T> operator()(T const& m, C s) const {
    return fn::convert<math_result_t<T>>(fn::convert<C>(m) + detail::log(s));
  }
};
/// 1 / s
struct inverse {
  template <class C>
  KOKKOS_FORCEINLINE_FUNCTION C operator()(C s) const {
    return 1 / s;
  }
};
/// e * s as an R.
template <class R>
struct product_to {
  template <class C>
  KOKKOS_FORCEINLINE_FUNCTION R operator()(C e, C s) const {
    return fn::convert<R>(e * s);
  }
};
/// x - m - l
struct log_quotient {
  template <element T, class C>
  KOKKOS_FORCEINLINE_FUNCTION math_result_t<T> operator()(T const& x, T const& m, C l) const {
    return fn::convert<math_result_t<T>>((fn::convert<C>(x) - fn::convert<C>(m)) - l);
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
