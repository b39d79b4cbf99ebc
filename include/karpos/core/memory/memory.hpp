// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What there is to know and to set about the memory pool of a space. Space is an execution space, a
// memory space or a Device; each memory space has one pool in the process.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/memory/pool.hpp>
#include <karpos/core/spaces.hpp>

#include <cstddef>

namespace karpos::inline KARPOS_ABI::memory {

/// Bytes in use and held, their peak and limit, numbers of allocations, transfers to and from the
/// host. Does not wait.
template <class Space = default_space>
[[nodiscard]] statistics stats() {
  return karpos::detail::memory_pool<memory_space_of<Space>>::get().stats();
}

/// From now on the tensors of this memory and the blocks that wait for reuse take at most `bytes`
/// bytes together: beyond, first the free blocks are returned, then memory_error is thrown. Blocks
/// in use stay. no_limit takes the limit away.
template <class Space = default_space>
void set_limit(std::size_t bytes) {
  karpos::detail::memory_pool<memory_space_of<Space>>::get().set_limit(bytes);
}

/// Returns the blocks that wait for reuse to the memory space, for others to have. Waits for the
/// work that used them.
template <class Space = default_space>
void trim() {
  karpos::detail::memory_pool<memory_space_of<Space>>::get().trim();
}

/// The peak starts again from what is in use.
template <class Space = default_space>
void reset_peak() {
  karpos::detail::memory_pool<memory_space_of<Space>>::get().reset_peak();
}

}  // namespace karpos::inline KARPOS_ABI::memory
