// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes, strides, slices and broadcasting as pure functions, against enumeration.
#include <karpos/core/broadcast.hpp>
#include <karpos/core/layout.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <set>
#include <type_traits>

namespace {

using namespace karpos_test;

/// Addresses of a layout's elements in C order.
template <int Rank>
std::vector<index_t> addresses(kp::layout<Rank> const& l) {
  std::vector<index_t> out;
  for_each_index(to_vector(l.shape), [&](shape_t const& index) {
    index_t at = l.offset;
    for (int k = 0; k < Rank; ++k)
      at += index[static_cast<std::size_t>(k)] * l.strides[k];
    out.push_back(at);
  });
  return out;
}

template <int Rank>
kp::layout<Rank> dense(shape_t const& shape) {
  return kp::row_major(to_extents<Rank>(shape));
}

// -- extents

static_assert(std::is_same_v<kp::index_t, std::int64_t> &&
              std::is_same_v<std::remove_cvref_t<decltype(kp::extents<2>{}[0])>, kp::index_t>);

TEST(extents, are_written_as_numpy_writes_shapes) {
  EXPECT_EQ(kp::to_string(kp::extents<0>{}), "()");
  EXPECT_EQ(kp::to_string(kp::extents<1>{{3}}), "(3,)");
  EXPECT_EQ(kp::to_string(kp::extents<3>{{3, 0, -4}}), "(3, 0, -4)");
}

TEST(extents, have_a_size) {
  EXPECT_EQ(kp::extents<0>{}.size(), 1);
  EXPECT_EQ((kp::extents<3>{{2, 3, 4}}.size()), 24);
  EXPECT_EQ((kp::extents<3>{{2, 0, 4}}.size()), 0);
}

kp::extents<2> checked(index_t a, index_t b) {
  kp::dim const dims[]{a, b};
  return kp::make_shape<2>("zeros", dims);
}

TEST(cases, negative_and_wrapped_extents_are_refused) {
  EXPECT_EQ(error_text<kp::shape_error>([] { (void)checked(3, -5); }),
            "karpos::zeros: extent of axis 1 is negative: (3, -5)");
  int const wrapped = static_cast<int>(50000u * 50000u);
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)checked(wrapped, 1); }),
            "karpos::zeros: extent of axis 0 is negative: (-1794967296, 1)");
  EXPECT_EQ(error_text<kp::argument_error>([] { (void)kp::dim(~std::uint64_t{0}); }),
            "karpos: extent 18446744073709551615 does not fit a signed 64-bit integer");
}

TEST(extents, whose_product_overflows_are_refused) {
  index_t const big = index_t{1} << 32;
  EXPECT_EQ(
      error_text<kp::shape_error>([&] { (void)checked(big, big); }),
      "karpos::zeros: the number of elements overflows 64 bits: shape (4294967296, 4294967296)");
  EXPECT_EQ(checked(big, (index_t{1} << 31) - 1).size(), big * ((index_t{1} << 31) - 1));
  EXPECT_EQ(checked(big, 0).size(), 0);  // nothing is small whatever the other extents are
}

// Constant evaluation refuses arithmetic that overflows.
constexpr kp::extents<3> nothing_first{{0, index_t{1} << 40, index_t{1} << 40}};
constexpr kp::extents<3> nothing_last{{index_t{1} << 40, index_t{1} << 40, 0}};
static_assert(nothing_first.size() == 0 && nothing_last.size() == 0);
static_assert(kp::row_major_strides(nothing_first)[1] == index_t{1} << 40);
static_assert(kp::is_row_major(nothing_first, kp::row_major_strides(nothing_first)));

// -- row-major

TEST(row_major, steps_by_the_product_of_the_inner_extents) {
  EXPECT_EQ(kp::row_major_strides(kp::extents<3>{{2, 3, 4}}), (kp::extents<3>{{12, 4, 1}}));
  EXPECT_EQ(addresses(dense<3>({2, 3, 2})),
            (std::vector<index_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(row_major, ignores_strides_of_extents_of_one_and_of_nothing) {
  EXPECT_TRUE((kp::is_row_major(kp::extents<3>{{2, 1, 3}}, kp::extents<3>{{3, 77, 1}})));
  EXPECT_TRUE((kp::is_row_major(kp::extents<2>{{0, 5}}, kp::extents<2>{{9, 9}})));
  EXPECT_FALSE((kp::is_row_major(kp::extents<2>{{2, 3}}, kp::extents<2>{{4, 1}})));
  EXPECT_FALSE((kp::is_row_major(kp::extents<2>{{2, 3}}, kp::extents<2>{{1, 2}})));
  EXPECT_TRUE((kp::is_row_major(kp::extents<0>{}, kp::extents<0>{})));
}

// -- axes

TEST(axes, count_from_either_end) {
  for (int rank = 1; rank <= 8; ++rank)
    for (int axis = -rank; axis < rank; ++axis)
      EXPECT_EQ(kp::normal_axis("flip", axis, rank), axis < 0 ? axis + rank : axis);
  EXPECT_EQ(error_text<kp::index_error>([] { (void)kp::normal_axis("flip", 2, 2); }),
            "karpos::flip: axis 2 is out of range for rank 2");
  EXPECT_EQ(error_text<kp::index_error>([] { (void)kp::normal_axis("sum", -3, 2); }),
            "karpos::sum: axis -3 is out of range for rank 2");
}

// -- ranges

/// What Python's range(*slice(begin, end, step).indices(extent)) holds, by its definition.
std::vector<index_t> python_slice(index_t extent, index_t const* begin, index_t const* end,
                                  index_t step) {
  index_t const lower = step < 0 ? -1 : 0;
  index_t const upper = step < 0 ? extent - 1 : extent;
  auto const bound = [&](index_t const* given, index_t missing) {
    if (given == nullptr)
      return missing;
    if (*given < 0)
      return std::max(*given + extent, lower);
    return std::min(*given, upper);
  };
  index_t const first = bound(begin, step < 0 ? upper : lower);
  index_t const last = bound(end, step < 0 ? lower : upper);
  std::vector<index_t> out;
  for (index_t i = first; step > 0 ? i < last : i > last; i += step)
    out.push_back(i);
  return out;
}

kp::range make(index_t const* begin, index_t const* end, index_t step) {
  if (begin != nullptr && end != nullptr)
    return {*begin, *end, step};
  if (begin != nullptr)
    return {*begin, kp::none, step};
  if (end != nullptr)
    return {kp::none, *end, step};
  return {kp::none, kp::none, step};
}

TEST(range, selects_what_python_selects) {
  int checks = 0;
  for (index_t extent = 0; extent <= 7; ++extent)
    for (index_t begin = -9; begin <= 10; ++begin)  // 10 stands for a missing bound
      for (index_t end = -9; end <= 10; ++end)
        for (index_t const step : {1, 2, 3, 8, -1, -2, -3, -8}) {
          index_t const* const b = begin == 10 ? nullptr : &begin;
          index_t const* const e = end == 10 ? nullptr : &end;
          auto const l = kp::slice(dense<1>({extent}), make(b, e, step));
          ASSERT_EQ(addresses(l), python_slice(extent, b, e, step))
              << "extent " << extent << ", " << begin << ':' << end << ':' << step;
          ++checks;
        }
  EXPECT_EQ(checks, 25600);
}

TEST(cases, an_empty_slice_never_points_past_the_end) {
  auto const l = kp::slice(dense<1>({5}), kp::range(5, 5));
  EXPECT_EQ(l.shape[0], 0);
  EXPECT_LE(l.offset, 5);
  auto const empty_rows = kp::slice(dense<2>({0, 15}), kp::range(kp::none, kp::none, -1));
  EXPECT_EQ(empty_rows.shape, (kp::extents<2>{{0, 15}}));
  EXPECT_EQ(empty_rows.offset, 0);
}

TEST(range, refuses_step_zero) {
  EXPECT_EQ(error_text<kp::argument_error>([] { (void)kp::range(0, 3, 0); }),
            "karpos::range: step must not be 0");
  kp::range later(0, 3);
  later.step = 0;
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)kp::slice(dense<1>({5}), later); }),
            "karpos::range: step must not be 0");
}

TEST(range, takes_the_smallest_integer_for_a_bound) {
  index_t const least = std::numeric_limits<index_t>::min();
  EXPECT_EQ(kp::slice(dense<1>({5}), kp::range(0, least)).shape[0], 0);  // Python: a[0:-2**63]
  EXPECT_EQ(addresses(kp::slice(dense<1>({3}), kp::range(least, 2))), (std::vector<index_t>{0, 1}));
  EXPECT_EQ(addresses(kp::slice(dense<1>({3}), kp::range(2, least, -1))),
            (std::vector<index_t>{2, 1, 0}));
}

TEST(layouts, of_nothing_may_have_any_strides) {
  index_t const most = std::numeric_limits<index_t>::max(),
                least = std::numeric_limits<index_t>::min();
  kp::layout<3> const huge{{{0, most, most}}, {{most, least, most}}, 0};
  EXPECT_EQ(kp::flip(huge, 1).shape, huge.shape);
  EXPECT_EQ(kp::flip(kp::flip(huge, 1), 2).shape, huge.shape);
  EXPECT_EQ(kp::slice(huge, kp::range(0, 0), most - 1, kp::range(1, most, most / 2)).shape,
            (kp::extents<2>{{0, 2}}));
  EXPECT_EQ(kp::diagonal(huge, -5, 1, 2).shape, (kp::extents<2>{{0, most - 5}}));
  EXPECT_EQ(kp::permute(huge, {{2, 0, 1}}).shape, (kp::extents<3>{{most, 0, most}}));
  kp::extents<2> strides;
  EXPECT_TRUE(kp::reshape_strides(huge, kp::extents<2>{{most, 0}}, strides));
}

TEST(range, takes_the_largest_steps) {
  index_t const most = std::numeric_limits<index_t>::max();
  EXPECT_EQ(addresses(kp::slice(dense<2>({3, 2}), kp::range(1, 3, most))),
            (std::vector<index_t>{2, 3}));
  EXPECT_EQ(addresses(kp::slice(dense<2>({3, 2}), kp::range(kp::none, kp::none, -most))),
            (std::vector<index_t>{4, 5}));
  EXPECT_EQ(addresses(kp::slice(
                dense<1>({3}), kp::range(kp::none, kp::none, std::numeric_limits<index_t>::min()))),
            (std::vector<index_t>{2}));
}

TEST(slice, combines_integers_ranges_and_new_axes) {
  auto const l = dense<3>({3, 4, 5});
  auto const s = kp::slice(l, -1, kp::newaxis, kp::range(1, 4, 2), 2);
  EXPECT_EQ(s.shape, (kp::extents<2>{{1, 2}}));
  EXPECT_EQ(addresses(s), (std::vector<index_t>{2 * 20 + 1 * 5 + 2, 2 * 20 + 3 * 5 + 2}));
  EXPECT_EQ(kp::slice(l, 1).shape, (kp::extents<2>{{4, 5}}));  // axes that are not named stay whole
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)kp::slice(l, 0, 4); }),
            "karpos::tensor: index 4 is out of range for axis 1 of shape (3, 4, 5)");
  EXPECT_EQ(error_text<kp::index_error>([&] { (void)kp::slice(l, -4); }),
            "karpos::tensor: index -4 is out of range for axis 0 of shape (3, 4, 5)");
}

TEST(cases, a_sub_block_addresses_nothing_past_its_last_element) {
  auto const s = kp::slice(dense<2>({4, 5}), kp::range(2, 4), kp::range(3, 5));
  auto const at = addresses(s);
  auto const [low, high] = std::minmax_element(at.begin(), at.end());
  EXPECT_EQ(*high - *low + 1, 7);
  EXPECT_LT(*high, 20);
}

// -- reshape

template <int Out, int Rank>
void expect_reshape(kp::layout<Rank> const& from, shape_t const& to) {
  kp::layout<Out> l{to_extents<Out>(to), {}, from.offset};
  auto const wanted = addresses(from);
  if (kp::reshape_strides(from, l.shape, l.strides)) {
    ASSERT_EQ(addresses(l), wanted)
        << kp::to_string(from.shape) << kp::to_string(from.strides) << testing::PrintToString(to);
    return;
  }
  // No strides show the elements: those that the first elements along each axis would need fail
  // somewhere.
  index_t step = 1;
  for (int k = Out - 1; k >= 0; --k) {
    l.strides[k] = l.shape[k] > 1 ? wanted[static_cast<std::size_t>(step)] - wanted[0] : 0;
    step *= l.shape[k];
  }
  ASSERT_NE(addresses(l), wanted) << kp::to_string(from.shape) << kp::to_string(from.strides)
                                  << testing::PrintToString(to);
}

TEST(reshape, finds_strides_whenever_there_are_some) {
  std::vector<kp::layout<3>> sources;
  auto const whole = dense<3>({4, 3, 6});
  for (auto const order :
       {kp::extents<3>{{0, 1, 2}}, kp::extents<3>{{2, 1, 0}}, kp::extents<3>{{1, 0, 2}},
        kp::extents<3>{{0, 2, 1}}, kp::extents<3>{{1, 2, 0}}, kp::extents<3>{{2, 0, 1}}}) {
    auto const p = kp::permute(whole, order);
    sources.push_back(p);
    sources.push_back(kp::flip(p, 0));
    sources.push_back(kp::slice(p, kp::range(kp::none, kp::none, 2)));
    sources.push_back(kp::slice(p, kp::range(), kp::range(0, 1)));
    sources.push_back(
        kp::stretch(kp::slice(p, kp::range(0, 1)), kp::extents<3>{{5, p.shape[1], p.shape[2]}}));
  }
  int reshapes = 0;
  for (auto const& from : sources) {
    index_t const n = from.shape.size();
    expect_reshape<1>(from, {n});
    for (index_t a = 1; a <= n; ++a)
      for (index_t b = 1; b <= n / a; ++b)
        if (n % (a * b) == 0) {
          expect_reshape<3>(from, {a, b, n / a / b});
          expect_reshape<4>(from, {a, 1, b, n / a / b});
          ++reshapes;
        }
  }
  EXPECT_GT(reshapes, 500);
}

// -- broadcasting

std::vector<shape_t> small_shapes() {
  std::vector<shape_t> all{{}};
  for (std::size_t first = 0, rank = 1; rank <= 3; ++rank) {
    std::size_t const last = all.size();
    for (; first < last; ++first)
      for (index_t e : {0, 1, 2, 3}) {
        auto longer = all[first];
        longer.push_back(e);
        all.push_back(longer);
      }
  }
  return all;
}

template <int A, int B>
void expect_broadcast(shape_t const& a, shape_t const& b) {
  shape_t want;
  bool const fits = broadcast_model(a, b, want);
  try {
    auto const got = kp::broadcast_shapes("operator+", to_extents<A>(a), to_extents<B>(b));
    ASSERT_TRUE(fits) << testing::PrintToString(a) << testing::PrintToString(b);
    ASSERT_EQ(to_vector(got), want);
  } catch (kp::shape_error const& e) {
    ASSERT_FALSE(fits) << e.what();
    ASSERT_EQ(e.what(),
              "karpos::operator+: shapes do not broadcast: " + kp::to_string(to_extents<A>(a)) +
                  " and " + kp::to_string(to_extents<B>(b)));
  }
  // written into: every extent must be the destination's or 1
  bool const into = want == b && fits;
  ASSERT_EQ(kp::broadcasts_to(to_extents<A>(a), to_extents<B>(b)), into && A <= B)
      << testing::PrintToString(a) << " to " << testing::PrintToString(b);
}

template <int A, int B>
void expect_ranks(shape_t const& a, shape_t const& b) {
  if (a.size() == A && b.size() == B)
    expect_broadcast<A, B>(a, b);
  else if constexpr (B < 3)
    expect_ranks<A, B + 1>(a, b);
  else if constexpr (A < 3)
    expect_ranks<A + 1, 0>(a, b);
}

TEST(broadcast, follows_numpy_for_all_small_shapes) {
  auto const shapes = small_shapes();
  ASSERT_EQ(shapes.size(), 85u);
  for (auto const& a : shapes)
    for (auto const& b : shapes)
      expect_ranks<0, 0>(a, b);
}

TEST(cases, one_against_zero_is_zero) {
  using shape2 = kp::extents<2>;
  auto const both = [](shape2 a, shape2 b) { return kp::broadcast_shapes("operator+", a, b); };
  EXPECT_EQ(both({{1, 1}}, {{0, 1}}), (shape2{{0, 1}}));
  EXPECT_EQ(both({{1, 2}}, {{0, 1}}), (shape2{{0, 2}}));
  EXPECT_EQ(error_text<kp::shape_error>([&] { (void)both({{2, 1}}, {{0, 1}}); }),
            "karpos::operator+: shapes do not broadcast: (2, 1) and (0, 1)");
}

TEST(broadcast, joins_many_shapes_and_refuses_more_elements_than_64_bits_count) {
  EXPECT_EQ(kp::broadcast_shapes("where", kp::extents<1>{{4}}, kp::extents<3>{{2, 1, 1}},
                                 kp::extents<2>{{3, 1}}),
            (kp::extents<3>{{2, 3, 4}}));
  index_t const big = index_t{1} << 40;
  EXPECT_EQ(error_text<kp::shape_error>([&] {
              (void)kp::broadcast_shapes("operator*", kp::extents<2>{{big, 1}},
                                         kp::extents<2>{{1, big}});
            }),
            "karpos::operator*: the number of elements overflows 64 bits: shape (1099511627776, "
            "1099511627776)");
}

}  // namespace
