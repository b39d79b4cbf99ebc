// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// to_host, to<Space>, copy: between every two spaces of the build, for any strides.
#include <karpos/base/kokkos_ext/spaces.hpp>
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/events.hpp>
#include <support/host.hpp>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;
using kp::kokkos_ext::for_each_space;

TEST(to_host, gives_elements_that_can_be_read) {
  auto t = upload<2>(counting<double>({3, 4}));
  auto const h = kp::to_host(t);
  static_assert(std::is_same_v<decltype(h), kp::tensor<double, 2, kp::host_space> const>);
  EXPECT_EQ(h(2, 3), 11.0);
  t = 0.0;
  EXPECT_EQ(h(2, 3), 11.0);  // a copy
  auto const of_an_expression = kp::to_host(kp::transpose(t) + 5.0);
  EXPECT_EQ(of_an_expression(3, 0), 5.0);
  EXPECT_EQ(kp::to_host(kp::sum(t + 1.0))(), 12.0);
  EXPECT_EQ(kp::to_host(kp::arange(4))(3), 3);
  EXPECT_EQ(kp::to_host(t(range(2, 2))).shape(), (kp::extents<2>{{0, 4}}));
}

TEST(to_host, waits) {
  auto t = upload<1>(counting<double>({1000}));
  Kokkos::fence();
  event_log log;
  auto const h = kp::to_host(t);
  // on a host space the work is done when the launch returns: nothing to wait for
  bool const on_host = std::is_same_v<kp::default_space, kp::host_space>;
  EXPECT_EQ(log.fences() > 0, !on_host) << log.text();
}

template <class From, class To>
void expect_transfer() {
  SCOPED_TRACE(From::name() + std::string(" to ") + To::name());
  auto const x = counting<float>({5, 6});
  auto a = upload<2, From>(x);
  EXPECT_TRUE(same(fetch(kp::to<To>(a)), x));
  auto const turned = kp::to<To>(kp::transpose(a));
  EXPECT_TRUE(same(fetch(kp::transpose(turned)), x));
  auto const part = kp::to<To>(a(range(kp::none, kp::none, -2), range(1, 6, 2)));
  EXPECT_TRUE(same(fetch(part), host_array<float>({3, 3}, {25, 27, 29, 13, 15, 17, 1, 3, 5})));
  EXPECT_TRUE(same(fetch(kp::to<To>(a * 2.0f)), apply<float>([](float v) { return 2 * v; }, x)));

  auto d = upload<2, To>(counting<float>({12, 10}, 500));
  auto const before = fetch(d);
  kp::copy(d(range(0, 10, 2), range(6, 0, -1)), a);  // strided destination, conversion of none
  auto want = before;
  for (index_t i = 0; i < 5; ++i)
    for (index_t j = 0; j < 6; ++j)
      want.at({2 * i, 6 - j}) = x.at({i, j});
  EXPECT_TRUE(same(fetch(d), want));
  auto converted = upload<2, To>(host_array<double>({5, 6}));
  kp::copy(converted, a);
  EXPECT_TRUE(
      same(fetch(converted), apply<double>([](float v) { return static_cast<double>(v); }, x)));
  auto rows = upload<3, To>(host_array<float>({2, 5, 6}));
  kp::copy(rows, a);  // broadcasts
  EXPECT_TRUE(same(fetch(rows), stretched(x, {2, 5, 6})));
  kp::copy(rows(0, 0), kp::ones<float>(6));
  EXPECT_TRUE(same(fetch(rows(0, 0)), host_array<float>({6}, {1, 1, 1, 1, 1, 1})));
  auto const text = error_text<kp::shape_error>([&] { kp::copy(d, a(range(0, 2))); });
  EXPECT_EQ(text, std::string(std::is_same_v<typename From::memory_space, typename To::memory_space>
                                  ? "karpos::assign"
                                  : "karpos::copy") +
                      ": cannot write shape (2, 6) into (12, 10)");
}

TEST(copy, moves_between_every_two_spaces) {
  for_each_space([](auto from) {
    for_each_space([](auto to) {
      expect_transfer<typename decltype(from)::type, typename decltype(to)::type>();
    });
  });
}

/// The packed source of a transfer, and a source that is a temporary, go when the call returns, and
/// other tensors take their memory.
template <class From, class To>
void expect_sources_to_go() {
  SCOPED_TRACE(From::name() + std::string(" to ") + To::name());
  index_t const n = 200'000;
  auto const x = counting<float>({n});
  auto const a = upload<1, From>(x);
  auto const d = kp::to<To>(a + 1.0f);
  kp::tensor<float, 1, From> const in_its_place = kp::full({n}, -1.0f);
  auto e = kp::empty<float, To>(n);
  kp::copy(e, upload<1, From>(x));
  kp::tensor<float, 1, From> const in_its_place_too = kp::full({n}, -2.0f);
  EXPECT_TRUE(same(fetch(d), apply<float>([](float v) { return v + 1; }, x)));
  EXPECT_TRUE(same(fetch(e), x));
}

TEST(copy, keeps_what_a_source_held_when_the_source_goes) {
  for_each_space([](auto from) {
    for_each_space([](auto to) {
      expect_sources_to_go<typename decltype(from)::type, typename decltype(to)::type>();
    });
  });
}

template <class From, class To>
void expect_refusals() {
  SCOPED_TRACE(From::name() + std::string(" to ") + To::name());
  kp::tensor<double, 0, From> const source_without;
  kp::tensor<double, 0, From> const source(2.0);
  kp::tensor<double, 0, To> target_without;
  kp::tensor<double, 0, To> target(3.0);
  EXPECT_THROW((void)kp::to<To>(source_without), kp::memory_error);
  EXPECT_THROW(kp::copy(target, source_without), kp::memory_error);
  EXPECT_THROW(kp::copy(target_without, source), kp::memory_error);
  EXPECT_EQ(kp::item(target), 3.0);
  auto row = upload<1, To>(counting<float>({3}));
  auto const rows = kp::wrap<To>(row.data(), {2, 3}, {0, 1});
  EXPECT_THROW(kp::copy(rows, upload<1, From>(counting<float>({3}))), kp::argument_error);
}

TEST(copy, refuses_sides_without_storage_and_destinations_that_overlap_themselves) {
  for_each_space([](auto from) {
    for_each_space([](auto to) {
      expect_refusals<typename decltype(from)::type, typename decltype(to)::type>();
    });
  });
}

template <class From, class To>
void expect_kokkos_views() {
  SCOPED_TRACE(From::name() + std::string(" to ") + To::name());
  Kokkos::View<int*, Kokkos::LayoutRight, From> const row("row", 10);
  Kokkos::View<int*, Kokkos::LayoutLeft, To> const column("column", 10);
  kp::assign(row, kp::arange(10));
  kp::copy(column, row);
  EXPECT_TRUE(same(fetch(kp::wrap(column)), counting<int>({10})));
  Kokkos::View<int**, Kokkos::LayoutLeft, From> const left("left", 3, 4);
  Kokkos::View<int**, Kokkos::LayoutRight, To> const right("right", 3, 4);
  kp::assign(left, kp::reshape(kp::arange(12), 3, 4));
  kp::copy(right, left);
  EXPECT_TRUE(same(fetch(kp::wrap(right)), counting<int>({3, 4})));
}

TEST(copy, takes_kokkos_views_of_different_layouts) {
  for_each_space([](auto from) {
    for_each_space([](auto to) {
      expect_kokkos_views<typename decltype(from)::type, typename decltype(to)::type>();
    });
  });
}

TEST(copy, on_host_memory_neither_fences_nor_copies_twice) {
  kp::tensor<double, 2, kp::host_space> a(300, 400);
  kp::tensor<double, 2, kp::host_space> b(400, 300);
  Kokkos::fence();
  event_log log;
  kp::copy(a, kp::transpose(b));
  kp::copy(kp::host_space{}, b, kp::transpose(a));
  EXPECT_EQ(log.fences(), 0) << log.text();
  EXPECT_EQ(log.launches(), 2) << log.text();
  EXPECT_EQ(log.allocations(), 0) << log.text();
}

}  // namespace
