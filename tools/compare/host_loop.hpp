// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over the host's threads for what is not measured: references, checks, questions to each
// thread.
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>

namespace karpos::tools {

namespace detail {
struct host_body {
  std::function<void(std::int64_t)> const* body;
  void operator()(std::int64_t i) const { (*body)(i); }
};
}  // namespace detail

/// body(0) ... body(count - 1) on the default host execution space, in chunks as threads become
/// free. Waits.
inline void run_on_host(std::int64_t count, std::function<void(std::int64_t)> const& body) {
  using policy =
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                          Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("karpos-compare::host", policy(0, count), detail::host_body{&body});
  Kokkos::DefaultHostExecutionSpace{}.fence("karpos-compare::host");
}

}  // namespace karpos::tools
