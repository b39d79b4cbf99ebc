// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which blocks the pool hands to which execution space instance, and what it waits for: on a memory
// space made up for it, whose instances count their fences.
#include <karpos/core/memory/pool.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <numeric>
#include <set>
#include <string>

namespace karpos_test {

template <bool HostTouchesIt>
struct pretended_memory;

struct pretended_instance {
  using execution_space = pretended_instance;
  using memory_space = pretended_memory<false>;
  int number;
  static inline int fences[40]{};
  void fence(std::string const&) const { ++fences[number]; }
  friend bool operator==(pretended_instance const& a, pretended_instance const& b) {
    return a.number == b.number;
  }
};

template <bool HostTouchesIt>
struct pretended_memory {
  using execution_space = pretended_instance;
  using memory_space = pretended_memory;
  static char const* name() { return HostTouchesIt ? "PretendedPinned" : "Pretended"; }
};
using device_memory = pretended_memory<false>;
using pinned_memory = pretended_memory<true>;

}  // namespace karpos_test

template <>
struct Kokkos::SpaceAccessibility<karpos_test::pretended_instance, Kokkos::HostSpace> {
  static constexpr bool accessible = false;
};
template <bool HostTouchesIt>
struct Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace,
                                  karpos_test::pretended_memory<HostTouchesIt>> {
  static constexpr bool accessible = HostTouchesIt;
};
namespace Kokkos {
template <>
inline void* kokkos_malloc<karpos_test::device_memory>(std::string const&, std::size_t bytes) {
  return std::malloc(bytes);
}
template <>
inline void kokkos_free<karpos_test::device_memory>(void* data) {
  std::free(data);
}
template <>
inline void* kokkos_malloc<karpos_test::pinned_memory>(std::string const&, std::size_t bytes) {
  return std::malloc(bytes);
}
template <>
inline void kokkos_free<karpos_test::pinned_memory>(void* data) {
  std::free(data);
}
}  // namespace Kokkos

namespace {

using instance = karpos_test::pretended_instance;
using block = karpos::detail::pool_block<karpos_test::device_memory>;
using pinned_block = karpos::detail::pool_block<karpos_test::pinned_memory>;

/// Takes a block on `first`, lets `second` use it, gives it back; its address.
void* used_by(instance first, instance second) {
  auto* const b = new block(&first, 1000, "test");
  karpos::detail::storage const owner(b);
  b->record_use(&second);
  return b->data();
}

class pool_instances : public testing::Test {
protected:
  void SetUp() override {
    if (karpos::detail::pool_switched_off())
      GTEST_SKIP() << "KARPOS_POOL=off: blocks are not reused";
    karpos::detail::memory_pool<karpos_test::device_memory>::get().trim();
    karpos::detail::memory_pool<karpos_test::pinned_memory>::get().trim();
    for (int& n : instance::fences)
      n = 0;
  }
  static int fences() {
    return std::accumulate(std::begin(instance::fences), std::end(instance::fences), 0);
  }
  instance const a{0}, b{1}, c{2};
};

TEST_F(pool_instances, get_back_what_they_alone_used_without_a_fence) {
  void* const of_a = used_by(a, a);
  void* const of_b = used_by(b, b);
  EXPECT_NE(of_a, of_b);
  EXPECT_EQ(used_by(a, a), of_a);
  EXPECT_EQ(used_by(b, b), of_b);
  EXPECT_EQ(fences(), 0);
}

TEST_F(pool_instances, get_what_several_used_after_a_fence_of_the_others) {
  void* const shared = used_by(a, b);
  EXPECT_EQ(used_by(a, b), shared);
  EXPECT_EQ(instance::fences[1], 1);
  EXPECT_EQ(fences(), 1);
  EXPECT_EQ(used_by(c, c), shared);
  EXPECT_EQ(instance::fences[0], 1);
  EXPECT_EQ(instance::fences[1], 2);
  EXPECT_EQ(used_by(c, c), shared);  // now its own
  EXPECT_EQ(fences(), 3);
}

TEST_F(pool_instances, take_their_own_before_what_several_used) {
  void* const own = [&] {
    karpos::detail::storage const other(new block(&b, 1000, "test"));
    return used_by(a, a);
  }();
  void* const shared = used_by(b, a);
  EXPECT_EQ(used_by(a, a), own);
  EXPECT_NE(own, shared);
  EXPECT_EQ(fences(), 0);
}

TEST_F(pool_instances, that_come_and_go_leave_a_bounded_number_of_blocks) {
  auto& pool = karpos::detail::memory_pool<karpos_test::device_memory>::get();
  std::set<void*> blocks;
  for (int n = 0; n < 40; ++n)
    blocks.insert(used_by({n}, {n}));
  EXPECT_EQ(blocks.size(), 8u);
  EXPECT_EQ(pool.stats().held, 8 * karpos::detail::size_class(1000));
  EXPECT_EQ(fences(), 32);  // of the oldest users
  EXPECT_EQ(instance::fences[0], 1);
  EXPECT_EQ(instance::fences[39], 0);
}

TEST_F(pool_instances, let_go_of_pinned_memory_before_the_host_has_it_again) {
  auto const host_block_that = [](instance const* user) {
    auto* const m = new pinned_block(nullptr, 1000, "test");
    karpos::detail::storage const owner(m);
    if (user != nullptr)
      m->record_use(user);
    return m->data();
  };
  void* const first = host_block_that(nullptr);
  EXPECT_EQ(host_block_that(&a), first);
  EXPECT_EQ(fences(), 0);  // only the host had used it
  EXPECT_EQ(host_block_that(nullptr), first);
  EXPECT_EQ(instance::fences[0], 1);  // a copy queued on a might still read it
  EXPECT_EQ(host_block_that(&a), first);
  EXPECT_EQ(fences(), 1);
}

TEST_F(pool_instances, keep_their_blocks_when_the_host_asks) {
  void* const of_a = used_by(a, a);
  karpos::detail::storage const host(new block(nullptr, 1000, "test"));
  EXPECT_EQ(fences(), 0);  // a's block stays a's
  EXPECT_EQ(used_by(a, a), of_a);
}

}  // namespace
