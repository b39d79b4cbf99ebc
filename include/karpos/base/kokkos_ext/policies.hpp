// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of execution policies.
#pragma once
#include <karpos/base/config.hpp>

#include <cstddef>

namespace karpos::inline KARPOS_ABI::kokkos_ext {

/// The policy, for a functor that goes along as kernel argument.
// Kokkos passes functors of 512 bytes and more through constant memory, under a lock and with a
// wait for the launch before, unless a policy says that the work is light: then they are kernel
// arguments up to the 4 KB that a launch can carry.
template <class Policy>
auto light(Policy const& policy) {
  return Kokkos::Experimental::require(policy,
                                       Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

/// Launch bounds of teams of Threads threads, Least of which are to share a multiprocessor: fewer
/// registers for each thread. On CUDA alone, whose register files the number is for.
template <class Exec, unsigned Threads, unsigned Least>
struct team_bounds {
  using type = Kokkos::LaunchBounds<>;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <unsigned Threads, unsigned Least>
  requires(Least > 0)
struct team_bounds<Kokkos::Cuda, Threads, Least> {
  using type = Kokkos::LaunchBounds<Threads, Least>;
};
#endif

/// Bytes of scratch that every space has for one team: Kokkos gives 32 KB on hosts.
inline constexpr std::size_t most_team_scratch = (32u << 10) - 64;

/// Bytes of scratch that each of several teams can have while they share a multiprocessor, on CUDA;
/// elsewhere most_team_scratch.
template <class Exec>
std::size_t scratch_beside(Exec const&, unsigned /*teams*/) {
  return most_team_scratch;
}
#if defined(KOKKOS_ENABLE_CUDA)
inline std::size_t scratch_beside(Kokkos::Cuda const& exec, unsigned teams) {
  // The runtime takes 1 KB of each team's, Kokkos a few words.
  std::size_t const part = exec.cuda_device_prop().sharedMemPerMultiprocessor / teams - 1280;
  return part < most_team_scratch ? part : most_team_scratch;
}
#endif

}  // namespace karpos::inline KARPOS_ABI::kokkos_ext
