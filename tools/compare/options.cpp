// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/options.hpp"

#include "common/arguments.hpp"
#include "common/files.hpp"
#include "common/results.hpp"

#include <algorithm>
#include <limits>

namespace karpos::tools {

namespace {

constexpr std::uint64_t largest_extent = std::uint64_t{1} << 20;

void take_sizes(compare_options& o, std::vector<std::string> const& items) {
  o.sizes.clear();
  for (auto const& item : items)
    o.sizes.push_back(std::stoll(item));
}

void add_inputs(CLI::App& app, compare_options& o, std::string const& what) {
  app.add_option("files", o.files,
                 what + "; without files the inputs are uniform random numbers in [0, 1)")
      ->expected(0, 2);
  add_list(app, "--n", "random inputs: n x n matrices, one comparison for each n",
           whole_number(1, largest_extent),
           [&o](std::vector<std::string> const& items) { take_sizes(o, items); })
      ->default_str("1000");
  add_list(app, "--dtype", "random inputs: f32, f64", CLI::IsMember({"f32", "f64"}),
           [&o](std::vector<std::string> const& items) { o.dtypes = items; })
      ->default_str("f64");
  app.add_option("--seed", o.seed,
                 "random inputs: the same seed gives the same bits in every build")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
}

void add_outputs(CLI::App& app, compare_options& o) {
  app.add_option("-o,--output", o.output, "write the result to this .npy file")->check(not_empty());
  app.add_option("--from", o.from,
                 "the execution space whose result -o writes (default: the baseline)")
      ->check(not_empty());
  app.add_option("--json", o.json, "write everything that was found out to this file")
      ->check(not_empty());
  app.add_option("--baseline", o.baseline,
                 "the execution space that speed-ups refer to (default: the host-parallel one)")
      ->check(not_empty());
  add_list(app, "--spaces", "the execution spaces to run on (default: all of the build)",
           CLI::Validator(), [&o](std::vector<std::string> const& items) { o.spaces = items; });
}

void add_timing(CLI::App& app, compare_options& o) {
  app.add_option("--warm-up", o.warm_up, "calls after the first that are not counted")
      ->transform(whole_number(0, 1000))
      ->capture_default_str();
  app.add_option("--samples", o.samples,
                 "samples of each row, fewer when --budget is spent (at least 3)")
      ->transform(whole_number(3, 100000))
      ->capture_default_str();
  app.add_option("--budget", o.budget, "seconds for the samples of one row")
      ->check(real_number(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--copy-mib", o.copy_mib, "size of the array whose copy shows the bandwidth")
      ->check(real_number(0.01, 1e6))
      ->capture_default_str();
  app.add_option("--peak-n", o.peak_size,
                 "extent of the product that shows the GEMM peak (default: 2048 on a host, 8192 on "
                 "a device)")
      ->transform(whole_number(1, largest_extent));
}

// Not in --help.
void add_hidden(CLI::App& app, compare_options& o) {
  app.add_option("--plant-error", o.plant)
      ->check(CLI::IsMember({"sampled", "unsampled"}))
      ->group("");
  app.add_option("--full-check-n", o.full_check_size)
      ->transform(whole_number(0, largest_extent))
      ->group("");
}

void add_operation(CLI::App& app, compare_options& o, std::string const& name,
                   std::string const& help, std::string const& files) {
  auto* const command = app.add_subcommand(name, help);
  add_inputs(*command, o, files);
  add_outputs(*command, o);
  add_timing(*command, o);
  add_hidden(*command, o);
  command->callback([&o, name, command] {
    o.operation = name;
    o.random_given =
        command->count("--n") + command->count("--dtype") + command->count("--seed") > 0;
  });
}

// A file that is read is not written, and each file is written once.
void check_outputs(compare_options const& o) {
  if (!o.output.empty() && !o.json.empty() && same_file(o.output, o.json))
    throw usage_error("-o and --json name the same file: " + o.json);
  for (auto const& path : {o.output, o.json}) {
    if (path.empty())
      continue;
    for (auto const& input : o.files)
      if (same_file(path, input))
        throw usage_error("cannot write " + path + ": it is an input");
  }
  if (!o.output.empty())
    check_replaceable(o.output);
  if (!o.json.empty())
    check_writable(o.json);
}

}  // namespace

void add_compare_options(CLI::App& app, compare_options& o) {
  app.require_subcommand(1);
  add_operation(app, o, "matmul", "the product of two matrices",
                "A.npy (m, k) and B.npy (k, n), float32 or float64");
  add_operation(app, o, "elementwise",
                "exp(-x*x)*sin(y)+0.5*x, x+y, x*y and x+row (row: the first row of y)",
                "X.npy and Y.npy of one shape (m, n), float32 or float64");
}

void check_options(compare_options const& o) {
  if (o.files.size() == 1)
    throw usage_error(o.operation + " takes two files or none; got " + o.files.front() + " alone");
  if (std::ranges::find(o.files, "") != o.files.end())  // which CLI11 does not hand to a check
    throw usage_error("an empty name of a file");
  if (!o.files.empty() && o.random_given)
    throw usage_error("--n, --dtype and --seed are for random inputs; they do not go with files");
  if (!o.from.empty() && o.output.empty())
    throw usage_error("--from names the space for -o, which is not given");
  if (!o.output.empty() && o.files.empty() && o.sizes.size() * o.dtypes.size() > 1)
    throw usage_error("-o takes one result; give one --n and one --dtype");
  check_outputs(o);
}

}  // namespace karpos::tools
