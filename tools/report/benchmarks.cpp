// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/benchmarks.hpp"

#include "common/files.hpp"
#include "common/json_field.hpp"
#include "common/results.hpp"
#include "report/quantile.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>

namespace karpos::tools {

namespace {

// Several spellings of a counter: those of bench/common.hpp and those of Google Benchmark itself.
constexpr std::array<char const*, 2> names_of_bytes{"bytes/s", "bytes_per_second"};
constexpr std::array<char const*, 2> names_of_flops{"flop/s", "flops_per_second"};
constexpr std::array<char const*, 1> names_of_floor{"of_floor"};
constexpr std::array<char const*, 2> names_of_items{"items/s", "items_per_second"};

// The quartiles of a normal distribution are this many standard deviations apart.
constexpr double quartiles_per_deviation = 1.349;

struct counters {
  std::vector<double> bytes, flops, items, of_floor;
};

// All entries of one row.
struct entries {
  std::string name;
  std::vector<double> times;
  counters of_times;
  std::map<std::string, double> aggregates;  // by aggregate_name, of the times
  counters of_aggregate;
  std::string error;
};

std::string text_or(json_field const& object, std::string const& name, std::string fallback) {
  if (object.value().contains(name))
    read(object.member(name), fallback);
  return fallback;
}

bool is_true(json_field const& object, std::string const& name) {
  bool value = false;
  if (object.value().contains(name))
    read(object.member(name), value);
  return value;
}

[[noreturn]] void refuse_word(json_field const& field, std::string const& known) {
  throw field_error(field.place() + ": " + field.value().dump() + " instead of one of " + known);
}

double seconds_per_unit(json_field const& unit) {
  static std::map<std::string, double> const units{
      {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}};
  std::string name;
  read(unit, name);
  auto const found = units.find(name);
  if (found == units.end())
    refuse_word(unit, "ns, us, ms, s");
  return found->second;
}

double time_of(json_field const& entry) {
  double value = 0;
  read(entry.member("real_time"), value);
  return value * seconds_per_unit(entry.member("time_unit"));
}

double positive_time_of(json_field const& entry) {
  double const time = time_of(entry);
  auto const field = entry.member("real_time");
  field.must_be("a time above 0", time > 0);
  return time;
}

template <std::size_t N>
void add_counter(json_field const& entry, std::array<char const*, N> const& names,
                 std::vector<double>& values) {
  for (auto const* const name : names) {
    if (!entry.value().contains(name))
      continue;
    std::optional<double> value;
    read(entry.member(name), value);
    if (value && *value > 0)
      values.push_back(*value);
    return;
  }
}

void add_counters(json_field const& entry, counters& c) {
  add_counter(entry, names_of_bytes, c.bytes);
  add_counter(entry, names_of_flops, c.flops);
  add_counter(entry, names_of_items, c.items);
  add_counter(entry, names_of_floor, c.of_floor);
}

// "cv" is a ratio, the others have the row's unit. The rest ("BigO", one's own) says nothing here.
void add_aggregate(json_field const& entry, entries& row) {
  std::string name;
  read(entry.member("aggregate_name"), name);
  if (name == "cv") {
    std::optional<double> ratio;
    read(entry.member("real_time"), ratio);
    row.aggregates[name] = ratio.value_or(0);
  } else if (name == "stddev") {
    row.aggregates[name] = time_of(entry);
  } else if (name == "median" || name == "mean") {
    row.aggregates[name] = positive_time_of(entry);
    if (name == "mean" && row.aggregates.contains("median"))
      return;
    row.of_aggregate = {};
    add_counters(entry, row.of_aggregate);
  }
}

void add_entry(json_field const& entry, entries& row) {
  auto const type = text_or(entry, "run_type", "iteration");
  if (type != "iteration" && type != "aggregate")
    refuse_word(entry.member("run_type"), "iteration, aggregate");
  if (is_true(entry, "error_occurred")) {
    row.error = text_or(entry, "error_message", "");
    if (row.error.empty())
      row.error = "an error without a message";
  } else if (type == "aggregate") {
    add_aggregate(entry, row);
  } else if (!is_true(entry, "skipped")) {
    row.times.push_back(positive_time_of(entry));
    add_counters(entry, row.of_times);
  }
}

std::vector<entries> entries_of(json_field const& list) {
  std::vector<entries> all;
  std::map<std::string, std::size_t> places;
  for (auto const& entry : list.elements()) {
    std::string name;
    read(entry.member("name"), name);
    name = text_or(entry, "run_name", name);
    auto const [place, is_new] = places.emplace(name, all.size());
    if (is_new)
      all.emplace_back().name = name;
    add_entry(entry, all[place->second]);
  }
  return all;
}

std::optional<double> middle(std::vector<double> const& values) {
  if (values.empty())
    return std::nullopt;
  return quantile(values, 0.5);
}

void set_counters(benchmark_row& row, counters const& c) {
  row.bytes = middle(c.bytes);
  row.flops = middle(c.flops);
  row.items = middle(c.items);
  row.of_floor = middle(c.of_floor);
}

void set_from_repetitions(benchmark_row& row, entries const& e) {
  row.time_s = quantile(e.times, 0.5);
  if (e.times.size() > 1)
    row.spread = (quantile(e.times, 0.75) - quantile(e.times, 0.25)) / row.time_s;
  set_counters(row, e.of_times);
}

// Files that were written with --benchmark_report_aggregates_only.
void set_from_aggregates(benchmark_row& row, entries const& e) {
  auto const value = [&](char const* name) -> std::optional<double> {
    auto const found = e.aggregates.find(name);
    if (found == e.aggregates.end())
      return std::nullopt;
    return found->second;
  };
  row.time_s = value("median").value_or(value("mean").value_or(0));
  if (auto const ratio = value("cv"))
    row.spread = quartiles_per_deviation * *ratio;
  else if (auto const deviation = value("stddev"); deviation && row.time_s > 0)
    row.spread = quartiles_per_deviation * *deviation / row.time_s;
  set_counters(row, e.of_aggregate);
}

benchmark_row row_of(entries const& e) {
  benchmark_row row;
  row.name = e.name;
  row.error = e.error;
  if (!row.error.empty())
    return row;
  if (e.times.empty())
    set_from_aggregates(row, e);
  else
    set_from_repetitions(row, e);
  return row;
}

std::vector<benchmark_row> rows_of(json_field const& list) {
  std::vector<benchmark_row> rows;
  for (auto const& e : entries_of(list)) {
    auto row = row_of(e);
    if (row.time_s > 0 || !row.error.empty())  // else it was skipped
      rows.push_back(std::move(row));
  }
  if (rows.empty())
    throw field_error(list.place() + ": no row");
  return rows;
}

std::vector<std::pair<std::string, std::string>> texts_of(json_field const& context) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (auto const& [name, value] : context.value().items()) {
    if (value.is_string())
      texts.emplace_back(name, value.get<std::string>());
    else if (value.is_number())
      texts.emplace_back(name, value.dump());
  }
  return texts;
}

void check_context(json_field const& context) {
  std::string text;
  int number = 0;
  read(context.member("date"), text);
  read(context.member("host_name"), text);
  read(context.member("num_cpus"), number);
}

// Outside strings these words can stand for nothing but numbers.
std::string with_null_for_infinite(std::string const& text) {
  constexpr std::array<std::string_view, 4> words{"-NaN", "NaN", "-Infinity", "Infinity"};
  std::string result;
  result.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size();) {
    auto const rest = std::string_view(text).substr(i);
    auto const begins = [&](std::string_view word) { return rest.starts_with(word); };
    auto const word = quoted ? words.end() : std::ranges::find_if(words, begins);
    if (word != words.end()) {
      result += "null";
      i += word->size();
      continue;
    }
    quoted = quoted != (text[i] == '"');
    auto const taken = rest.substr(0, quoted && text[i] == '\\' ? 2 : 1);
    result += taken;
    i += taken.size();
  }
  return result;
}

}  // namespace

std::string context_of(benchmark_file const& file, std::string const& name) {
  for (auto const& [key, text] : file.context)
    if (key == name)
      return text;
  return {};
}

nlohmann::ordered_json read_json(std::string const& path) {
  auto json =
      nlohmann::ordered_json::parse(with_null_for_infinite(read_text(path)), nullptr, false);
  if (json.is_discarded())
    throw usage_error(path + " is not JSON");
  return json;
}

benchmark_file benchmarks_of(std::string const& path, nlohmann::ordered_json const& json) {
  try {
    json_field const root(json);
    auto const context = root.member("context");
    check_context(context);
    return {path, texts_of(context), rows_of(root.member("benchmarks"))};
  } catch (field_error const& e) {
    throw usage_error(path + " is not a file of Google Benchmark: " + e.what());
  }
}

}  // namespace karpos::tools
