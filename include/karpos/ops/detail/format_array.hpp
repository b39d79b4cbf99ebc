// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brackets, line breaks and "..." of a printed array, by NumPy's rules.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/extents.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace karpos::inline KARPOS_ABI::ops::detail {

inline constexpr index_t print_threshold = 1000;  // more elements than that are summarised
inline constexpr index_t print_edge = 3;  // elements shown at either end of a summarised axis
inline constexpr std::size_t print_columns = 75;

/// True when only the ends of an axis are shown.
constexpr bool is_summarised(index_t extent, index_t size) {
  return size > print_threshold && extent > 2 * print_edge;
}

/// The shape of what is shown of an array.
template <int Rank>
constexpr extents<Rank> shown_shape(extents<Rank> const& shape) {
  extents<Rank> shown = shape;
  for (int i = 0; i < Rank; ++i)
    if (is_summarised(shape[i], shape.size()))
      shown[i] = 2 * print_edge;
  return shown;
}

/// Puts the texts of the shown elements, in C order, into brackets.
class bracket_writer {
public:
  bracket_writer(index_t const* shape, int rank, index_t size, std::vector<std::string> texts)
      : shape_(shape), rank_(rank), size_(size), texts_(std::move(texts)) {}

  [[nodiscard]] std::string write() { return nested(0); }

private:
  [[nodiscard]] std::string nested(int axis) { return axis == rank_ - 1 ? row(axis) : block(axis); }

  // An axis further out: its parts stand below each other.
  [[nodiscard]] std::string block(int axis) {
    bool const summarised = is_summarised(shape_[axis], size_);
    index_t const shown = summarised ? 2 * print_edge : shape_[axis];
    std::string const indent(static_cast<std::size_t>(axis) + 1, ' ');
    std::string const next_line =
        std::string(static_cast<std::size_t>(rank_ - 1 - axis), '\n') + indent;
    std::string text = "[";
    for (index_t i = 0; i < shown; ++i) {
      if (i > 0)
        text += next_line;
      if (summarised && i == print_edge)
        text += "..." + next_line;
      text += nested(axis + 1);
    }
    return text + "]";
  }

  // The innermost axis: elements beside each other, wrapped where the line is full.
  [[nodiscard]] std::string row(int axis) {
    bool const summarised = is_summarised(shape_[axis], size_);
    index_t const shown = summarised ? 2 * print_edge : shape_[axis];
    std::string const indent(static_cast<std::size_t>(axis) + 1, ' ');
    std::size_t const width = print_columns - indent.size();
    std::string text, line = indent;
    for (index_t i = 0; i < shown; ++i) {
      if (i > 0)
        line += ' ';
      if (summarised && i == print_edge) {
        extend(text, line, "...", width, indent);
        line += ' ';
      }
      extend(text, line, texts_[next_++], width, indent);
    }
    return "[" + (text + line).substr(indent.size()) + "]";
  }

  // Appends a word to the line, or begins a new line with it; a line with nothing on it takes any
  // word.
  static void extend(std::string& text, std::string& line, std::string const& word,
                     std::size_t width, std::string const& indent) {
    if (line.size() + word.size() > width && line.size() > indent.size()) {
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
      line = indent;
    }
    line += word;
  }

  index_t const* shape_;
  int rank_;
  index_t size_;
  std::vector<std::string> texts_;
  std::size_t next_ = 0;
};

}  // namespace karpos::inline KARPOS_ABI::ops::detail
