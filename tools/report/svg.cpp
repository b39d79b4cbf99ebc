// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/svg.hpp"

#include "common/text.hpp"
#include "report/escape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace karpos::tools {

namespace {

// In pixels.
constexpr double character_width = 6.6;
constexpr int longest_label = 44;

std::string number(double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

std::string attribute(char const* name, double value) {
  return concat(" ", name, "=\"", number(value), "\"");
}

std::string colour_class(int colour) { return concat("c", std::to_string(colour % chart_colours)); }

std::string opening(double width, double height, std::string const& title) {
  auto const size = concat(number(width), " ", number(height));
  return concat("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", size, "\"",
                attribute("width", width), attribute("height", height), " role=\"img\">\n<title>",
                escaped(title), "</title>\n");
}

std::string text_at(double x, double y, char const* anchor, std::string const& text) {
  return concat("<text", attribute("x", x), attribute("y", y), " text-anchor=\"", anchor, "\">",
                escaped(text), "</text>\n");
}

std::string line(double x0, double y0, double x1, double y1, char const* what) {
  return concat("<line class=\"", what, "\"", attribute("x1", x0), attribute("y1", y0),
                attribute("x2", x1), attribute("y2", y1), "/>\n");
}

double width_of(std::string const& text) {
  return character_width * static_cast<double>(text.size());
}

// ---- bars

constexpr double bar_height = 14, bar_step = 17, group_gap = 8, bar_room = 420, value_room = 110;

double label_width(bar_chart const& chart) {
  double width = 0;
  for (auto const& group : chart.groups)
    for (auto const& b : group)
      width = std::max(width, width_of(shortened(b.label, longest_label)));
  return width + 8;
}

double longest_bar(bar_chart const& chart) {
  double length = 0;
  for (auto const& group : chart.groups)
    for (auto const& b : group)
      length = std::max(length, b.length);
  return length > 0 ? length : 1;
}

std::string bar_at(bar const& b, double x, double y, double length) {
  double const middle = y + bar_height - 3;
  return concat("<g><title>", escaped(b.name), ": ", escaped(b.value), "</title>",
                text_at(x - 6, middle, "end", shortened(b.label, longest_label)), "<rect class=\"",
                colour_class(b.colour), "\"", attribute("x", x), attribute("y", y),
                attribute("width", length), attribute("height", bar_height), "/>",
                text_at(x + length + 5, middle, "start", b.value), "</g>\n");
}

// ---- points

constexpr double chart_width = 560, chart_height = 340, left = 84, right = 24, top = 26,
                 bottom = 46;

// From the values of an axis to pixels.
class scale {
public:
  scale(axis const& a, double from, double to)
      : logarithmic_(a.low > 0), low_(value(a.low)), high_(value(a.high)), from_(from), to_(to) {}
  double operator()(double at) const {
    return from_ + (to_ - from_) * (value(at) - low_) / (high_ - low_);
  }

private:
  [[nodiscard]] double value(double at) const { return logarithmic_ ? std::log10(at) : at; }
  bool logarithmic_;
  double low_, high_, from_, to_;
};

struct plot {
  scale x, y;
};

std::string x_axis_of(axis const& a, scale const& x) {
  constexpr double base = chart_height - bottom;
  std::string text = line(left, base, chart_width - right, base, "axis");
  double free_from = 0;  // labels that would run into the one before are left out
  for (auto const& t : a.ticks) {
    double const at = x(t.at), half = width_of(t.text) / 2;
    text += line(at, top, at, base, "grid");
    if (at - half < free_from)
      continue;
    text += text_at(at, base + 16, "middle", t.text);
    free_from = at + half + 6;
  }
  return text + text_at((left + chart_width - right) / 2, chart_height - 8, "middle", a.title);
}

std::string y_axis_of(axis const& a, scale const& y) {
  std::string text = line(left, top, left, chart_height - bottom, "axis");
  for (auto const& t : a.ticks) {
    text += line(left, y(t.at), chart_width - right, y(t.at), "grid");
    text += text_at(left - 6, y(t.at) + 4, "end", t.text);
  }
  return text + text_at(4, top - 12, "start", a.title);
}

// A shape of its own for each colour: colours alone do not tell everybody which is which.
std::string mark(double x, double y, int colour) {
  auto const at = [&](double dx, double dy) { return concat(number(x + dx), ",", number(y + dy)); };
  std::string corners;
  switch (colour % 4) {
  case 0:
    return concat("<circle", attribute("cx", x), attribute("cy", y), " r=\"4.5\"/>");
  case 1:
    corners = join({at(-4, -4), at(4, -4), at(4, 4), at(-4, 4)}, " ");
    break;
  case 2:
    corners = join({at(0, -5.5), at(5.5, 0), at(0, 5.5), at(-5.5, 0)}, " ");
    break;
  default:
    corners = join({at(0, -5), at(5, 4), at(-5, 4)}, " ");
  }
  return concat("<polygon points=\"", corners, "\"/>");
}

std::string path_of(series const& s, plot const& p) {
  std::vector<std::string> points;
  for (auto const& at : s.points)
    points.push_back(concat(number(p.x(at.x)), ",", number(p.y(at.y))));
  return concat("<polyline points=\"", join(points, " "), "\"/>\n");
}

std::string series_of(series const& s, plot const& p) {
  auto text = concat("<g class=\"", colour_class(s.colour), "\">\n");
  if (s.joined)
    text += path_of(s, p);
  for (auto const& at : s.points)
    text += concat("<g><title>", escaped(at.name), "</title>", mark(p.x(at.x), p.y(at.y), s.colour),
                   "</g>\n");
  return text + "</g>\n";
}

struct place {
  double x, y, width;
};

bool overlap(place const& a, place const& b) {
  return std::fabs(a.y - b.y) < 12 && a.x < b.x + b.width && b.x < a.x + a.width;
}

std::string labels_of(xy_chart const& chart, plot const& p) {
  std::string text;
  std::vector<place> taken;
  for (auto const& s : chart.all)
    for (auto const& at : s.points) {
      auto const label = shortened(at.label, longest_label);
      place here{p.x(at.x) + 8, p.y(at.y) + 4, width_of(label)};
      bool const to_the_left = here.x + here.width > chart_width;
      if (to_the_left)
        here.x -= here.width + 16;
      auto const is_in_the_way = [&](place const& other) { return overlap(here, other); };
      if (label.empty() || std::ranges::any_of(taken, is_in_the_way))
        continue;
      taken.push_back(here);
      text += text_at(to_the_left ? here.x + here.width : here.x, here.y,
                      to_the_left ? "end" : "start", label);
    }
  return text;
}

std::string guide_of(guide const& g, plot const& p) {
  double const x0 = p.x(g.x0), y0 = p.y(g.y0), x1 = p.x(g.x1), y1 = p.y(g.y1);
  return line(x0, y0, x1, y1, "guide") +
         (y0 == y1 ? text_at(x0 + 4, y1 - 8, "start", g.text)
                   : text_at((x0 + x1) / 2 - 6, (y0 + y1) / 2 - 6, "end", g.text));
}

}  // namespace

std::string svg_of(bar_chart const& chart) {
  double const x = label_width(chart), unit = bar_room / longest_bar(chart);
  std::string bars;
  double y = 4;
  for (auto const& group : chart.groups) {
    for (auto const& b : group) {
      bars += bar_at(b, x, y, unit * b.length);
      y += bar_step;
    }
    y += group_gap;
  }
  return concat(opening(x + bar_room + value_room, y, chart.title), bars, "</svg>\n");
}

std::string svg_of(xy_chart const& chart) {
  plot const p{scale(chart.x, left, chart_width - right),
               scale(chart.y, chart_height - bottom, top)};
  auto text = opening(chart_width, chart_height, chart.title) + x_axis_of(chart.x, p.x) +
              y_axis_of(chart.y, p.y);
  for (auto const& g : chart.guides)
    text += guide_of(g, p);
  for (auto s = chart.all.rbegin(); s != chart.all.rend(); ++s)  // the first on top
    text += series_of(*s, p);
  return text + labels_of(chart, p) + "</svg>\n";
}

std::string svg_key(int colour) {
  return concat("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 14 14\" width=\"14\" "
                "height=\"14\"><g class=\"",
                colour_class(colour), "\">", mark(7, 7, colour), "</g></svg>");
}

}  // namespace karpos::tools
