// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/files.hpp"
#include "common/json.hpp"
#include "common/results.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <set>
#include <string_view>
#include <tuple>

namespace karpos::tools {

namespace {

std::string quoted(std::string const& text) { return nlohmann::json(text).dump(); }

std::string at(std::string const& list, std::size_t i) {
  return list + "[" + std::to_string(i) + "]";
}

void check_word(std::string const& place, std::string const& word,
                std::initializer_list<std::string_view> known) {
  if (std::ranges::find(known, word) != known.end())
    return;
  std::string all;
  for (auto const k : known)
    all.append(all.empty() ? "" : ", ").append(k);
  throw field_error(place + ": " + quoted(word) + " instead of one of " + all);
}

using space_names = std::set<std::string>;

space_names check_spaces(std::vector<space_facts> const& spaces) {
  space_names names;
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    auto const place = at("spaces", i);
    if (!names.insert(spaces[i].name).second)
      throw field_error(place + ".name: " + quoted(spaces[i].name) + " a second time");
    check_word(place + ".role", spaces[i].role, {"host-parallel", "serial", "device"});
  }
  return names;
}

// A row of a space that has no column would not be shown, nor its failure seen.
void check_row(std::string const& place, measured_row const& row, space_names const& spaces) {
  if (!spaces.contains(row.space))
    throw field_error(place + ".space: " + quoted(row.space) + " is not one of spaces");
  check_word(place + ".unit", row.unit, {"GFLOP/s", "GB/s"});
  check_word(place + ".check.status", row.check.status, {"pass", "fail", "none"});
}

void check_rows(std::string const& place, problem const& p, space_names const& spaces) {
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  if (p.rows.empty())
    throw field_error(place + ".rows: no row");
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    auto const& row = p.rows[i];
    auto const here = at(place + ".rows", i);
    check_row(here, row, spaces);
    if (!seen.emplace(row.space, row.operation, row.name).second)
      throw field_error(here + ": " + row.space + ", " + row.operation + ", " + row.name +
                        " a second time");
  }
}

void check_problems(std::vector<problem> const& problems, space_names const& spaces) {
  std::set<std::string> titles;
  if (problems.empty())
    throw field_error("problems: no problem");
  for (std::size_t i = 0; i < problems.size(); ++i) {
    auto const place = at("problems", i);
    if (!titles.insert(problem_title(problems[i])).second)
      throw field_error(place + ": " + problem_title(problems[i]) + " a second time");
    check_rows(place, problems[i], spaces);
  }
}

void check_passed(results const& r) {
  auto const fails = [](measured_row const& row) { return row.check.status == "fail"; };
  bool const failed = std::ranges::any_of(
      r.problems, [&](problem const& p) { return std::ranges::any_of(p.rows, fails); });
  if (r.passed == failed)
    throw field_error(failed ? "passed: true, but a check failed"
                             : "passed: false, but no check failed");
}

// What the types of the fields do not say.
void check(results const& r) {
  check_problems(r.problems, check_spaces(r.spaces));
  check_passed(r);
}

void check_version(std::string const& path, json_field const& root) {
  auto const format = root.member("format"), version = root.member("version");
  if (format.value() != results{}.format || version.value() != results{}.version)
    throw usage_error(path + " is not a result of this karpos-compare: format " +
                      format.value().dump() + ", version " + version.value().dump());
}

}  // namespace

results results_of(std::string const& path, nlohmann::ordered_json const& json) {
  try {
    results r;
    json_field const root(json);
    check_version(path, root);
    read(root, r);
    check(r);
    return r;
  } catch (field_error const& e) {
    throw usage_error(path + " is not a result of karpos-compare: " + e.what());
  }
}

results read_results(std::string const& path) {
  auto const json = nlohmann::ordered_json::parse(read_text(path), nullptr, false);
  if (json.is_discarded())
    throw usage_error(path + " is not JSON");
  return results_of(path, json);
}

}  // namespace karpos::tools
