// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which blocks the pool hands to which execution space instance, and what it waits for: on a memory
// space made up for it, whose instances count their fences.
#include <karpos/core/memory/pool.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace karpos_test {

struct pretended_memory;

struct pretended_instance {
  using execution_space = pretended_instance;
  using memory_space = pretended_memory;
  int number;
  static inline int fences[3]{};
  void fence(std::string const&) const { ++fences[number]; }
  friend bool operator==(pretended_instance const& a, pretended_instance const& b) {
    return a.number == b.number;
  }
};

struct pretended_memory {
  using execution_space = pretended_instance;
  using memory_space = pretended_memory;
  static char const* name() { return "Pretended"; }
};

}  // namespace karpos_test

template <>
struct Kokkos::SpaceAccessibility<karpos_test::pretended_instance, Kokkos::HostSpace> {
  static constexpr bool accessible = false;
};
namespace Kokkos {
template <>
inline void* kokkos_malloc<karpos_test::pretended_memory>(std::string const&, std::size_t bytes) {
  return std::malloc(bytes);
}
template <>
inline void kokkos_free<karpos_test::pretended_memory>(void* data) {
  std::free(data);
}
}  // namespace Kokkos

namespace {

using instance = karpos_test::pretended_instance;
using block = karpos::detail::pool_block<karpos_test::pretended_memory>;

/// Takes a block on `first`, lets `second` use it, gives it back; its address.
void* used_by(instance first, instance second) {
  auto* const b = new block(first, 1000, "test");
  karpos::detail::storage const owner(b);
  b->record_use(&second);
  return b->data();
}

class pool_instances : public testing::Test {
protected:
  void SetUp() override {
    if (karpos::detail::pool_switched_off())
      GTEST_SKIP() << "KARPOS_POOL=off: blocks are not reused";
    karpos::detail::memory_pool<karpos_test::pretended_memory>::get().trim();
    for (int& n : instance::fences)
      n = 0;
  }
  static int fences() { return instance::fences[0] + instance::fences[1] + instance::fences[2]; }
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
    karpos::detail::storage const other(new block(b, 1000, "test"));
    return used_by(a, a);
  }();
  void* const shared = used_by(b, a);
  EXPECT_EQ(used_by(a, a), own);
  EXPECT_NE(own, shared);
  EXPECT_EQ(fences(), 0);
}

}  // namespace
