// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compare: one piece of code timed on every execution space of the build, as a table.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/bench/measure.hpp>

#include <cstddef>
#include <cstdio>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace karpos::inline KARPOS_ABI::bench {

/// What one call does, for the rates: bytes that must move (each input and output once),
/// floating-point operations. 0: not told.
struct work {
  double bytes = 0;
  double flops = 0;
};

struct compare_options {
  bench::work work{};
  std::string baseline{};  ///< name of the space that speed-ups refer to; empty: the first one
                           ///< (host-parallel)
  measure_options measure{};
};

/// One execution space's times.
struct compared_space {
  std::string space;
  measurement time;
  double gb_per_s = 0;     ///< 0 where the bytes were not told
  double gflop_per_s = 0;  ///< 0 where the operations were not told
  double speed_up = 1;
};

/// The table of compare(): one entry for each execution space of the build.
struct comparison {
  std::vector<compared_space> spaces;
  std::string baseline;

  /// The entry of a space. @throws argument_error when the build has no such space.
  [[nodiscard]] compared_space const& operator[](std::string const& space) const {
    std::string names;
    for (auto const& s : spaces) {
      if (s.space == space)
        return s;
      names += (names.empty() ? "" : ", ") + s.space;
    }
    throw argument_error("karpos::bench::compare: no space '" + space +
                         "' in this build, which has " + names);
  }
};

namespace detail {

template <class Exec, class Make>
compared_space compare_on(Make& make, compare_options const& options) {
  Exec const exec{};
  auto body = make(exec);
  static_assert(std::is_invocable_v<decltype(body)&>,
                "karpos::bench::compare: make(exec) must return something to call without "
                "arguments: the work to time");
  compared_space entry{.space = kokkos_ext::space_name<Exec>(),
                       .time = measure(exec, body, options.measure)};
  entry.gb_per_s = options.work.bytes / entry.time.median * 1e-9;
  entry.gflop_per_s = options.work.flops / entry.time.median * 1e-9;
  return entry;
}

inline void set_speed_ups(comparison& c) {
  double const base = c[c.baseline].time.median;
  for (auto& s : c.spaces)
    s.speed_up = base / s.time.median;
}

}  // namespace detail

/// Calls make(exec) for an instance of every execution space of the build; what it returns is
/// called, timed with measure() and destroyed before the next space. Speed-ups refer to
/// options.baseline. Fences.
/// @throws argument_error when the build has no space of the baseline's name.
///
///     auto const table = karpos::bench::compare([&](auto const& exec) {
///       using space = std::remove_cvref_t<decltype(exec)>;
///       return [exec, x = karpos::to<space>(host_x), y = karpos::to<space>(host_y)]() mutable {
///         karpos::assign(exec, y, 2.0 * x + y);
///       };
///     }, {.work = {.bytes = 24.0 * n, .flops = 2.0 * n}});
///     std::cout << table;
template <class Make>
[[nodiscard]] comparison compare(Make&& make, compare_options const& options = {}) {
  comparison c;
  kokkos_ext::for_each_space([&]<class Exec>(std::type_identity<Exec>) {
    c.spaces.push_back(detail::compare_on<Exec>(make, options));
  });
  c.baseline = options.baseline.empty() ? c.spaces.front().space : options.baseline;
  detail::set_speed_ups(c);
  return c;
}

/// One line for each space: first call, median, quartiles, rates where they are known, speed-up.
[[nodiscard]] inline std::string to_string(comparison const& c) {
  constexpr std::size_t room = 256;
  char line[room];
  std::string text =
      "space         first/us   median/us       q1/us       q3/us      GB/s   GFLOP/s  speed-up\n";
  for (auto const& s : c.spaces) {
    std::snprintf(line, room, "%-10s %11.2f %11.2f %11.2f %11.2f %9.1f %9.1f %8.2fx\n",
                  s.space.c_str(), s.time.first * 1e6, s.time.median * 1e6, s.time.q1 * 1e6,
                  s.time.q3 * 1e6, s.gb_per_s, s.gflop_per_s, s.speed_up);
    text += line;
  }
  return text;
}
inline std::ostream& operator<<(std::ostream& out, comparison const& c) {
  return out << bench::to_string(c);
}

}  // namespace karpos::inline KARPOS_ABI::bench
