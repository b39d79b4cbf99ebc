// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts what Kokkos is asked to do (launches by label, fences, copies, allocations) through its
// Tools interface.
#pragma once
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace karpos_test {

/// Records the events between its construction and its destruction. One at a time.
class event_log {
public:
  event_log() : saved_(Kokkos::Tools::Experimental::get_callbacks()) {
    namespace tools = Kokkos::Tools::Experimental;
    active() = this;
    tools::set_begin_parallel_for_callback(&begin_kernel);
    tools::set_begin_parallel_reduce_callback(&begin_kernel);
    tools::set_begin_parallel_scan_callback(&begin_kernel);
    tools::set_begin_fence_callback(&begin_fence);
    tools::set_begin_deep_copy_callback(&begin_copy);
    tools::set_allocate_data_callback(&allocate);
  }
  ~event_log() {
    Kokkos::Tools::Experimental::set_callbacks(saved_);
    active() = nullptr;
  }
  event_log(event_log const&) = delete;
  event_log& operator=(event_log const&) = delete;

  [[nodiscard]] int launches() const { return static_cast<int>(kernels_.size()); }
  /// Launches whose label contains a text.
  [[nodiscard]] int launches(std::string const& text) const {
    return static_cast<int>(
        std::count_if(kernels_.begin(), kernels_.end(),
                      [&](std::string const& k) { return k.find(text) != std::string::npos; }));
  }
  [[nodiscard]] int fences() const { return static_cast<int>(fences_.size()); }
  [[nodiscard]] int copies() const { return copies_; }
  [[nodiscard]] int allocations() const { return allocations_; }
  /// For failure messages.
  [[nodiscard]] std::string text() const {
    std::string all = "kernels:";
    for (auto const& k : kernels_)
      all += " [" + k + "]";
    all += "; fences:";
    for (auto const& f : fences_)
      all += " [" + f + "]";
    return all + "; " + std::to_string(copies_) + " copies, " + std::to_string(allocations_) +
           " allocations";
  }

private:
  static event_log*& active() {
    static event_log* log = nullptr;
    return log;
  }
  static void begin_kernel(char const* name, std::uint32_t, std::uint64_t*) {
    std::lock_guard const lock(active()->mutex_);
    active()->kernels_.emplace_back(name);
  }
  static void begin_fence(char const* name, std::uint32_t, std::uint64_t*) {
    std::string const label = name;
    if (label.find("Profile Tool Fence") != std::string::npos)
      return;  // Kokkos' own, around the callbacks
    std::lock_guard const lock(active()->mutex_);
    active()->fences_.push_back(label);
  }
  static void begin_copy(Kokkos::Tools::SpaceHandle, char const*, void const*,
                         Kokkos::Tools::SpaceHandle, char const*, void const*, std::uint64_t) {
    std::lock_guard const lock(active()->mutex_);
    ++active()->copies_;
  }
  // Of nothing: Kokkos' CUDA asks for that at every launch of teams.
  static void allocate(Kokkos::Tools::SpaceHandle, char const*, void const*, std::uint64_t bytes) {
    if (bytes == 0)
      return;
    std::lock_guard const lock(active()->mutex_);
    ++active()->allocations_;
  }

  Kokkos::Tools::Experimental::EventSet saved_;
  std::mutex mutex_;
  std::vector<std::string> kernels_;
  std::vector<std::string> fences_;
  int copies_ = 0;
  int allocations_ = 0;
};

}  // namespace karpos_test
