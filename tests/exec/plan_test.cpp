// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans: every element exactly once, in merged dimensions; and which plan an assignment takes.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <algorithm>
#include <random>

namespace {

using namespace karpos_test;
namespace ke = karpos::exec;
using kp::all;
using kp::range;

struct strides_of {
  std::vector<index_t> values;
  bool generator = false;
};

ke::operand_info operand(strides_of const& s, int element_size, std::uintptr_t address) {
  ke::operand_info op;
  op.element_size = s.generator ? 0 : element_size;
  op.is_virtual = s.generator;
  op.address = s.generator ? 0 : address;
  op.offset = s.generator ? 100 : 0;
  std::copy(s.values.begin(), s.values.end(), op.strides);
  return op;
}

/// What each operand reads when the destination's element is written, as a sorted list of tuples.
std::vector<std::vector<index_t>> touched(int rank, index_t const* shape,
                                          std::vector<ke::operand_info> const& ops) {
  std::vector<std::vector<index_t>> out;
  for_each_index(shape_t(shape, shape + rank), [&](shape_t const& index) {
    std::vector<index_t> row;
    for (auto const& op : ops) {
      index_t at = 0;
      for (int k = 0; k < rank; ++k)
        at += index[static_cast<std::size_t>(k)] * op.strides[k];
      row.push_back(op.is_virtual ? op.offset + at
                                  : static_cast<index_t>(op.address) + at * op.element_size);
    }
    out.push_back(row);
  });
  std::sort(out.begin(), out.end());
  return out;
}

ke::plan planned(std::vector<index_t> const& shape, std::vector<strides_of> const& strides) {
  std::vector<ke::operand_info> ops;
  for (auto const& s : strides)
    ops.push_back(operand(s, 4, 1 << 20));
  return ke::make_plan(static_cast<int>(shape.size()), shape.data(), ops.data(),
                       static_cast<int>(ops.size()));
}

TEST(plan, visits_every_element_once_whatever_the_strides) {
  for (int round = 0; round < rounds(3000); ++round) {
    std::mt19937_64 random(seed_of(round));
    int const rank = static_cast<int>(random() % 6);
    std::vector<index_t> shape;
    for (int k = 0; k < rank; ++k)
      shape.push_back(1 + static_cast<index_t>(random() % 4));
    int const count = 1 + static_cast<int>(random() % 4);
    std::vector<ke::operand_info> ops;
    for (int l = 0; l < count; ++l) {
      // a permuted dense array, sometimes flipped, with gaps, or broadcast
      std::vector<int> order;
      for (int k = 0; k < rank; ++k)
        order.push_back(k);
      if (random() % 2 == 0)
        std::shuffle(order.begin(), order.end(), random);
      strides_of s{std::vector<index_t>(static_cast<std::size_t>(rank)),
                   l > 0 && random() % 5 == 0};
      index_t step = 1;
      for (int k = rank - 1; k >= 0; --k) {
        auto const axis = static_cast<std::size_t>(order[static_cast<std::size_t>(k)]);
        if (random() % 8 == 0)
          step *= 2;
        s.values[axis] = random() % 6 == 0 ? -step : step;
        if (l > 0 && random() % 6 == 0)
          s.values[axis] = 0;
        step *= shape[axis];
      }
      ops.push_back(operand(s, 1 << (random() % 5), std::uintptr_t{1} << 20));
    }
    auto const before = touched(rank, shape.data(), ops);
    auto after = ops;
    auto const p = ke::make_plan(rank, shape.data(), after.data(), count);
    ASSERT_LE(p.rank, rank);
    ASSERT_EQ(p.size, size_of(shape));
    ASSERT_EQ(touched(p.rank, p.extents, after), before) << "seed " << seed_of(round);
    for (int k = 0; k < p.rank; ++k) {
      ASSERT_GT(p.extents[k], 1) << "extents of 1 drop out";
      ASSERT_GE(after[0].strides[k], 0) << "the destination is walked upwards";
      if (k > 0) {
        ASSERT_LE(after[0].strides[k], after[0].strides[k - 1]) << "in the destination's order";
      }
    }
  }
}

TEST(plan, merges_what_is_contiguous_in_all_operands) {
  auto const p = planned({3, 4, 5}, {{{20, 5, 1}}, {{20, 5, 1}}, {{20, 5, 1}, true}});
  EXPECT_EQ(p.rank, 1);
  EXPECT_EQ(p.extents[0], 60);
  EXPECT_EQ(p.kind, ke::plan_kind::flat);
  auto const column = planned({3, 4, 5}, {{{1, 3, 12}}, {{1, 3, 12}}});  // column-major both
  EXPECT_EQ(column.rank, 1);
  EXPECT_EQ(column.kind, ke::plan_kind::flat);
  auto const reversed = planned({3, 4}, {{{-4, -1}}, {{-4, -1}}});
  EXPECT_EQ(reversed.rank, 1);
  EXPECT_EQ(reversed.kind, ke::plan_kind::flat);
  auto const row =
      planned({3, 4, 5}, {{{20, 5, 1}}, {{0, 5, 1}}});  // a matrix broadcast: two dimensions stay
  EXPECT_EQ(row.rank, 2);
  EXPECT_EQ(row.extents[0], 3);
  EXPECT_EQ(row.extents[1], 20);
}

TEST(plan, chooses_a_kind_by_the_strides) {
  EXPECT_EQ(planned({}, {{{}}, {{}}}).kind, ke::plan_kind::flat);
  EXPECT_EQ(planned({7}, {{{1}}}).kind, ke::plan_kind::flat);
  EXPECT_EQ(planned({3, 4}, {{{4, 1}}, {{0, 1}}}).kind, ke::plan_kind::rows);
  EXPECT_EQ(planned({3, 4}, {{{4, 1}}, {{1, 0}}}).kind, ke::plan_kind::rows);
  EXPECT_EQ(planned({3, 4}, {{{8, 1}}, {{9, 1}}}).kind, ke::plan_kind::rows);
  EXPECT_EQ(planned({3, 4}, {{{4, 1}}, {{1, 3}}}).kind, ke::plan_kind::tiled);
  EXPECT_EQ(planned({3, 4}, {{{1, 3}}, {{4, 1}}}).kind, ke::plan_kind::tiled);
  EXPECT_EQ(planned({9}, {{{1}}, {{2}}}).kind, ke::plan_kind::strided);
  EXPECT_EQ(planned({9}, {{{3}}, {{1}}}).kind, ke::plan_kind::strided);
  EXPECT_EQ(planned({9}, {{{1}}, {{-1}}}).kind, ke::plan_kind::strided);
  auto const deep = planned({2, 3, 4}, {{{12, 4, 1}}, {{1, 8, 2}}});
  EXPECT_EQ(deep.kind, ke::plan_kind::tiled);
  EXPECT_EQ(deep.transposed_axis, 0);
}

// -- what assignments take

ke::plan_kind kind_of() { return ke::last_plan(); }

TEST(plan, of_an_assignment_is_the_expected_one) {
  auto a = upload<2>(counting<float>({30, 40}));
  auto b = upload<2>(counting<float>({40, 30}));
  auto r = kp::empty<float>(30, 40);
  r = a * 2.0f + a;
  EXPECT_EQ(kind_of(), ke::plan_kind::flat);
  r = 1.0f;
  EXPECT_EQ(kind_of(), ke::plan_kind::flat);
  r = a + kp::ones<float>(30, 40);
  EXPECT_EQ(kind_of(), ke::plan_kind::flat);
  r = a + a(0);
  EXPECT_EQ(kind_of(), ke::plan_kind::rows);
  r = a + a(all, range(0, 1));
  EXPECT_EQ(kind_of(), ke::plan_kind::rows);
  r(all, range(0, 20)) = a(all, range(20, 40));
  EXPECT_EQ(kind_of(), ke::plan_kind::rows);
  r = kp::transpose(b);
  EXPECT_EQ(kind_of(), ke::plan_kind::tiled);
  kp::transpose(r) = b + 1.0f;
  EXPECT_EQ(kind_of(), ke::plan_kind::tiled);
  kp::transpose(r) = kp::transpose(a);  // the same turn on both sides is none
  EXPECT_EQ(kind_of(), ke::plan_kind::flat);
  r(0, range(0, 40, 2)) = a(0, range(0, 20));
  EXPECT_EQ(kind_of(), ke::plan_kind::strided);
  r(0) = kp::flip(a(0));
  EXPECT_EQ(kind_of(), ke::plan_kind::strided);
  kp::flip(r) = kp::flip(a);
  EXPECT_EQ(kind_of(), ke::plan_kind::flat);
  EXPECT_STREQ(ke::to_string(ke::plan_kind::flat), "flat");
  EXPECT_STREQ(ke::to_string(ke::plan_kind::rows), "rows");
  EXPECT_STREQ(ke::to_string(ke::plan_kind::tiled), "tiled");
  EXPECT_STREQ(ke::to_string(ke::plan_kind::strided), "strided");
}

}  // namespace
