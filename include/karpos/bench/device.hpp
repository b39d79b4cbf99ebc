// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the processor and of the device that a measurement ran on: a figure without them
// says little.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/core/spaces.hpp>

#include <fstream>
#include <string>

namespace karpos::inline KARPOS_ABI::bench {

namespace detail {

/// The value of the first line "name : value" of a file.
inline std::string field_of(char const* path, std::string const& name) {
  constexpr char const* blank = " \t";
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    auto const colon = line.find(':');
    auto const end = line.find_last_not_of(blank, colon == 0 ? 0 : colon - 1);
    if (colon == std::string::npos || end == std::string::npos || line.substr(0, end + 1) != name)
      continue;
    auto const begin = line.find_first_not_of(blank, colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

}  // namespace detail

/// The model of the host's processor as Linux names it; "unknown" where nothing does.
[[nodiscard]] inline std::string processor_name() {
  for (char const* name : {"model name", "cpu", "Processor", "CPU part"})
    if (auto text = detail::field_of("/proc/cpuinfo", name); !text.empty())
      return text;
  return "unknown";
}

/// What kernels on `exec` run on: the name of the GPU, of the processor on host spaces. Does not
/// wait.
template <execution_space Exec>
[[nodiscard]] std::string device_name([[maybe_unused]] Exec const& exec) {
  if constexpr (host_execution<Exec>) {
    return bench::processor_name();
  } else {
    auto const gpu = kokkos_ext::gpu_name(exec);
    return gpu.empty() ? kokkos_ext::space_name<Exec>() : gpu;
  }
}

}  // namespace karpos::inline KARPOS_ABI::bench
