// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// karpos-report: reads the JSON files of karpos-compare and of the benchmarks. Needs no Kokkos and
// no device.
#include "common/arguments.hpp"
#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/results.hpp"
#include "report/diff.hpp"
#include "report/html.hpp"
#include "report/measurements.hpp"
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
  std::string output;
  bool markdown = false;
  double noise = 10;  // per cent
  bool any_machine = false;
};

struct command {
  CLI::App* app;
  int (*run)(options const&);
};

void check_paths(options const& o) {
  for (std::size_t i = 0; i < o.files.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      if (same_file(o.files[i], o.files[k]))
        throw usage_error(o.files[i] + " is given twice");
    if (!o.output.empty() && same_file(o.output, o.files[i]))
      throw usage_error("cannot write " + o.output + ": it is an input");
  }
  if (!o.output.empty())
    check_writable(o.output);
}

int run_merge(options const& o) {
  check_paths(o);
  std::vector<named_results> files;
  for (auto const& path : o.files)
    files.push_back({path, read_results(path)});
  auto const merged = merge(std::move(files));
  print_merged(std::cout, merged, o.markdown ? table_style::markdown : table_style::plain);
  if (!o.output.empty())
    write_text(o.output, merged_json(merged));
  return merged.passed ? 0 : 1;
}

int run_diff(options const& o) {
  auto const read_file = [](std::string const& path) {
    return benchmarks_of(path, read_json(path));
  };
  auto before = read_file(o.files[0]), after = read_file(o.files[1]);
  if (!o.any_machine)
    check_same_machine(before, after);
  auto const c = compare_benchmarks(std::move(before), std::move(after), o.noise / 100);
  print_comparison(std::cout, c);
  return c.fell ? 1 : 0;
}

int run_html(options const& o) {
  check_paths(o);
  std::vector<measured_file> files;
  for (auto const& path : o.files)
    files.push_back(read_measurements(path));
  auto const page = html_of(files);
  if (o.output.empty())
    std::cout << page;
  else
    write_text(o.output, page);
  return 0;
}

command add_merge(CLI::App& app, options& o) {
  auto* const merge = app.add_subcommand("merge", "results of several builds side by side");
  merge->add_option("files", o.files, "JSON files of karpos-compare")
      ->required()
      ->check(not_empty());
  merge->add_option("--json", o.output, "write the merged table to this file as JSON")
      ->check(not_empty());
  merge->add_flag("--markdown", o.markdown, "print Markdown tables");
  return {merge, run_merge};
}

command add_diff(CLI::App& app, options& o) {
  auto* const diff = app.add_subcommand("diff", "what became slower between two benchmark files");
  diff->add_option("files", o.files, "the old and the new JSON file of Google Benchmark")
      ->required()
      ->expected(2)
      ->check(not_empty());
  diff->add_option("--noise", o.noise, "per cent that a rate may fall")
      ->check(real_number(0, 100))
      ->capture_default_str();
  diff->add_flag("--any-machine", o.any_machine, "compare files of different machines or backends");
  return {diff, run_diff};
}

command add_html(CLI::App& app, options& o) {
  auto* const html = app.add_subcommand("html", "tables and charts as one page of HTML");
  html->add_option("files", o.files, "JSON files of Google Benchmark or karpos-compare")
      ->required()
      ->check(not_empty());
  html->add_option("-o", o.output, "write the page to this file, not to the standard output")
      ->check(not_empty());
  return {html, run_html};
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app("Merges the results of karpos-compare, compares and draws benchmarks. Exit code: 0; "
               "1: a result failed its check (merge), a row became slower or fails (diff); "
               "2: bad files, bad usage, different inputs or machines.",
               "karpos-report");
  app.require_subcommand(1);
  std::vector<command> const commands{add_merge(app, o), add_diff(app, o), add_html(app, o)};
  return run_command(app, {argv + 1, argv + argc}, [&] {
    for (auto const& c : commands)
      if (c.app->parsed())
        return c.run(o);
    return 0;  // require_subcommand(1) leaves none
  });
}
