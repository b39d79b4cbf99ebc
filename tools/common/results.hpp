// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What karpos-compare finds out and karpos-report reads: the members are the fields of the JSON
// file (docs/tools.md). Times in seconds.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace karpos::tools {

/// A request that cannot be carried out: one line for the user, exit code 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One thing timed: the first call alone, then the median and quartiles of `samples` samples of
/// `repeats` calls each, per call.
struct timing {
  double first_s = 0;
  int warm_up = 0;
  int samples = 0;
  int repeats = 1;
  double median_s = 0, q1_s = 0, q3_s = 0, min_s = 0;
};

/// Whether a result is right. `worst` is the largest error over what is allowed; absent when not
/// finite.
struct verdict {
  std::string status = "none";  ///< "pass", "fail", "none" (not checked)
  std::optional<double> worst;
  std::string how;     ///< what was compared with what
  std::string detail;  ///< the first wrong place of a failure
};

/// One line of a comparison: an operation, on one execution space, done in one way.
struct measured_row {
  std::string space;
  std::string operation;  ///< "matmul", "expression", "x+y", "x*y", "x+row"
  std::string name;       ///< "karpos", "direct BLAS", "raw Kokkos loop", "one thread"
  std::string path;       ///< what ran: a library, a part of the work
  timing compute;
  std::optional<double> to_space_s, from_space_s;  ///< transfers of operands and result
  double rate = 0;                                 ///< in `unit`, from the median
  std::string unit;                                ///< "GFLOP/s" or "GB/s"
  std::optional<double> percent_of_copy, percent_of_gemm, speed_up;
  verdict check;
};

struct input_array {
  std::string name, source;  ///< source: the file, or how it was made
  std::vector<std::int64_t> shape;
  std::string hash;  ///< of the elements in row-major order
};

/// One operation on one set of inputs, on every execution space of the build.
struct problem {
  std::string operation, dtype;
  std::vector<std::int64_t> shape;  ///< of the result
  std::vector<input_array> inputs;
  std::string input_hash;  ///< of operation, dtype and all inputs: equal for equal problems
  std::string baseline;    ///< the space that speed_up refers to
  std::vector<measured_row> rows;
};

/// What a space reached in the same run: the yardsticks of the percentages.
struct peak {
  std::string space, dtype;
  double copy_gb_per_s = 0;
  std::string copy_method;
  double gemm_gflop_per_s = 0;
  std::string gemm_method;
};

struct device {
  std::string name, partition, driver;
  double clock_mhz = 0, max_clock_mhz = 0, memory_clock_mhz = 0;
  double memory_bytes = 0;
  int multiprocessors = 0;
};

struct space_facts {
  std::string name;
  std::string role;  ///< "host-parallel", "serial", "device"
  int threads = 0;   ///< 0 on a device
  std::string binding;
  std::string blas;  ///< library that serves products
  int blas_threads = 0;
  std::optional<tools::device> device;
};

struct machine_facts {
  std::string host, system, cpu;
  int sockets = 0, cores = 0, hardware_threads = 0;
  std::string allowed_cpus;  ///< that the threads of the run may use: "0-15"
  double memory_bytes = 0;
  double cpu_mhz = 0;
  std::string governor;
};

struct build_facts {
  std::string karpos, kokkos, kokkos_kernels, compiler, device_compiler, build_type, flags;
  std::vector<std::string> spaces;
};

struct results {
  std::string format = "karpos-results";
  int version = 1;
  std::string date;
  std::vector<std::string> command;
  machine_facts machine;
  std::map<std::string, std::string>
      environment;  ///< variables that decide about threads and devices
  build_facts build;
  std::vector<space_facts> spaces;
  std::vector<peak> peaks;
  std::vector<problem> problems;
  bool passed = true;
};

/// "matmul float64 (1000, 1000)": what a problem is, without its inputs.
[[nodiscard]] std::string problem_title(problem const& p);

/// The hash that says whether two problems had equal inputs.
[[nodiscard]] std::string hash_of_inputs(problem const& p);

/// @throws usage_error with the path when the file cannot be written or read or is something else.
void write_results(std::string const& path, results const& r);
[[nodiscard]] results read_results(std::string const& path);

}  // namespace karpos::tools
