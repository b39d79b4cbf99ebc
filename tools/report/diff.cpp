// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/diff.hpp"

#include "common/results.hpp"
#include "common/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace karpos::tools {

namespace {

// The machine and the backend. (The clock is measured anew in each run and is none of them.)
constexpr std::array<char const*, 6> facts_of_the_machine{
    "host_name", "num_cpus", "device", "execution_space", "concurrency", "host_threads"};

benchmark_row const* row_named(benchmark_file const& file, std::string const& name) {
  auto const found = std::ranges::find(file.rows, name, &benchmark_row::name);
  return found == file.rows.end() ? nullptr : &*found;
}

// A rate may fall by the noise, and a time grow by the spread.
double limit_of(compared_row const& row, double noise) {
  double const spread = std::max(row.old_spread.value_or(0), row.new_spread.value_or(0));
  return std::min(1 - noise, 1 / (1 + spread));
}

change change_of(compared_row const& row) {
  if (row.ratio < row.limit)
    return change::slower;
  if (row.ratio * row.limit > 1)  // what is slower when the files change places
    return change::faster;
  return change::none;
}

compared_row compared(benchmark_row const& before, benchmark_row const& after, double noise) {
  compared_row row;
  row.name = before.name;
  row.error = after.error.empty() ? before.error : after.error;
  row.old_s = before.time_s;
  row.new_s = after.time_s;
  row.old_spread = before.spread;
  row.new_spread = after.spread;
  row.limit = limit_of(row, noise);
  if (!row.error.empty()) {
    row.change = after.error.empty() ? change::failed_before : change::fails;
    return row;
  }
  row.ratio = before.time_s / after.time_s;
  row.change = change_of(row);
  return row;
}

std::vector<std::string> names_missing_in(benchmark_file const& other, benchmark_file const& file) {
  std::vector<std::string> names;
  for (auto const& row : file.rows)
    if (row_named(other, row.name) == nullptr)
      names.push_back(row.name);
  return names;
}

std::string shown(std::string const& text) { return text.empty() ? "nothing" : "'" + text + "'"; }

}  // namespace

void check_same_machine(benchmark_file const& before, benchmark_file const& after) {
  for (std::string const name : facts_of_the_machine) {
    auto const old_fact = context_of(before, name), new_fact = context_of(after, name);
    if (old_fact != new_fact)
      throw usage_error("different machines or backends: context." + name + " is " +
                        shown(old_fact) + " in " + before.path + " and " + shown(new_fact) +
                        " in " + after.path + " (--any-machine compares them)");
  }
}

comparison compare_benchmarks(benchmark_file before, benchmark_file after, double noise) {
  comparison c;
  c.noise = noise;
  for (auto const& row : before.rows)
    if (auto const* const other = row_named(after, row.name); other != nullptr)
      c.rows.push_back(compared(row, *other, noise));
  if (c.rows.empty())
    throw usage_error("nothing to compare: " + before.path + " and " + after.path +
                      " have no row in common");
  c.only_before = names_missing_in(after, before);
  c.only_after = names_missing_in(before, after);
  c.fell = std::ranges::any_of(c.rows, [](compared_row const& row) {
    return row.change == change::slower || row.change == change::fails;
  });
  c.before = std::move(before);
  c.after = std::move(after);
  return c;
}

}  // namespace karpos::tools
