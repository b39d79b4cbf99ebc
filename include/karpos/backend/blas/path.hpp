// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code a product ran through: the answer of last_path(), and scoped_path for tests and
// timings that want a certain one.
#pragma once
#include <karpos/base/config.hpp>

#include <iosfwd>

namespace karpos::inline KARPOS_ABI::backend::blas {

/// The implementations of gemm.
enum class path { none, portable, blas, cublas, rocblas, kokkos_kernels };

/// The name of a path as written above.
[[nodiscard]] constexpr char const* to_string(path p) noexcept {
  constexpr char const* names[] = {"none",   "portable", "blas",
                                   "cublas", "rocblas",  "kokkos_kernels"};
  return names[static_cast<int>(p)];
}

/// Writes the name.
// A template, so that the stream need only be declared here.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, path p) {
  return out << blas::to_string(p);
}

namespace detail {

struct KARPOS_PROCESS_WIDE path_state {
  path last = path::none;
  path wanted = path::none;
};

// Default visibility and an inline function: one object per thread, whichever shared library asks
// (an executable that loads plugins has to export its symbols, as for every process-wide state
// here).
KARPOS_PROCESS_WIDE inline path_state& this_thread_path() noexcept {
  thread_local constinit path_state state;
  return state;
}

}  // namespace detail

/// The path that the calling thread's last gemm took; `none` before the first one and when that
/// call had nothing to do.
[[nodiscard]] inline path last_path() noexcept { return detail::this_thread_path().last; }

/// While it lives, gemm calls of this thread take one path, and throw argument_error (text: the
/// path's name and why) where that path cannot serve the call. Calls with nothing to multiply (an
/// empty result, k == 0, alpha == 0) are not concerned. Nests; `path::none` gives the free choice
/// back. Destroy it on the thread that made it.
class scoped_path {
public:
  [[nodiscard]] explicit scoped_path(path wanted) noexcept
      : previous_(detail::this_thread_path().wanted) {
    detail::this_thread_path().wanted = wanted;
  }
  scoped_path(scoped_path const&) = delete;
  scoped_path& operator=(scoped_path const&) = delete;
  ~scoped_path() { detail::this_thread_path().wanted = previous_; }

private:
  path previous_;
};

}  // namespace karpos::inline KARPOS_ABI::backend::blas
