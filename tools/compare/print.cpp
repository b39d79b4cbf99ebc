// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/print.hpp"

#include "common/table.hpp"
#include "common/text.hpp"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace karpos::tools {

namespace {

std::string counted(int count, std::string const& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string machine_text(machine_facts const& m) {
  std::vector<std::string> parts{m.host, m.cpu};
  if (m.sockets > 0)
    parts.push_back(counted(m.sockets, "socket") + ", " + counted(m.cores, "core"));
  parts.push_back(counted(m.hardware_threads, "hardware thread") + " (allowed: " + m.allowed_cpus +
                  ")");
  parts.push_back(bytes_text(m.memory_bytes));
  if (m.cpu_mhz > 0)
    parts.push_back(number_text(m.cpu_mhz / 1e3) + " GHz" +
                    (m.governor.empty() ? "" : " " + m.governor));
  return join(parts, ", ");
}

std::string build_text(build_facts const& b) {
  std::vector<std::string> parts{"Karpos " + b.karpos,
                                 "Kokkos " + b.kokkos + " (" + join(b.spaces, ", ") + ")"};
  if (!b.kokkos_kernels.empty())
    parts.push_back("Kokkos Kernels " + b.kokkos_kernels);
  for (auto const& text : {b.compiler, b.device_compiler, b.build_type + " " + b.flags})
    if (!trimmed(text).empty())
      parts.push_back(trimmed(text));
  return join(parts, ", ");
}

std::string device_text(device const& d) {
  std::vector<std::string> parts{d.name};
  if (!d.partition.empty())
    parts.push_back("partition " + d.partition);
  if (d.multiprocessors > 0)
    parts.push_back(counted(d.multiprocessors, "multiprocessor"));
  if (d.memory_bytes > 0)
    parts.push_back(bytes_text(d.memory_bytes));
  if (!d.driver.empty())
    parts.push_back("driver " + d.driver);
  if (d.max_clock_mhz > 0)
    parts.push_back(number_text(d.clock_mhz) + " of " + number_text(d.max_clock_mhz) + " MHz");
  return join(parts, ", ");
}

std::string space_text(space_facts const& s) {
  std::vector<std::string> parts;
  if (s.device)
    parts.push_back(device_text(*s.device));
  if (s.threads > 0)
    parts.push_back(counted(s.threads, "thread") + " on processors " + s.binding);
  parts.push_back("products: " + s.blas +
                  (s.blas_threads > 0 ? ", " + counted(s.blas_threads, "thread") : ""));
  return join(parts, "; ");
}

std::string percent_text(std::optional<double> const& value) {
  return value ? number_text(*value) : "-";
}

std::string time_text(std::optional<double> const& seconds) {
  return seconds ? duration_text(*seconds) : "-";
}

std::string quartiles_text(timing const& t) {
  return duration_text(t.q1_s) + " .. " + duration_text(t.q3_s);
}

std::string samples_text(timing const& t) {
  return std::to_string(t.samples) + (t.repeats > 1 ? " x " + std::to_string(t.repeats) : "");
}

std::string check_text(verdict const& v) {
  if (v.status == "none")
    return "not checked";
  char const* const word = v.status == "pass" ? "PASS" : "FAIL";
  return v.worst ? concat(word, " ", number_text(*v.worst)) : word;
}

bool any_transfer(problem const& p) {
  return std::ranges::any_of(p.rows,
                             [](measured_row const& r) { return r.to_space_s || r.from_space_s; });
}

table problem_table(problem const& p) {
  bool const transfers = any_transfer(p), gemm = p.operation == "matmul";
  table t;
  t.add_column("space", align::left);
  if (!gemm)
    t.add_column("operation", align::left);
  t.add_column("row", align::left);
  for (char const* title : {"first call", "median", "quartiles", "n"})
    t.add_column(title);
  if (transfers)
    for (char const* title : {"to space", "from space"})
      t.add_column(title);
  t.add_column("rate");
  t.add_column("% copy");
  if (gemm)
    t.add_column("% GEMM");
  t.add_column("speed-up");
  t.add_column("check", align::left);
  t.add_column("path", align::left);
  std::string group;
  for (auto const& r : p.rows) {
    if (!group.empty() && group != r.space)
      t.add_gap();
    group = r.space;
    std::vector<std::string> cells{r.space};
    if (!gemm)
      cells.push_back(r.operation);
    cells.insert(cells.end(),
                 {r.name, duration_text(r.compute.first_s), duration_text(r.compute.median_s),
                  quartiles_text(r.compute), samples_text(r.compute)});
    if (transfers)
      cells.insert(cells.end(), {time_text(r.to_space_s), time_text(r.from_space_s)});
    cells.push_back(rate_text(r.rate, r.unit));
    cells.push_back(percent_text(r.percent_of_copy));
    if (gemm)
      cells.push_back(percent_text(r.percent_of_gemm));
    cells.insert(cells.end(),
                 {r.speed_up ? number_text(*r.speed_up) + "x" : "-", check_text(r.check), r.path});
    t.add_row(std::move(cells));
  }
  return t;
}

}  // namespace

void print_facts(std::ostream& out, results const& r) {
  out << "machine      " << machine_text(r.machine) << "\nbuild        " << build_text(r.build)
      << '\n';
  for (auto const& s : r.spaces) {
    std::string name = s.name;
    name.resize(std::max<std::size_t>(name.size() + 1, 13), ' ');
    out << name << space_text(s) << '\n';
  }
  std::vector<std::string> settings;
  for (auto const& [name, value] : r.environment)
    settings.push_back(one_line(name + "=" + value));
  if (!settings.empty())
    out << "environment  " << join(settings, " ") << '\n';
}

void print_peaks(std::ostream& out, results const& r, std::string const& dtype) {
  out << '\n';
  for (auto const& p : r.peaks)
    if (p.dtype == dtype)
      out << "100 % on " << p.space << ", " << p.dtype << ": copy "
          << rate_text(p.copy_gb_per_s, "GB/s") << " (" << p.copy_method << "), GEMM "
          << rate_text(p.gemm_gflop_per_s, "GFLOP/s") << " (" << p.gemm_method << ")\n";
}

void print_problem(std::ostream& out, results const&, problem const& p) {
  std::vector<std::string> parts;
  for (auto const& in : p.inputs)
    parts.push_back(in.name + " " + shape_text(in.shape) + " " + one_line(in.source));
  out << '\n'
      << problem_title(p) << ": " << join(parts, ", ") << "; input " << p.input_hash << "\n\n";
  problem_table(p).print(out);
}

void print_verdict(std::ostream& out, results const& r) {
  out << "\nfirst call: the first in this process, set-up included; n: samples x calls in each; "
         "check: largest error over what is allowed;\nspeed-up: against Karpos on the baseline; "
         "over 100 "
         "% copy: the arrays fit a cache\n\n";
  for (auto const& p : r.problems)
    for (auto const& row : p.rows)
      if (row.check.status == "fail")
        out << "FAIL " << problem_title(p) << ", " << row.space << ", " << row.operation << ", "
            << row.name << ": " << row.check.detail << '\n';
  if (!r.passed)
    return;
  std::vector<std::string> how;
  for (auto const& p : r.problems) {
    auto const passed =
        std::ranges::find(p.rows, "pass", [](measured_row const& row) { return row.check.status; });
    if (passed != p.rows.end() && std::ranges::find(how, passed->check.how) == how.end())
      how.push_back(passed->check.how);
  }
  out << "PASS: " << join(how, "; ") << '\n';
}

}  // namespace karpos::tools
