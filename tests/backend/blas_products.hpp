// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands in every memory order, the oracle (a plain triple loop), and the comparison, for the
// tests of backend::blas.
#pragma once
#include <karpos/backend/blas/gemm.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

// Inline like Karpos' own: sources of one program that are configured differently do not share
// these functions.
namespace karpos_test::inline KARPOS_ABI {

namespace blas = karpos::backend::blas;
using karpos::index_t;

/// How a matrix lies in memory.
enum class order {
  rows,
  cols,
  rows_slice,
  cols_slice,
  rows_backward,
  cols_backward,
  strided,
  nonsense
};
inline constexpr order all_orders[] = {
    order::rows,          order::cols,          order::rows_slice, order::cols_slice,
    order::rows_backward, order::cols_backward, order::strided,    order::nonsense};
inline char const* name(order o) {
  constexpr char const* names[] = {"rows",          "cols",          "rows_slice", "cols_slice",
                                   "rows_backward", "cols_backward", "strided",    "nonsense"};
  return names[static_cast<int>(o)];
}

/// The place of each element of a batch of matrices in one buffer.
struct placement {
  index_t rows, cols, batch;
  index_t row_stride, col_stride, batch_stride;
  index_t first, size;

  index_t at(index_t b, index_t i, index_t j) const {
    return first + b * batch_stride + i * row_stride + j * col_stride;
  }
};

inline index_t span(index_t extent, index_t stride) {
  return extent > 1 ? (extent - 1) * std::abs(stride) : 0;
}
inline index_t back(index_t extent, index_t stride) {
  return extent > 1 && stride < 0 ? (extent - 1) * -stride : 0;
}

/// A batch of -1 repeats one matrix (stride 0).
inline placement place(order o, index_t rows, index_t cols, index_t batch = 1) {
  bool const by_cols = o == order::cols || o == order::cols_slice || o == order::cols_backward;
  index_t const gap = o == order::rows_slice || o == order::cols_slice ? 3 : 0;
  index_t const unit = o == order::strided ? 2 : 1;
  index_t row_stride = by_cols ? unit : std::max<index_t>(1, unit * cols + gap);
  index_t col_stride = by_cols ? std::max<index_t>(1, unit * rows + gap) : unit;
  if (o == order::rows_backward)
    row_stride = -row_stride;
  if (o == order::cols_backward)
    row_stride = -row_stride;
  if (o == order::nonsense && rows <= 1)
    row_stride = -977;
  if (o == order::nonsense && cols <= 1)
    col_stride = 0;
  index_t const matrix = span(rows, row_stride) + span(cols, col_stride) + 1;
  index_t const batch_stride = batch < 0 ? 0 : matrix + 2;
  index_t const first = back(rows, row_stride) + back(cols, col_stride) + 1;
  return {rows,       cols,         batch, row_stride,
          col_stride, batch_stride, first, first + std::max<index_t>(1, batch) * (matrix + 2) + 1};
}

/// Deterministic values: integers of all bits, floating-point numbers in [-1, 1].
class values {
public:
  explicit values(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  template <class T>
  T next() {
    if constexpr (karpos::integer<T>) {
      return static_cast<T>(bits());
    } else if constexpr (karpos::is_complex_v<T>) {
      using real = karpos::real_of_t<T>;
      real const re = static_cast<real>(unit()), im = static_cast<real>(unit());
      return T(re, im);
    } else {
      return static_cast<T>(unit());
    }
  }

private:
  std::uint64_t bits() {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return state_;
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0; }
  std::uint64_t state_;
};

template <class T>
std::vector<T> random_buffer(placement const& p, std::uint64_t seed) {
  values v(seed);
  std::vector<T> buffer(static_cast<std::size_t>(p.size));
  for (auto& x : buffer)
    x = v.next<T>();
  return buffer;
}

/// What must not be read: NaN, and for integers something that shows.
template <class T>
T poison() {
  if constexpr (karpos::integer<T>) {
    return static_cast<T>(77);
  } else if constexpr (karpos::is_complex_v<T>) {
    auto const nan = std::numeric_limits<karpos::real_of_t<T>>::quiet_NaN();
    return T(nan, nan);
  } else {
    return std::numeric_limits<T>::quiet_NaN();
  }
}

// The oracle's arithmetic, wider than the library's.
template <class T>
auto exact(T x) {
  if constexpr (karpos::integer<T>)
    return static_cast<std::uint64_t>(x);
  else if constexpr (karpos::is_complex_v<T>)
    return std::complex<long double>(x.real(), x.imag());
  else
    return static_cast<long double>(static_cast<karpos::compute_t<T>>(x));
}
template <class X>
X conj_of(X x, bool conj) {
  if constexpr (std::is_same_v<X, std::complex<long double>>)
    return conj ? std::conj(x) : x;
  else
    return static_cast<void>(conj), x;
}
template <class X>
long double size_of(X x) {
  if constexpr (std::is_same_v<X, std::uint64_t>)
    return static_cast<void>(x), 0.0L;
  else
    return std::abs(x);
}

template <class T>
bool close(T got, decltype(exact(T())) want, long double magnitude, index_t k) {
  if constexpr (karpos::integer<T>) {
    return got == static_cast<T>(want);
  } else {
    using real = karpos::real_of_t<karpos::compute_t<T>>;
    long double const eps = std::numeric_limits<real>::epsilon();
    long double rounding = 0;
    if constexpr (karpos::is_half_v<T>)
      rounding = exact(std::numeric_limits<T>::epsilon());
    long double const error = std::abs(exact(got) - want);
    return error <= 4 * static_cast<long double>(std::max<index_t>(k, 1)) * eps * magnitude +
                        rounding * std::abs(want);
  }
}

template <class T>
std::string text(T x) {
  std::ostringstream out;
  if constexpr (karpos::integer<T>)
    out << +x;
  else if constexpr (karpos::is_complex_v<T>)
    out << "(" << x.real() << ", " << x.imag() << ")";
  else
    out << static_cast<karpos::compute_t<T>>(x);
  return out.str();
}

template <class T>
T rounded(decltype(exact(T())) x) {
  if constexpr (karpos::is_complex_v<T>)
    return T(static_cast<karpos::real_of_t<T>>(x.real()),
             static_cast<karpos::real_of_t<T>>(x.imag()));
  else if constexpr (karpos::is_half_v<T>)
    return T(static_cast<float>(x));
  else
    return static_cast<T>(x);
}

/// One product: places, scalars, conjugation, and how it is run.
template <class T>
struct trial {
  placement a, b, c;
  T alpha = T(1), beta = T(0);
  bool conj_a = false, conj_b = false;

  index_t batch() const { return std::abs(c.batch); }
};

/// The usual way to run a trial.
struct run_gemm {
  template <class Exec, class T>
  void operator()(Exec const& exec, blas::gemm_problem<T> const& p) const {
    blas::gemm(exec, p);
  }
};

// Nothing outside c may change, and c must be the product.
template <class T>
std::string compare(trial<T> const& t, std::vector<T> const& a, std::vector<T> const& b,
                    std::vector<T> const& before, std::vector<T> const& after) {
  auto const at = [](std::vector<T> const& v, index_t i) { return v[static_cast<std::size_t>(i)]; };
  std::vector<bool> inside(before.size(), false);
  for (index_t n = 0; n < t.batch(); ++n)
    for (index_t i = 0; i < t.c.rows; ++i)
      for (index_t j = 0; j < t.c.cols; ++j) {
        index_t const place = t.c.at(n, i, j);
        inside[static_cast<std::size_t>(place)] = true;
        decltype(exact(T())) sum{};
        long double magnitude = 0;
        for (index_t p = 0; p < t.a.cols; ++p) {
          auto const x = conj_of(exact(at(a, t.a.at(n, i, p))), t.conj_a),
                     y = conj_of(exact(at(b, t.b.at(n, p, j))), t.conj_b);
          sum += x * y;
          magnitude += size_of(x) * size_of(y);
        }
        auto want = exact(t.alpha) * sum;
        magnitude *= size_of(exact(t.alpha));
        if (t.beta != T(0)) {
          want += exact(t.beta) * exact(at(before, place));
          magnitude += size_of(exact(t.beta)) * size_of(exact(at(before, place)));
        }
        if (!close(at(after, place), want, magnitude, t.a.cols))
          return "matrix " + std::to_string(n) + " element (" + std::to_string(i) + ", " +
                 std::to_string(j) + ") is " + text(at(after, place)) + ", want " +
                 text(rounded<T>(want));
      }
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!inside[i] && std::memcmp(&before[i], &after[i], sizeof(T)) != 0)
      return "wrote outside c at " + std::to_string(i);
  return {};
}

template <class Exec, class T>
auto to_space(std::vector<T> const& v) {
  Kokkos::View<T*, typename Exec::memory_space> view(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "karpos::test::operand"), v.size());
  Kokkos::deep_copy(
      view, Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                v.data(), v.size()));
  return view;
}

/// Runs a trial; empty, or what is wrong with the first wrong element.
template <class Exec, class T, class Run = run_gemm>
std::string wrong(trial<T> const& t, Run const& run = {}) {
  auto const a = random_buffer<T>(t.a, 1), b = random_buffer<T>(t.b, 2);
  auto before = random_buffer<T>(t.c, 3);
  if (t.beta == T(0))
    std::fill(before.begin(), before.end(), poison<T>());
  auto const da = to_space<Exec>(a), db = to_space<Exec>(b);
  auto const dc = to_space<Exec>(before);
  auto const view = []<class U>(placement const& p, U* data) {
    return blas::matrix_view<U>{data + p.first, p.rows, p.cols, p.row_stride, p.col_stride};
  };
  Exec const exec;
  run(exec, blas::gemm_problem<T>{t.alpha, view(t.a, static_cast<T const*>(da.data())),
                                  view(t.b, static_cast<T const*>(db.data())), t.beta,
                                  view(t.c, dc.data()), t.batch(), t.a.batch_stride,
                                  t.b.batch_stride, t.c.batch_stride, t.conj_a, t.conj_b});
  exec.fence();
  auto after = before;
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        after.data(), after.size()),
                    dc);
  return compare(t, a, b, before, after);
}

inline std::string text(placement const& p) {
  return std::to_string(p.rows) + "x" + std::to_string(p.cols) + " strides " +
         std::to_string(p.row_stride) + "," + std::to_string(p.col_stride) + " batch " +
         std::to_string(p.batch);
}

template <class Exec, class T, class Run = run_gemm>
void expect_right(trial<T> const& t, Run const& run = {}) {
  std::string const message = wrong<Exec>(t, run);
  EXPECT_TRUE(message.empty()) << message << "; a " << text(t.a) << ", b " << text(t.b) << ", c "
                               << text(t.c) << ", alpha " << text(t.alpha) << ", beta "
                               << text(t.beta) << ", conj " << t.conj_a << t.conj_b << ", path "
                               << blas::to_string(blas::last_path());
}

}  // namespace karpos_test::inline KARPOS_ABI
