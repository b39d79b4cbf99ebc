// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table for people: aligned plain text or Markdown. A cell may hold several lines.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

namespace karpos::tools {

enum class align { left, right };
enum class table_style { plain, markdown };

class table {
public:
  /// Adds a column; its cells are aligned as said.
  void add_column(std::string title, align a = align::right);
  /// Adds a row; cells that are missing at the end stay empty.
  void add_row(std::vector<std::string> cells);
  /// A line without cells between two groups of rows (plain text only).
  void add_gap();

  void print(std::ostream& out, table_style style = table_style::plain) const;

private:
  struct column {
    std::string title;
    align alignment;
  };
  void print_plain(std::ostream& out) const;
  void print_markdown(std::ostream& out) const;

  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;  // no cells: a gap
};

}  // namespace karpos::tools
