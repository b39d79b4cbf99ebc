// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Construction, ownership and assignment of tensors.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

// -- types

static_assert(!std::is_copy_constructible_v<kp::tensor<double, 2>>);
static_assert(!std::is_copy_assignable_v<kp::tensor<double, 2>>);
static_assert(std::is_nothrow_move_constructible_v<kp::tensor<double, 2>>);
static_assert(std::is_nothrow_move_assignable_v<kp::tensor<double, 2>>);
static_assert(std::is_nothrow_swappable_v<kp::tensor<double, 2>>);
static_assert(!std::is_convertible_v<double, kp::tensor<double, 0>>);
static_assert(!std::is_convertible_v<kp::tensor<double, 0>, double>);
static_assert(!std::is_convertible_v<int, kp::tensor<double, 1>>);

template <class A, class B>
inline constexpr bool same_type = std::is_same_v<A, B>;

TEST(tensor, deduces_its_type_from_expressions_and_lists) {
  kp::tensor a = kp::zeros<float>(2, 3);
  kp::tensor b = a + 1.0f;
  kp::tensor c = kp::sum(b, 0);
  kp::tensor d{1.0, 2.0, 3.0};
  kp::tensor e{{1, 2}, {3, 4}};
  kp::tensor f{{{true}}, {{false}}};
  kp::tensor g = a.view();
  kp::tensor h = std::move(g);
  Kokkos::View<int* [3], Kokkos::LayoutLeft, Kokkos::HostSpace> v("v", 2);
  kp::tensor k = v;
  static_assert(same_type<decltype(a), kp::tensor<float, 2>>);
  static_assert(same_type<decltype(b), kp::tensor<float, 2>>);
  static_assert(same_type<decltype(c), kp::tensor<float, 1>>);
  static_assert(same_type<decltype(d), kp::tensor<double, 1>>);
  static_assert(same_type<decltype(e), kp::tensor<int, 2>>);
  static_assert(same_type<decltype(f), kp::tensor<bool, 3>>);
  static_assert(same_type<decltype(g), kp::tensor<float, 2>>);
  static_assert(same_type<decltype(h), kp::tensor<float, 2>>);
  static_assert(same_type<decltype(k), kp::tensor<int, 2, kp::host_space>>);
  EXPECT_TRUE(same(fetch(b), host_array<float>({2, 3}, {1, 1, 1, 1, 1, 1})));
  EXPECT_TRUE(same(fetch(c), host_array<float>({3}, {2, 2, 2})));
  EXPECT_TRUE(same(fetch(e), host_array<int>({2, 2}, {1, 2, 3, 4})));
  EXPECT_TRUE(same(fetch(f), host_array<bool>({2, 1, 1}, {1, 0})));
}

TEST(tensor, spells_one_space_in_many_ways) {
  using exec = kp::default_space;
  using pair = Kokkos::Device<exec, exec::memory_space>;
  kp::tensor<int, 1, pair> a(3);
  kp::tensor<int, 1> b = std::move(a);  // the same type under another name
  kp::tensor<int, 1, exec::memory_space> c = b + 1;
  kp::tensor<int, 1, pair> d;
  d = c + b;
  d += 1;
  kp::tensor_view<int, 1, pair> v = d.view();
  v(range(0, 2)) = 7;
  EXPECT_TRUE(same(fetch(d.view()), host_array<int>({3}, {7, 7, 2})));
}

// -- construction

TEST(tensor, of_a_shape_is_zero_filled) {
  for (index_t n : {0, 1, 15, 17, 4097, 70001}) {
    // Blocks are reused: leave something in them first.
    kp::tensor<double, 1> dirt = kp::ones(n);
    Kokkos::fence();
    dirt = kp::tensor<double, 1>();
    kp::tensor<double, 1> t(n);
    EXPECT_TRUE(same(fetch(t), host_array<double>({n})));
  }
  kp::tensor<bool, 3> b(2, 0, 4);
  EXPECT_EQ(b.shape(), (kp::extents<3>{{2, 0, 4}}));
  EXPECT_EQ(b.size(), 0);
  EXPECT_FALSE(b.empty());
}

TEST(tensor, comes_from_nested_lists) {
  kp::tensor<double, 3> t{{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
  EXPECT_TRUE(same(fetch(t), counting<double>({2, 3, 2}, 1)));
  kp::tensor<bool, 1> b{true, false, true};
  EXPECT_TRUE(same(fetch(b), host_array<bool>({3}, {1, 0, 1})));
  kp::tensor<int, 1> one{5};
  EXPECT_TRUE(same(fetch(one), host_array<int>({1}, {5})));
  kp::tensor<kp::half, 1> h{kp::half(1.5f), kp::half(-2.0f)};
  EXPECT_TRUE(same(fetch(h), host_array<kp::half>({2}, {kp::half(1.5f), kp::half(-2.0f)})));
  EXPECT_EQ(error_text<kp::shape_error>([] { kp::tensor<int, 2> ragged{{1, 2, 3}, {4, 5}}; }),
            "karpos::tensor: ragged list: axis 1 has rows of 3 and of 2 elements");
}

TEST(tensor, has_rank_zero) {
  kp::tensor<double, 0> t(2.5);
  EXPECT_EQ(t.size(), 1);
  EXPECT_EQ(kp::item(t), 2.5);
  t = 3;
  EXPECT_EQ(kp::item(t + 1), 4.0);
  kp::tensor<double, 0> u;
  EXPECT_TRUE(u.empty());
  EXPECT_EQ(u.size(), 0);
  u = t * 2;
  EXPECT_EQ(kp::item(u), 6.0);
}

TEST(tensor, of_rank_zero_without_storage_is_no_operand) {
  kp::tensor<double, 0> t;
  std::string const text = "karpos::assign: an operand of shape () has no storage: the tensor is "
                           "default-constructed or moved-from";
  EXPECT_EQ(error_text<kp::memory_error>([&] { (void)kp::eval(t + 1.0); }), text);
  EXPECT_EQ(error_text<kp::memory_error>([&] { (void)kp::item(t); }), text);
  EXPECT_EQ(error_text<kp::memory_error>([&] { (void)kp::item(kp::sum(t)); }), text);
  EXPECT_EQ(error_text<kp::memory_error>([&] { (void)kp::eval(kp::broadcast_to(t, 3)); }),
            "karpos::assign: an operand of shape (3,) has no storage: the tensor is "
            "default-constructed or moved-from");
  EXPECT_EQ(error_text<kp::memory_error>([&] { t.view() = 1.0; }),
            "karpos::assign: the destination has no storage");
}

TEST(tensor, without_storage_has_no_elements_to_write) {
  kp::tensor<double, 2> t;
  EXPECT_EQ(error_text<kp::shape_error>([&] { t = 1.0; }),
            "karpos::assign: an empty tensor of rank 2 takes no shape from a scalar: give it one, "
            "as in t = full({n, ...}, value)");
  std::string const text = "karpos::operator+=: the tensor is empty (default-constructed or "
                           "moved-from): it has no elements to update";
  EXPECT_EQ(error_text<kp::shape_error>([&] { t += 1.0; }), text);
  EXPECT_EQ(error_text<kp::shape_error>([&] { t += kp::ones(2, 2); }), text);
  kp::tensor<double, 0> scalar;
  EXPECT_EQ(error_text<kp::shape_error>([&] { scalar += 1.0; }), text);
  kp::tensor<double, 2> none(0, 3);  // no elements, but a shape
  none = 1.0;
  none += 1.0;
  EXPECT_EQ(none.shape(), (kp::extents<2>{{0, 3}}));
  t = kp::ones(2, 2);
  t += 1.0;
  EXPECT_EQ(kp::item(kp::sum(t)), 8.0);
}

TEST(tensor, extents_and_strides_of_no_axis_are_refused) {
  kp::tensor<float, 2> const t(2, 3);
  EXPECT_EQ(t.extent(-2), 2);
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)t.extent(2); }),
            "karpos::tensor: axis 2 is out of range for rank 2");
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)t.view().stride(-3); }),
            "karpos::tensor: axis -3 is out of range for rank 2");
}

TEST(tensor, takes_extents_of_any_integer_type) {
  kp::tensor<float, 3> t(std::size_t{2}, std::int8_t{3}, 4u);
  EXPECT_EQ(t.shape(), (kp::extents<3>{{2, 3, 4}}));
  EXPECT_EQ(t.strides(), (kp::extents<3>{{12, 4, 1}}));
  EXPECT_EQ(t.extent(-1), 4);
  EXPECT_EQ(t.stride(-3), 12);
  EXPECT_EQ(error_text<kp::shape_error>([] { kp::tensor<float, 2> bad(3, -1); }),
            "karpos::tensor: extent of axis 1 is negative: (3, -1)");
}

// -- memory

TEST(cases, byte_counts_over_4_gib_are_not_truncated) {
  // 4,022,364,488 bytes: taken if the machine has them, else refused with the right number (size
  // class included).
  try {
    auto t = kp::empty<std::int8_t>(index_t{4022364488});
    EXPECT_EQ(t.size(), 4022364488);
    t(range(kp::none, kp::none, index_t{4022364487})) = 1;  // the first and the last element
    EXPECT_EQ(kp::item(t, -1), 1);
  } catch (kp::memory_error const& e) {
    EXPECT_NE(std::string(e.what()).find("4026531840 bytes"), std::string::npos) << e.what();
  }
  kp::tensor<double, 1> still_usable = kp::ones(3);
  EXPECT_EQ(kp::item(kp::sum(still_usable)), 3.0);
}

TEST(cases, a_failed_allocation_says_what_was_asked) {
  auto const text = error_text<kp::memory_error>([] { (void)kp::empty<double>(index_t{1} << 43); });
  EXPECT_EQ(
      text.find("karpos::memory: cannot allocate 70368744177664 bytes for 'karpos::tensor' in "),
      0u)
      << text;
  EXPECT_NE(text.find(kp::default_space::memory_space::name()), std::string::npos) << text;
  kp::tensor<double, 1> t = kp::ones(1000);
  EXPECT_EQ(kp::item(kp::sum(t)), 1000.0);
}

TEST(tensor, sizes_that_overflow_are_refused) {
  EXPECT_EQ(error_text<kp::memory_error>([] { (void)kp::empty<double>(index_t{1} << 61); }),
            "karpos::memory: the size of shape (2305843009213693952,) overflows 64 bits");
  EXPECT_EQ(error_text<kp::shape_error>(
                [] { kp::tensor<double, 2> t(index_t{1} << 40, index_t{1} << 40); }),
            "karpos::tensor: the number of elements overflows 64 bits: shape (1099511627776, "
            "1099511627776)");
  index_t const big = index_t{1} << 40;
  EXPECT_EQ(error_text<kp::shape_error>(
                [&] { (void)kp::item(kp::sum(kp::zeros(big, 1) + kp::zeros(1, big))); }),
            "karpos::operator+: the number of elements overflows 64 bits: shape (1099511627776, "
            "1099511627776)");
}

// -- assignment writes in place

TEST(assignment, writes_into_the_storage_there_is) {
  auto t = upload<2>(counting<double>({3, 4}));
  auto const* const data = t.data();
  t = t + 1.0;
  t = 2.0 * t;
  t += t;
  EXPECT_EQ(t.data(), data);
  EXPECT_TRUE(same(fetch(t),
                   apply<double>([](double x) { return 4 * (x + 1); }, counting<double>({3, 4}))));
  t = 7;
  EXPECT_EQ(t.data(), data);
  EXPECT_TRUE(same(fetch(t), apply<double>([](double) { return 7.0; }, counting<double>({3, 4}))));
  t = kp::arange(4);  // broadcasts into t's shape
  EXPECT_EQ(t.data(), data);
  EXPECT_TRUE(same(fetch(t), stretched(counting<double>({4}), {3, 4})));
}

TEST(assignment, never_changes_the_shape) {
  auto t = upload<2>(counting<double>({3, 4}));
  EXPECT_EQ(error_text<kp::shape_error>([&] { t = kp::zeros(4, 3); }),
            "karpos::assign: cannot write shape (4, 3) into (3, 4)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { t = kp::zeros(3); }),
            "karpos::assign: cannot write shape (3,) into (3, 4)");
  EXPECT_EQ(error_text<kp::shape_error>([&] { t += kp::zeros(2, 4); }),
            "karpos::operator+=: shapes do not broadcast: (3, 4) and (2, 4)");
  auto row = upload<2>(counting<double>({1, 4}));
  EXPECT_EQ(error_text<kp::shape_error>([&] { row += t; }),
            "karpos::assign: cannot write shape (3, 4) into (1, 4)");
  EXPECT_TRUE(same(fetch(t), counting<double>({3, 4})));
}

TEST(assignment, allocates_an_empty_tensor_only) {
  kp::tensor<double, 2> t;
  EXPECT_TRUE(t.empty());
  t = kp::ones(2, 3);
  auto const* const data = t.data();
  EXPECT_TRUE(same(fetch(t), host_array<double>({2, 3}, {1, 1, 1, 1, 1, 1})));
  t = 2.0 * t;
  EXPECT_EQ(t.data(), data);
  kp::tensor<double, 2> no_rows(0,
                                3);  // has a shape, though no elements: nothing is allocated anew
  EXPECT_EQ(error_text<kp::shape_error>([&] { no_rows = kp::ones(2, 3); }),
            "karpos::assign: cannot write shape (2, 3) into (0, 3)");
  kp::tensor<double, 2> lower_rank;
  EXPECT_EQ(error_text<kp::shape_error>([&] { lower_rank = kp::ones(3); }),
            "karpos::assign: an empty tensor of rank 2 takes no shape from an expression of rank "
            "1: (3,)");
}

TEST(assignment, that_throws_leaves_an_empty_tensor_empty) {
  kp::tensor<double, 0> const without_storage;
  kp::tensor<double, 1> t;
  EXPECT_THROW(t = kp::ones(3) + without_storage, kp::memory_error);
  EXPECT_TRUE(t.empty());
  t = kp::ones(5);
  EXPECT_TRUE(same(fetch(t), host_array<double>({5}, {1, 1, 1, 1, 1})));
  kp::tensor<std::int8_t, 0> small;
  EXPECT_THROW(small = 300, kp::argument_error);
  EXPECT_TRUE(small.empty());
}

TEST(assignment, reset_takes_new_storage_and_views_keep_the_old_one) {
  auto t = upload<1>(counting<double>({4}));
  auto const old = t.view();
  t.reset(kp::full({2}, 9.0));
  EXPECT_TRUE(same(fetch(t), host_array<double>({2}, {9, 9})));
  EXPECT_TRUE(same(fetch(old), counting<double>({4})));
  t.reset(t(range(0, 1)) + 1.0);  // its own elements are read before they go
  EXPECT_TRUE(same(fetch(t), host_array<double>({1}, {10})));
}

TEST(assignment, moving_takes_the_storage_and_views_keep_the_old_one) {
  auto a = upload<1>(counting<int>({3}));
  auto b = upload<1>(counting<int>({5}, 10));
  auto const old = a.view();
  auto const* const data = b.data();
  a = std::move(b);
  EXPECT_EQ(a.data(), data);
  EXPECT_TRUE(same(fetch(a), counting<int>({5}, 10)));
  EXPECT_TRUE(same(fetch(old), counting<int>({3})));
  a = kp::eval(a + 1);  // a tensor too: its storage is taken
  EXPECT_NE(a.data(), data);
  EXPECT_TRUE(same(fetch(a), counting<int>({5}, 11)));
  auto& self = a;
  a = std::move(self);
  EXPECT_TRUE(same(fetch(a), counting<int>({5}, 11)));
}

TEST(cases, a_moved_from_tensor_is_empty_and_usable) {
  kp::tensor<double, 2> a = kp::zeros(2, 2);
  kp::tensor<double, 2> b = std::move(a);
  b(0) = 5;
  EXPECT_TRUE(same(fetch(b), host_array<double>({2, 2}, {5, 5, 0, 0})));
  EXPECT_TRUE(a.empty());  // NOLINT(bugprone-use-after-move): what this test is about
  EXPECT_EQ(a.size(), 0);
  EXPECT_EQ(a.shape(), (kp::extents<2>{{0, 0}}));
  EXPECT_EQ(kp::item(kp::sum(a)), 0.0);
  a = kp::ones(3, 1);
  EXPECT_TRUE(same(fetch(a), host_array<double>({3, 1}, {1, 1, 1})));
  kp::tensor<double, 2> c = std::move(a);
  a = std::move(c);
  EXPECT_TRUE(same(fetch(a), host_array<double>({3, 1}, {1, 1, 1})));
}

TEST(tensor, swaps_and_lives_in_containers) {
  std::vector<kp::tensor<int, 1>> list;
  for (int i = 0; i < 9; ++i)
    list.push_back(kp::eval(kp::full({2}, i)));
  list.erase(list.begin() + 3);
  std::swap(list[0], list[1]);
  swap(list[6], list[7]);
  std::vector<int> firsts;
  for (auto const& t : list)
    firsts.push_back(kp::item(t, 0));
  EXPECT_EQ(firsts, (std::vector<int>{1, 0, 2, 4, 5, 6, 8, 7}));
}

TEST(tensor, is_copied_by_clone) {
  auto a = upload<2>(counting<int>({3, 4}));
  auto b = kp::clone(a);
  auto c = kp::clone(kp::transpose(a));
  a = 0;
  EXPECT_TRUE(same(fetch(b), counting<int>({3, 4})));
  EXPECT_TRUE(c.is_contiguous());
  EXPECT_TRUE(same(fetch(kp::transpose(c)), counting<int>({3, 4})));
}

TEST(cases, a_view_of_a_const_tensor_is_read_only) {
  kp::tensor<int, 2, kp::host_space> const a{{0, 1}, {2, 3}};
  auto const v = a(1);
  EXPECT_EQ(v(0), 2);
  static_assert(!std::is_assignable_v<decltype(v(0)), int>);
  static_assert(std::is_same_v<decltype(a.data()), int const*>);
}

TEST(assignment, converts_between_element_types) {
  kp::tensor<double, 1> d{1.9, -1.9, 3e10};
  kp::tensor<int, 1> i = d.view();
  EXPECT_TRUE(same(fetch(i), host_array<int>({3}, {1, -1, 2147483647})));
  d = 2 * i;
  EXPECT_TRUE(same(fetch(d), host_array<double>({3}, {2, -2, -2})));  // the integers wrapped before
}

TEST(scalars, that_do_not_fit_the_element_type_are_refused) {
  kp::tensor<std::int8_t, 1> t(3);
  kp::tensor<std::uint8_t, 1> u(3);
  std::string const text = "karpos::assign: scalar 300 does not fit the element type int8";
  EXPECT_EQ(error_text<kp::argument_error>([&] { t = 300; }), text);
  EXPECT_EQ(error_text<kp::argument_error>([&] { t(all) = 300; }), text);
  EXPECT_EQ(error_text<kp::argument_error>([&] { kp::assign(t, 300); }), text);
  EXPECT_EQ(error_text<kp::argument_error>([&] { u = -1; }),
            "karpos::assign: scalar -1 does not fit the element type uint8");
  t = -128;
  u = 255u;
  EXPECT_TRUE(same(fetch(t), host_array<std::int8_t>({3}, {-128, -128, -128})));
  EXPECT_TRUE(same(fetch(u), host_array<std::uint8_t>({3}, {255, 255, 255})));
}

TEST(cases, a_billion_elements_are_filled_and_summed) {
  index_t const n = 1'200'000'000;
  auto t = kp::empty<std::int8_t>(n);
  t = 1;
  EXPECT_EQ(kp::item(kp::sum(t)), n);
  t(range(n - 5, n)) = 100;
  EXPECT_EQ(kp::item(kp::sum(t(range(n - 6, n)))), 501);
}

}  // namespace
