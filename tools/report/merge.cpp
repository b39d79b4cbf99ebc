// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/merge.hpp"

#include "common/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace karpos::tools {

namespace {

// The order of the columns; the first four are shown also when nobody ran them.
constexpr std::array<char const*, 7> known_spaces{"OpenMP",  "Serial", "Cuda", "HIP",
                                                  "Threads", "HPX",    "SYCL"};
constexpr std::size_t usual_spaces = 4;

constexpr std::array<char const*, 4> known_rows{"karpos", "direct BLAS", "raw Kokkos loop",
                                                "one thread"};

template <std::size_t N>
std::size_t place(std::array<char const*, N> const& order, std::string const& name) {
  return static_cast<std::size_t>(std::ranges::find(order, name) - order.begin());
}

problem without_rows(problem p) {
  p.rows.clear();
  return p;
}

bool same_title(problem const& a, problem const& b) { return problem_title(a) == problem_title(b); }

std::string difference(problem const& a, problem const& b) {
  for (std::size_t i = 0; i < std::min(a.inputs.size(), b.inputs.size()); ++i) {
    auto const &x = a.inputs[i], &y = b.inputs[i];
    if (x.hash != y.hash || x.shape != y.shape)
      return x.name + " is " + shape_text(x.shape) + " " + x.hash + " (" + x.source + ") against " +
             shape_text(y.shape) + " " + y.hash + " (" + y.source + ")";
  }
  return a.input_hash + " against " + b.input_hash;
}

// Where the problem of a later file is to be found among the earlier ones.
merged_problem* find_problem(merged_results& m, problem const& p, std::string const& path) {
  for (auto& known : m.problems) {
    if (!same_title(known.head, p))
      continue;
    if (known.head.input_hash != p.input_hash)
      throw usage_error("different inputs for " + problem_title(p) + ": " + known.path + " and " +
                        path + ": " + difference(known.head, p));
    return &known;
  }
  return nullptr;
}

void collect_problems(merged_results& m) {
  for (std::size_t i = 0; i < m.files.size(); ++i) {
    auto const& file = m.files[i];
    bool shared = i == 0;
    for (auto const& p : file.content.problems) {
      if (find_problem(m, p, file.path) != nullptr) {
        shared = true;
      } else {
        m.problems.push_back({without_rows(p), file.path, {}});
      }
    }
    if (!shared)
      throw usage_error("different inputs: " + file.path +
                        " has no operation, element type and shape in common with " +
                        m.files.front().path);
  }
}

void collect_columns(merged_results& m) {
  for (std::size_t i = 0; i < m.files.size(); ++i)
    for (auto const& s : m.files[i].content.spaces)
      m.columns.push_back({s.name, i});
  for (std::size_t i = 0; i < usual_spaces; ++i) {
    auto const is_it = [&](merged_column const& c) { return c.space == known_spaces[i]; };
    if (std::ranges::none_of(m.columns, is_it))
      m.columns.push_back({known_spaces[i], std::nullopt});
  }
  std::ranges::stable_sort(m.columns, {},
                           [](merged_column const& c) { return place(known_spaces, c.space); });
}

// The first host-parallel space, else the first space that ran.
void choose_baseline(merged_results& m) {
  for (std::size_t i = 0; i < m.columns.size(); ++i) {
    auto const* const facts = facts_of(m, m.columns[i]);
    if (facts == nullptr)
      continue;
    if (!m.baseline)
      m.baseline = i;
    if (facts->role == "host-parallel") {
      m.baseline = i;
      return;
    }
  }
}

problem const* problem_of(merged_results const& m, merged_column const& c, problem const& head) {
  if (!c.file)
    return nullptr;
  for (auto const& p : m.files[*c.file].content.problems)
    if (same_title(p, head))
      return &p;
  return nullptr;
}

void collect_row_names(merged_results const& m, merged_problem& merged) {
  std::vector<std::string> operations;
  for (auto const& column : m.columns) {
    auto const* const p = problem_of(m, column, merged.head);
    if (p == nullptr)
      continue;
    for (auto const& row : p->rows) {
      if (std::ranges::find(operations, row.operation) == operations.end())
        operations.push_back(row.operation);
      auto const is_it = [&](merged_row const& r) {
        return r.operation == row.operation && r.name == row.name;
      };
      if (std::ranges::none_of(merged.rows, is_it))
        merged.rows.push_back({row.operation, row.name, {}});
    }
  }
  std::ranges::stable_sort(merged.rows, {}, [&](merged_row const& r) {
    return std::pair(std::ranges::find(operations, r.operation) - operations.begin(),
                     place(known_rows, r.name));
  });
}

merged_cell cell_of(problem const* p, merged_column const& column, merged_row const& r) {
  merged_cell cell;
  if (p == nullptr)
    return cell;
  for (auto const& row : p->rows) {
    if (row.space != column.space)
      continue;
    cell.run = true;
    if (row.operation == r.operation && row.name == r.name)
      cell.row = row;
  }
  return cell;
}

void fill_cells(merged_results& m, merged_problem& merged) {
  for (auto& r : merged.rows)
    for (auto const& column : m.columns) {
      r.cells.push_back(cell_of(problem_of(m, column, merged.head), column, r));
      auto const& row = r.cells.back().row;
      if (row && row->check.status == "fail")
        m.passed = false;
    }
}

// Of rates, not of times: a baseline row may have done a part of the work.
void set_speed_ups(merged_results const& m, merged_problem& merged) {
  if (!m.baseline)
    return;
  for (auto& r : merged.rows) {
    auto const is_reference = [&](merged_row const& x) {
      return x.operation == r.operation && x.name == "karpos";
    };
    auto const reference = std::ranges::find_if(merged.rows, is_reference);
    if (reference == merged.rows.end() || !reference->cells[*m.baseline].row)
      continue;
    double const base = reference->cells[*m.baseline].row->rate;
    for (auto& cell : r.cells)
      if (cell.row && base > 0)
        cell.speed_up = cell.row->rate / base;
  }
}

}  // namespace

space_facts const* facts_of(merged_results const& m, merged_column const& c) {
  if (!c.file)
    return nullptr;
  for (auto const& s : m.files[*c.file].content.spaces)
    if (s.name == c.space)
      return &s;
  return nullptr;
}

merged_results merge(std::vector<named_results> files) {
  merged_results m;
  m.files = std::move(files);
  collect_problems(m);
  collect_columns(m);
  choose_baseline(m);
  for (auto& p : m.problems) {
    collect_row_names(m, p);
    fill_cells(m, p);
    set_speed_ups(m, p);
  }
  return m;
}

}  // namespace karpos::tools
