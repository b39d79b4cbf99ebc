// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Charts as inline SVG, coloured by the classes c0 to c7 of the page. Texts are escaped here.
#pragma once
#include <string>
#include <vector>

namespace karpos::tools {

constexpr int chart_colours = 8;

/// 1.5e9, "B/s" is "1.50 GB/s".
[[nodiscard]] std::string si_text(double value, std::string const& unit);

struct bar {
  std::string label, value;  ///< the texts before and behind it
  std::string name;          ///< shown where the pointer rests
  double length = 0;
  int colour = 0;
};

struct bar_chart {
  std::string title;
  std::vector<std::vector<bar>> groups;
};

struct tick {
  double at = 0;
  std::string text;
};

/// With `low` above 0 it is logarithmic.
struct axis {
  std::string title;
  double low = 0, high = 1;
  std::vector<tick> ticks;
};

/// From 0 to a round number that is not below `high`.
[[nodiscard]] axis linear_axis(std::string title, std::string const& unit, double high);
/// Whole decades around [low, high].
[[nodiscard]] axis log_axis(std::string title, std::string const& unit, double low, double high);

struct point {
  double x = 0, y = 0;
  std::string name;   ///< shown where the pointer rests
  std::string label;  ///< written beside it where there is room
};

struct series {
  std::string name;
  int colour = 0;
  bool joined = false;  ///< by a line
  std::vector<point> points;
};

/// A line behind the points.
struct guide {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  std::string text;
};

struct xy_chart {
  std::string title;
  axis x, y;
  std::vector<series> all;  ///< the first is drawn on top
  std::vector<guide> guides;
};

[[nodiscard]] std::string svg_of(bar_chart const& chart);
[[nodiscard]] std::string svg_of(xy_chart const& chart);

/// The mark of a colour, for a legend.
[[nodiscard]] std::string svg_key(int colour);

}  // namespace karpos::tools
