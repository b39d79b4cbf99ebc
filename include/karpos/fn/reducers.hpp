// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reducers: what sum, prod, min, max, any and all do to values, without tensors. Per element type T
// a reducer states
//   result<T>       type of the outcome
//   accumulator<T>  type in which parts are combined (wider than lane where rounding would add up)
//   lane<T>         type of the running values of one short run (at most a few thousand elements)
// and combine(a, b) with its identity.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI::fn {

namespace detail {
template <class T>
struct wide_sum {
  using type = accumulate_t<T>;
};
template <class T>
  requires(std::is_same_v<compute_t<T>, float>)
struct wide_sum<T> {
  using type = double;  // partial sums of f32 add up in f64: 1e8 ones are 1e8
};
template <>
struct wide_sum<Kokkos::complex<float>> {
  using type = Kokkos::complex<double>;
};

template <class A>
KOKKOS_FORCEINLINE_FUNCTION constexpr A wrapping_add(A a, A b) {
  if constexpr (integer<A>)
    return static_cast<A>(static_cast<std::make_unsigned_t<A>>(a) +
                          static_cast<std::make_unsigned_t<A>>(b));
  else
    return a + b;
}
template <class A>
KOKKOS_FORCEINLINE_FUNCTION constexpr A wrapping_multiply(A a, A b) {
  if constexpr (integer<A>)
    return static_cast<A>(static_cast<std::make_unsigned_t<A>>(a) *
                          static_cast<std::make_unsigned_t<A>>(b));
  else
    return a * b;
}
}  // namespace detail

/// Sum. Integers and bool add up in 64 bits (modulo 2^64), f32 in blocks whose sums are added in
/// f64, 16-bit floats in float. The sum of nothing is 0.
struct sum_reducer {
  static constexpr char const* name = "sum";
  static constexpr bool has_identity = true;
  template <class T>
  using result = std::conditional_t<is_half_v<T>, T, accumulate_t<T>>;
  template <class T>
  using accumulator = typename detail::wide_sum<T>::type;
  template <class T>
  using lane = accumulate_t<T>;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    return A(0);
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A combine(A a, A b) {
    return detail::wrapping_add(a, b);
  }
};

/// The sum that mean divides: real in double for integers and bool, float for 16-bit floats.
struct mean_reducer : sum_reducer {
  static constexpr char const* name = "mean";
  template <class T>
  using result = std::conditional_t<integer<T> || boolean<T>, double,
                                    std::conditional_t<is_half_v<T>, float, T>>;
  template <class T>
  using accumulator =
      std::conditional_t<integer<T> || boolean<T>, double, typename detail::wide_sum<T>::type>;
  template <class T>
  using lane = result<T>;
};

/// Product, in the types of sum; the product of nothing is 1.
struct prod_reducer {
  static constexpr char const* name = "prod";
  static constexpr bool has_identity = true;
  template <class T>
  using result = std::conditional_t<is_half_v<T>, T, accumulate_t<T>>;
  template <class T>
  using accumulator = accumulate_t<T>;
  template <class T>
  using lane = accumulate_t<T>;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    return A(1);
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A combine(A a, A b) {
    return detail::wrapping_multiply(a, b);
  }
};

namespace detail {
struct extremum {
  static constexpr bool has_identity = false;
  template <class T>
  using result = T;
  template <class T>
  using accumulator = std::conditional_t<boolean<T>, int, compute_t<T>>;
  template <class T>
  using lane = accumulator<T>;
};
}  // namespace detail

/// Smallest element; NaN wins. Nothing has no minimum (the caller refuses it).
struct min_reducer : detail::extremum {
  static constexpr char const* name = "min";
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    if constexpr (std::is_integral_v<A>)
      return Kokkos::Experimental::finite_max_v<A>;
    else
      return Kokkos::Experimental::infinity_v<A>;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A combine(A a, A b) {
    return (beyond(b, a) || b != b) ? b : a;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool beyond(A x, A y) {
    return x < y;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool up_to(A x, A y) {
    return x >= y;
  }
};

/// Largest element; NaN wins. Nothing has no maximum (the caller refuses it).
struct max_reducer : detail::extremum {
  static constexpr char const* name = "max";
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    if constexpr (std::is_integral_v<A>)
      return Kokkos::Experimental::finite_min_v<A>;
    else
      return -Kokkos::Experimental::infinity_v<A>;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A combine(A a, A b) {
    return (beyond(b, a) || b != b) ? b : a;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool beyond(A x, A y) {
    return x > y;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool up_to(A x, A y) {
    return x <= y;
  }
};

namespace detail {
// Truth values, 0 or 1, in the lanes: char, which is no element type and so means nothing else.
using truth_value = char;
struct truth {
  static constexpr bool has_identity = true;
  template <class>
  using result = bool;
  template <class>
  using accumulator = unsigned char;
  template <class>
  using lane = truth_value;
};
}  // namespace detail

/// True when some element is not zero (NaN counts as true); of nothing: false.
struct any_reducer : detail::truth {
  static constexpr char const* name = "any";
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    return A(0);
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A combine(A a, A b) {
    return static_cast<A>(a | b);
  }
};

/// True when no element is zero; of nothing: true.
struct all_reducer : detail::truth {
  static constexpr char const* name = "all";
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    return A(1);
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A combine(A a, A b) {
    return static_cast<A>(a & b);
  }
};

/// A value with the index where it stands (fn/located.hpp).
template <class L>
concept with_index = requires(L const& x) { x.index; };

/// An element as the running value of a reducer; truth values are 0 and 1.
template <class Lane, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr Lane to_lane(T const& x) {
  if constexpr (std::is_same_v<Lane, detail::truth_value>)
    return fn::convert<bool>(x) ? Lane(1) : Lane(0);
  else if constexpr (with_index<Lane>)
    return x;
  else
    return fn::convert<Lane>(x);
}

/// Running value to accumulator, accumulator to result (of a value with its index: the index).
template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION constexpr To from_lane(From const& x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (std::is_same_v<From, detail::truth_value>)
    return static_cast<To>(x != From(0));
  else if constexpr (with_index<From>)
    return static_cast<To>(x.index);
  else
    return fn::convert<To>(x);
}

}  // namespace karpos::inline KARPOS_ABI::fn
