// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values with their index: argmin and argmax in one pass, as devices make them.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/reducers.hpp>

#include <type_traits>

namespace karpos::inline KARPOS_ABI::fn {

/// A value of a type of computation and the index where it stands.
template <class C>
struct located {
  C value;
  index_t index;
};

/// An element and an index as a located value; bool as 0 and 1.
struct locate {
  template <class T>
  using value_of = std::conditional_t<boolean<T>, int, compute_t<T>>;
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION located<value_of<T>> operator()(T const& x, index_t index) const {
    return {fn::convert<value_of<T>>(x), index};
  }
};

/// The first of the extreme values; a NaN is more extreme than any number. T: a located value.
template <class Extremum>
struct located_reducer {
  static constexpr char const* name = Extremum::name;
  static constexpr bool has_identity = false;
  template <class>
  using result = index_t;
  template <class T>
  using accumulator = T;
  template <class T>
  using lane = T;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    return {Extremum::template identity<decltype(A::value)>(),
            Kokkos::Experimental::finite_max_v<index_t>};
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A combine(A const& a, A const& b) {
    // Comparisons that are true of unordered values: few instructions, most of the loop.
    bool const a_is_number = a.value == a.value, b_is_nan = b.value != b.value;
    bool const beyond = !Extremum::up_to(b.value, a.value);
    bool const not_behind = !Extremum::beyond(a.value, b.value);
    bool const first = b.index < a.index;
    return ((a_is_number & beyond) | (first & not_behind & (a_is_number | b_is_nan))) ? b : a;
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
