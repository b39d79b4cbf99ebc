// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/print.hpp"

#include "common/json.hpp"
#include "common/text.hpp"

#include <algorithm>
#include <ostream>
#include <vector>

namespace karpos::tools {

namespace {

constexpr char const* never_run = "never run";

std::string numbered(std::size_t file) { return "[" + std::to_string(file + 1) + "]"; }

std::string column_title(merged_results const& m, merged_column const& c) {
  auto const* const facts = facts_of(m, c);
  if (facts == nullptr)
    return one_line(c.space);
  std::string const title = one_line(c.space) + " " + numbered(*c.file) + "\n";
  if (facts->device)
    return title + one_line(facts->device->name);
  return title + std::to_string(facts->threads) + (facts->threads == 1 ? " thread" : " threads");
}

std::string time_line(merged_cell const& cell) {
  std::string text = duration_text(cell.row->compute.median_s);
  if (cell.speed_up)
    text += "  " + number_text(*cell.speed_up) + "x";
  return text;
}

std::string rate_line(measured_row const& row) {
  auto const& percent = row.unit == "GFLOP/s" ? row.percent_of_gemm : row.percent_of_copy;
  std::string text = rate_text(row.rate, row.unit);
  if (percent)
    text += "  " + number_text(*percent) + " %";
  return text;
}

std::string transfer_line(measured_row const& row) {
  if (!row.to_space_s || !row.from_space_s)
    return "";
  return "\nin " + duration_text(*row.to_space_s) + ", out " + duration_text(*row.from_space_s);
}

std::string cell_text(merged_cell const& cell) {
  if (!cell.run)
    return never_run;
  if (!cell.row)
    return "-";
  std::string text = time_line(cell) + "\n" + rate_line(*cell.row);
  if (cell.row->name == "karpos")
    text += "\nfirst " + duration_text(cell.row->compute.first_s) + transfer_line(*cell.row);
  if (cell.row->check.status == "fail")
    text += "\nFAIL";
  return text;
}

std::string check_text(merged_problem const& p, std::size_t column) {
  std::string text = never_run;
  for (auto const& row : p.rows) {
    auto const& cell = row.cells[column];
    if (!cell.row || cell.row->check.status == "none")
      continue;
    if (cell.row->check.status == "fail")
      return "FAIL";
    text = "PASS";
  }
  return text;
}

// The copy bandwidth and the GEMM peak that the percentages refer to.
std::string peak_text(merged_results const& m, merged_column const& c, std::string const& dtype,
                      bool gemm) {
  if (!c.file)
    return never_run;
  for (auto const& p : m.files[*c.file].content.peaks) {
    if (p.space != c.space || p.dtype != dtype)
      continue;
    double const value = gemm ? p.gemm_gflop_per_s : p.copy_gb_per_s;
    if (value > 0)
      return rate_text(value, gemm ? "GFLOP/s" : "GB/s");
  }
  return never_run;
}

void add_peaks(table& t, merged_results const& m, merged_problem const& p, bool gemm) {
  std::vector<std::string> cells{gemm ? "GEMM peak" : "copy bandwidth"};
  for (auto const& c : m.columns)
    cells.push_back(peak_text(m, c, p.head.dtype, gemm));
  t.add_row(std::move(cells));
}

table table_of(merged_results const& m, merged_problem const& p) {
  table t;
  t.add_column("", align::left);
  for (auto const& c : m.columns)
    t.add_column(column_title(m, c), align::left);
  for (auto const& row : p.rows) {
    auto const label =
        row.operation == p.head.operation ? row.name : row.operation + ": " + row.name;
    std::vector<std::string> cells{one_line(label)};
    for (auto const& cell : row.cells)
      cells.push_back(cell_text(cell));
    t.add_row(std::move(cells));
  }
  std::vector<std::string> checks{"check"};
  for (std::size_t i = 0; i < m.columns.size(); ++i)
    checks.push_back(check_text(p, i));
  t.add_row(std::move(checks));
  add_peaks(t, m, p, false);
  add_peaks(t, m, p, true);
  return t;
}

std::string build_line(named_results const& file) {
  auto const& r = file.content;
  std::vector<std::string> parts{
      file.path,        r.machine.host,          r.machine.cpu, "Kokkos " + r.build.kokkos,
      r.build.compiler, r.build.device_compiler, r.date};
  std::erase(parts, "");
  return one_line(join(parts, ", "));
}

void print_title(std::ostream& out, merged_problem const& p, table_style style) {
  std::vector<std::string> parts;
  for (auto const& in : p.head.inputs)
    parts.push_back(in.name + " " + shape_text(in.shape));
  out << (style == table_style::markdown ? "\n**" : "\n") << one_line(problem_title(p.head))
      << (style == table_style::markdown ? "**" : "") << " from " << one_line(join(parts, ", "))
      << "; input " << one_line(p.head.input_hash) << "\n\n";
}

nlohmann::ordered_json cell_json(merged_cell const& cell) {
  if (!cell.run)
    return never_run;
  if (!cell.row)
    return nullptr;
  nlohmann::ordered_json j = *cell.row;
  j["speed_up"] = cell.speed_up;
  return j;
}

}  // namespace

void print_merged(std::ostream& out, merged_results const& m, table_style style) {
  for (std::size_t i = 0; i < m.files.size(); ++i)
    out << (style == table_style::markdown ? "- " : "") << numbered(i) << ' '
        << build_line(m.files[i]) << '\n';
  for (auto const& p : m.problems) {
    print_title(out, p, style);
    table_of(m, p).print(out, style);
  }
  if (m.baseline) {
    auto const& c = m.columns[*m.baseline];
    out << "\nNx: speed-up against Karpos on " << one_line(c.space) << " " << numbered(*c.file)
        << "; %: of the same column's GEMM peak (matmul) or copy bandwidth.\n";
  }
}

std::string merged_json(merged_results const& m) {
  nlohmann::ordered_json j;
  j["format"] = "karpos-merged";
  j["version"] = 1;
  for (auto const& file : m.files)
    j["files"].push_back({{"path", file.path},
                          {"date", file.content.date},
                          {"machine", file.content.machine},
                          {"build", file.content.build},
                          {"spaces", file.content.spaces},
                          {"peaks", file.content.peaks}});
  for (auto const& c : m.columns) {
    nlohmann::ordered_json column{{"space", c.space}, {"file", nullptr}};
    if (c.file)
      column["file"] = m.files[*c.file].path;
    j["columns"].push_back(column);
  }
  for (auto const& p : m.problems) {
    nlohmann::ordered_json merged = p.head;
    merged["rows"] = nlohmann::ordered_json::array();
    for (auto const& row : p.rows) {
      nlohmann::ordered_json entry{{"operation", row.operation}, {"name", row.name}};
      for (auto const& cell : row.cells)
        entry["cells"].push_back(cell_json(cell));
      merged["rows"].push_back(entry);
    }
    j["problems"].push_back(merged);
  }
  j["passed"] = m.passed;
  return json_text(j);
}

}  // namespace karpos::tools
