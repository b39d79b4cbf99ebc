// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation of storage, zero fill and contiguous copies: what needs no engine.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/memory/pool.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor_view.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::detail {

// Bytes as an unmanaged rank-1 view: Kokkos::deep_copy of such views is a memcpy or an asynchronous
// device copy.
template <class Memory, class Byte>
using byte_view = Kokkos::View<Byte*, Kokkos::LayoutRight,
                               Kokkos::Device<typename Memory::execution_space, Memory>,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Storage for `shape` from the pool, row-major, unset. @throws memory_error.
template <class T, int Rank, class Space, class Exec>
tensor_view<T, Rank, Space> allocate_view(Exec const& exec, extents<Rank> const& shape,
                                          char const* label) {
  using memory = memory_space_of<Space>;
  using owner = pool_block<memory>;
  if (!count_fits(shape.values, Rank, static_cast<index_t>(sizeof(T))))
    throw memory_error(std::string("karpos::memory: the size of shape ") + to_string(shape) +
                       " overflows 64 bits");
  std::size_t const bytes = static_cast<std::size_t>(shape.size()) * sizeof(T);
  owner* block = nullptr;
  if constexpr (std::is_same_v<Exec, typename owner::execution_space>)
    block = new owner(&exec, bytes, label);
  else  // the host touches the memory as soon as it has it
    block = new owner(nullptr, bytes, label);
  return {static_cast<T*>(block->data()), row_major(shape), storage(block)};
}

/// Tells the owner of a view that work queued on `exec` uses it.
template <class Exec, class T, int Rank, class Space>
void note_use(Exec const& exec, tensor_view<T, Rank, Space> const& v) {
  using pool = memory_pool<memory_space_of<Space>>;
  if constexpr (pool::tracks_instances && std::is_same_v<Exec, typename pool::execution_space>)
    if (block* b = v.owner().get())
      b->record_use(&exec);
}

/// Counts a transfer between the host and a device in the statistics of the device's memory, when
/// it goes.
template <class DstMemory, class SrcMemory>
class transfer_timer {
  static constexpr bool to_device = !host_accessible<DstMemory> && host_accessible<SrcMemory>;
  static constexpr bool to_host = host_accessible<DstMemory> && !host_accessible<SrcMemory>;

public:
  explicit transfer_timer(std::size_t bytes) : bytes_(bytes) {}
  transfer_timer(transfer_timer const&) = delete;
  transfer_timer& operator=(transfer_timer const&) = delete;
  ~transfer_timer() {
    if constexpr (to_device)
      memory_pool<DstMemory>::get().count_transfer(&memory::statistics::from_host, bytes_,
                                                   timer_.seconds());
    else if constexpr (to_host)
      memory_pool<SrcMemory>::get().count_transfer(&memory::statistics::to_host, bytes_,
                                                   timer_.seconds());
  }

private:
  std::size_t bytes_;
  Kokkos::Timer timer_;
};

/// Copies `bytes` bytes between any two memory spaces, asynchronously on `exec` (for pageable host
/// memory the vendor's rules hold: the host side may be reused when the call returns).
template <class DstMemory, class SrcMemory, class Exec>
void copy_bytes(Exec const& exec, void* dst, void const* src, std::size_t bytes) {
  if (bytes == 0 || dst == src)
    return;
  if constexpr (std::is_same_v<DstMemory, Kokkos::HostSpace> &&
                std::is_same_v<SrcMemory, Kokkos::HostSpace> && host_execution<Exec>) {
    if (bytes < (std::size_t{1} << 16) || kokkos_ext::in_parallel_region(exec)) {
      std::memcpy(dst, src, bytes);
      return;
    }
  }
  transfer_timer<DstMemory, SrcMemory> const timer(bytes);
  Kokkos::deep_copy(exec, byte_view<DstMemory, char>(static_cast<char*>(dst), bytes),
                    byte_view<SrcMemory, char const>(static_cast<char const*>(src), bytes));
}

/// Sets a contiguous view to zero bytes (zero in every element type), asynchronously on exec.
template <class Exec, class T, int Rank, class Space>
void fill_zero(Exec const& exec, tensor_view<T, Rank, Space> const& v) {
  std::size_t const bytes = static_cast<std::size_t>(v.size()) * sizeof(T);
  if (bytes == 0)
    return;
  if constexpr (host_execution<Exec>) {
    if (bytes < (std::size_t{1} << 16) || kokkos_ext::in_parallel_region(exec)) {
      std::memset(static_cast<void*>(v.data()), 0, bytes);
      return;
    }
  }
  Kokkos::deep_copy(
      exec, byte_view<memory_space_of<Space>, char>(reinterpret_cast<char*>(v.data()), bytes),
      char(0));
}

/// Fills a contiguous view from host memory; waits until the source may be reused.
template <class T, int Rank, class Space>
void copy_from_host(tensor_view<T, Rank, Space> const& v, T const* source) {
  execution_space_of<Space> exec;
  copy_bytes<memory_space_of<Space>, Kokkos::HostSpace>(
      exec, v.data(), source, static_cast<std::size_t>(v.size()) * sizeof(T));
  exec.fence("karpos::tensor: elements from a list");
}

}  // namespace karpos::inline KARPOS_ABI::detail
