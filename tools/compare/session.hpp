// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rows of all operations share: which spaces run, how they are timed, how a row is written
// down.
#pragma once
#include "common/results.hpp"
#include "compare/options.hpp"
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/bench/measure.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/ops/transfer.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace karpos::tools {

struct session {
  compare_options const& options;
  results& found;
  std::string baseline;  ///< the space that speed-ups refer to

  [[nodiscard]] bench::measure_options timing_options() const {
    return {.warm_up = options.warm_up, .samples = options.samples, .budget = options.budget};
  }
  /// For work of which one call may take as long as the whole budget.
  [[nodiscard]] bench::measure_options short_options() const {
    return {.warm_up = 0, .samples = options.samples, .budget = options.budget, .sample_time = 0};
  }
  [[nodiscard]] bool runs_on(std::string const& space) const {
    return std::ranges::any_of(found.spaces, [&](space_facts const& s) { return s.name == space; });
  }
  /// The space whose result -o writes.
  [[nodiscard]] std::string const& output_space() const {
    return options.from.empty() ? baseline : options.from;
  }
};

[[nodiscard]] inline timing as_timing(bench::measurement const& m) {
  return {m.first, m.warm_up, m.samples, m.repeats, m.median, m.q1, m.q3, m.min};
}

/// amount: operations or bytes of one call.
template <class Exec>
[[nodiscard]] measured_row make_row(std::string operation, std::string name,
                                    bench::measurement const& m, double amount, std::string unit) {
  measured_row row;
  row.space = kokkos_ext::space_name<Exec>();
  row.operation = std::move(operation);
  row.name = std::move(name);
  row.compute = as_timing(m);
  row.rate = amount / m.median * 1e-9;
  row.unit = std::move(unit);
  return row;
}

/// f.template operator()<Exec>() for each space that this run uses.
template <class F>
void for_each_chosen_space(session const& s, F&& f) {
  kokkos_ext::for_each_space([&]<class Exec>(std::type_identity<Exec>) {
    if (s.runs_on(kokkos_ext::space_name<Exec>()))
      f.template operator()<Exec>();
  });
}

/// Seconds for moving `source` over to `target`; nothing where both are the host's memory.
template <class Exec, class Target, class Source>
[[nodiscard]] std::optional<double> transfer_time(session const& s, Target&& target,
                                                  Source const& source) {
  if constexpr (kokkos_ext::is_device_space<Exec>) {
    auto options = s.short_options();
    options.samples = 5;
    Exec const exec;
    return bench::measure(exec, [&] { karpos::copy(exec, target, source); }, options).median;
  } else {
    return std::nullopt;
  }
}

}  // namespace karpos::tools
