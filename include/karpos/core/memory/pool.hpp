// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory pool: one per memory space and process. Stream-ordered reuse: a block that one
// execution space instance used is handed out again at once to that instance, without a fence, and
// to no other; one that several used waits for the others first.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/process_config.hpp>
#include <karpos/base/registry.hpp>
#include <karpos/core/memory/block.hpp>
#include <karpos/core/spaces.hpp>

#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karpos::inline KARPOS_ABI::memory {

/// Counters of one memory space's pool, in bytes and numbers.
struct statistics {
  std::size_t in_use = 0;       ///< bytes in blocks that tensors hold
  std::size_t held = 0;         ///< bytes in free blocks that wait for reuse
  std::size_t peak = 0;         ///< largest in_use so far
  std::size_t allocations = 0;  ///< blocks handed out
  std::size_t hits = 0;         ///< of these, served without asking the memory space
};

}  // namespace karpos::inline KARPOS_ABI::memory

namespace karpos::inline KARPOS_ABI::detail {

// Eight sizes per power of two: at most 12.5 % of a block is slack, and blocks of near sizes are
// shared.
constexpr std::size_t size_class(std::size_t bytes) {
  if (bytes <= 512)
    return 512;
  std::size_t const step = std::bit_floor(bytes - 1) / 8;
  std::size_t const rounded = step < 64 ? 64 : step;
  return (bytes + rounded - 1) / rounded * rounded;
}

inline bool pool_switched_off() {
  static bool const off = [] {
    char const* const value = std::getenv("KARPOS_POOL");
    return value != nullptr && std::string_view(value) == "off";
  }();
  return off;
}

template <class Memory>
class memory_pool {
public:
  using execution_space = typename Memory::execution_space;
  // Kernels of host spaces have ended when their launch returns: no instance need be remembered.
  static constexpr bool tracks_instances = !host_execution<execution_space>;
  using users = std::vector<execution_space>;

  memory_pool() {
    Kokkos::push_finalize_hook([this] { shut_down(); });
  }

  KARPOS_MODULE_LOCAL static memory_pool& get() {
    static auto& shared = process_wide<memory_pool>(std::string("pool/") + Memory::name());
    return shared;
  }

  /// Memory for `bytes` bytes, ready for work queued on `exec`. @throws memory_error.
  void* take(execution_space const* exec, std::size_t bytes, char const* label) {
    std::lock_guard const lock(mutex_);
    if (dead_ || !Kokkos::is_initialized())
      throw_not_initialized(label);
    void* data = pool_switched_off() ? nullptr : reuse(exec, bytes);
    if (data == nullptr)
      data = allocate(bytes, label);
    else
      ++stats_.hits;
    ++stats_.allocations;
    stats_.in_use += bytes;
    if (stats_.in_use > stats_.peak)
      stats_.peak = stats_.in_use;
    return data;
  }

  void give_back(void* data, std::size_t bytes, users&& last_users) noexcept {
    std::lock_guard const lock(mutex_);
    stats_.in_use -= bytes;
    if (dead_ || !Kokkos::is_initialized()) {
      new users(std::move(
          last_users));  // instances must not be destroyed after finalize: leaked on purpose
      std::fprintf(stderr,
                   "karpos: a tensor of %zu bytes in %s outlived Kokkos::finalize; its memory is "
                   "not returned\n",
                   bytes, Memory::name());
      return;
    }
    if (pool_switched_off()) {
      Kokkos::kokkos_free<Memory>(data);  // waits for the device, as every free of Kokkos does
      return;
    }
    stats_.held += bytes;
    free_.emplace(bytes, free_block{data, std::move(last_users)});
  }

  /// Returns all free blocks to the memory space. Waits for the device where Kokkos' free does.
  void trim() {
    std::lock_guard const lock(mutex_);
    release_free_blocks();
  }

  memory::statistics stats() const {
    std::lock_guard const lock(mutex_);
    return stats_;
  }

private:
  struct free_block {
    void* data;
    users last_users;
  };

  void* reuse(execution_space const* exec, std::size_t bytes) {
    auto const [first, last] = free_.equal_range(bytes);
    auto it = first;
    if constexpr (tracks_instances) {
      while (it != last && !only_user(it->second.last_users, *exec))
        ++it;
      for (auto shared = first; it == last && shared != last; ++shared)
        if (shared->second.last_users.size() > 1)  // no instance could take it without a wait
          it = shared;
    }
    if (it == last)
      return nullptr;
    if constexpr (tracks_instances)
      for (auto const& user : it->second.last_users)
        if (!(user == *exec))
          user.fence("karpos::memory: a block that several instances used");
    void* const data = it->second.data;
    free_.erase(it);
    stats_.held -= bytes;
    return data;
  }

  static bool only_user(users const& list, execution_space const& exec) {
    for (auto const& u : list)
      if (!(u == exec))
        return false;
    return true;
  }

  void* allocate(std::size_t bytes, char const* label) {
    if (void* data = try_allocate(bytes))
      return data;
    release_free_blocks();
    if (void* data = try_allocate(bytes))
      return data;
    throw memory_error(std::string("karpos::memory: cannot allocate ") + std::to_string(bytes) +
                       " bytes for '" + label + "' in " + Memory::name() + ": " +
                       std::to_string(stats_.in_use) + " bytes in use, " +
                       std::to_string(stats_.held) + " held by the pool");
  }

  static constexpr std::size_t least_for_huge_pages = std::size_t{4} << 20;

  static void* try_allocate(std::size_t bytes) {
    try {
      void* const data = Kokkos::kokkos_malloc<Memory>("karpos::pool", bytes);
      if constexpr (std::is_same_v<Memory, Kokkos::HostSpace>)
        if (bytes >= least_for_huge_pages)
          advise_huge_pages(data, bytes);
      return data;
    } catch (std::exception const&) {
      return nullptr;
    }
  }

  void release_free_blocks() {
    for (auto& [bytes, entry] : free_) {
      for (auto& user : entry.last_users)
        user.fence("karpos::memory::trim");
      Kokkos::kokkos_free<Memory>(entry.data);
    }
    free_.clear();
    stats_.held = 0;
  }

  void shut_down() {
    std::lock_guard const lock(mutex_);
    release_free_blocks();
    dead_ = true;
  }

  [[noreturn]] static void throw_not_initialized(char const* label) {
    throw memory_error(std::string("karpos: memory for '") + label +
                       "' was asked for before Kokkos::initialize or after Kokkos::finalize");
  }

  mutable std::mutex mutex_;
  std::multimap<std::size_t, free_block> free_;
  memory::statistics stats_;
  bool dead_ = false;
};

// A block of the pool. The list of instances is short (nearly always one), so it is searched with
// ==.
template <class Memory>
class pool_block final : public block {
public:
  using pool = memory_pool<Memory>;
  using execution_space = typename pool::execution_space;

  pool_block(execution_space const& exec, std::size_t bytes, char const* label)
      : bytes_(size_class(bytes)), data_(pool::get().take(&exec, bytes_, label)) {
    if constexpr (pool::tracks_instances)
      users_.push_back(exec);
  }
  [[nodiscard]] void* data() const { return data_; }

  void record_use(void const* instance) override {
    if constexpr (pool::tracks_instances) {
      auto const& exec = *static_cast<execution_space const*>(instance);
      std::lock_guard const lock(mutex_);
      for (auto const& u : users_)
        if (u == exec)
          return;
      users_.push_back(exec);
    }
  }

private:
  void last_owner_gone() noexcept override {
    pool::get().give_back(data_, bytes_, std::move(users_));
    delete this;
  }

  std::size_t bytes_;
  void* data_;
  std::mutex mutex_;
  typename pool::users users_;
};

}  // namespace karpos::inline KARPOS_ABI::detail
