// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/facts.hpp"

#include "common/text.hpp"
#include "compare/build_info.hpp"
#include "compare/host_loop.hpp"
#include "compare/machine.hpp"
#include <karpos/backend/blas/gemm.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>

#include <Kokkos_Core.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace karpos::tools {

namespace {

template <class Exec>
constexpr char const* role_of() {
  if (kokkos_ext::is_device_space<Exec>)
    return "device";
  return std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace> ? "host-parallel" : "serial";
}

// Where each thread of the space may run: "0 | 1", or one list for all of them. An iteration for
// each thread; with fewer iterations than threads some thread would not be asked.
template <class Exec>
struct ask_thread {
  std::string* answers;
  void operator()(int i) const { answers[i] = allowed_processors(); }
};

template <class Exec>
std::string binding_of(Exec const& exec) {
  int const threads = kokkos_ext::concurrency(exec);
  std::vector<std::string> answers(static_cast<std::size_t>(threads));
  using policy =
      Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  policy work(exec, 0, threads);
  work.set_chunk_size(1);
  Kokkos::parallel_for("karpos-compare::binding", work, ask_thread<Exec>{answers.data()});
  exec.fence("karpos-compare::binding");
  bool all_equal = true;
  for (auto const& a : answers)
    all_equal = all_equal && a == answers.front();
  if (threads > 1 && all_equal)
    return "not bound (" + answers.front() + ")";
  return join(answers, " | ");
}

template <class Properties>
device device_of(Properties const& p) {
  device d;
  d.name = static_cast<char const*>(p.name);
  d.memory_bytes = static_cast<double>(p.totalGlobalMem);
  d.multiprocessors = p.multiProcessorCount;
  return d;
}

template <class Exec>
std::optional<device> describe_device(Exec const& exec) {
  if constexpr (requires { exec.cuda_device_prop(); }) {
    auto const& p = exec.cuda_device_prop();
    auto d = describe_nvidia_device(p.pciDomainID, p.pciBusID, p.pciDeviceID);
    auto const known = device_of(p);
    d.name = known.name;
    d.memory_bytes = known.memory_bytes;
    d.multiprocessors = known.multiprocessors;
    split_partition(d);
    return d;
  } else if constexpr (requires { exec.hip_device_prop(); }) {
    auto d = device_of(exec.hip_device_prop());
    d.max_clock_mhz = static_cast<double>(exec.hip_device_prop().clockRate) / 1e3;
    return d;
  } else if constexpr (kokkos_ext::is_device_space<Exec>) {
    device d;
    d.name = Exec::name();
    return d;
  } else {
    return std::nullopt;
  }
}

template <class Exec>
space_facts describe_space() {
  Exec const exec;
  space_facts s;
  s.name = kokkos_ext::space_name<Exec>();
  s.role = role_of<Exec>();
  s.blas = backend::blas::library<Exec>();
  s.blas_threads = backend::blas::threads(exec);
  s.device = describe_device(exec);
  if constexpr (!kokkos_ext::is_device_space<Exec>) {
    s.threads = kokkos_ext::concurrency(exec);
    s.binding = binding_of(exec);
  }
  return s;
}

template <class Exec>
void add_name(std::vector<std::string>& names) {
  names.push_back(kokkos_ext::space_name<Exec>());
}

std::string version_text(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

// In a child: with no device the runtime's answer ends the process inside Kokkos, which catches
// nothing there.
bool child_sees_device() {
  pid_t const child = fork();
  if (child == 0) {
    int const nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    _exit(Kokkos::num_devices() > 0 ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

}  // namespace

std::string device_is_missing() {
  std::string name;
  kokkos_ext::for_each_space([&]<class Exec>(std::type_identity<Exec>) {
    if constexpr (kokkos_ext::is_device_space<Exec>)
      name = kokkos_ext::space_name<Exec>();
  });
  if (name.empty() || child_sees_device())
    return {};
  return "no device: this build runs on " + name +
         ", and no such device is visible here (driver, permissions, *_VISIBLE_DEVICES); use a "
         "build for the host";
}

build_facts describe_build() {
  build_facts b;
  b.karpos = KARPOS_VERSION_STRING;
  b.kokkos = version_text(KOKKOS_VERSION);
  b.kokkos_kernels = build_info::kokkos_kernels;
  b.compiler = build_info::compiler;
  b.device_compiler = build_info::device_compiler;
  b.build_type = build_info::build_type;
  b.flags = trimmed(build_info::flags);
  kokkos_ext::for_each_space(
      [&]<class Exec>(std::type_identity<Exec>) { add_name<Exec>(b.spaces); });
  return b;
}

std::vector<space_facts> describe_spaces() {
  std::vector<space_facts> all;
  kokkos_ext::for_each_space(
      [&]<class Exec>(std::type_identity<Exec>) { all.push_back(describe_space<Exec>()); });
  return all;
}

void refresh_clocks(std::vector<space_facts>& spaces) {
  kokkos_ext::for_each_space([&]<class Exec>(std::type_identity<Exec>) {
    if constexpr (kokkos_ext::is_device_space<Exec>)
      for (auto& s : spaces)
        if (s.name == kokkos_ext::space_name<Exec>())
          s.device = describe_device(Exec{});
  });
}

}  // namespace karpos::tools
