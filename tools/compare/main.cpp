// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// karpos-compare: the same code on every execution space of the build, checked against a reference
// and timed side by side.
#include "common/arguments.hpp"
#include "common/command_line.hpp"
#include "common/results.hpp"
#include "common/text.hpp"
#include "compare/facts.hpp"
#include "compare/inputs.hpp"
#include "compare/machine.hpp"
#include "compare/operations.hpp"
#include "compare/options.hpp"
#include "compare/print.hpp"
#include "compare/session.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace karpos::tools;

// The name of a space as the build spells it. @throws usage_error.
std::string known_space(std::vector<space_facts> const& spaces, std::string const& option,
                        std::string const& name) {
  std::vector<std::string> names;
  for (auto const& s : spaces) {
    if (same_word(s.name, name))
      return s.name;
    names.push_back(s.name);
  }
  throw usage_error(option + " " + name + ": this run has " + join(names, ", "));
}

void choose_spaces(compare_options& o, results& r) {
  if (!o.spaces.empty()) {
    for (auto& name : o.spaces)
      name = known_space(r.spaces, "--spaces", name);
    std::erase_if(r.spaces, [&](space_facts const& s) {
      return std::ranges::find(o.spaces, s.name) == o.spaces.end();
    });
  }
  if (!o.baseline.empty())
    o.baseline = known_space(r.spaces, "--baseline", o.baseline);
  if (!o.from.empty())
    o.from = known_space(r.spaces, "--from", o.from);
}

results collect_facts(compare_options& o, std::vector<std::string> const& command) {
  results r;
  r.date = utc_now();
  r.command = command;
  r.environment = describe_environment();
  r.build = describe_build();
  r.spaces = describe_spaces();
  r.machine = describe_machine();  // with the threads that now run
  choose_spaces(o, r);
  return r;
}

peak const* peak_of(results const& r, std::string const& space, std::string const& dtype) {
  for (auto const& p : r.peaks)
    if (p.space == space && p.dtype == dtype)
      return &p;
  return nullptr;
}

// Bytes that a product must move at least, per operation: what turns its rate into a share of the
// copy bandwidth.
double bytes_per_flop(problem const& p) {
  auto const m = static_cast<double>(p.inputs[0].shape[0]),
             k = static_cast<double>(p.inputs[0].shape[1]),
             n = static_cast<double>(p.inputs[1].shape[1]);
  return (p.dtype == "float32" ? 4 : 8) * (m * k + k * n + m * n) / (2 * m * k * n);
}

void set_percentages(results const& r, problem const& p, measured_row& row) {
  auto const* const yardstick = peak_of(r, row.space, p.dtype);
  if (yardstick == nullptr)
    return;
  bool const product = p.operation == "matmul";
  row.percent_of_copy =
      100 * row.rate * (product ? bytes_per_flop(p) : 1.0) / yardstick->copy_gb_per_s;
  if (product)
    row.percent_of_gemm = 100 * row.rate / yardstick->gemm_gflop_per_s;
}

// Of rates, because a baseline row may have done a part of the work.
void set_speed_up(problem const& p, measured_row& row) {
  for (auto const& base : p.rows)
    if (base.space == p.baseline && base.operation == row.operation && base.name == "karpos")
      row.speed_up = row.rate / base.rate;
}

void complete(results& r, problem& p) {
  for (auto& row : p.rows) {
    set_percentages(r, p, row);
    set_speed_up(p, row);
    if (row.check.status == "fail")
      r.passed = false;
  }
}

template <class T>
void run_case(session const& s, operands<T> const& in) {
  auto p = in.head.operation == "matmul" ? compare_matmul(s, in) : compare_elementwise(s, in);
  p.baseline = s.baseline;
  // After the first rows: the first call of a library belongs to what is compared.
  if (peak_of(s.found, s.baseline, p.dtype) == nullptr) {
    measure_peaks<T>(s);
    print_peaks(std::cout, s.found, p.dtype);
  }
  complete(s.found, p);
  print_problem(std::cout, s.found, p);
  std::cout.flush();
  s.found.problems.push_back(std::move(p));
}

template <class T>
void run_random(session const& s) {
  for (auto const n : s.options.sizes)
    run_case<T>(s, random_operands<T>(s.options, n));
}

void run_all(session const& s, std::string const& dtype_of_files) {
  if (dtype_of_files == "float32")
    return run_case<float>(s, load_operands<float>(s.options));
  if (dtype_of_files == "float64")
    return run_case<double>(s, load_operands<double>(s.options));
  for (auto const& dtype : s.options.dtypes) {
    if (dtype == "f32")
      run_random<float>(s);
    if (dtype == "f64")
      run_random<double>(s);
  }
}

struct command_line {
  std::vector<std::string> ours;
  std::vector<char*> kokkos;  // the program's name and Kokkos' own arguments
};

command_line split_arguments(int argc, char** argv) {
  command_line c;
  c.kokkos.push_back(argv[0]);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).starts_with("--kokkos-")) {
      c.kokkos.push_back(argv[i]);
    } else {
      c.ours.emplace_back(argv[i]);
    }
  }
  return c;
}

// Kokkos ends the process over a number that it cannot use.
void check_kokkos_argument(std::string const& argument) {
  auto const equals = argument.find('=');
  if (equals == std::string::npos)
    return;
  auto const name = argument.substr(0, equals);
  auto number = argument.substr(equals + 1);
  constexpr std::uint64_t most = std::numeric_limits<int>::max();
  std::string why;
  if (name == "--kokkos-num-threads")
    why = whole_number(1, most)(number);
  if (name == "--kokkos-device-id")
    why = whole_number(0, most)(number);
  if (!why.empty())
    throw usage_error(name + ": " + why);
}

int run(compare_options& o, std::vector<char*> kokkos_arguments,
        std::vector<std::string> const& command) {
  check_options(o);
  for (auto const* const argument : kokkos_arguments)
    check_kokkos_argument(argument);
  std::string const dtype_of_files = o.files.empty() ? "" : check_files(o);
  if (auto const why = device_is_missing(); !why.empty())
    throw usage_error(why);
  int count = static_cast<int>(kokkos_arguments.size());
  Kokkos::ScopeGuard const guard(count, kokkos_arguments.data());
  auto found = collect_facts(o, command);
  print_facts(std::cout, found);
  run_all({o, found, o.baseline.empty() ? found.spaces.front().name : o.baseline}, dtype_of_files);
  print_verdict(std::cout, found);
  if (!o.json.empty())
    write_results(o.json, found);
  return found.passed ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  compare_options o;
  CLI::App app("The same code on every execution space of this build, checked against a reference "
               "and timed side by side. "
               "Arguments --kokkos-* go to Kokkos. Exit code: 0 all checks passed; 1 a check "
               "failed; 2 bad usage, bad files, "
               "no device.",
               "karpos-compare");
  add_compare_options(app, o);
  auto const arguments = split_arguments(argc, argv);
  return run_command(app, arguments.ours,
                     [&] { return run(o, arguments.kokkos, {argv, argv + argc}); });
}
