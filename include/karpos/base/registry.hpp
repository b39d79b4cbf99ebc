// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One registry of singletons for the process: the pools and vendor handles of every module
// (program, shared library, plugin) that includes Karpos.
//
// No symbol is shared for it, so hidden visibility, RTLD_LOCAL and programs that export nothing do
// not matter. The first module that asks makes the registry and leaves its address in an
// environment variable; the others find it there. The name of the variable holds the run of the
// program, so that children do not take the address for theirs, the version and configuration of
// Karpos, and the Kokkos library: where there are two of them, each has its registry. Objects of
// the registry and blocks of memory contain pointers to the code of the module that made them;
// therefore a module stays loaded once it has asked.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/process_config.hpp>

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace karpos::inline KARPOS_ABI::detail {

struct process_registry {
  std::recursive_mutex mutex;
  std::map<std::string, std::shared_ptr<void>, std::less<>> entries;
};

inline std::string registry_variable() {
  auto* const kokkos = &Kokkos::finalize;
  std::string key = KARPOS_VERSION_STRING " " KARPOS_ABI_STRING " " + run_mark();
  key.append(reinterpret_cast<char const*>(&kokkos), sizeof kokkos);
  char name[40];
  std::snprintf(name, sizeof name, "KARPOS_REGISTRY_%zx", std::hash<std::string>{}(key));
  return name;
}

inline process_registry* join_registry() {
  auto mine = std::make_unique<process_registry>();
  void* const shared = first_offered(registry_variable(), mine.get());
  // Leaked on purpose: tensors in static storage may be released after every destructor has run.
  return shared == mine.get() ? mine.release() : static_cast<process_registry*>(shared);
}

KARPOS_MODULE_LOCAL inline process_registry& registry() {
  static process_registry* const instance = (keep_this_module_loaded(), join_registry());
  return *instance;
}

/// The object of type T registered under a name; made at the first call in the process.
template <class T>
KARPOS_MODULE_LOCAL T& process_wide(std::string_view name) {
  auto& r = registry();
  std::lock_guard const lock(r.mutex);
  auto it = r.entries.find(name);
  if (it == r.entries.end())
    it = r.entries.emplace(std::string(name), std::make_shared<T>()).first;
  return *static_cast<T*>(it->second.get());
}

}  // namespace karpos::inline KARPOS_ABI::detail
