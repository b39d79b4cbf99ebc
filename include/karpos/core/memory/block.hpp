// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block: reference-counted memory behind tensors and views. storage: the handle to a block;
// host-device, so that a view may be captured in kernels (device code copies the pointer and leaves
// the count alone).
#pragma once
#include <karpos/base/config.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace karpos::inline KARPOS_ABI::detail {

class KARPOS_PROCESS_WIDE block {
public:
  block() = default;
  block(block const&) = delete;
  block& operator=(block const&) = delete;
  virtual ~block() = default;

  void add_owner() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
  void drop_owner() noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      last_owner_gone();
  }
  [[nodiscard]] long owners() const noexcept { return owners_.load(std::memory_order_relaxed); }

  /// Notes that work queued on an execution space instance touches the block. `instance` points to
  /// an object of the execution space type of the block's memory space.
  virtual void record_use(void const* /*instance*/) {}

protected:
  virtual void last_owner_gone() noexcept { delete this; }

private:
  std::atomic<long> owners_{1};
};

// Memory that something else owns (a Kokkos::View, a user's object): kept alive until the block
// goes.
class KARPOS_PROCESS_WIDE foreign_block final : public block {
public:
  explicit foreign_block(std::shared_ptr<void> owner) : owner_(std::move(owner)) {}

private:
  std::shared_ptr<void> owner_;
};

class storage {
public:
  KOKKOS_DEFAULTED_FUNCTION storage() = default;
  explicit storage(block* adopted) noexcept : block_(adopted) {}
  KOKKOS_FUNCTION storage(storage const& other) noexcept : block_(other.block_) { add(); }
  KOKKOS_FUNCTION storage(storage&& other) noexcept : block_(other.block_) {
    other.block_ = nullptr;
  }
  KOKKOS_FUNCTION storage& operator=(storage const& other) noexcept {
    storage copy(other);
    swap(copy);
    return *this;
  }
  KOKKOS_FUNCTION storage& operator=(storage&& other) noexcept {
    storage taken(std::move(other));
    swap(taken);
    return *this;
  }
  KOKKOS_FUNCTION ~storage() { KOKKOS_IF_ON_HOST((if (block_ != nullptr) block_->drop_owner();)) }

  KOKKOS_FUNCTION void swap(storage& other) noexcept {
    block* const mine = block_;
    block_ = other.block_;
    other.block_ = mine;
  }
  [[nodiscard]] block* get() const noexcept { return block_; }

private:
  KOKKOS_FUNCTION void add() const noexcept {
    KOKKOS_IF_ON_HOST((if (block_ != nullptr) block_->add_owner();))
  }
  block* block_ = nullptr;
};

}  // namespace karpos::inline KARPOS_ABI::detail
