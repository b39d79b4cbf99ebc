// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html.hpp"

#include "common/text.hpp"
#include "report/charts.hpp"
#include "report/escape.hpp"
#include "report/svg.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace karpos::tools {

namespace {

// The colours are those of Okabe and Ito, which colour-blind people tell apart.
constexpr char const* style = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #6b7280; --line: #d5d9df; --paper: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7eb; --soft: #9aa3af; --line: #3a414b; --paper: #15181c; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 1200px; margin: 0 auto; padding: 1.5em; overflow-wrap: anywhere; }
h2 { margin-top: 2.5em; border-bottom: 2px solid var(--line); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1.2em; }
dt { color: var(--soft); } dd { margin: 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15em .9em .15em 0; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
thead th { color: var(--soft); font-weight: normal; } tbody th { font-weight: normal; }
.wide { overflow-x: auto; } .charts { display: flex; flex-wrap: wrap; gap: 1em; }
figure { margin: 1em 0; } figcaption { color: var(--soft); } .bad { font-weight: bold; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2em 1.4em; }
.legend svg { vertical-align: -2px; margin-right: .4em; }
svg { max-width: 100%; height: auto; } svg text { font-size: 11px; fill: var(--ink); }
.grid { stroke: var(--line); } .axis { stroke: var(--soft); }
.guide { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 6 3; }
polyline { fill: none; stroke-width: 2; }
.c0 { fill: #0072b2; stroke: #0072b2; } .c1 { fill: #e69f00; stroke: #e69f00; }
.c2 { fill: #009e73; stroke: #009e73; } .c3 { fill: #cc79a7; stroke: #cc79a7; }
.c4 { fill: #56b4e9; stroke: #56b4e9; } .c5 { fill: #d55e00; stroke: #d55e00; }
.c6 { fill: #b8a800; stroke: #b8a800; } .c7 { fill: #7f7f7f; stroke: #7f7f7f; }
@media print { h2 { break-before: page; } figure, tr { break-inside: avoid; } }
)";

std::string element(std::string const& name, std::string const& text) {
  return concat("<", name, ">", escaped(text), "</", name, ">");
}

std::string identifier(std::size_t file) { return concat("file", std::to_string(file + 1)); }

// ---- the table of a family

std::string ratio_text(measurement const& m, std::vector<measurement> const& rows) {
  if (m.parts.way != "karpos")
    return m.parts.way.empty() ? "" : "baseline";
  std::vector<std::string> ratios;
  for (auto const& other : rows)
    if (same_work(m, other) && other.parts.way != "karpos")
      if (auto const ratio = rate_ratio(m, other); ratio && *ratio > 0)
        ratios.push_back(concat(number_text(*ratio), " x ", other.parts.way));
  return ratios.empty() ? "no baseline" : join(ratios, ", ");
}

std::string time_text(measurement const& m) {
  if (!(m.time_s > 0))
    return "-";
  auto const time = duration_text(m.time_s);
  return m.spread ? concat(time, " \xC2\xB1 ", number_text(50 * *m.spread), " %") : time;
}

std::string rate_cell(std::optional<double> const& rate, char const* unit) {
  return rate ? si_text(*rate, unit) : "-";
}

// The columns that some row of the family has.
struct columns {
  bool bytes = false, flops = false, items = false, intensity = false, floor = false;
};

columns columns_of(family const& f) {
  columns c;
  for (auto const& m : f.rows) {
    c.bytes = c.bytes || m.bytes;
    c.flops = c.flops || m.flops;
    c.items = c.items || m.items;
    c.intensity = c.intensity || intensity(m);
    c.floor = c.floor || m.of_floor;
  }
  return c;
}

std::string heading_of(columns const& c) {
  std::string text = "<thead><tr><th>row</th><th>time</th>";
  if (c.bytes)
    text += "<th>bytes/s</th>";
  if (c.flops)
    text += "<th>flop/s</th>";
  if (c.items)
    text += "<th>items/s</th>";
  if (c.intensity)
    text += "<th>flop/byte</th>";
  if (c.floor)
    text += "<th>of the floor</th>";
  return text + "<th>rate against the baseline</th></tr></thead>\n";
}

std::string row_of(measurement const& m, family const& f, columns const& c) {
  auto text =
      concat("<tr><th scope=\"row\">", escaped(m.name), "</th>", element("td", time_text(m)));
  if (c.bytes)
    text += element("td", rate_cell(m.bytes, "B/s"));
  if (c.flops)
    text += element("td", rate_cell(m.flops, "flop/s"));
  if (c.items)
    text += element("td", rate_cell(m.items, "items/s"));
  if (c.intensity)
    text += element("td", intensity(m) ? number_text(*intensity(m)) : "-");
  if (c.floor)
    text += element("td", m.of_floor ? number_text(*m.of_floor) : "-");
  if (m.problem.empty())
    text += element("td", ratio_text(m, f.rows));
  else
    text += concat("<td class=\"bad\">", escaped(m.problem), "</td>");
  return text + "</tr>\n";
}

std::string table_of(family const& f) {
  auto const c = columns_of(f);
  auto text = concat("<div class=\"wide\"><table>\n", heading_of(c), "<tbody>\n");
  for (auto const& m : f.rows)
    text += row_of(m, f, c);
  return text + "</tbody></table></div>\n";
}

// ---- figures

template <class Chart>
std::string figure_of(Chart const& chart) {
  return concat("<figure class=\"wide\"><figcaption>", escaped(chart.title), "</figcaption>\n",
                svg_of(chart), "</figure>\n");
}

std::string figures_of(std::vector<xy_chart> const& charts) {
  if (charts.empty())
    return {};
  std::string text = "<div class=\"charts\">\n";
  for (auto const& chart : charts)
    text += figure_of(chart);
  return text + "</div>\n";
}

std::string legend_of(std::vector<std::string> const& ways) {
  std::string text = "<ul class=\"legend\">\n";
  for (std::size_t i = 0; i < ways.size(); ++i)
    text += concat("<li>", svg_key(static_cast<int>(i)),
                   escaped(ways[i].empty() ? "rows without a baseline" : ways[i]), "</li>\n");
  return text + "</ul>\n";
}

std::string section_of(family const& f, std::vector<std::string> const& ways) {
  auto text = element("h3", f.name) + "\n" + table_of(f);
  if (auto const bars = bars_of(f, ways); !bars.groups.empty())
    text += figure_of(bars);
  return text + figures_of(curves_of(f, ways));
}

std::string rooflines_section(measured_file const& file, std::vector<std::string> const& ways) {
  auto const charts = rooflines_of(file, ways);
  if (charts.empty())
    return {};
  return "<h3>Roofline</h3>\n<p>The roof is the best that rows of this file reached, bytes and "
         "flop per second, not what the hardware could do.</p>\n" +
         figures_of(charts);
}

// ---- files

std::string facts_of(measured_file const& file) {
  std::string text = "<dl>\n";
  for (auto const& [name, fact] : file.facts)
    text += element("dt", name) + element("dd", fact) + "\n";
  return text + element("dt", "File") + element("dd", file.path) + "\n</dl>\n";
}

std::string section_of(measured_file const& file, std::size_t index) {
  auto const ways = ways_of(file);
  auto text = concat("<section id=\"", identifier(index), "\">\n", element("h2", file.title), "\n",
                     facts_of(file), legend_of(ways), rooflines_section(file, ways));
  for (auto const& f : families_of(file))
    text += section_of(f, ways);
  return text + "</section>\n";
}

std::string contents_of(std::vector<measured_file> const& files) {
  std::string text = "<ol>\n";
  for (std::size_t i = 0; i < files.size(); ++i)
    text += concat("<li><a href=\"#", identifier(i), "\">", escaped(files[i].title), "</a> (",
                   escaped(files[i].path), ")</li>\n");
  return text + "</ol>\n";
}

}  // namespace

std::string html_of(std::vector<measured_file> const& files) {
  auto page =
      concat("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
             "<meta charset=\"utf-8\"/>\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<title>Karpos: measurements</title>\n<style>",
             style, "</style>\n</head>\n<body>\n<h1>Measurements</h1>\n", contents_of(files));
  page +=
      "<p>Times are medians, with half the distance of the quartiles where there were repetitions. "
      "Ratios are of rates: above 1 Karpos is faster than the row it is compared with.</p>\n";
  for (std::size_t i = 0; i < files.size(); ++i)
    page += section_of(files[i], i);
  return page + "</body>\n</html>\n";
}

}  // namespace karpos::tools
