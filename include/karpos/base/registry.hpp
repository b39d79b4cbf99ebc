// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One registry of singletons for the process: the pools and vendor handles of every shared library
// and plugin that includes Karpos, also when they are built with hidden visibility.
#pragma once
#include <karpos/base/config.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace karpos::inline KARPOS_ABI::detail {

struct KARPOS_PROCESS_WIDE process_registry {
  std::recursive_mutex mutex;
  std::map<std::string, std::shared_ptr<void>, std::less<>> entries;
};

// Leaked on purpose: tensors in static storage may be released after every destructor has run.
// The symbol has default visibility, so the dynamic linker keeps one of it.
KARPOS_PROCESS_WIDE inline process_registry& registry() {
  static process_registry* const instance = new process_registry;
  return *instance;
}

/// The object of type T registered under a name; made at the first call in the process.
template <class T>
T& process_wide(std::string_view name) {
  auto& r = registry();
  std::lock_guard const lock(r.mutex);
  auto it = r.entries.find(name);
  if (it == r.entries.end())
    it = r.entries.emplace(std::string(name), std::make_shared<T>()).first;
  return *static_cast<T*>(it->second.get());
}

}  // namespace karpos::inline KARPOS_ABI::detail
