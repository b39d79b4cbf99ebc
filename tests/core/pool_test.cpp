// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory pool: size classes, reuse, counters, threads; and the handles to its blocks.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <thread>
#include <vector>

namespace {

using namespace karpos_test;
using memory = kp::default_space::memory_space;
using pool = kp::detail::memory_pool<memory>;

TEST(size_class, holds_the_bytes_with_little_slack) {
  std::size_t previous = 0;
  int classes = 0;
  for (std::size_t bytes = 0; bytes < 300000; bytes += bytes < 5000 ? 1 : 61) {
    std::size_t const n = kp::detail::size_class(bytes);
    ASSERT_GE(n, bytes);
    ASSERT_GE(n, previous);
    ASSERT_EQ(n % 64, 0u);
    ASSERT_EQ(kp::detail::size_class(n), n);
    if (bytes > 512) {
      ASSERT_LE(static_cast<double>(n), static_cast<double>(bytes) * 1.125 + 64);
    }
    classes += n != previous;
    previous = n;
  }
  EXPECT_LT(classes, 100);
  EXPECT_EQ(kp::detail::size_class(0), 512u);
}

TEST(pool, reuses_a_block_of_the_same_class) {
  if (kp::detail::pool_switched_off())
    GTEST_SKIP() << "KARPOS_POOL=off: blocks are not reused, and every release waits";
  auto const bytes = index_t{12000};
  auto a = kp::empty<std::int8_t>(bytes);
  void const* const data = a.data();
  a = kp::tensor<std::int8_t, 1>();
  auto const before = pool::get().stats();
  auto b = kp::empty<double>(bytes / 8 - 3);
  auto const after = pool::get().stats();
  EXPECT_EQ(static_cast<void const*>(b.data()), data);
  EXPECT_EQ(after.hits, before.hits + 1);
  EXPECT_EQ(after.allocations, before.allocations + 1);
  EXPECT_EQ(after.in_use - before.in_use, kp::detail::size_class(12000));
  EXPECT_EQ(before.held - after.held, kp::detail::size_class(12000));
}

TEST(pool, counts_bytes_in_use_and_their_peak) {
  auto const start = pool::get().stats();
  {
    kp::tensor<double, 1> a(10000);
    auto const v = a.view();
    kp::tensor<double, 1> b(10000);
    a = kp::tensor<double, 1>();  // the view holds the block
    auto const now = pool::get().stats();
    EXPECT_EQ(now.in_use - start.in_use, 2 * kp::detail::size_class(80000));
    EXPECT_GE(now.peak, now.in_use);
  }
  EXPECT_EQ(pool::get().stats().in_use, start.in_use);
  EXPECT_GE(pool::get().stats().peak, start.in_use + 2 * kp::detail::size_class(80000));
}

TEST(pool, trims_what_is_free) {
  if (kp::detail::pool_switched_off())
    GTEST_SKIP() << "KARPOS_POOL=off: blocks are not reused, and every release waits";
  {
    kp::tensor<double, 1> a(5000);
  }
  EXPECT_GT(pool::get().stats().held, 0u);
  pool::get().trim();
  EXPECT_EQ(pool::get().stats().held, 0u);
  kp::tensor<double, 1> b = kp::ones(5000);
  EXPECT_EQ(kp::item(kp::sum(b)), 5000.0);
}

TEST(pool, keeps_within_its_limit) {
  namespace mem = kp::memory;
  mem::trim();
  auto const start = mem::stats();
  EXPECT_EQ(start.limit, mem::no_limit);
  std::size_t const size = kp::detail::size_class(80000);
  mem::set_limit(start.in_use + 2 * size);
  kp::tensor<double, 1> a(10000);
  auto b = kp::empty<double>(10000);
  auto const text = error_text<kp::memory_error>([&] { (void)kp::clone(a); });
  EXPECT_EQ(text.find("karpos::memory: cannot allocate " + std::to_string(size) +
                      " bytes for 'karpos::tensor' in " + memory::name() + ": "),
            0u)
      << text;
  EXPECT_NE(text.find(std::to_string(start.in_use + 2 * size) +
                      " bytes in use, 0 held by the pool, "
                      "limit " +
                      std::to_string(start.in_use + 2 * size)),
            std::string::npos)
      << text;
  b = kp::tensor<double, 1>();
  auto c = kp::empty<double>(9000);  // another size: what waits for reuse is returned for it
  c = 1.0;
  EXPECT_LT(mem::stats().held, size);
  EXPECT_EQ(kp::item(c, -1), 1.0);
  mem::set_limit(mem::no_limit);
  auto d = kp::empty<double>(100000);
  EXPECT_EQ(mem::stats().in_use - start.in_use,
            size + kp::detail::size_class(72000) + kp::detail::size_class(800000));
}

TEST(pool, that_is_over_a_new_limit_returns_what_is_free) {
  namespace mem = kp::memory;
  {
    auto const t = kp::empty<double>(10000);
  }
  auto const now = mem::stats();
  mem::set_limit(now.in_use);
  EXPECT_EQ(mem::stats().held, 0u);
  mem::set_limit(mem::no_limit);
}

TEST(pool, peaks_anew) {
  namespace mem = kp::memory;
  {
    auto const t = kp::empty<double>(1000000);
  }
  EXPECT_GT(mem::stats().peak, mem::stats().in_use);
  mem::reset_peak<memory>();
  EXPECT_EQ(mem::stats().peak, mem::stats().in_use);
}

TEST(pool, counts_transfers_between_the_host_and_a_device) {
  auto const before = kp::memory::stats();
  kp::tensor<float, 1> t{1, 2, 3};
  EXPECT_EQ(kp::item(t, 1), 2.0f);
  auto const after = kp::memory::stats();
  std::size_t const device = kp::host_accessible<kp::default_space> ? 0 : 1;
  EXPECT_EQ(after.from_host.count - before.from_host.count, device);
  EXPECT_EQ(after.from_host.bytes - before.from_host.bytes, device * 12);
  EXPECT_EQ(after.to_host.count - before.to_host.count, device);
  EXPECT_EQ(after.to_host.bytes - before.to_host.bytes, device * 4);
  EXPECT_EQ(after.to_host.seconds > before.to_host.seconds, device == 1);
}

TEST(pool, temporaries_go_back_when_the_assignment_ends) {
  if (kp::detail::pool_switched_off())
    GTEST_SKIP() << "KARPOS_POOL=off: blocks are not reused, and every release waits";
  kp::tensor<double, 2> a = kp::ones(50, 50);
  kp::tensor<double, 2> r = a + a;
  auto const before = pool::get().stats();
  for (int i = 0; i < 20; ++i)
    r = kp::matmul(a, a) + kp::sum(a, 1, kp::keepdims) + kp::transpose(r);
  Kokkos::fence();
  auto const after = pool::get().stats();
  EXPECT_EQ(after.in_use, before.in_use);
  EXPECT_GE(after.hits - before.hits,
            19u * 3u);  // after the first round every temporary is a reused block
}

TEST(pool, serves_many_threads) {
  auto const before = pool::get().stats();
  std::vector<std::thread> threads;
  std::vector<int> wrong(8, 0);
  for (int n = 0; n < 8; ++n)
    threads.emplace_back([n, &wrong] {
      for (int i = 0; i < 300; ++i) {
        kp::tensor<int, 1> t = kp::full({100 + 50 * (i % 7)}, n);
        kp::tensor<int, 1> u = std::move(t);
        auto const v = u.view();
        if (kp::item(kp::sum(v)) != n * (100 + 50 * (i % 7)))
          ++wrong[static_cast<std::size_t>(n)];
      }
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
  EXPECT_EQ(pool::get().stats().in_use, before.in_use);
}

// -- handles

struct counted_block final : kp::detail::block {
  int* gone;
  explicit counted_block(int* g) : gone(g) {}
  ~counted_block() override { ++*gone; }
};

TEST(storage, drops_its_block_with_the_last_handle) {
  int gone = 0;
  {
    kp::detail::storage a(new counted_block(&gone));
    kp::detail::storage b = a;
    kp::detail::storage c = std::move(a);
    EXPECT_EQ(a.get(), nullptr);  // NOLINT(bugprone-use-after-move): what this test is about
    EXPECT_EQ(c.get()->owners(), 2);
    kp::detail::storage d;
    d = c;
    d = std::move(b);
    auto& self = d;
    d = self;
    EXPECT_EQ(c.get()->owners(), 2);
    c = kp::detail::storage(new counted_block(&gone));
    EXPECT_EQ(gone, 0);
  }
  EXPECT_EQ(gone, 2);
}

TEST(storage, is_kept_by_expressions) {
  auto const before = pool::get().stats();
  {
    auto e = [] {
      kp::tensor<double, 1> t = kp::ones(3000);
      return kp::sqrt(t) + 1.0;
    }();
    EXPECT_EQ(pool::get().stats().in_use - before.in_use, kp::detail::size_class(24000));
    EXPECT_EQ(kp::item(kp::sum(e)), 6000.0);
  }
  EXPECT_EQ(pool::get().stats().in_use, before.in_use);
}

}  // namespace
