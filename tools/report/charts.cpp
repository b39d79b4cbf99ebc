// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/charts.hpp"

#include "common/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

namespace karpos::tools {

namespace {

// Above this a row is taken for one that calculates, below for one that moves memory.
constexpr double many_flop_per_byte = 4;

bool is_shown(measurement const& m) { return m.time_s > 0 && m.problem.empty(); }

double value_of(measurement const& m, shown_rate const& rate) {
  return rate.counter == nullptr ? 1 / m.time_s : (m.*rate.counter).value_or(0);
}

int colour_of(measurement const& m, std::vector<std::string> const& ways) {
  return static_cast<int>(std::ranges::find(ways, way_of(m)) - ways.begin());
}

// "f32/1000 karpos": what the family's heading does not say.
std::string bar_label(measurement const& m) {
  std::vector<std::string> head{m.parts.dtype, m.parts.size};
  std::erase(head, "");
  std::vector<std::string> parts{join(head, "/"), way_of(m)};
  std::erase(parts, "");
  return parts.empty() ? m.name : join(parts, " ");
}

std::vector<std::string> dtypes_of(std::vector<measurement> const& rows) {
  std::vector<std::string> dtypes;
  for (auto const& m : rows)
    if (std::ranges::find(dtypes, m.parts.dtype) == dtypes.end())
      dtypes.push_back(m.parts.dtype);
  return dtypes;
}

std::string with_dtype(std::string const& text, std::string const& dtype) {
  return dtype.empty() ? text : concat(text, ", ", dtype);
}

// The points of one way; joined where each size is there once.
series curve_of(family const& f, std::string const& dtype, std::string const& way,
                shown_rate const& rate) {
  series s;
  s.name = way;
  std::set<double> sizes;
  for (auto const& m : f.rows) {
    auto const size = extent_of(m.parts.size);
    if (m.parts.dtype != dtype || way_of(m) != way || !size || !is_shown(m))
      continue;
    sizes.insert(*size);
    double const value = value_of(m, rate);
    s.points.push_back({*size, value, concat(m.name, ": ", si_text(value, rate.unit)), {}});
  }
  std::ranges::stable_sort(s.points, {}, &point::x);
  s.joined = sizes.size() == s.points.size();
  return s;
}

// The sizes of the rows as ticks, in their own spelling.
axis size_axis(std::vector<measurement> const& rows, std::string const& dtype) {
  axis a;
  a.title = "size (logarithmic)";
  for (auto const& m : rows)
    if (auto const size = extent_of(m.parts.size); size && m.parts.dtype == dtype && is_shown(m))
      a.ticks.push_back({*size, m.parts.size});
  std::ranges::stable_sort(a.ticks, {}, &tick::at);
  auto const again = std::ranges::unique(a.ticks, {}, &tick::at);
  a.ticks.erase(again.begin(), again.end());
  if (!a.ticks.empty()) {
    a.low = a.ticks.front().at / 1.2;
    a.high = a.ticks.back().at * 1.2;
  }
  return a;
}

xy_chart curves_for(family const& f, std::string const& dtype, std::vector<std::string> const& ways,
                    shown_rate const& rate) {
  xy_chart chart;
  chart.title = concat(with_dtype(f.name, dtype), ": ", rate.title, " against size");
  chart.x = size_axis(f.rows, dtype);
  double high = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    auto s = curve_of(f, dtype, ways[i], rate);
    s.colour = static_cast<int>(i);
    for (auto const& at : s.points)
      high = std::max(high, at.y);
    if (!s.points.empty())
      chart.all.push_back(std::move(s));
  }
  chart.y = linear_axis(rate.title, rate.unit, high);
  return chart;
}

// The row of Karpos with the most flop/s stands for its family.
std::set<std::string> names_with_label(std::vector<measurement> const& rows) {
  std::set<std::string> names;
  for (auto const& m : rows) {
    auto const is_better = [&](measurement const& other) {
      return other.parts.family == m.parts.family && other.parts.way == m.parts.way &&
             *other.flops > *m.flops;
    };
    if ((m.parts.way == "karpos" || m.parts.way.empty()) && std::ranges::none_of(rows, is_better))
      names.insert(m.name);
  }
  return names;
}

std::vector<series> roofline_series(std::vector<measurement> const& rows,
                                    std::vector<std::string> const& ways) {
  auto const labelled = names_with_label(rows);
  std::vector<series> all;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    series s;
    s.name = ways[i];
    s.colour = static_cast<int>(i);
    for (auto const& m : rows)
      if (way_of(m) == ways[i])
        s.points.push_back({*intensity(m), *m.flops,
                            concat(m.name, ": ", si_text(*m.flops, "flop/s"), " at ",
                                   number_text(*intensity(m)), " flop/byte"),
                            labelled.contains(m.name) ? m.parts.family : ""});
    if (!s.points.empty())
      all.push_back(std::move(s));
  }
  return all;
}

// The slope of the highest bytes/s up to the level of the highest flop/s.
void add_roof(xy_chart& chart, double bytes, double flops) {
  double const ridge = flops / bytes;
  double const x0 = std::max(chart.x.low, chart.y.low / bytes);
  if (x0 < ridge)
    chart.guides.push_back({x0, x0 * bytes, std::min(ridge, chart.x.high),
                            std::min(ridge, chart.x.high) * bytes, si_text(bytes, "B/s")});
  if (ridge < chart.x.high)
    chart.guides.push_back(
        {std::max(ridge, chart.x.low), flops, chart.x.high, flops, si_text(flops, "flop/s")});
}

xy_chart roofline_of(std::vector<measurement> const& rows, std::string const& dtype,
                     std::vector<std::string> const& ways) {
  double x_low = *intensity(rows.front()), x_high = x_low;
  double y_low = *rows.front().flops, y_high = y_low, bytes = 0;
  for (auto const& m : rows) {
    x_low = std::min(x_low, *intensity(m));
    x_high = std::max(x_high, *intensity(m));
    y_low = std::min(y_low, *m.flops);
    y_high = std::max(y_high, *m.flops);
    bytes = std::max(bytes, *m.bytes);
  }
  xy_chart chart;
  chart.title = with_dtype("Roofline", dtype);
  chart.x = log_axis("flop per byte (logarithmic)", "", x_low, x_high);
  chart.y = log_axis("flop per second (logarithmic)", "flop/s", y_low, y_high);
  chart.all = roofline_series(rows, ways);
  add_roof(chart, bytes, y_high);
  return chart;
}

}  // namespace

std::vector<std::string> ways_of(measured_file const& file) {
  std::vector<std::string> ways;
  for (bool const own : {true, false})
    for (auto const& m : file.rows)
      if ((m.parts.way == "karpos") == own && std::ranges::find(ways, way_of(m)) == ways.end())
        ways.push_back(way_of(m));
  return ways;
}

std::vector<family> families_of(measured_file const& file) {
  std::vector<family> families;
  for (auto const& m : file.rows) {
    auto found = std::ranges::find(families, m.parts.family, &family::name);
    if (found == families.end())
      found = families.insert(found, {m.parts.family, {}});
    found->rows.push_back(m);
  }
  return families;
}

shown_rate rate_of(family const& f) {
  shown_rate flops{"flop per second", "flop/s", &measurement::flops};
  shown_rate const bytes{"bytes per second", "B/s", &measurement::bytes};
  shown_rate const items{"items per second", "items/s", &measurement::items};
  auto const all_have = [&](shown_rate const& rate) {
    return std::ranges::all_of(
        f.rows, [&](measurement const& m) { return !is_shown(m) || m.*rate.counter; });
  };
  auto const calculates = [](measurement const& m) {
    return intensity(m).value_or(0) > many_flop_per_byte;
  };
  if (all_have(flops) && (!all_have(bytes) || std::ranges::any_of(f.rows, calculates)))
    return flops;
  for (auto const& rate : {bytes, items})
    if (all_have(rate))
      return rate;
  return {"calls per second", "/s", nullptr};
}

bar_chart bars_of(family const& f, std::vector<std::string> const& ways) {
  auto const rate = rate_of(f);
  bar_chart chart;
  chart.title = concat(f.name, ": ", rate.title);
  std::vector<measurement> heads;
  for (auto const& m : f.rows) {
    if (!is_shown(m))
      continue;
    // One group for all spaces: they are what a file of several is about.
    auto const is_it = [&](measurement const& head) {
      return head.parts.dtype == m.parts.dtype && head.parts.size == m.parts.size;
    };
    auto const place = std::ranges::find_if(heads, is_it) - heads.begin();
    if (static_cast<std::size_t>(place) == heads.size()) {
      heads.push_back(m);
      chart.groups.emplace_back();
    }
    double const value = value_of(m, rate);
    chart.groups[static_cast<std::size_t>(place)].push_back(
        {bar_label(m), si_text(value, rate.unit), m.name, value, colour_of(m, ways)});
  }
  return chart;
}

std::vector<xy_chart> curves_of(family const& f, std::vector<std::string> const& ways) {
  std::vector<xy_chart> charts;
  auto const rate = rate_of(f);
  for (auto const& dtype : dtypes_of(f.rows)) {
    auto chart = curves_for(f, dtype, ways, rate);
    if (chart.x.ticks.size() > 1)
      charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<xy_chart> rooflines_of(measured_file const& file,
                                   std::vector<std::string> const& ways) {
  std::vector<xy_chart> charts;
  for (auto const& dtype : dtypes_of(file.rows)) {
    std::vector<measurement> rows;
    for (auto const& m : file.rows)
      if (m.parts.dtype == dtype && is_shown(m) && intensity(m))
        rows.push_back(m);
    if (!rows.empty())
      charts.push_back(roofline_of(rows, dtype, ways));
  }
  return charts;
}

}  // namespace karpos::tools
