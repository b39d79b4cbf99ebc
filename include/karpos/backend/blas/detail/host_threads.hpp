// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads a host BLAS uses inside one call, and what it says about itself.
//
// A BLAS built with OpenMP (OpenBLAS, MKL, BLIS, LibSci, ESSL) takes the number from the calling
// thread's OpenMP setting, so setting that around a call is enough and disturbs no other thread;
// inside a parallel region such a BLAS uses one thread by itself. OpenBLAS on its own pthreads has
// one number for the process: while any one-thread call runs it is 1, and goes back when the last
// of them ends. A sequential BLAS needs nothing. The libraries are asked through weak symbols, so
// that none of them has to be there.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/base/registry.hpp>

#include <algorithm>
#include <mutex>
#include <string>

// Own names for foreign symbols: no clash with whatever declarations the application includes.
#define KARPOS_SYMBOL_TEXT_(x) #x
#define KARPOS_SYMBOL_TEXT(x) KARPOS_SYMBOL_TEXT_(x)
#define KARPOS_WEAK_SYMBOL(name)                                                                   \
  __asm__(KARPOS_SYMBOL_TEXT(__USER_LABEL_PREFIX__) name) __attribute__((weak))
extern "C" {
int karpos_omp_get_max_threads() KARPOS_WEAK_SYMBOL("omp_get_max_threads");
void karpos_omp_set_num_threads(int) KARPOS_WEAK_SYMBOL("omp_set_num_threads");
int karpos_omp_in_parallel() KARPOS_WEAK_SYMBOL("omp_in_parallel");
char* karpos_openblas_get_config() KARPOS_WEAK_SYMBOL("openblas_get_config");
char* karpos_openblas_get_corename() KARPOS_WEAK_SYMBOL("openblas_get_corename");
int karpos_openblas_get_parallel() KARPOS_WEAK_SYMBOL("openblas_get_parallel");
int karpos_openblas_get_num_threads() KARPOS_WEAK_SYMBOL("openblas_get_num_threads");
void karpos_openblas_set_num_threads(int) KARPOS_WEAK_SYMBOL("openblas_set_num_threads");
}
#undef KARPOS_WEAK_SYMBOL
#undef KARPOS_SYMBOL_TEXT
#undef KARPOS_SYMBOL_TEXT_

namespace karpos::inline KARPOS_ABI::backend::blas::detail {

inline bool has_openmp() noexcept {
  return karpos_omp_get_max_threads != nullptr && karpos_omp_set_num_threads != nullptr &&
         karpos_omp_in_parallel != nullptr;
}
inline bool has_own_pthreads() noexcept {
  return karpos_openblas_get_parallel != nullptr && karpos_openblas_get_num_threads != nullptr &&
         karpos_openblas_set_num_threads != nullptr && karpos_openblas_get_parallel() == 1;
}
inline bool in_parallel_region() noexcept { return has_openmp() && karpos_omp_in_parallel() != 0; }

/// The threads that one call from here may use on a space of this concurrency.
template <class Exec>
int thread_allowance(Exec const& exec) {
  return in_parallel_region() ? 1 : std::max(1, kokkos_ext::concurrency(exec));
}

struct KARPOS_PROCESS_WIDE one_thread_calls {
  std::mutex mutex;
  int running = 0;
  int threads_before = 1;

  void enter() {
    std::lock_guard const lock(mutex);
    if (running++ != 0)
      return;
    threads_before = karpos_openblas_get_num_threads();
    if (threads_before != 1)
      karpos_openblas_set_num_threads(1);
  }
  void leave() {
    std::lock_guard const lock(mutex);
    if (--running == 0 && threads_before != 1)
      karpos_openblas_set_num_threads(threads_before);
  }
  static one_thread_calls& instance() {
    static auto& shared =
        karpos::detail::process_wide<one_thread_calls>("backend::blas::one_thread_calls");
    return shared;
  }
};

/// While it lives, BLAS calls of this thread use at most so many threads.
class scoped_threads {
public:
  explicit scoped_threads(int threads) : own_pthreads_(threads == 1 && has_own_pthreads()) {
    if (has_openmp()) {
      int const before = karpos_omp_get_max_threads();
      if (before != threads) {
        karpos_omp_set_num_threads(threads);
        openmp_before_ = before;
      }
    }
    if (own_pthreads_)
      one_thread_calls::instance().enter();
  }
  scoped_threads(scoped_threads const&) = delete;
  scoped_threads& operator=(scoped_threads const&) = delete;
  ~scoped_threads() {
    if (own_pthreads_)
      one_thread_calls::instance().leave();
    if (openmp_before_ != 0)
      karpos_omp_set_num_threads(openmp_before_);
  }

private:
  int openmp_before_ = 0;
  bool own_pthreads_;
};

/// The threads that a call with this allowance ends up with.
inline int effective_threads(int allowance) {
  if (karpos_openblas_get_parallel == nullptr)
    return has_openmp() ? allowance : 1;
  int const mode = karpos_openblas_get_parallel();
  if (mode == 0 || allowance == 1)
    return 1;
  return mode == 1 && karpos_openblas_get_num_threads != nullptr ? karpos_openblas_get_num_threads()
                                                                 : allowance;
}

inline std::string host_library() {
  if (karpos_openblas_get_config == nullptr)
    return "BLAS";
  std::string text = karpos_openblas_get_config();
  if (karpos_openblas_get_corename != nullptr)
    text += std::string(", running ") + karpos_openblas_get_corename();
  return text;
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas::detail
