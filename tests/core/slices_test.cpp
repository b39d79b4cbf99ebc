// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of views against a model that lists the storage position of every element, and the slices
// people write.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>
#include <support/view_model.hpp>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

/// Positions of a view's elements in its storage (elements hold their own position).
template <int Rank>
testing::AssertionResult shows(kp::tensor_view<int, Rank> const& v, view_model const& m) {
  host_array<int> want(m.shape);
  for (std::size_t i = 0; i < m.where.size(); ++i)
    want.values[i] = static_cast<int>(m.where[i]);
  return same(fetch(v), want);
}

/// A random chain of view operations, the ones that change the rank included.
template <int Rank>
void walk(kp::tensor_view<int, Rank> v, view_model m, std::mt19937_64& random, int depth) {
  ASSERT_TRUE(shows(v, m));
  ASSERT_EQ(v.size(), size_of(m.shape));
  if (depth == 0)
    return;
  auto const axis = [&](int rank) {
    return static_cast<int>(random() % static_cast<unsigned>(rank));
  };
  switch (random() % 6) {
  case 0:
    if constexpr (Rank < 5) {
      int const a = axis(Rank + 1);
      return walk<Rank + 1>(kp::expand_dims(v, a - (random() % 2 == 0 ? 0 : Rank + 1)),
                            m.expanded(static_cast<std::size_t>(a)), random, depth - 1);
    }
    break;
  case 1:
    if constexpr (Rank > 0) {
      auto const a = static_cast<std::size_t>(axis(Rank));
      if (m.shape[a] == 0)
        break;
      auto const i = static_cast<index_t>(random() % static_cast<std::uint64_t>(m.shape[a]));
      auto const moved = kp::moveaxis(v, static_cast<int>(a), 0);
      auto const rest = m.fixed(a, i);
      if constexpr (Rank == 1)  // all integers would be an element
        return walk<0>(kp::squeeze(moved(range(i, i + 1)), 0), rest, random, depth - 1);
      else
        return walk<Rank - 1>(moved(random() % 2 == 0 ? i : i - m.shape[a]), rest, random,
                              depth - 1);
    }
    break;
  case 2:
    if constexpr (Rank >= 2) {
      int const a = axis(Rank);
      int const b = (a + 1 + axis(Rank - 1)) % Rank;
      auto const k = static_cast<index_t>(random() % 5) - 2;
      return walk<Rank - 1>(kp::diagonal(v, k, a, b - Rank),
                            m.diagonal(k, static_cast<std::size_t>(a), static_cast<std::size_t>(b)),
                            random, depth - 1);
    }
    break;
  case 3:
    if constexpr (Rank == 3) {
      std::vector<int> order = {0, 1, 2};
      std::shuffle(order.begin(), order.end(), random);
      return walk<Rank>(kp::permute(v, order[0], order[1] - 3, order[2]), m.permuted(order), random,
                        depth - 1);
    }
    break;
  default:
    break;
  }
  random_step(v, m, random);
  walk<Rank>(v, m, random, depth - 1);
}

TEST(views, of_views_of_views_show_the_right_elements) {
  for (int i = 0; i < rounds(2000); ++i) {
    std::mt19937_64 random(seed_of(i));
    SCOPED_TRACE("seed " + std::to_string(seed_of(i)));
    shape_t const shape = {1 + static_cast<index_t>(random() % 6),
                           1 + static_cast<index_t>(random() % 5),
                           1 + static_cast<index_t>(random() % 7)};
    auto t = upload<3>(counting<int>(shape));
    walk<3>(t.view(), view_model::whole(shape), random, 8);
    ASSERT_FALSE(HasFailure());
  }
}

// -- the cases

TEST(cases, descending_ranges_keep_their_last_element) {
  auto down = kp::eval(kp::arange(5, -1, -1));
  EXPECT_TRUE(same(fetch(down), host_array<index_t>({6}, {5, 4, 3, 2, 1, 0})));
  auto up = kp::eval(kp::arange(6));
  EXPECT_TRUE(
      same(fetch(up(range(kp::none, kp::none, -1))), host_array<index_t>({6}, {5, 4, 3, 2, 1, 0})));
  EXPECT_TRUE(same(fetch(kp::flip(up)), host_array<index_t>({6}, {5, 4, 3, 2, 1, 0})));
  auto seven = kp::eval(kp::arange(7));
  EXPECT_TRUE(same(fetch(seven(range(kp::none, kp::none, -1))),
                   host_array<index_t>({7}, {6, 5, 4, 3, 2, 1, 0})));
}

TEST(cases, an_index_in_one_axis_keeps_the_step_of_another) {
  auto a = upload<2>(counting<int>({1, 10}));
  EXPECT_TRUE(
      same(fetch(a(0, range(kp::none, kp::none, 2))), host_array<int>({5}, {0, 2, 4, 6, 8})));
}

TEST(cases, a_view_of_a_view_writes_one_element) {
  auto m = upload<2>(counting<int>({3, 3}));
  m(1)(range(0, 1)) = -2;
  EXPECT_TRUE(same(fetch(m), host_array<int>({3, 3}, {0, 1, 2, -2, 4, 5, 6, 7, 8})));
}

TEST(cases, a_single_column_becomes_a_tensor) {
  auto a = upload<2>(host_array<int>({3, 3}, {9, 6, 3, 8, 5, 2, 7, 4, 1}));
  kp::tensor b = a(all, range(0, 1));
  kp::tensor c = 2 * a(all, range(0, 1));
  EXPECT_TRUE(same(fetch(b), host_array<int>({3, 1}, {9, 8, 7})));
  EXPECT_TRUE(same(fetch(c), host_array<int>({3, 1}, {18, 16, 14})));
}

TEST(cases, columns_of_a_column_major_matrix_are_scaled_in_place) {
  auto storage = upload<2>(host_array<int>({2, 2}, {1, 3, 2, 4}));
  auto a = kp::transpose(storage.view());
  a(all, 0) *= 2;
  a(all, 1) *= 2;
  EXPECT_TRUE(same(fetch(a), host_array<int>({2, 2}, {2, 4, 6, 8})));
}

TEST(cases, the_first_column_is_not_compact) {
  auto a = upload<2>(counting<int>({2, 2}));
  auto const column = a(all, 0);
  EXPECT_EQ(column.stride(0), 2);
  EXPECT_FALSE(column.is_contiguous());
  EXPECT_TRUE(same(fetch(column), host_array<int>({2}, {0, 2})));
}

TEST(cases, the_empty_end_slice_is_copied_as_nothing) {
  auto a = upload<1>(counting<int>({5}));
  auto const end = a(range(5, 5));
  EXPECT_EQ(end.size(), 0);
  auto const h = kp::to_host(end);
  EXPECT_EQ(h.size(), 0);
  kp::assign(end, kp::zeros<int>(0));
  end = 7;
  EXPECT_TRUE(same(fetch(a), counting<int>({5})));
}

// -- elements and their errors, on host memory

using host_tensor = kp::tensor<int, 2, kp::host_space>;

TEST(elements, are_read_and_written_from_either_end) {
  host_tensor t(3, 4);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      t(i, j) = 10 * i + j;
  EXPECT_EQ(t(-1, -4), 20);
  EXPECT_EQ(t(std::size_t{2}, std::int8_t{3}), 23);
  t(-3, 3) = 99;
  EXPECT_EQ(t(0, 3), 99);
  auto const v = t(range(kp::none, kp::none, -1), range(1, 3));
  EXPECT_EQ(v(0, 0), 21);
  EXPECT_EQ(v(-1, -1), 2);
}

TEST(elements, out_of_range_are_refused) {
  host_tensor t(3, 4);
  host_tensor const& c = t;
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)t(3, 0); }),
            "karpos::tensor: index 3 is out of range for axis 0 of shape (3, 4)");
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)c(0, -5); }),
            "karpos::tensor: index -5 is out of range for axis 1 of shape (3, 4)");
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)t(3, all); }),
            "karpos::tensor: index 3 is out of range for axis 0 of shape (3, 4)");
  std::size_t const first = 0;  // unsigned indices do not count from the end
  EXPECT_EQ(
      error_text<kp::index_error>([&] { (void)t(1, first - 1); }),
      "karpos::tensor: index 18446744073709551615 is out of range for axis 1 of shape (3, 4)");
  host_tensor empty;
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)empty(0, 0); }),
            "karpos::tensor: element access to a tensor without storage");
  kp::tensor<int, 0, kp::host_space> nothing;
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)nothing(); }),
            "karpos::tensor: element access to a tensor without storage");
}

TEST(elements, of_rank_zero_have_no_index) {
  kp::tensor<double, 0, kp::host_space> t(2.5);
  EXPECT_EQ(t(), 2.5);
  t() = 3;
  EXPECT_EQ(t(), 3.0);
  auto const row = t(kp::newaxis, kp::newaxis);
  EXPECT_EQ(row.shape(), (kp::extents<2>{{1, 1}}));
  EXPECT_EQ(row(0, 0), 3.0);
}

TEST(slices, of_const_tensors_are_read_only) {
  host_tensor t(3, 4);
  host_tensor const& c = t;
  static_assert(std::is_same_v<decltype(c(0, all)), kp::tensor_view<int const, 1, kp::host_space>>);
  static_assert(std::is_same_v<decltype(t(0, all)), kp::tensor_view<int, 1, kp::host_space>>);
  static_assert(std::is_same_v<decltype(c(0, 0)), int const&>);
  static_assert(std::is_same_v<decltype(t(0, 0)), int&>);
}

TEST(slices, take_up_to_eight_axes) {
  shape_t const shape = {2, 1, 3, 1, 2, 2, 1, 3};
  auto t = upload<8>(counting<int>(shape));
  auto const m = view_model::whole(shape);
  auto const v = t(1, 0, range(0, 3, 2), 0, all, -1, 0, range(kp::none, kp::none, -1));
  static_assert(decltype(v)::rank == 3);
  auto want =
      m.fixed(0, 1).fixed(0, 0).sliced(0, 0, 2, 2).fixed(1, 0).fixed(2, 1).fixed(2, 0).flipped(2);
  EXPECT_TRUE(shows(v, want));
  EXPECT_TRUE(shows(kp::permute(t, 7, 6, 5, 4, 3, 2, 1, 0), m.permuted({7, 6, 5, 4, 3, 2, 1, 0})));
}

}  // namespace
