// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's side of the tests: arrays with a run-time shape in C order, and bytes moved by Kokkos
// alone to and from tensors of any space. Nothing here calls the engine that is tested.
#pragma once
#include <karpos/core/tensor.hpp>
#include <karpos/core/tensor_view.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace karpos_test::inline KARPOS_ABI {

namespace kp = karpos;
using kp::index_t;
using shape_t = std::vector<index_t>;

/// std::vector<bool> is not an array: truth values are kept as bytes.
template <class T>
using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

inline index_t size_of(shape_t const& shape) {
  index_t n = 1;
  for (index_t e : shape)
    n *= e;
  return n;
}

/// Position of an index in C order.
inline index_t position(shape_t const& shape, shape_t const& index) {
  index_t at = 0;
  for (std::size_t k = 0; k < shape.size(); ++k)
    at = at * shape[k] + index[k];
  return at;
}

/// f(index) for every index of a shape, in C order.
template <class F>
void for_each_index(shape_t const& shape, F&& f) {
  index_t const n = size_of(shape);
  shape_t index(shape.size(), 0);
  for (index_t i = 0; i < n; ++i) {
    f(static_cast<shape_t const&>(index));
    for (std::size_t k = shape.size(); k-- > 0;) {
      if (++index[k] < shape[k])
        break;
      index[k] = 0;
    }
  }
}

/// Values in C order with their shape.
template <class T>
struct host_array {
  shape_t shape;
  std::vector<stored<T>> values;

  host_array() = default;
  explicit host_array(shape_t s)
      : shape(std::move(s)), values(static_cast<std::size_t>(size_of(shape))) {}
  host_array(shape_t s, std::initializer_list<T> v)
      : shape(std::move(s)), values(v.begin(), v.end()) {}
  host_array(shape_t s, std::vector<stored<T>> v) : shape(std::move(s)), values(std::move(v)) {}

  [[nodiscard]] index_t size() const { return size_of(shape); }
  [[nodiscard]] stored<T>& operator[](index_t i) { return values[static_cast<std::size_t>(i)]; }
  [[nodiscard]] stored<T> const& operator[](index_t i) const {
    return values[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] stored<T>& at(shape_t const& index) { return (*this)[position(shape, index)]; }
  [[nodiscard]] stored<T> const& at(shape_t const& index) const {
    return (*this)[position(shape, index)];
  }
};

template <int Rank>
shape_t to_vector(kp::extents<Rank> const& e) {
  return shape_t(e.begin(), e.end());
}
template <int Rank>
kp::extents<Rank> to_extents(shape_t const& s) {
  kp::extents<Rank> e;
  for (int k = 0; k < Rank; ++k)
    e[k] = s.at(static_cast<std::size_t>(k));
  return e;
}

template <class Memory, class Byte>
using bytes_view = Kokkos::View<Byte*, Kokkos::LayoutRight,
                                Kokkos::Device<typename Memory::execution_space, Memory>,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Byte>
using host_bytes = Kokkos::View<Byte*, Kokkos::LayoutRight, Kokkos::HostSpace,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// `n` elements from memory of a space, complete when it returns.
template <class Memory, class T>
void download(T* to, T const* from, index_t n) {
  if (n <= 0)
    return;
  auto const bytes = static_cast<std::size_t>(n) * sizeof(T);
  Kokkos::fence("karpos_test::download");
  Kokkos::deep_copy(host_bytes<char>(reinterpret_cast<char*>(to), bytes),
                    bytes_view<Memory, char const>(reinterpret_cast<char const*>(from), bytes));
}
template <class Memory, class T>
void send(T* to, T const* from, index_t n) {
  if (n <= 0)
    return;
  auto const bytes = static_cast<std::size_t>(n) * sizeof(T);
  Kokkos::deep_copy(bytes_view<Memory, char>(reinterpret_cast<char*>(to), bytes),
                    host_bytes<char const>(reinterpret_cast<char const*>(from), bytes));
  Kokkos::fence("karpos_test::send");
}

/// The elements of a view in C order.
template <class T, int Rank, class Space>
host_array<std::remove_const_t<T>> fetch(kp::tensor_view<T, Rank, Space> const& v) {
  using value = stored<std::remove_const_t<T>>;
  host_array<std::remove_const_t<T>> out(to_vector(v.shape()));
  if (out.size() == 0)
    return out;
  index_t low = 0;
  index_t high = 0;
  for (int k = 0; k < Rank; ++k)
    ((v.stride(k) < 0) ? low : high) += v.stride(k) * (v.extent(k) - 1);
  std::vector<value> span(static_cast<std::size_t>(high - low + 1));
  download<typename Space::memory_space>(
      span.data(), reinterpret_cast<value const*>(v.data() + low), high - low + 1);
  index_t next = 0;
  for_each_index(out.shape, [&](shape_t const& index) {
    index_t at = -low;
    for (int k = 0; k < Rank; ++k)
      at += index[static_cast<std::size_t>(k)] * v.stride(k);
    out[next++] = span[static_cast<std::size_t>(at)];
  });
  return out;
}
template <class T, int Rank, class Space>
host_array<T> fetch(kp::tensor<T, Rank, Space> const& t) {
  return fetch(t.view());
}

/// A tensor with the elements of an array.
template <int Rank, class Space = kp::default_space, class T>
kp::tensor<T, Rank, Space> upload(host_array<T> const& a) {
  using result = kp::tensor<T, Rank, Space>;
  result t(result::uninitialised, to_extents<Rank>(a.shape));
  send<typename Space::memory_space>(reinterpret_cast<stored<T>*>(t.data()), a.values.data(),
                                     a.size());
  return t;
}

/// 0, 1, 2, ... in C order.
template <class T>
host_array<T> counting(shape_t shape, int first = 0) {
  host_array<T> a(std::move(shape));
  for (index_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<stored<T>>(static_cast<T>(static_cast<double>(i + first)));
  return a;
}

/// Whole numbers in [low, high], exact in every type that holds them.
template <class T>
host_array<T> random_integers(shape_t shape, std::mt19937_64& random, int low, int high) {
  host_array<T> a(std::move(shape));
  for (auto& x : a.values)
    x = static_cast<stored<T>>(static_cast<T>(static_cast<double>(
        low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low + 1)))));
  return a;
}

// -- comparison

template <class T>
bool identical(T const& a, T const& b) {
  if constexpr (kp::is_complex_v<T>)
    return identical(a.real(), b.real()) && identical(a.imag(), b.imag());
  else if constexpr (kp::real_floating<T>)
    return (a != a && b != b) ||
           (a == b && std::signbit(static_cast<double>(a)) == std::signbit(static_cast<double>(b)));
  else
    return a == b;
}
template <class T>
bool near(T const& a, T const& b, double tolerance) {
  if constexpr (kp::is_complex_v<T>) {
    return near(a.real(), b.real(), tolerance) && near(a.imag(), b.imag(), tolerance);
  } else {
    auto const x = static_cast<double>(a);
    auto const y = static_cast<double>(b);
    return (x != x && y != y) || x == y ||
           std::fabs(x - y) <= tolerance * std::max(1.0, std::fabs(y));
  }
}
template <class T>
std::string text_of(T const& x) {
  std::ostringstream out;
  out.precision(17);
  if constexpr (kp::is_complex_v<T>)
    out << '(' << static_cast<double>(x.real()) << ", " << static_cast<double>(x.imag()) << ')';
  else
    out << +static_cast<std::conditional_t<kp::is_half_v<T>, float, T>>(x);
  return out.str();
}

/// Compares shape and elements; says which indices are wrong, five at most.
template <class T, class Equal>
testing::AssertionResult compare(host_array<T> const& got, host_array<T> const& want,
                                 Equal const& equal) {
  if (got.shape != want.shape)
    return testing::AssertionFailure() << "shape is " << testing::PrintToString(got.shape)
                                       << ", not " << testing::PrintToString(want.shape);
  index_t wrong = 0;
  std::ostringstream list;
  index_t i = 0;
  for_each_index(want.shape, [&](shape_t const& index) {
    if (!equal(got[i], want[i]) && wrong++ < 5)
      list << "\n  " << testing::PrintToString(index) << ": " << text_of(got[i]) << ", not "
           << text_of(want[i]);
    ++i;
  });
  if (wrong == 0)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << wrong << " of " << want.size() << " elements are wrong" << list.str();
}
/// The same values, zeros with their sign; NaN equals NaN.
template <class T>
testing::AssertionResult same(host_array<T> const& got, host_array<T> const& want) {
  return compare(got, want, [](auto const& a, auto const& b) { return identical(a, b); });
}
template <class T>
testing::AssertionResult close(host_array<T> const& got, host_array<T> const& want,
                               double tolerance) {
  return compare(got, want, [&](auto const& a, auto const& b) { return near(a, b, tolerance); });
}

/// f applied to arrays of one shape, element by element.
template <class R, class F, class... T>
host_array<R> apply(F const& f, host_array<T> const&... a) {
  auto const& first = std::get<0>(std::tie(a...));
  host_array<R> out(first.shape);
  for (index_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<stored<R>>(f(a[i]...));
  return out;
}

/// NumPy's rule, written as a definition: right-aligned; where extents differ one must be 1 and the
/// other wins. False when the shapes do not fit.
inline bool broadcast_model(shape_t const& a, shape_t const& b, shape_t& out) {
  std::size_t const rank = std::max(a.size(), b.size());
  out.assign(rank, 0);
  for (std::size_t k = 1; k <= rank; ++k) {
    index_t const x = k <= a.size() ? a[a.size() - k] : 1;
    index_t const y = k <= b.size() ? b[b.size() - k] : 1;
    if (x == y)
      out[rank - k] = x;
    else if (x == 1)
      out[rank - k] = y;
    else if (y == 1)
      out[rank - k] = x;
    else
      return false;
  }
  return true;
}
/// An array stretched to a shape that it fits.
template <class T>
host_array<T> stretched(host_array<T> const& a, shape_t const& shape) {
  host_array<T> out(shape);
  index_t i = 0;
  for_each_index(shape, [&](shape_t const& index) {
    shape_t own(index.end() - static_cast<std::ptrdiff_t>(a.shape.size()), index.end());
    for (std::size_t k = 0; k < own.size(); ++k)
      if (a.shape[k] == 1)
        own[k] = 0;
    out[i++] = a.at(own);
  });
  return out;
}

// -- texts of exceptions

/// The text of the exception of type E that f throws; anything else is described in words that no
/// test expects.
template <class E, class F>
std::string error_text(F&& f) {
  try {
    f();
  } catch (E const& e) {
    return e.what();
  } catch (std::exception const& e) {
    return std::string("<another exception: ") + e.what() + ">";
  }
  return "<no exception>";
}

/// How many elements a large test takes: a tenth under a sanitizer.
constexpr index_t many(index_t n) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return n / 10;
#else
  return n;
#endif
}

// -- random tests

/// Rounds of a random test: `usual`, times KARPOS_TEST_ROUNDS (10 looks for more, 0.1 is for slow
/// builds), one at least.
inline int rounds(int usual) {
  char const* const factor = std::getenv("KARPOS_TEST_ROUNDS");
  return factor == nullptr ? usual : std::max(1, static_cast<int>(usual * std::atof(factor)));
}
/// The seed of round i; KARPOS_TEST_SEED moves all of them. Print it with SCOPED_TRACE.
inline std::uint64_t seed_of(int round) {
  char const* const first = std::getenv("KARPOS_TEST_SEED");
  return (first == nullptr ? 1u : std::strtoull(first, nullptr, 10)) * 1000003u +
         static_cast<std::uint64_t>(round);
}

}  // namespace karpos_test::inline KARPOS_ABI
