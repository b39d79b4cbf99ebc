// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/table.hpp"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <utility>

namespace karpos::tools {

namespace {

std::vector<std::string> lines_of(std::string const& cell) {
  std::vector<std::string> lines;
  std::istringstream in(cell);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::string padded(std::string const& text, std::size_t width, align a) {
  std::string const blanks(width - std::min(width, text.size()), ' ');
  return a == align::left ? text + blanks : blanks + text;
}

void print_line(std::ostream& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

std::string replaced(std::string text, std::string const& what, std::string const& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

void table::add_column(std::string title, align a) { columns_.push_back({std::move(title), a}); }

void table::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

void table::add_gap() { rows_.emplace_back(); }

void table::print(std::ostream& out, table_style style) const {
  if (style == table_style::plain) {
    print_plain(out);
  } else {
    print_markdown(out);
  }
}

void table::print_plain(std::ostream& out) const {
  std::vector<std::string> titles;
  for (auto const& c : columns_)
    titles.push_back(c.title);
  auto all = rows_;
  all.insert(all.begin(), titles);

  std::vector<std::size_t> widths(columns_.size());
  for (auto const& row : all)
    for (std::size_t i = 0; i < row.size(); ++i)
      for (auto const& line : lines_of(row[i]))
        widths[i] = std::max(widths[i], line.size());

  for (auto const& row : all) {
    std::size_t height = 1;
    for (auto const& cell : row)
      height = std::max(height, lines_of(cell).size());
    for (std::size_t k = 0; k < height; ++k) {
      std::string text;
      for (std::size_t i = 0; i < row.size(); ++i) {
        auto const lines = lines_of(row[i]);
        text += padded(k < lines.size() ? lines[k] : "", widths[i], columns_[i].alignment) + "  ";
      }
      print_line(out, text);
    }
  }
}

void table::print_markdown(std::ostream& out) const {
  auto const line = [&](auto const& text_of) {
    out << '|';
    for (std::size_t i = 0; i < columns_.size(); ++i)
      out << ' ' << text_of(i) << " |";
    out << '\n';
  };
  auto const escaped = [](std::string const& s) {
    return replaced(replaced(s, "|", "\\|"), "\n", "<br>");
  };
  line([&](std::size_t i) { return escaped(columns_[i].title); });
  line([&](std::size_t i) { return columns_[i].alignment == align::left ? "---" : "---:"; });
  for (auto const& row : rows_)
    if (!row.empty())
      line([&](std::size_t i) { return escaped(row[i]); });
}

}  // namespace karpos::tools
