// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the registry needs of the operating system: a mark of this run of the program, a place where
// all modules (program, shared libraries, plugins) of a process meet, and modules that stay loaded.
// What the pool needs of it: large pages.
#pragma once
#include <karpos/base/config.hpp>

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/auxv.h>
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdint>
#include <string>

namespace karpos::inline KARPOS_ABI::detail {

/// Bytes that differ from run to run of a program, also after an exec, which keeps the process id.
inline std::string run_mark() {
#if defined(__linux__)
  return {reinterpret_cast<char const*>(getauxval(AT_RANDOM)), 16};  // the kernel's, new per exec
#else
  return std::to_string(getpid());
#endif
}

/// The object that the first caller offered under this name. The environment is the one place that
/// modules share whatever their symbols are; setenv without overwriting lets one of two callers
/// win.
inline void* first_offered(std::string const& name, void* offer) {
  if (getenv(name.c_str()) == nullptr)
    setenv(name.c_str(), std::to_string(reinterpret_cast<std::uintptr_t>(offer)).c_str(), 0);
  char const* const text = getenv(name.c_str());
  return text == nullptr ? offer : reinterpret_cast<void*>(strtoull(text, nullptr, 10));
}

/// From here on dlclose does not unload the module whose code this is.
KARPOS_MODULE_LOCAL inline void keep_this_module_loaded() {
  static char here;
  Dl_info module;
  if (dladdr(&here, &module) != 0 && module.dli_fname != nullptr)
    static_cast<void>(dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD));  // one reference more
  static_cast<void>(dlerror());  // the program itself has none to give
}

/// Asks for large pages behind memory that has not been touched yet: walks along columns then miss
/// the TLB far less often (a transpose runs up to twice as fast). A hint; without effect elsewhere.
inline void advise_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 4096;
  auto const address = reinterpret_cast<std::uintptr_t>(data),
             first = (address + page - 1) / page * page;
  std::uintptr_t const last = (address + bytes) / page * page;
  if (first < last)
    static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#endif
}

}  // namespace karpos::inline KARPOS_ABI::detail
