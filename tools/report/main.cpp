// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// karpos-report: reads the JSON files of karpos-compare. Needs no Kokkos and no device.
#include "common/arguments.hpp"
#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/results.hpp"
#include "report/merge.hpp"
#include "report/print.hpp"

#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace karpos::tools;

struct options {
  std::vector<std::string> files;
  std::string json;
  bool markdown = false;
};

void add_merge(CLI::App& app, options& o) {
  auto* const merge = app.add_subcommand("merge", "results of several builds side by side");
  merge->add_option("files", o.files, "JSON files of karpos-compare")
      ->required()
      ->check(not_empty());
  merge->add_option("--json", o.json, "write the merged table to this file as JSON")
      ->check(not_empty());
  merge->add_flag("--markdown", o.markdown, "print Markdown tables");
}

void check_paths(options const& o) {
  for (std::size_t i = 0; i < o.files.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      if (same_file(o.files[i], o.files[k]))
        throw usage_error(o.files[i] + " is given twice");
    if (!o.json.empty() && same_file(o.json, o.files[i]))
      throw usage_error("cannot write " + o.json + ": it is an input");
  }
  if (!o.json.empty())
    check_writable(o.json);
}

int run(options const& o) {
  check_paths(o);
  std::vector<named_results> files;
  for (auto const& path : o.files)
    files.push_back({path, read_results(path)});
  auto const merged = merge(std::move(files));
  print_merged(std::cout, merged, o.markdown ? table_style::markdown : table_style::plain);
  if (!o.json.empty())
    write_text(o.json, merged_json(merged));
  return merged.passed ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app(
      "Merges the results of karpos-compare. Exit code: 0; 1: a result in a file failed its check; "
      "2: bad files, bad usage, different inputs.",
      "karpos-report");
  app.require_subcommand(1);
  add_merge(app, o);
  return run_command(app, {argv + 1, argv + argc}, [&] { return run(o); });
}
