// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The execution spaces of the Kokkos build as a list of types, and what is asked of each of them.
#pragma once
#include <karpos/base/config.hpp>

#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

#include <concepts>
#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::kokkos_ext {

/// A list of types.
template <class... T>
struct type_list {
  static constexpr int size = static_cast<int>(sizeof...(T));
};

namespace detail {

template <class... Lists>
struct join;
template <class... T>
struct join<type_list<T...>> {
  using type = type_list<T...>;
};
template <class... T, class... U, class... Rest>
struct join<type_list<T...>, type_list<U...>, Rest...> : join<type_list<T..., U...>, Rest...> {};

#if defined(KOKKOS_ENABLE_OPENMP)
using host_parallel_list = type_list<Kokkos::OpenMP>;
#elif defined(KOKKOS_ENABLE_THREADS)
using host_parallel_list = type_list<Kokkos::Threads>;
#elif defined(KOKKOS_ENABLE_HPX)
using host_parallel_list = type_list<Kokkos::Experimental::HPX>;
#else
using host_parallel_list = type_list<>;
#endif

#if defined(KOKKOS_ENABLE_SERIAL)
using serial_list = type_list<Kokkos::Serial>;
#else
using serial_list = type_list<>;
#endif

#if defined(KOKKOS_ENABLE_CUDA)
using device_list = type_list<Kokkos::Cuda>;
#elif defined(KOKKOS_ENABLE_HIP)
using device_list = type_list<Kokkos::HIP>;
#elif defined(KOKKOS_ENABLE_SYCL)
using device_list = type_list<Kokkos::SYCL>;
#else
using device_list = type_list<>;
#endif

}  // namespace detail

/// The host-parallel space, Serial and the device space: those that this build has, in this order.
using enabled_spaces = typename detail::join<detail::host_parallel_list, detail::serial_list,
                                             detail::device_list>::type;

/// f(std::type_identity<Space>{}) for each space of a list.
template <class F, class... Space>
void for_each_space(type_list<Space...>, F&& f) {
  (f(std::type_identity<Space>{}), ...);
}
/// The same for each execution space of the build.
template <class F>
void for_each_space(F&& f) {
  kokkos_ext::for_each_space(enabled_spaces{}, f);
}

/// The name of the GPU of an instance as its vendor's runtime gives it; empty for other spaces.
template <class Exec>
[[nodiscard]] std::string gpu_name([[maybe_unused]] Exec const& exec) {
  if constexpr (requires { exec.cuda_device_prop(); })
    return exec.cuda_device_prop().name;
  else if constexpr (requires { exec.hip_device_prop(); })
    return exec.hip_device_prop().name;
  else
    return {};
}

/// The name of an execution space: "OpenMP", "Serial", "Cuda".
template <class Exec>
[[nodiscard]] std::string space_name() {
  return Exec::name();
}

/// The execution space that runs on a device of its own.
template <class Exec>
inline constexpr bool is_device_space =
    !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible ||
    !Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

namespace detail {
template <class Memory>
struct queueing_space {
  using type = typename Memory::execution_space;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct queueing_space<Kokkos::CudaHostPinnedSpace> {
  using type = Kokkos::Cuda;
};
#elif defined(KOKKOS_ENABLE_HIP)
template <>
struct queueing_space<Kokkos::HIPHostPinnedSpace> {
  using type = Kokkos::HIP;
};
#elif defined(KOKKOS_ENABLE_SYCL)
template <>
struct queueing_space<Kokkos::SYCLHostUSMSpace> {
  using type = Kokkos::SYCL;
};
#endif
}  // namespace detail

/// The execution space whose queued work may still use memory of this space after a launch has
/// returned: the device for its own memory and for pinned host memory, which it reads and writes.
template <class Memory>
using queueing_space_t = typename detail::queueing_space<Memory>::type;

/// The threads that kernels on this very instance may use. (In Kokkos 4 with its deprecated code,
/// exec.concurrency() is a static function that answers for the default instance.)
template <class Exec>
[[nodiscard]] int concurrency(Exec const& exec) {
  if constexpr (requires { Exec::concurrency(exec); }) {
    return static_cast<int>(Exec::concurrency(exec));
  } else {
    return static_cast<int>(exec.concurrency());
  }
}

/// While one lives, the work that its thread gives to host spaces runs on this thread: for tasks of
/// a kernel that assign themselves.
class serial_scope {
public:
  serial_scope() { ++depth(); }
  ~serial_scope() { --depth(); }
  serial_scope(serial_scope const&) = delete;
  serial_scope& operator=(serial_scope const&) = delete;
  [[nodiscard]] static bool active() { return depth() > 0; }

private:
  static int& depth() {
    static thread_local int n = 0;
    return n;
  }
};

/// The caller is inside a parallel region of its own (OpenMP code of the application, a
/// serial_scope), where a launch on a host space would get one thread, or make Kokkos abort: work
/// then runs on the calling thread.
template <class Exec>
[[nodiscard]] bool in_parallel_region(Exec const&) {
  if (serial_scope::active())
    return true;
#if defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::same_as<Exec, Kokkos::OpenMP>) {
    int const level = omp_get_level();
    return level > 1 || (level == 1 && omp_get_max_active_levels() <= 1);
  } else {
    return false;
  }
#else
  return false;
#endif
}

/// A host-parallel space of which instances with one thread can be made: Exec(1).
template <class Exec>
concept has_one_thread_instance = !is_device_space<Exec> && std::constructible_from<Exec, int>;

}  // namespace karpos::inline KARPOS_ABI::kokkos_ext
