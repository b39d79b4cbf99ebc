// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that are computed from their indices: zeros, ones, full, arange, linspace, logspace, eye,
// from_function. They are expressions (fused into their consumer, no memory); `empty` is a tensor.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/fn/generators.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI {

namespace ops::detail {

template <class... I>
auto shape_of(char const* function, I... shape) {
  dim const dims[sizeof...(I) + 1]{dim(shape)..., dim(0)};
  return make_shape<static_cast<int>(sizeof...(I))>(function, dims);
}

/// Node whose element at C-order index i is g(i).
template <class G, int Rank>
expr::generator_node<G, Rank> generate(G const& g, extents<Rank> const& shape) {
  return {g, row_major(shape)};
}

template <class T, int Rank>
auto filled(T value, extents<Rank> const& shape) {
  return detail::generate(fn::constant_at<T>{value}, shape);
}

inline void check_count(char const* function, double n) {
  if (!(n < 9.2e18))
    throw argument_error(
        std::string("karpos::") + function +
        ": the number of elements is not finite or overflows: " + std::to_string(n));
}

/// How many of start, start + step, ... lie before stop. Unsigned: their distance may need 64 bits.
inline index_t count_steps(char const* function, index_t start, index_t stop, index_t step) {
  bool const up = step > 0;
  if (up ? start >= stop : start <= stop)
    return 0;
  auto const distance =
      static_cast<std::uint64_t>(up ? stop : start) - static_cast<std::uint64_t>(up ? start : stop);
  auto const by = static_cast<std::uint64_t>(step);
  std::uint64_t const n = (distance - 1) / (up ? by : 0 - by) + 1;
  if (!std::in_range<index_t>(n))
    check_count(function, static_cast<double>(n));
  return static_cast<index_t>(n);
}

template <class T>
fn::linspace_at<T> linear(char const* function, double start, double stop, index_t n,
                          bool endpoint) {
  if (n < 0)
    throw argument_error(std::string("karpos::") + function +
                         ": the number of values is negative: " + std::to_string(n));
  index_t const intervals = endpoint ? n - 1 : n;
  double const step = intervals > 0 ? (stop - start) / static_cast<double>(intervals) : 0.0;
  return {start, step, stop, endpoint && n > 1 ? n - 1 : -1};
}

}  // namespace ops::detail

/// A tensor with unset elements, in the default space (or Space).
template <class T = double, class Space = default_space, index_like... I>
[[nodiscard]] auto empty(I... shape) {
  using result = tensor<T, static_cast<int>(sizeof...(I)), normal_space_t<Space>>;
  return result(result::uninitialised, ops::detail::shape_of("empty", shape...));
}

/// All 0 (1): `zeros<float>(3, 4)`. @throws shape_error for a negative extent.
template <element T = double, index_like... I>
[[nodiscard]] auto zeros(I... shape) {
  return ops::detail::filled(T(0), ops::detail::shape_of("zeros", shape...));
}
template <element T = double, index_like... I>
[[nodiscard]] auto ones(I... shape) {
  return ops::detail::filled(T(1), ops::detail::shape_of("ones", shape...));
}
template <element T = double, std::size_t N>
[[nodiscard]] auto zeros(dim const (&shape)[N]) {
  return ops::detail::filled(T(0), make_shape<static_cast<int>(N)>("zeros", shape));
}
template <element T = double, std::size_t N>
[[nodiscard]] auto ones(dim const (&shape)[N]) {
  return ops::detail::filled(T(1), make_shape<static_cast<int>(N)>("ones", shape));
}

/// All `value`: `full({3, 4}, 2.5)`.
template <element T, std::size_t N>
[[nodiscard]] auto full(dim const (&shape)[N], T value) {
  return ops::detail::filled(value, make_shape<static_cast<int>(N)>("full", shape));
}

/// start, start + step, ... below stop (above it for a negative step), as NumPy's arange. Integers
/// give int64, other arguments double; `arange<float>(...)` chooses. @throws argument_error for a
/// step of 0.
template <class T = void, class A, class B, class C = int>
  requires(element<A> && element<B> && element<C>)
[[nodiscard]] auto arange(A start, B stop, C step = 1) {
  using common = std::conditional_t<integer<A> && integer<B> && integer<C>, index_t, double>;
  using U = std::conditional_t<std::is_void_v<T>, common, T>;
  if (step == C(0))
    throw argument_error("karpos::arange: step must not be 0");
  index_t n;
  if constexpr (std::is_same_v<common, index_t>) {
    n = ops::detail::count_steps("arange", dim(start).value, dim(stop).value, dim(step).value);
  } else {
    double const count = std::ceil((static_cast<double>(stop) - static_cast<double>(start)) /
                                   static_cast<double>(step));
    ops::detail::check_count("arange", count);
    n = count > 0 ? static_cast<index_t>(count) : 0;
  }
  fn::arithmetic_at<U> const g{fn::convert<U>(start), fn::convert<U>(step)};
  return ops::detail::generate(g, extents<1>{{n}});
}
template <class T = void, element A>
[[nodiscard]] auto arange(A stop) {
  return karpos::arange<T>(A(0), stop);
}

/// n values evenly spaced from start to stop; the last is bit-equal to stop (endpoint false leaves
/// it out).
template <real_floating T = double>
[[nodiscard]] auto linspace(double start, double stop, index_t n, bool endpoint = true) {
  return ops::detail::generate(ops::detail::linear<T>("linspace", start, stop, n, endpoint),
                               extents<1>{{n}});
}

/// n values from base^start to base^stop, evenly spaced on the logarithm's scale.
template <real_floating T = double>
[[nodiscard]] auto logspace(double start, double stop, index_t n, double base = 10.0,
                            bool endpoint = true) {
  fn::logspace_at<T> const g{ops::detail::linear<double>("logspace", start, stop, n, endpoint),
                             base};
  return ops::detail::generate(g, extents<1>{{n}});
}

/// n x m matrix with ones on diagonal k (positive: above the main one).
template <element T = double>
[[nodiscard]] auto eye(index_t n, index_t m, index_t k = 0) {
  auto const shape = ops::detail::shape_of("eye", n, m);
  return ops::detail::generate(fn::eye_at<T>{m > 0 ? m : 1, k}, shape);
}
template <element T = double>
[[nodiscard]] auto eye(index_t n) {
  return karpos::eye<T>(n, n);
}
template <element T = double>
[[nodiscard]] auto identity(index_t n) {
  return karpos::eye<T>(n, n);
}

/// f(i, j, ...) at every index: `from_function({3, 4}, f)`. f is a function object that the
/// execution space can call.
template <class F, std::size_t N>
[[nodiscard]] auto from_function(dim const (&shape)[N], F f) {
  auto const s = make_shape<static_cast<int>(N)>("from_function", shape);
  return ops::detail::generate(fn::function_at<F, static_cast<int>(N)>{f, s}, s);
}
template <class F, std::size_t N>
  requires(!std::is_arithmetic_v<F>)
[[nodiscard]] auto from_function(F f, dim const (&shape)[N]) {
  return karpos::from_function(shape, f);
}
template <class F, index_like... I>
  requires(!std::is_arithmetic_v<F> && sizeof...(I) > 0)
[[nodiscard]] auto from_function(F f, I... shape) {
  auto const s = ops::detail::shape_of("from_function", shape...);
  return ops::detail::generate(fn::function_at<F, static_cast<int>(sizeof...(I))>{f, s}, s);
}

/// The same as from_function, under the name of the user-kernel family: map_index(f, {3, 4}).
template <class F, std::size_t N>
[[nodiscard]] auto map_index(F f, dim const (&shape)[N]) {
  return karpos::from_function(shape, f);
}
template <class F, int Rank>
[[nodiscard]] auto map_index(F f, extents<Rank> const& shape) {
  return ops::detail::generate(fn::function_at<F, Rank>{f, shape}, shape);
}

}  // namespace karpos::inline KARPOS_ABI
