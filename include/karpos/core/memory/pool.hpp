// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory pool: one per memory space and process. Stream-ordered reuse: a block that one
// execution space instance used is handed out again at once to that instance, without a fence; one
// that several used waits for the others first, and so does one of another instance when many of
// them lie idle. Memory that the host can touch at once (pinned, managed) waits for all.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/base/process_config.hpp>
#include <karpos/base/registry.hpp>
#include <karpos/core/memory/block.hpp>
#include <karpos/core/spaces.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karpos::inline KARPOS_ABI::memory {

/// Transfers in one direction between the host and the memory of a device.
struct transfers {
  std::size_t count = 0;
  std::size_t bytes = 0;
  double seconds = 0;  ///< that the calls took the host: of asynchronous transfers, the queueing
};

/// No limit: what set_limit undoes itself with.
inline constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

/// Counters of one memory space's pool, in bytes and numbers. Sizes are those of the blocks, which
/// are up to an eighth larger than what was asked for.
struct statistics {
  std::size_t in_use = 0;        ///< bytes in blocks that tensors hold
  std::size_t held = 0;          ///< bytes in free blocks that wait for reuse
  std::size_t peak = 0;          ///< largest in_use since the start or reset_peak
  std::size_t limit = no_limit;  ///< of in_use + held
  std::size_t allocations = 0;   ///< blocks handed out
  std::size_t hits = 0;          ///< of these, served without asking the memory space
  transfers from_host, to_host;  ///< between this memory and the host's
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
    return value != nullptr ? std::string_view(value) == "off" : KARPOS_USE_POOL == 0;
  }();
  return off;
}

template <class Memory>
class memory_pool {
public:
  using execution_space = kokkos_ext::queueing_space_t<Memory>;
  // Kernels of host spaces have ended when their launch returns: no instance need be remembered.
  static constexpr bool tracks_instances = !host_execution<execution_space>;
  // Pinned and managed memory: the host writes into a new block at once, whatever is queued.
  static constexpr bool waits_for_reuse = tracks_instances && host_accessible<Memory>;
  using users = std::vector<execution_space>;

  memory_pool() {
    Kokkos::push_finalize_hook([this] { shut_down(); });
  }

  KARPOS_MODULE_LOCAL static memory_pool& get() {
    static auto& shared = process_wide<memory_pool>(std::string("pool/") + Memory::name());
    return shared;
  }

  /// Memory for `bytes` bytes, ready for work queued on `exec`, or for the host where exec is null.
  /// @throws memory_error.
  void* take(execution_space const* exec, std::size_t bytes, char const* label) {
    std::unique_lock lock(mutex_);
    if (dead_ || !Kokkos::is_initialized())
      throw_not_initialized(label);
    free_block block = pool_switched_off() ? free_block{} : reuse(exec, bytes);
    if (block.data == nullptr)
      block.data = allocate(bytes, label);
    else
      ++stats_.hits;
    ++stats_.allocations;
    stats_.in_use += bytes;
    if (stats_.in_use > stats_.peak)
      stats_.peak = stats_.in_use;
    lock.unlock();  // other threads need not wait for this block's users
    for (auto const& user : block.last_users)
      if (waits_for_reuse || exec == nullptr || !(user == *exec))
        user.fence("karpos::memory: a block that other instances used");
    return block.data;
  }

  void give_back(void* data, std::size_t bytes, users&& last_users) noexcept {
    std::lock_guard const lock(mutex_);
    stats_.in_use -= bytes;
    if (dead_ || !Kokkos::is_initialized()) {
      // Leaked on purpose: instances must not be destroyed after finalize.
      new (std::nothrow) users(std::move(last_users));
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

  /// Bounds in_use + held. What is held beyond it goes back at once.
  void set_limit(std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    stats_.limit = bytes;
    if (!within_limit(0))
      release_free_blocks();
  }

  void reset_peak() {
    std::lock_guard const lock(mutex_);
    stats_.peak = stats_.in_use;
  }

  void count_transfer(memory::transfers memory::statistics::* direction, std::size_t bytes,
                      double seconds) {
    std::lock_guard const lock(mutex_);
    auto& t = stats_.*direction;
    ++t.count;
    t.bytes += bytes;
    t.seconds += seconds;
  }

  memory::statistics stats() const {
    std::lock_guard const lock(mutex_);
    return stats_;
  }

private:
  struct free_block {
    void* data = nullptr;
    users last_users;
  };
  // Free blocks of one size that instances keep for themselves: beyond, the oldest goes to whoever
  // asks, after a fence. Bounds what instances that are gone leave behind.
  static constexpr int most_idle = 8;

  // A free block of the size, its users still to be fenced (those other than exec), or none.
  free_block reuse(execution_space const* exec, std::size_t bytes) {
    auto const [first, last] = free_.equal_range(bytes);
    auto it = first;
    if constexpr (tracks_instances) {
      int idle = 0;
      auto shared = last;
      for (; it != last && !free_of_waits(it->second.last_users, exec); ++it, ++idle)
        if (shared == last && it->second.last_users.size() > 1)  // no one could have it without
          shared = it;
      if (it == last && shared != last)
        it = shared;
      else if (it == last && (idle >= most_idle || waits_for_reuse))
        it = first;  // the oldest
    }
    if (it == last)
      return {};
    free_block block = std::move(it->second);
    free_.erase(it);
    stats_.held -= bytes;
    return block;
  }

  static bool free_of_waits(users const& list, execution_space const* exec) {
    if constexpr (waits_for_reuse)
      return list.empty();
    else
      return list.empty() ||
             (exec != nullptr &&
              std::all_of(list.begin(), list.end(), [&](auto const& u) { return u == *exec; }));
  }

  bool within_limit(std::size_t more) const {
    std::size_t const now = stats_.in_use + stats_.held;
    return now <= stats_.limit && more <= stats_.limit - now;
  }

  void* allocate(std::size_t bytes, char const* label) {
    if (!within_limit(bytes))
      release_free_blocks();
    if (within_limit(bytes)) {
      if (void* data = try_allocate(bytes))
        return data;
      release_free_blocks();
      if (void* data = try_allocate(bytes))
        return data;
    }
    throw memory_error(std::string("karpos::memory: cannot allocate ") + std::to_string(bytes) +
                       " bytes for '" + label + "' in " + Memory::name() + ": " +
                       std::to_string(stats_.in_use) + " bytes in use, " +
                       std::to_string(stats_.held) + " held by the pool, limit " +
                       (stats_.limit == memory::no_limit ? "none" : std::to_string(stats_.limit)));
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

  /// For work on `exec`; null: for the host.
  pool_block(execution_space const* exec, std::size_t bytes, char const* label)
      : bytes_(size_class(bytes)), data_(pool::get().take(exec, bytes_, label)) {
    if constexpr (pool::tracks_instances)
      if (exec != nullptr)
        users_.push_back(*exec);
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
