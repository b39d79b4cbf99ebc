// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scalar functor over arrays: in a host loop that the compiler may vectorise, and in a kernel of
// the execution space.
#pragma once
#include <karpos/base/config.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

namespace karpos_test {

/// Host array that, unlike std::vector, holds bool as bool.
template <class T>
using array = Kokkos::View<T*, Kokkos::HostSpace>;

template <class T>
array<T> to_array(std::vector<T> const& values) {
  array<T> result("values", values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    result(i) = values[i];
  return result;
}
template <class T>
array<T> to_array(std::initializer_list<T> values) {
  array<T> result("values", values.size());
  std::size_t i = 0;
  for (T const& v : values)
    result(i++) = v;
  return result;
}

template <class F, class... T>
using result_t = std::invoke_result_t<F const&, T const&...>;

/// f(x...) element by element on this thread.
template <class F, class... T>
array<result_t<F, T...>> on_host(F f, array<T> const&... x) {
  std::size_t const n = std::min({x.extent(0)...});
  array<result_t<F, T...>> result("result", n);
  auto* const out = result.data();
  [&](auto const*... in) {
    KARPOS_SIMD
    for (std::size_t i = 0; i < n; ++i)
      out[i] = f(in[i]...);
  }(x.data()...);
  return result;
}

template <class F, class R, class T>
struct unary_kernel {
  F f;
  Kokkos::View<R*> out;
  Kokkos::View<T*> x;
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = f(x(i)); }
};
template <class F, class R, class T, class U>
struct binary_kernel {
  F f;
  Kokkos::View<R*> out;
  Kokkos::View<T*> x;
  Kokkos::View<U*> y;
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = f(x(i), y(i)); }
};
template <class F, class R, class T, class U, class V>
struct ternary_kernel {
  F f;
  Kokkos::View<R*> out;
  Kokkos::View<T*> x;
  Kokkos::View<U*> y;
  Kokkos::View<V*> z;
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = f(x(i), y(i), z(i)); }
};

template <class T>
Kokkos::View<T*> to_device(array<T> const& x) {
  Kokkos::View<T*> copy("copy", x.extent(0));
  Kokkos::deep_copy(copy, x);
  return copy;
}

template <class R, class Kernel>
array<R> run(Kernel const& kernel) {
  int const n = static_cast<int>(kernel.out.extent(0));
  Kokkos::parallel_for("karpos_test::evaluate",
                       Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, int>(0, n), kernel);
  array<R> result("result", kernel.out.extent(0));
  Kokkos::deep_copy(result, kernel.out);
  return result;
}

/// f(x...) element by element on the execution space.
template <class F, class T>
array<result_t<F, T>> on_device(F f, array<T> const& x) {
  using R = result_t<F, T>;
  return run<R>(unary_kernel<F, R, T>{f, Kokkos::View<R*>("out", x.extent(0)), to_device(x)});
}
template <class F, class T, class U>
array<result_t<F, T, U>> on_device(F f, array<T> const& x, array<U> const& y) {
  using R = result_t<F, T, U>;
  return run<R>(binary_kernel<F, R, T, U>{f, Kokkos::View<R*>("out", x.extent(0)), to_device(x),
                                          to_device(y)});
}
template <class F, class T, class U, class V>
array<result_t<F, T, U, V>> on_device(F f, array<T> const& x, array<U> const& y,
                                      array<V> const& z) {
  using R = result_t<F, T, U, V>;
  return run<R>(ternary_kernel<F, R, T, U, V>{f, Kokkos::View<R*>("out", x.extent(0)), to_device(x),
                                              to_device(y), to_device(z)});
}

/// All pairs of the values of two lists, as two arrays.
template <class T, class U>
std::pair<array<T>, array<U>> all_pairs(array<T> const& x, array<U> const& y) {
  std::size_t const n = x.extent(0);
  std::size_t const m = y.extent(0);
  std::pair<array<T>, array<U>> result(array<T>("x", n * m), array<U>("y", n * m));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      result.first(i * m + j) = x(i);
      result.second(i * m + j) = y(j);
    }
  return result;
}

/// Values at the ends and in the middle of an integer type's range, or every value of an 8-bit
/// type.
template <class T>
array<T> integer_values() {
  std::vector<T> values;
  if constexpr (sizeof(T) == 1) {
    for (int i = std::numeric_limits<T>::min(); i <= std::numeric_limits<T>::max(); ++i)
      values.push_back(static_cast<T>(i));
  } else {
    std::mt19937_64 random(7);
    for (int i = -9; i <= 9; ++i) {
      values.push_back(static_cast<T>(i));
      values.push_back(static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(i & 7)));
      values.push_back(static_cast<T>(std::numeric_limits<T>::min() + static_cast<T>(i & 7)));
      values.push_back(static_cast<T>(random()));
      values.push_back(static_cast<T>(random() >> (i + 40)));
    }
  }
  return to_array(values);
}

/// Zeros, infinities, NaN, the ends of the normal and subnormal ranges, and where functions change
/// their course.
template <class T>
std::vector<T> special_values() {
  using limits = std::numeric_limits<T>;
  std::vector<T> const positive = {T(0),
                                   T(1),
                                   limits::infinity(),
                                   limits::min(),
                                   limits::denorm_min(),
                                   limits::max(),
                                   limits::epsilon(),
                                   T(0.5),
                                   T(0.1),
                                   T(1e-10),
                                   limits::min() / 4,
                                   1 - limits::epsilon(),
                                   1 + limits::epsilon(),
                                   T(2),
                                   T(3),
                                   T(22),
                                   T(88.5),
                                   T(104),
                                   T(709.5),
                                   T(746),
                                   T(1e5),
                                   T(1) / limits::epsilon(),
                                   T(1.5),
                                   T(2.5),
                                   T(3.5),
                                   T(0.25)};
  std::vector<T> values = {limits::quiet_NaN()};
  for (T p : positive) {
    values.push_back(p);
    values.push_back(-p);
  }
  return values;
}

/// Special values, each in a run as long as the widest vector and also mixed with ordinary ones;
/// then random ones.
template <class T>
array<T> test_values(int n) {
  std::vector<T> values;
  std::mt19937_64 random(11);
  for (T s : special_values<T>()) {
    values.insert(values.end(), 17, s);
    for (std::uint64_t k = random() % 9; k > 0; --k)
      values.push_back(static_cast<T>(random() % 1000) / 1000);
    values.push_back(s);
  }
  std::uniform_real_distribution<T> unit(-1, 1);
  while (static_cast<int>(values.size()) < n) {
    values.push_back(unit(random));
    values.push_back(20 * unit(random));
    values.push_back(800 * unit(random));
    values.push_back(1 + unit(random) / 1024);
    T any;
    std::uint64_t const bits = random();
    std::memcpy(&any, &bits, sizeof any);
    values.push_back(any);
  }
  return to_array(values);
}

/// Distance of `got` from the exact result, in units of the last place of the result; huge for a
/// wrong NaN, infinity or sign of zero. An overflow one unit early or late counts as one unit.
template <class T>
double ulp_error(T got, long double exact) {
  using limits = std::numeric_limits<T>;
  constexpr double wrong = 1e9;
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : wrong;
  auto const rounded = static_cast<T>(exact);
  if (got == rounded && std::signbit(got) == std::signbit(rounded))
    return got == 0 || std::isinf(got)
               ? 0
               : std::abs(static_cast<double>(
                     (got - exact) /
                     std::ldexp(1.0L, std::max(std::ilogb(got), limits::min_exponent - 1) + 1 -
                                          limits::digits)));
  if (std::isinf(got) != std::isinf(rounded)) {
    T const finite = std::isinf(got) ? rounded : got;
    return std::signbit(got) == std::signbit(rounded) &&
                   std::abs(finite) > limits::max() * (1 - 4 * limits::epsilon())
               ? 1
               : wrong;
  }
  if (std::isinf(got) || std::signbit(got) != std::signbit(rounded))
    return wrong;
  int const exponent = std::max(rounded == 0 ? limits::min_exponent - 1 : std::ilogb(rounded),
                                limits::min_exponent - 1);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) /
                             std::ldexp(1.0L, exponent + 1 - limits::digits));
}

}  // namespace karpos_test
