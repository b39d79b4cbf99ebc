// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/machine.hpp"

#include "common/text.hpp"
#include <karpos/bench/device.hpp>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace karpos::tools {

namespace {

std::string first_line(std::string const& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return trimmed(line);
}

double number_in(std::string const& text) { return std::strtod(text.c_str(), nullptr); }

// Sockets and cores from the topology that the kernel shows; a virtual machine may show none.
void count_processors(machine_facts& m) {
  std::set<std::string> sockets;
  std::set<std::pair<std::string, std::string>> cores;
  m.hardware_threads = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  auto const configured = sysconf(_SC_NPROCESSORS_CONF);
  for (long i = 0; i < configured; ++i) {
    auto const folder = "/sys/devices/system/cpu/cpu" + std::to_string(i) + "/topology/";
    auto const socket = first_line(folder + "physical_package_id");
    if (socket.empty())
      continue;
    sockets.insert(socket);
    cores.emplace(socket, first_line(folder + "core_id"));
  }
  m.sockets = static_cast<int>(sockets.size());
  m.cores = static_cast<int>(cores.size());
}

void read_clock(machine_facts& m) {
  std::string const folder = "/sys/devices/system/cpu/cpu0/cpufreq/";
  m.governor = first_line(folder + "scaling_governor");
  m.cpu_mhz = number_in(first_line(folder + "scaling_max_freq")) / 1e3;
  if (m.cpu_mhz == 0)
    m.cpu_mhz = number_in(bench::detail::field_of("/proc/cpuinfo", "cpu MHz"));
}

std::vector<std::string> split(std::string const& line, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(trimmed(part));
  return parts;
}

// "00000000:17:00.0": the domain with eight digits, as nvidia-smi prints it.
bool is_at(std::string const& address, int domain, int bus, int slot) {
  std::array<unsigned, 3> at{};
  return std::sscanf(address.c_str(), "%x:%x:%x", &at[0], &at[1], &at[2]) == 3 &&
         at[0] == static_cast<unsigned>(domain) && at[1] == static_cast<unsigned>(bus) &&
         at[2] == static_cast<unsigned>(slot);
}

cpu_set_t processors_of(pid_t thread) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(thread, sizeof(set), &set) != 0)
    CPU_ZERO(&set);
  return set;
}

// An OpenMP runtime binds the first thread before main begins, so no single thread can tell.
cpu_set_t processors_of_all_threads() {
  cpu_set_t all = processors_of(0);
  std::error_code ignored;
  for (auto const& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    auto const thread = static_cast<pid_t>(std::atol(task.path().filename().c_str()));
    cpu_set_t const set = processors_of(thread);
    CPU_OR(&all, &all, &set);
  }
  return all;
}

std::string list_text(cpu_set_t const& set) {
  auto const has = [&](int i) {
    return i < CPU_SETSIZE && CPU_ISSET(static_cast<unsigned>(i), &set);
  };
  std::string text;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!has(i))
      continue;
    int last = i;
    while (has(last + 1))
      ++last;
    text += concat(text.empty() ? "" : ",", std::to_string(i));
    if (last > i)
      text += concat("-", std::to_string(last));
    i = last;
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace

std::string allowed_processors() { return list_text(processors_of(0)); }

machine_facts describe_machine() {
  machine_facts m;
  utsname name{};
  if (uname(&name) == 0) {
    m.host = name.nodename;
    m.system = std::string(name.sysname) + " " + name.release + " " + name.machine;
  }
  m.cpu = bench::processor_name();
  count_processors(m);
  m.allowed_cpus = list_text(processors_of_all_threads());
  m.memory_bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  read_clock(m);
  return m;
}

std::map<std::string, std::string> describe_environment() {
  constexpr std::array<std::string_view, 14> prefixes{
      "OMP_",        "GOMP_",       "KMP_",         "KOKKOS_",          "KARPOS_",
      "OPENBLAS_",   "MKL_",        "BLIS_",        "GOTO_NUM_THREADS", "CUDA_VISIBLE",
      "CUDA_DEVICE", "HIP_VISIBLE", "ROCR_VISIBLE", "CUBLAS_"};
  std::map<std::string, std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view const text(*entry);
    auto const equals = text.find('=');
    if (equals == std::string_view::npos)
      continue;
    auto const name = text.substr(0, equals);
    if (std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); }))
      found.emplace(name, text.substr(equals + 1));
  }
  return found;
}

std::string utc_now() {
  std::time_t const now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::vector<std::string> lines_of_command(std::string const& command) {
  struct closer {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
  };
  std::vector<std::string> lines;
  std::unique_ptr<std::FILE, closer> const pipe(popen((command + " 2>/dev/null").c_str(), "r"));
  if (!pipe)
    return lines;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr)
    lines.push_back(trimmed(buffer.data()));
  return lines;
}

device describe_nvidia_device(int pci_domain, int pci_bus, int pci_device) {
  device d;
  auto const lines = lines_of_command(
      "nvidia-smi "
      "--query-gpu=pci.bus_id,driver_version,clocks.sm,clocks.max.sm,clocks.mem,mig.mode.current "
      "--format=csv,noheader,nounits");
  for (auto const& line : lines) {
    auto const parts = split(line, ',');
    if (parts.size() < 6 || !is_at(parts[0], pci_domain, pci_bus, pci_device))
      continue;
    d.driver = parts[1];
    d.clock_mhz = number_in(parts[2]);
    d.max_clock_mhz = number_in(parts[3]);
    d.memory_clock_mhz = number_in(parts[4]);
    d.partition = parts[5] == "Enabled" ? "MIG" : "none";
  }
  return d;
}

void split_partition(device& d) {
  auto const at = d.name.find(" MIG ");
  if (at == std::string::npos)
    return;
  d.partition = d.name.substr(at + 1);
  d.name.resize(at);
}

}  // namespace karpos::tools
