// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a result must be, computed apart from the library: loops over plain memory, no Kokkos.
//
// Product of (m, k) by (k, n), elements of type T with machine epsilon eps: an element passes when
// |C - R| <= 4 k eps |A||B|, R summed in double (f32) or in twice double precision (f64). Up to a
// given amount of work every row is compared; beyond it 64 rows, the first and the last among them,
// and all rows by Freivalds' check: the columns are cut into 64 blocks, each with a vector x of
// random signs, and |C x - A (B x)| <= 16 k eps sum_k |a_ik| |b_k|_2 in each row and block. By
// Hoeffding's inequality a product whose elements pass exceeds this with probability under 7e-4
// even if every error were as large as allowed (errors of real products are hundreds of times
// smaller); a single wrong element goes through unless it is smaller than the limit.
#pragma once
#include "common/results.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace karpos::tools {

using index = std::int64_t;

/// Runs body(0) ... body(count - 1), in any order, in parallel.
using parallel_runner = std::function<void(index count, std::function<void(index)> const& body)>;

template <class T>
class product_reference {
public:
  /// Row-major a and b must outlive this object. Products of m * n * k <= full_check_size^3 are
  /// compared in every row.
  product_reference(T const* a, T const* b, index m, index k, index n, index full_check_size,
                    parallel_runner run);

  /// Compares a row-major product, or its first `rows` rows.
  [[nodiscard]] verdict check(T const* c, index rows) const;

  /// An element of a row that is (not) among those compared in full. Every row is where there is no
  /// Freivalds' check.
  [[nodiscard]] index element_in_row(bool sampled) const;

private:
  struct finding {
    double worst = 0;
    index row = -1, column = -1;  ///< of the worst
    double got = 0, wanted = 0, allowed = 0;
    bool failed = false;
  };
  static void keep_worse(finding& worst, finding const& other);

  void choose_rows(index full_check_size);
  void sum_row(std::size_t sample);
  void fold_b();
  void fold_row(index row);
  [[nodiscard]] finding compare_row(T const* c, std::size_t sample) const;
  [[nodiscard]] finding compare_folded_row(T const* c, index row) const;
  [[nodiscard]] double tolerance() const {
    return 4.0 * static_cast<double>(k_) * static_cast<double>(std::numeric_limits<T>::epsilon());
  }
  [[nodiscard]] index block_begin(index block) const { return block * n_ / blocks_; }

  T const *a_, *b_;
  index m_, k_, n_;
  parallel_runner run_;
  std::vector<index> rows_;            // compared in full
  std::vector<double> sums_, bounds_;  // rows_.size() x n: R and |A||B|
  bool folded_ = false;
  index blocks_ = 0;
  std::vector<double> b_folded_, b_norms_;    // k x blocks: B x and |b_k|_2
  std::vector<double> sums_folded_, limits_;  // m x blocks: A (B x) and sum_k |a_ik| |b_k|_2
};

/// The value of an elementwise operation in a wider type, and the magnitude whose ulp is the unit
/// of its error: the larger of the result and of its terms (a sum of two large terms cannot be
/// better than they are).
template <class R>
struct expected {
  R value, scale;
};

/// The type that references of T are computed in.
template <class T>
using wider = std::conditional_t<sizeof(T) == 4, double, long double>;

/// The distance of the floating-point numbers of type T at a magnitude.
template <class T, class R>
[[nodiscard]] R ulp_at(R magnitude) {
  using limits = std::numeric_limits<T>;
  if (!(magnitude >= static_cast<R>(limits::min())))
    return static_cast<R>(limits::denorm_min());
  return std::ldexp(static_cast<R>(1), std::ilogb(magnitude) - (limits::digits - 1));
}

/// The error in units of the allowed 8 ulp; 0 where both are NaN or the same infinity.
template <class T, class R>
[[nodiscard]] double elementwise_error(T got, expected<R> const& want) {
  constexpr R allowed_ulp = 8;
  if (std::isnan(want.value))
    return std::isnan(got) ? 0.0 : std::numeric_limits<double>::infinity();
  auto const value = static_cast<R>(got);
  if (value == want.value)
    return 0.0;
  if (std::isnan(got))
    return std::numeric_limits<double>::infinity();
  auto const most = static_cast<R>(std::numeric_limits<T>::max());
  // The nearest number of type T may be infinite.
  if (std::isinf(got) || std::fabs(want.value) > most)
    return std::isinf(got) && std::fabs(want.value) >= most &&
                   std::signbit(got) == std::signbit(want.value)
               ? 0.0
               : std::numeric_limits<double>::infinity();
  return static_cast<double>(std::fabs(value - want.value) / (allowed_ulp * ulp_at<T>(want.scale)));
}

}  // namespace karpos::tools
