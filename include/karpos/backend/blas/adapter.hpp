// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the adapters of the GPU vendors' BLAS libraries share: handles, streams, batches, status
// checks. A vendor is a traits struct (cublas.hpp, rocblas.hpp): types, entry points, enum values,
// status names.
#pragma once
#include <karpos/backend/blas/detail/status.hpp>
#include <karpos/backend/blas/provider.hpp>
#include <karpos/base/registry.hpp>

#include <algorithm>
#include <list>
#include <mutex>
#include <string>

namespace karpos::inline KARPOS_ABI::backend::blas {

namespace detail {

// The device is a setting of the host thread; a handle works on the one it was made on.
template <class Traits>
class scoped_device {
public:
  explicit scoped_device(int device) : before_(Traits::current_device()) {
    if (before_ != device)
      Traits::use_device(device);
    changed_ = before_ != device;
  }
  scoped_device(scoped_device const&) = delete;
  scoped_device& operator=(scoped_device const&) = delete;
  ~scoped_device() {
    if (changed_)
      Traits::use_device(before_);
  }

private:
  int before_;
  bool changed_ = false;
};

/// A vendor handle for one stream. Calls hold the mutex: a handle serves one host thread at a time.
template <class Traits>
class vendor_handle {
public:
  vendor_handle(int device, typename Traits::stream stream) : device_(device), stream_(stream) {
    check<Traits>(Traits::create(&handle_), Traits::create_name);
    check<Traits>(Traits::set_up(handle_), Traits::set_up_name);
  }
  vendor_handle(vendor_handle const&) = delete;
  vendor_handle& operator=(vendor_handle const&) = delete;
  // The status is of no use to anybody here.
  ~vendor_handle() {
    scoped_device<Traits> const on(device_);
    static_cast<void>(Traits::destroy(handle_));
  }

  bool is_for(int device, typename Traits::stream stream) const {
    return device == device_ && stream == stream_;
  }

  template <class F>
  void call(F const& f) {
    std::lock_guard const lock(mutex_);
    scoped_device<Traits> const on(device_);
    // Every time: a stream may have been destroyed and another made at its address.
    check<Traits>(Traits::set_stream(handle_, stream_), Traits::set_stream_name);
    f(handle_);
  }

private:
  std::mutex mutex_;
  typename Traits::handle handle_{};
  int device_;
  typename Traits::stream stream_;
};

/// The handles of the process, one for each device and stream, whichever shared library asked
/// first. Destroyed by Kokkos' finalize, while the device still lives.
template <class Traits>
class KARPOS_PROCESS_WIDE handle_registry {
public:
  vendor_handle<Traits>& get(int device, typename Traits::stream stream) {
    std::lock_guard const lock(mutex_);
    for (auto& h : handles_)
      if (h.is_for(device, stream))
        return h;
    if (!hooked_)
      Kokkos::push_finalize_hook(&handle_registry::clear);
    hooked_ = true;
    scoped_device<Traits> const on(device);
    return handles_.emplace_back(device, stream);
  }

  static handle_registry& instance() {
    static auto& shared = karpos::detail::process_wide<handle_registry>(
        std::string("backend::blas::") + to_string(Traits::id));
    return shared;
  }

private:
  static void clear() {
    auto& self = instance();
    std::lock_guard const lock(self.mutex_);
    self.handles_.clear();
    self.hooked_ = false;
  }

  std::mutex mutex_;
  std::list<vendor_handle<Traits>> handles_;
  bool hooked_ = false;
};

template <class T>
constexpr bool steps_back(gemm_call<T> const& c) noexcept {
  return std::min({c.a_stride, c.b_stride, c.c_stride}) < 0;
}
template <class T>
constexpr bool steps_back(gemv_call<T> const& c) noexcept {
  return std::min({c.a_stride, c.x_stride, c.y_stride}) < 0;
}
template <class T>
gemm_call<T> one_of(gemm_call<T> c, index_t i) noexcept {
  c.a += i * c.a_stride, c.b += i * c.b_stride, c.c += i * c.c_stride;
  c.batch = 1;
  return c;
}
template <class T>
gemv_call<T> one_of(gemv_call<T> c, index_t i) noexcept {
  c.a += i * c.a_stride, c.x += i * c.x_stride, c.y += i * c.y_stride;
  c.batch = 1;
  return c;
}

}  // namespace detail

/// The provider over a GPU vendor's library: asynchronous on the execution space instance's stream,
/// host scalars, strided batches (0 repeats an operand; batches that step back are called one by
/// one). Never TF32, never 16-bit accumulators.
template <class Traits>
struct gpu_library {
  static constexpr path id = Traits::id;

  template <class T>
  static constexpr bool has_type = Traits::template has_type<T>;

  template <class T>
  static constexpr bool takes(gemm_call<T> const& call) {
    return fits_integers<int>(call);
  }
  template <class T>
  static constexpr bool takes(gemv_call<T> const& call) {
    return Traits::template has_vector_calls<T> && fits_integers<int>(call);
  }

  template <class Call>
  static void run(typename Traits::exec const& exec, Call const& call) {
    auto& handle = detail::handle_registry<Traits>::instance().get(Traits::device_of(exec),
                                                                   Traits::stream_of(exec));
    handle.call(submission<Call>{call});
  }

  template <class Exec>
  static std::string library() {
    return Traits::version();
  }
  template <class Exec>
  static int threads(Exec const&) {
    return 0;
  }

private:
  template <class Call>
  struct submission {
    Call const& call;
    void operator()(typename Traits::handle handle) const {
      if (call.batch == 1 || !detail::steps_back(call))
        return submit(handle, call);
      for (index_t i = 0; i < call.batch; ++i)
        submit(handle, detail::one_of(call, i));
    }
  };
  template <class T>
  static void submit(typename Traits::handle handle, gemm_call<T> const& call) {
    detail::check<Traits>(Traits::gemm(handle, call), Traits::gemm_name);
  }
  template <class T>
  static void submit(typename Traits::handle handle, gemv_call<T> const& call) {
    if constexpr (Traits::template has_vector_calls<T>)  // takes() refused the others
      detail::check<Traits>(Traits::gemv(handle, call), Traits::gemv_name);
  }
};

}  // namespace karpos::inline KARPOS_ABI::backend::blas
