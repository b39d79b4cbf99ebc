// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// measure: the time of a piece of work on an execution space instance, as median and quartiles.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/spaces.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

namespace karpos::inline KARPOS_ABI::bench {

/// How long and how often measure() runs the work.
struct measure_options {
  int warm_up = 2;            ///< calls after the first that count for nothing
  int samples = 25;           ///< samples taken when there is time for them
  int least_samples = 3;      ///< samples taken in any case
  double budget = 1.0;        ///< seconds after which no further warm-up call or sample begins
  double sample_time = 1e-3;  ///< a sample repeats a shorter call until it is this long, in seconds
};

/// Times of one call, in seconds. The quartiles are interpolated as NumPy's percentile does.
struct measurement {
  double first = 0;  ///< the very first call: set-up of libraries, loading of kernels, first touch
  double median = 0;
  double q1 = 0, q3 = 0;
  double min = 0;
  int warm_up = 0;
  int samples = 0;
  int repeats = 1;  ///< calls in one sample

  /// Half the distance of the quartiles over the median.
  [[nodiscard]] double spread() const { return median > 0 ? 0.5 * (q3 - q1) / median : 0.0; }
};

namespace detail {

inline void check_options(measure_options const& o) {
  if (o.warm_up < 0 || o.least_samples < 1 || o.samples < o.least_samples || !(o.budget >= 0) ||
      !(o.sample_time >= 0))
    throw argument_error("karpos::bench::measure: samples >= least_samples >= 1, warm_up, budget "
                         "and sample_time >= 0: got " +
                         std::to_string(o.samples) + ", " + std::to_string(o.least_samples) + ", " +
                         std::to_string(o.warm_up) + ", " + std::to_string(o.budget) + ", " +
                         std::to_string(o.sample_time));
}

/// Seconds that `calls` calls of f take, from an idle instance to an idle instance.
template <class Exec, class F>
double time_calls(Exec const& exec, F& f, int calls) {
  using clock = std::chrono::steady_clock;
  exec.fence("karpos::bench::measure: before");
  auto const begin = clock::now();
  for (int i = 0; i < calls; ++i)
    f();
  exec.fence("karpos::bench::measure: after");
  return std::chrono::duration<double>(clock::now() - begin).count();
}

/// The p-quantile of sorted values.
inline double quantile(std::vector<double> const& sorted, double p) {
  double const at = p * static_cast<double>(sorted.size() - 1);
  auto const below = static_cast<std::size_t>(at);
  auto const above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

inline int repeats_for(double call, double sample_time) {
  constexpr double most = 10000;
  return static_cast<int>(std::clamp(std::ceil(sample_time / std::max(call, 1e-9)), 1.0, most));
}

inline void summarise(measurement& m, std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  m.samples = static_cast<int>(times.size());
  m.min = times.front();
  m.q1 = detail::quantile(times, 0.25);
  m.median = detail::quantile(times, 0.5);
  m.q3 = detail::quantile(times, 0.75);
}

}  // namespace detail

/// Times f(), which queues work on `exec` (or waits for it): the first call alone, warm-up calls,
/// then samples with a fence of `exec` before and after each. Work on other instances is not waited
/// for. Fences.
/// @throws argument_error for options that make no sense; whatever f throws.
///
///     auto const t = karpos::bench::measure(exec, [&] { karpos::assign(exec, y, 2.0 * x + y); });
///     std::cout << t.median << " s\n";
template <execution_space Exec, std::invocable F>
[[nodiscard]] measurement measure(Exec const& exec, F&& f, measure_options const& options = {}) {
  detail::check_options(options);
  measurement m;
  m.first = detail::time_calls(exec, f, 1);
  double call = m.first, warming = 0;
  for (; m.warm_up < options.warm_up && warming < options.budget; ++m.warm_up) {
    double const time = detail::time_calls(exec, f, 1);
    warming += time;
    call = std::min(call, time);
  }
  if (options.sample_time > call)
    call = std::min(call, detail::time_calls(exec, f, 1));
  m.repeats = detail::repeats_for(call, options.sample_time);
  std::vector<double> times;
  double spent = 0;
  while (static_cast<int>(times.size()) < options.least_samples ||
         (static_cast<int>(times.size()) < options.samples && spent < options.budget)) {
    double const sample = detail::time_calls(exec, f, m.repeats);
    spent += sample;
    times.push_back(sample / m.repeats);
  }
  detail::summarise(m, times);
  return m;
}

}  // namespace karpos::inline KARPOS_ABI::bench
