// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A comparison of two benchmark files as text.
#include "common/table.hpp"
#include "common/text.hpp"
#include "report/diff.hpp"
#include "report/row_name.hpp"

#include <algorithm>
#include <array>
#include <ostream>

namespace karpos::tools {

namespace {

std::string percent(double part) { return number_text(100 * part) + " %"; }

std::string label(std::string const& name) { return one_line(without_suffixes(name)); }

std::string time_text(double seconds, std::optional<double> const& spread) {
  return duration_text(seconds) + (spread ? " +- " + percent(*spread / 2) : "");
}

std::string verdict_text(compared_row const& row) {
  switch (row.change) {
  case change::slower:
    return "SLOWER";
  case change::faster:
    return "faster";
  case change::fails:
    return "FAILS: " + one_line(row.error);
  case change::failed_before:
    return "failed before: " + one_line(row.error);
  case change::none:
    break;
  }
  return "";
}

void add_row(table& t, compared_row const& row) {
  auto const time = [](double s, auto const& spread) { return s > 0 ? time_text(s, spread) : "-"; };
  t.add_row({label(row.name), time(row.old_s, row.old_spread), time(row.new_s, row.new_spread),
             row.ratio > 0 ? number_text(row.ratio) : "-", number_text(row.limit),
             verdict_text(row)});
}

void print_table(std::ostream& out, comparison const& c) {
  table t;
  t.add_column("row", align::left);
  for (auto const* const title : {"old", "new", "ratio", "limit"})
    t.add_column(title);
  t.add_column("", align::left);
  for (auto const& row : c.rows)
    add_row(t, row);
  t.print(out);
}

void print_file(std::ostream& out, char const* which, benchmark_file const& file) {
  std::vector<std::string> parts{file.path, context_of(file, "host_name"),
                                 context_of(file, "execution_space"), context_of(file, "revision"),
                                 context_of(file, "date")};
  std::erase(parts, "");
  out << which << ": " << one_line(join(parts, ", ")) << '\n';
}

// What else may be the reason.
void print_other_facts(std::ostream& out, comparison const& c) {
  constexpr std::array<char const*, 12> facts{
      "host_name",    "num_cpus", "device",     "execution_space", "concurrency", "host_threads",
      "blas_threads", "compiler", "build_type", "kokkos",          "karpos",      "blas"};
  for (std::string const name : facts) {
    auto const before = context_of(c.before, name), after = context_of(c.after, name);
    if (before != after)
      out << "differs: " << name << ": " << one_line(before) << " -> " << one_line(after) << '\n';
  }
}

void print_band(std::ostream& out, comparison const& c) {
  auto const has_spread = [](compared_row const& row) { return row.old_spread || row.new_spread; };
  auto const is_wider = [&](compared_row const& row) { return row.limit < 1 - c.noise; };
  auto const is_noisy = [](compared_row const& row) { return row.limit < 0.5; };
  out << "ratio: old time over new time; a row below its limit is slower. Noise band: "
      << percent(c.noise);
  if (std::ranges::none_of(c.rows, has_spread)) {
    out << "; no row has repetitions.\n";
    return;
  }
  out << ", or the spread of the repetitions where that is larger: "
      << std::ranges::count_if(c.rows, is_wider) << " of " << c.rows.size() << " rows.\n";
  if (auto const noisy = std::ranges::count_if(c.rows, is_noisy); noisy > 0)
    out << noisy << (noisy == 1 ? " row spreads" : " rows spread")
        << " so much that half the rate would pass.\n";
}

void print_only(std::ostream& out, std::string const& path, std::vector<std::string> const& names) {
  for (auto const& name : names)
    out << "only in " << one_line(path) << ": " << label(name) << '\n';
}

void print_verdict(std::ostream& out, comparison const& c) {
  auto const count = [&](change what) {
    return std::ranges::count(c.rows, what, &compared_row::change);
  };
  out << c.rows.size() << " rows compared: " << count(change::slower) << " slower, "
      << count(change::faster) << " faster, " << count(change::fails) << " failing\n";
  for (auto const& row : c.rows) {
    if (row.change == change::slower)
      out << "slower: " << label(row.name) << ": " << number_text(row.ratio)
          << " of the old rate\n";
    if (row.change == change::fails)
      out << "fails: " << label(row.name) << ": " << one_line(row.error) << '\n';
  }
}

}  // namespace

void print_comparison(std::ostream& out, comparison const& c) {
  print_file(out, "old", c.before);
  print_file(out, "new", c.after);
  print_other_facts(out, c);
  out << '\n';
  print_table(out, c);
  out << '\n';
  print_only(out, c.before.path, c.only_before);
  print_only(out, c.after.path, c.only_after);
  print_band(out, c);
  print_verdict(out, c);
}

}  // namespace karpos::tools
