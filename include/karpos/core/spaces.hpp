// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution and memory spaces: one normal spelling for each, the space of operands that have none,
// common spaces.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>

#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

/// Space of a tensor that names none: the default execution space of the Kokkos build.
using default_space = Kokkos::DefaultExecutionSpace;

/// Space of operands that live nowhere (scalars, generators): takes the other operand's space.
struct any_space {};

namespace detail {
template <class Space>
struct normal_space {
  using execution = typename Space::execution_space;
  using memory = typename Space::memory_space;
  // An execution space stands for itself with its own memory; everything else is a Device pair.
  using type = std::conditional_t<std::is_same_v<typename execution::memory_space, memory>,
                                  execution, Kokkos::Device<execution, memory>>;
};
template <>
struct normal_space<any_space> {
  using type = any_space;
};
}  // namespace detail

/// The one type for all spellings of a space: Kokkos::HostSpace, Device<OpenMP, HostSpace> and
/// OpenMP agree.
template <class Space>
using normal_space_t = typename detail::normal_space<Space>::type;

template <class Space>
concept normal_space = std::is_same_v<Space, normal_space_t<Space>>;

template <class Space>
using memory_space_of = typename Space::memory_space;
template <class Space>
using execution_space_of = typename Space::execution_space;

/// Elements can be read and written by host code.
template <class Space>
inline constexpr bool host_accessible =
    Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace,
                               memory_space_of<Space>>::accessible;

/// Kernels of this execution space run on the calling host's processor: the host engine serves
/// them.
template <class Exec>
inline constexpr bool host_execution =
    Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible &&
    std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

/// Kernels of Exec may touch the memory of Space.
template <class Exec, class Space>
inline constexpr bool can_access =
    Kokkos::SpaceAccessibility<Exec, memory_space_of<Space>>::accessible;
template <class Exec>
inline constexpr bool can_access<Exec, any_space> = true;

/// An execution space instance.
template <class E>
concept execution_space = Kokkos::is_execution_space<std::remove_cvref_t<E>>::value;

namespace detail {
[[noreturn]] KARPOS_COLD inline void throw_not_running(char const* function) {
  throw memory_error(std::string("karpos::") + function +
                     ": used before Kokkos::initialize or after Kokkos::finalize");
}
/// The default instance of an execution space. @throws memory_error naming `function` where Kokkos,
/// which is not running, would abort.
template <class Exec>
[[nodiscard]] Exec default_instance(char const* function) {
  if (!Kokkos::is_initialized())
    throw_not_running(function);
  return Exec();
}

template <class A, class B>
struct common_space {
  static_assert(std::is_same_v<memory_space_of<A>, memory_space_of<B>>,
                "karpos: the operands live in different memory spaces: bring one over with "
                "karpos::to<Space>(x)");
  using type = A;
};
template <class A>
struct common_space<A, any_space> {
  using type = A;
};
template <class B>
struct common_space<any_space, B> {
  using type = B;
};
template <>
struct common_space<any_space, any_space> {
  using type = any_space;
};
template <class... S>
struct common_spaces {
  using type = any_space;
};
template <class S, class... Rest>
struct common_spaces<S, Rest...> {
  using type = typename common_space<S, typename common_spaces<Rest...>::type>::type;
};
}  // namespace detail

/// Space of an operation over operands of these spaces (any_space when none has one).
template <class... Spaces>
using common_space_t = typename detail::common_spaces<Spaces...>::type;

/// Where a result goes that nobody placed: the operands' space, or the default.
template <class Space>
using result_space_t = std::conditional_t<std::is_same_v<Space, any_space>, default_space, Space>;

}  // namespace karpos::inline KARPOS_ABI
