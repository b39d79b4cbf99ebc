// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/measurements.hpp"

#include "common/json.hpp"
#include "common/text.hpp"
#include "report/benchmarks.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string_view>

namespace karpos::tools {

namespace {

constexpr std::string_view own_way = "/karpos";

using facts = std::vector<std::pair<std::string, std::string>>;

void add_fact(facts& all, std::string name, std::vector<std::string> parts) {
  std::erase(parts, "");
  if (!parts.empty())
    all.emplace_back(std::move(name), join(parts, ", "));
}

// "label text", or nothing where there is no text.
std::string with(std::string_view label, std::string const& text, std::string_view after = "") {
  return text.empty() ? "" : concat(label, text, after);
}

// KOKKOS_VERSION: 50202 is 5.2.2.
std::string version_text(std::string const& text) {
  bool const is_number = text.size() > 4 && text.size() < 7 &&
                         text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number)
    return text;
  int const number = std::stoi(text);
  return concat(std::to_string(number / 10000), ".", std::to_string(number / 100 % 100), ".",
                std::to_string(number % 100));
}

std::string first_line(std::string const& text) { return text.substr(0, text.find('\n')); }

facts facts_of(benchmark_file const& file) {
  auto const get = [&](char const* name) { return context_of(file, name); };
  facts all;
  add_fact(all, "Machine",
           {get("host_name"), with("", get("num_cpus"), " processors"),
            with("", get("mhz_per_cpu"), " MHz")});
  add_fact(all, "Device",
           {get("device"), get("execution_space"), with("concurrency ", get("concurrency")),
            with("", get("host_threads"), " host threads")});
  add_fact(all, "BLAS", {get("blas"), with("", get("blas_threads"), " threads")});
  add_fact(all, "Versions",
           {with("Karpos ", get("karpos")), with("revision ", get("revision")),
            with("Kokkos ", version_text(get("kokkos"))),
            with("Google Benchmark ", get("library_version"))});
  add_fact(all, "Build", {get("compiler"), get("build_type")});
  add_fact(all, "Date", {get("date")});
  static std::set<std::string, std::less<>> const shown{"host_name",          "num_cpus",
                                                        "mhz_per_cpu",        "device",
                                                        "execution_space",    "concurrency",
                                                        "host_threads",       "blas",
                                                        "blas_threads",       "karpos",
                                                        "revision",           "kokkos",
                                                        "library_version",    "compiler",
                                                        "build_type",         "date",
                                                        "executable",         "library_build_type",
                                                        "json_schema_version"};
  for (auto const& [name, text] : file.context)
    if (!shown.contains(name))
      add_fact(all, name, {text});
  return all;
}

// A row has a way where a row of Karpos stands beside it: else its last part may be anything.
std::set<std::string, std::less<>> heads_with_karpos(benchmark_file const& file) {
  std::set<std::string, std::less<>> heads;
  for (auto const& row : file.rows) {
    auto const name = without_suffixes(row.name);
    if (name.size() > own_way.size() && name.ends_with(own_way))
      heads.insert(name.substr(0, name.size() - own_way.size()));
  }
  return heads;
}

measured_file measured(benchmark_file const& file) {
  measured_file m{file.path, {}, facts_of(file), {}};
  m.title = context_of(file, "host_name");
  if (auto const space = context_of(file, "execution_space"); !space.empty())
    m.title += ", " + space;
  auto const heads = heads_with_karpos(file);
  for (auto const& row : file.rows) {
    measurement one{without_suffixes(row.name),
                    {},
                    row.time_s,
                    row.spread,
                    row.bytes,
                    row.flops,
                    row.items,
                    row.of_floor,
                    row.error};
    auto const slash = one.name.rfind('/');
    if (slash != std::string::npos && heads.contains(one.name.substr(0, slash))) {
      one.parts = split_head(std::string_view(one.name).substr(0, slash));
      one.parts.way = one.name.substr(slash + 1);
    } else {
      one.parts = split_head(one.name);
    }
    m.rows.push_back(std::move(one));
  }
  return m;
}

std::string space_text(space_facts const& s) {
  std::vector<std::string> parts;
  if (s.device)
    parts = {s.device->name, with("driver ", s.device->driver),
             with("partition ", s.device->partition)};
  else
    parts = {concat(std::to_string(s.threads), s.threads == 1 ? " thread" : " threads")};
  parts.push_back(with("BLAS ", s.blas));
  std::erase(parts, "");
  return concat(s.name, ": ", join(parts, ", "));
}

facts facts_of(results const& r) {
  facts all;
  add_fact(all, "Machine",
           {r.machine.host, r.machine.cpu, concat(std::to_string(r.machine.cores), " cores"),
            r.machine.system});
  for (auto const& s : r.spaces)
    add_fact(all, s.device ? "Device" : "Host", {space_text(s)});
  add_fact(all, "Versions",
           {with("Karpos ", r.build.karpos), with("Kokkos ", r.build.kokkos),
            with("Kokkos Kernels ", r.build.kokkos_kernels)});
  add_fact(all, "Build", {r.build.compiler, r.build.device_compiler, r.build.build_type});
  add_fact(all, "Date", {r.date});
  return all;
}

std::string size_text(std::vector<std::int64_t> const& shape) {
  std::vector<std::string> parts;
  for (auto const n : shape)
    parts.push_back(std::to_string(n));
  return join(parts, "x");
}

measurement measured(problem const& p, measured_row const& row) {
  measurement one;
  one.parts = {row.operation, p.dtype, size_text(p.shape), row.name, row.space};
  one.name = join({row.operation, p.dtype, one.parts.size, row.space, row.name}, "/");
  one.time_s = row.compute.median_s;
  (row.unit == "GFLOP/s" ? one.flops : one.bytes) = 1e9 * row.rate;
  if (row.compute.samples > 1 && one.time_s > 0)
    one.spread = (row.compute.q3_s - row.compute.q1_s) / one.time_s;
  if (row.check.status == "fail")
    one.problem = with("check failed: ",
                       first_line(row.check.detail.empty() ? row.check.how : row.check.detail));
  return one;
}

measured_file measured(std::string const& path, results const& r) {
  measured_file m{path, r.machine.host, facts_of(r), {}};
  for (auto const& s : r.spaces)
    m.title += ", " + s.name;
  for (auto const& p : r.problems)
    for (auto const& row : p.rows)
      m.rows.push_back(measured(p, row));
  return m;
}

// Nothing real is outside these bounds, within which a chart can be drawn.
bool is_plausible(double value) { return value > 1e-30 && value < 1e30; }

measured_file without_absurd_values(measured_file file) {
  for (auto& m : file.rows) {
    if (!is_plausible(m.time_s))
      m.time_s = 0;
    for (auto const rate : {&measurement::bytes, &measurement::flops, &measurement::items})
      if (m.*rate && !is_plausible(*(m.*rate)))
        m.*rate = std::nullopt;
  }
  return file;
}

measured_file measured(std::string const& path, nlohmann::ordered_json const& json) {
  if (json.is_object() && json.contains("format"))
    return measured(path, results_of(path, json));
  if (json.is_object() && json.contains("context"))
    return measured(benchmarks_of(path, json));
  throw usage_error(path + " is neither of Google Benchmark (context is missing) nor of "
                           "karpos-compare (format is missing)");
}

}  // namespace

measured_file read_measurements(std::string const& path) {
  return without_absurd_values(measured(path, read_json(path)));
}

bool same_work(measurement const& a, measurement const& b) {
  return a.parts.family == b.parts.family && a.parts.dtype == b.parts.dtype &&
         a.parts.size == b.parts.size && a.parts.space == b.parts.space;
}

// Of rates before times: a baseline of karpos-compare may have done a part of the work.
std::optional<double> rate_ratio(measurement const& a, measurement const& b) {
  for (auto const rate : {&measurement::flops, &measurement::bytes, &measurement::items})
    if (a.*rate && b.*rate && *(b.*rate) > 0)
      return *(a.*rate) / *(b.*rate);
  if (a.time_s > 0 && b.time_s > 0)
    return b.time_s / a.time_s;
  return std::nullopt;
}

std::optional<double> intensity(measurement const& m) {
  if (!m.flops || !m.bytes || !(*m.bytes > 0) || !(*m.flops > 0))
    return std::nullopt;
  return *m.flops / *m.bytes;
}

std::string way_of(measurement const& m) {
  if (m.parts.space.empty())
    return m.parts.way;
  return concat(m.parts.way, " on ", m.parts.space);
}

}  // namespace karpos::tools
