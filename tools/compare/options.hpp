// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What karpos-compare is asked to do.
#pragma once
#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace karpos::tools {

struct compare_options {
  std::string operation;           ///< "matmul" or "elementwise"
  std::vector<std::string> files;  ///< two .npy files, or none for random inputs
  std::vector<std::int64_t> sizes{1000};
  std::vector<std::string> dtypes{"f64"};
  std::uint64_t seed = 1;
  bool random_given = false;  ///< one of the three above is on the command line

  std::string output, from;  ///< the result as .npy, and the space that it is taken from
  std::string json;
  std::string baseline;
  std::vector<std::string> spaces;  ///< empty: all of the build

  int warm_up = 2, samples = 25;
  double budget = 1.0;
  double copy_mib = 256;
  std::int64_t peak_size =
      0;  ///< extent of the product that shows the GEMM peak; 0: 2048 on a host, 8192 on a device

  // For tests.
  std::string plant;  ///< "sampled", "unsampled": where a wrong element is put
  std::int64_t full_check_size =
      1024;  ///< products of this extent and less are checked in every row
};

/// The two subcommands and their options.
void add_compare_options(CLI::App& app, compare_options& o);

/// What CLI11 cannot express. @throws usage_error.
void check_options(compare_options const& o);

}  // namespace karpos::tools
