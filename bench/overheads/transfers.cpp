// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between the device and pinned or pageable memory of the host: kp::copy, and
// Kokkos::deep_copy of the same bytes.
#include "../common.hpp"
#include "families.hpp"

namespace karpos_bench {
namespace {

enum class direction { to_device, to_host };

/// Random elements on the device, and their images in host memory.
template <class T, class HostMemory>
struct images {
  explicit images(std::int64_t count)
      : n(count), host("host", static_cast<std::size_t>(n)),
        device("device", static_cast<std::size_t>(n)),
        elements(kp::random::uniform<T>({n}, {.seed = 1})) {}
  std::int64_t n;
  Kokkos::View<T*, HostMemory> host;
  Kokkos::View<T*> device;
  kp::tensor<T, 1> elements;
};

template <direction Direction, class Images>
void run_once(Images const& i, side which) {
  space const exec;
  if constexpr (Direction == direction::to_device) {
    if (which == side::karpos)
      kp::copy(exec, i.device, i.host);
    else
      Kokkos::deep_copy(exec, i.device, i.host);
  } else {
    if (which == side::karpos)
      kp::copy(exec, i.host, i.device);
    else
      Kokkos::deep_copy(exec, i.host, i.device);
  }
}

/// One copy, with the elements at its source and zeros at its target. The way there and back is
/// Kokkos' own.
template <direction Direction, class Images>
bool arrives(Images const& i, side which) {
  kp::assign(i.device, i.elements);
  kp::fence();
  Kokkos::deep_copy(i.host, i.device);
  if constexpr (Direction == direction::to_device)
    Kokkos::deep_copy(i.device, 0);
  else
    Kokkos::deep_copy(i.host, 0);
  run_once<Direction>(i, which);
  kp::fence();
  if constexpr (Direction == direction::to_host) {
    Kokkos::deep_copy(i.device, 0);
    Kokkos::deep_copy(i.device, i.host);
  }
  return kp::array_equal(i.device, i.elements);
}

template <direction Direction, class HostMemory>
void run_copy(benchmark::State& state, std::int64_t n, side which) {
  auto const& i = inputs<images<float, HostMemory>>(n);
  if (!checked(state, arrives<Direction>(i, which)))
    return;
  measure(state, static_cast<double>(n) * sizeof(float), 0, 0,
          [&] { run_once<Direction>(i, which); });
}

template <direction Direction, class HostMemory>
void add(char const* name, std::int64_t n) {
  auto const row = std::string(name) + "/f32/" + std::to_string(n);
  add_row(row + "/karpos", [=](benchmark::State& state) {
    run_copy<Direction, HostMemory>(state, n, side::karpos);
  });
  add_row(row + "/deep_copy", [=](benchmark::State& state) {
    run_copy<Direction, HostMemory>(state, n, side::baseline);
  });
}

/// A template, so that builds for hosts compile none of it.
template <class Space>
void add_all() {
  if constexpr (kp::host_accessible<Space>) {
    benchmark::AddCustomContext("transfers",
                                "skipped: the tensors of this build lie in the host's memory");
  } else {
    using pageable = Kokkos::HostSpace;
    for (std::int64_t const n : {std::int64_t(1) << 18, std::int64_t(1) << 26}) {  // 1, 256 MiB
      if constexpr (Kokkos::has_shared_host_pinned_space) {
        using pinned = Kokkos::SharedHostPinnedSpace;
        add<direction::to_device, pinned>("host_to_device/pinned", n);
        add<direction::to_host, pinned>("device_to_host/pinned", n);
      }
      add<direction::to_device, pageable>("host_to_device/pageable", n);
      add<direction::to_host, pageable>("device_to_host/pageable", n);
    }
  }
}

}  // namespace

void add_transfers() { add_all<space>(); }

}  // namespace karpos_bench
