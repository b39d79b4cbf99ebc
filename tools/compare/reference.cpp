// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled without contraction to fused multiply-add and without reassociation: the error terms
// below are exact.
#include "compare/reference.hpp"

#include "common/text.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace karpos::tools {

namespace {

constexpr index sampled_rows = 64, column_blocks = 64;
constexpr index tile = 512;  // columns whose sums stay in the first-level cache

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

double sign_of(index column) {
  return (mixed(static_cast<std::uint64_t>(column)) & 1) != 0 ? 1.0 : -1.0;
}

// a = high + low with at most 26 bits each, so that products of parts are exact (Veltkamp).
struct parts {
  double high, low;
};
inline parts split(double a) {
  double const c = 134217729.0 * a;
  double const high = c - (c - a);
  return {high, a - high};
}

// sum + carry += a * b, with the error of the product (Dekker) and of the sum (Knuth).
inline void add_product(double& sum, double& carry, parts a, double product, double b) {
  auto const [high, low] = split(b);
  double const product_error =
      ((a.high * high - product) + a.high * low + a.low * high) + a.low * low;
  double const total = sum + product;
  double const virtual_product = total - sum;
  double const sum_error = (sum - (total - virtual_product)) + (product - virtual_product);
  sum = total;
  carry += sum_error + product_error;
}

struct tile_sums {
  double sum[tile], carry[tile], bound[tile];
};

template <class T>
void add_row(tile_sums& s, T a, T const* b, index count) {
  auto const value = static_cast<double>(a);
  double const size = std::fabs(value);
  if constexpr (std::is_same_v<T, float>) {  // products are exact, sums have 29 bits to spare
    for (index j = 0; j < count; ++j) {
      double const x = b[j];
      s.sum[j] += value * x;
      s.bound[j] += size * std::fabs(x);
    }
  } else {
    auto const a_parts = split(value);
    for (index j = 0; j < count; ++j) {
      add_product(s.sum[j], s.carry[j], a_parts, value * b[j], b[j]);
      s.bound[j] += size * std::fabs(b[j]);
    }
  }
}

std::string wrong_place(std::string const& what, double got, double wanted, double allowed) {
  return what + " is " + exact_text(got) + ", should be " + exact_text(wanted) + " +- " +
         number_text(allowed);
}

std::string pair_text(index i, index j) {
  return concat("(", std::to_string(i), ", ", std::to_string(j), ")");
}

// How far off, in units of what is allowed. An overflow of the sum counts as right when the exact
// sum overflows T too.
template <class T>
double error_ratio(double got, double wanted, double allowed) {
  double const off = std::fabs(got - wanted);
  if (off <= allowed)
    return allowed > 0 ? off / allowed : 0.0;
  bool const overflows =
      std::fabs(wanted) + allowed >= static_cast<double>(std::numeric_limits<T>::max());
  if (!std::isfinite(got) && overflows &&
      (std::isnan(got) || std::signbit(got) == std::signbit(wanted)))
    return 0.0;
  return allowed > 0 && std::isfinite(off) ? off / allowed
                                           : std::numeric_limits<double>::infinity();
}

}  // namespace

template <class T>
product_reference<T>::product_reference(T const* a, T const* b, index m, index k, index n,
                                        index full_check_size, parallel_runner run)
    : a_(a), b_(b), m_(m), k_(k), n_(n), run_(std::move(run)) {
  choose_rows(full_check_size);
  sums_.resize(rows_.size() * static_cast<std::size_t>(n_));
  bounds_.resize(sums_.size());
  run_(static_cast<index>(rows_.size()), [this](index i) { sum_row(static_cast<std::size_t>(i)); });
  if (folded_)
    fold_b();
}

template <class T>
void product_reference<T>::choose_rows(index full_check_size) {
  auto const limit = std::pow(static_cast<double>(full_check_size), 3);
  double const work = static_cast<double>(m_) * static_cast<double>(k_) * static_cast<double>(n_);
  folded_ = work > limit && m_ > sampled_rows;
  index const count = folded_ ? sampled_rows : m_;
  // One row of each of `count` equal bands, at a place of its own in each, so that no period of the
  // result is met.
  for (index i = 0; i < count; ++i) {
    index const begin = i * m_ / count, end = (i + 1) * m_ / count;
    auto const offset = static_cast<index>(mixed(static_cast<std::uint64_t>(i)) %
                                           static_cast<std::uint64_t>(end - begin));
    rows_.push_back(i == 0 ? 0 : i + 1 == count ? m_ - 1 : begin + offset);
  }
}

template <class T>
void product_reference<T>::sum_row(std::size_t sample) {
  T const* const a = a_ + rows_[sample] * k_;
  auto const offset = sample * static_cast<std::size_t>(n_);
  for (index first = 0; first < n_; first += tile) {
    index const count = std::min(tile, n_ - first);
    tile_sums s{};
    for (index i = 0; i < k_; ++i)
      add_row(s, a[i], b_ + i * n_ + first, count);
    for (index j = 0; j < count; ++j) {
      auto const at = offset + static_cast<std::size_t>(first + j);
      double const sum = s.sum[j] + s.carry[j];
      sums_[at] =
          std::isfinite(sum) ? sum : s.sum[j];  // splitting overflows near the end of the range
      bounds_[at] = s.bound[j];
    }
  }
}

template <class T>
void product_reference<T>::fold_b() {
  blocks_ = std::min(column_blocks, n_);
  b_folded_.resize(static_cast<std::size_t>(k_ * blocks_));
  b_norms_.resize(b_folded_.size());
  run_(k_, [this](index i) {
    for (index g = 0; g < blocks_; ++g) {
      double sum = 0, squares = 0;
      for (index j = block_begin(g); j < block_begin(g + 1); ++j) {
        auto const x = static_cast<double>(b_[i * n_ + j]);
        sum += sign_of(j) * x;
        squares += x * x;
      }
      b_folded_[static_cast<std::size_t>(i * blocks_ + g)] = sum;
      b_norms_[static_cast<std::size_t>(i * blocks_ + g)] = std::sqrt(squares);
    }
  });
  sums_folded_.resize(static_cast<std::size_t>(m_ * blocks_));
  limits_.resize(sums_folded_.size());
  run_(m_, [this](index i) { fold_row(i); });
}

template <class T>
void product_reference<T>::fold_row(index row) {
  double* const sums = sums_folded_.data() + row * blocks_;
  double* const limits = limits_.data() + row * blocks_;
  for (index i = 0; i < k_; ++i) {
    auto const a = static_cast<double>(a_[row * k_ + i]);
    double const* const folded = b_folded_.data() + i * blocks_;
    double const* const norms = b_norms_.data() + i * blocks_;
    for (index g = 0; g < blocks_; ++g) {
      sums[g] += a * folded[g];
      limits[g] += std::fabs(a) * norms[g];
    }
  }
}

template <class T>
auto product_reference<T>::compare_row(T const* c, std::size_t sample) const -> finding {
  finding worst;
  index const row = rows_[sample];
  for (index j = 0; j < n_; ++j) {
    auto const at = sample * static_cast<std::size_t>(n_) + static_cast<std::size_t>(j);
    auto const got = static_cast<double>(c[row * n_ + j]);
    double const allowed = tolerance() * bounds_[at];
    double const ratio = error_ratio<T>(got, sums_[at], allowed);
    keep_worse(worst, {ratio, row, j, got, sums_[at], allowed, !(ratio <= 1)});
  }
  return worst;
}

template <class T>
auto product_reference<T>::compare_folded_row(T const* c, index row) const -> finding {
  constexpr double hoeffding = 4;
  finding worst;
  for (index g = 0; g < blocks_; ++g) {
    auto const at = static_cast<std::size_t>(row * blocks_ + g);
    double sum = 0;
    for (index j = block_begin(g); j < block_begin(g + 1); ++j)
      sum += sign_of(j) * static_cast<double>(c[row * n_ + j]);
    double const allowed = hoeffding * tolerance() * limits_[at];
    double const ratio = error_ratio<T>(sum, sums_folded_[at], allowed);
    keep_worse(worst, {ratio, row, g, sum, sums_folded_[at], allowed, !(ratio <= 1)});
  }
  return worst;
}

template <class T>
void product_reference<T>::keep_worse(finding& worst, finding const& other) {
  if (worst.row < 0 || !(other.worst <= worst.worst))
    worst = other;
}

template <class T>
verdict product_reference<T>::check(T const* c, index rows) const {
  std::vector<finding> by_row(rows_.size()), folded(folded_ ? static_cast<std::size_t>(rows) : 0);
  run_(static_cast<index>(by_row.size()), [&](index i) {
    auto const s = static_cast<std::size_t>(i);
    if (rows_[s] < rows)
      by_row[s] = compare_row(c, s);
  });
  run_(static_cast<index>(folded.size()),
       [&](index i) { folded[static_cast<std::size_t>(i)] = compare_folded_row(c, i); });
  finding worst, worst_folded;
  index compared = 0;
  for (auto const& f : by_row) {
    if (f.row < 0)
      continue;
    keep_worse(worst, f);
    ++compared;
  }
  for (auto const& f : folded)
    keep_worse(worst_folded, f);

  verdict v;
  v.status = worst.failed || worst_folded.failed ? "fail" : "pass";
  double const most = std::max(worst.worst, worst_folded.worst);
  if (std::isfinite(most))
    v.worst = most;
  v.how = std::to_string(compared) + " of " + std::to_string(rows) + " rows within 4 k eps |A||B|" +
          (folded_ ? ", all rows by Freivalds" : "");
  if (worst.failed) {
    v.detail = wrong_place(concat("C", pair_text(worst.row, worst.column)), worst.got, worst.wanted,
                           worst.allowed);
  } else if (worst_folded.failed) {
    v.detail = wrong_place(concat("Freivalds: row ", std::to_string(worst_folded.row), ", columns ",
                                  std::to_string(block_begin(worst_folded.column)), " to ",
                                  std::to_string(block_begin(worst_folded.column + 1) - 1),
                                  ": the signed sum"),
                           worst_folded.got, worst_folded.wanted, worst_folded.allowed);
  }
  return v;
}

template <class T>
index product_reference<T>::element_in_row(bool sampled) const {
  index row = rows_[rows_.size() / 2];
  if (!sampled && folded_)
    for (row = 0; std::ranges::binary_search(rows_, row);)
      ++row;
  return row * n_ + n_ / 2;
}

template class product_reference<float>;
template class product_reference<double>;

}  // namespace karpos::tools
