// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overlap between destination and operands, against sets of addresses.
#include <karpos/exec/overlap.hpp>
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <map>
#include <random>
#include <set>

namespace {

using namespace karpos_test;
namespace ke = karpos::exec;
using kp::all;
using kp::range;

ke::operand_info random_operand(std::mt19937_64& random, int rank) {
  ke::operand_info op;
  op.element_size = 4;
  op.address = 4096 + 4 * (random() % 24);
  for (int k = 0; k < rank; ++k)
    op.strides[k] = static_cast<index_t>(random() % 13) - 6;
  return op;
}

template <class F>
void each_address(ke::operand_info const& op, shape_t const& shape, F const& f) {
  index_t number = 0;
  for_each_index(shape, [&](shape_t const& index) {
    index_t at = 0;
    for (std::size_t k = 0; k < shape.size(); ++k)
      at += index[k] * op.strides[k];
    f(static_cast<index_t>(op.address) + at * op.element_size, number++);
  });
}

bool shares_an_element_with_itself(ke::operand_info const& op, shape_t const& shape) {
  std::set<index_t> seen;
  bool twice = false;
  each_address(op, shape, [&](index_t address, index_t) { twice |= !seen.insert(address).second; });
  return twice;
}

/// Some element of `a` is read by `b` at another index.
bool reads_another(ke::operand_info const& a, ke::operand_info const& b, shape_t const& shape) {
  std::map<index_t, index_t> written;
  each_address(a, shape, [&](index_t address, index_t number) { written[address] = number; });
  bool found = false;
  each_address(b, shape, [&](index_t address, index_t number) {
    auto const it = written.find(address);
    found |= it != written.end() && it->second != number;
  });
  return found;
}

TEST(overlap, is_never_missed) {
  int hazards = 0;
  int proven_free = 0;
  for (int round = 0; round < rounds(20000); ++round) {
    std::mt19937_64 random(seed_of(round));
    int const rank = 1 + static_cast<int>(random() % 3);
    shape_t shape;
    for (int k = 0; k < rank; ++k)
      shape.push_back(1 + static_cast<index_t>(random() % 5));
    ke::operand_info ops[2] = {random_operand(random, rank), random_operand(random, rank)};
    if (shares_an_element_with_itself(ops[0], shape))
      continue;  // refused as a destination
    bool const hazard = reads_another(ops[0], ops[1], shape);
    bool const answer = ke::overlaps(ops, 2, rank, shape.data());
    ASSERT_TRUE(answer || !hazard) << "seed " << seed_of(round);
    hazards += hazard;
    proven_free += !answer;
  }
  EXPECT_GT(hazards, rounds(500));
  EXPECT_GT(proven_free, rounds(500));
}

TEST(overlap, of_equal_strides_is_exact) {
  int hazards = 0;
  int checks = 0;
  for (int round = 0; round < rounds(20000); ++round) {
    std::mt19937_64 random(seed_of(round));
    int const rank = 1 + static_cast<int>(random() % 3);
    shape_t shape;
    for (int k = 0; k < rank; ++k)
      shape.push_back(1 + static_cast<index_t>(random() % 4));
    ke::operand_info ops[2] = {random_operand(random, rank), {}};
    for (int k = rank - 2; k >= 0; --k)
      ops[0].strides[k] = ops[0].strides[k + 1] * (shape[static_cast<std::size_t>(k) + 1] +
                                                   static_cast<index_t>(random() % 3));
    ops[1] = ops[0];
    ops[1].address += 4 * (random() % 64) - 128;
    if (ops[0].address == ops[1].address || ke::self_overlapping(ops[0], rank, shape.data()))
      continue;
    bool const hazard = reads_another(ops[0], ops[1], shape);
    ASSERT_EQ(ke::overlaps(ops, 2, rank, shape.data()), hazard) << "seed " << seed_of(round);
    hazards += hazard;
    ++checks;
  }
  EXPECT_GT(hazards, rounds(500));
  EXPECT_GT(checks - hazards, rounds(500));
}

TEST(overlap, of_a_destination_with_itself_is_never_missed) {
  int shared = 0;
  int accepted = 0;
  for (int round = 0; round < rounds(20000); ++round) {
    std::mt19937_64 random(seed_of(round));
    int const rank = static_cast<int>(random() % 4);
    shape_t shape;
    for (int k = 0; k < rank; ++k)
      shape.push_back(1 + static_cast<index_t>(random() % 5));
    auto op = random_operand(random, rank);
    for (int k = 0; k < rank; ++k)
      if (random() % 2 == 0)
        op.strides[k] *= 5;
    bool const really = shares_an_element_with_itself(op, shape);
    bool const answer = ke::self_overlapping(op, rank, shape.data());
    ASSERT_TRUE(answer || !really) << "seed " << seed_of(round);
    shared += really;
    accepted += !answer;
  }
  EXPECT_GT(shared, rounds(1000));
  EXPECT_GT(accepted, rounds(1000));
}

/// Views of one tensor made by slicing, permuting and flipping never share elements, and are never
/// refused.
TEST(overlap, does_not_refuse_what_slicing_makes) {
  auto t = kp::empty<int>(4, 3, 5, 6);
  for (int round = 0; round < rounds(500); ++round) {
    std::mt19937_64 random(seed_of(round));
    auto v = t.view();
    for (int i = 0; i < 4; ++i) {
      int const a = static_cast<int>(random() % 4);
      if (random() % 2 == 0)
        v.rebind(kp::flip(v, a));
      v.rebind(kp::swapaxes(v, 0, a));
      v.rebind(v(
          range(static_cast<int>(random() % 2), kp::none, 1 + static_cast<index_t>(random() % 2))));
    }
    ASSERT_FALSE(ke::overlapping_elements(v))
        << kp::to_string(v.shape()) << kp::to_string(v.strides());
    int const a = static_cast<int>(random() % 4);
    auto const d = kp::diagonal(v, static_cast<index_t>(random() % 3) - 1, a, (a + 1) % 4);
    ASSERT_FALSE(ke::overlapping_elements(d))
        << kp::to_string(d.shape()) << kp::to_string(d.strides());
  }
}

// -- what it means

TEST(cases, writing_through_a_stretched_view_is_refused) {
  int memory[2] = {1, 2};
  auto const stretched_rows = kp::wrap<kp::host_space>(memory, {2, 2}, {0, 1});
  kp::tensor<int, 2, kp::host_space> const addend{{1, 2}, {3, 4}};
  std::string const text = ": the destination may show some element at several indices (a "
                           "broadcast or overlapping view): "
                           "shape (2, 2), strides (0, 1)";
  EXPECT_EQ(error_text<kp::argument_error>([&] { stretched_rows += addend; }),
            "karpos::assign" + text);
  EXPECT_EQ(error_text<kp::argument_error>([&] { stretched_rows = addend * 2; }),
            "karpos::assign" + text);
  EXPECT_EQ(error_text<kp::argument_error>([&] { kp::assign(stretched_rows, 5); }),
            "karpos::assign" + text);
  EXPECT_EQ(error_text<kp::argument_error>(
                [&] { kp::assign(stretched_rows, kp::matmul(addend, addend)); }),
            "karpos::assign" + text);
  EXPECT_EQ(error_text<kp::argument_error>([&] { kp::gemm(1, addend, addend, 0, stretched_rows); }),
            "karpos::gemm" + text);
  EXPECT_EQ(memory[0], 1);
  EXPECT_EQ(memory[1], 2);
  auto const windows =
      kp::wrap<kp::host_space>(memory, {1, 2}, {0, 1});  // one row: each element once
  windows += 1;
  EXPECT_EQ(memory[0], 2);
}

/// Bytes that the pool hands out during f: none when no temporary was needed.
template <class F>
std::size_t temporaries(F const& f) {
  auto& pool = kp::detail::memory_pool<kp::default_space::memory_space>::get();
  auto const before = pool.stats().allocations;
  f();
  return pool.stats().allocations - before;
}

TEST(overlap, that_is_harmless_needs_no_temporary) {
  auto x = upload<1>(counting<double>({1000}));
  auto m = upload<2>(counting<double>({30, 30}));
  EXPECT_EQ(temporaries([&] { x = x * 2.0 + x; }), 0u);
  EXPECT_EQ(temporaries([&] { x(range(0, 1000, 2)) = x(range(1, 1000, 2)); }), 0u);
  EXPECT_EQ(temporaries([&] { x(range(0, 500)) = x(range(500, 1000)); }), 0u);
  EXPECT_EQ(temporaries([&] { m(all, 0) = m(all, 1) + m(all, 2); }), 0u);
  EXPECT_EQ(temporaries([&] { m(range(0, 29, 2)) += m(range(1, 30, 2)); }), 0u);
  EXPECT_EQ(temporaries([&] { m(all, range(0, 15)) = m(all, range(15, 30)); }), 0u);
  EXPECT_EQ(temporaries([&] { m(all, range(0, 16)) = m(all, range(14, 30)); }), 1u);
  EXPECT_EQ(temporaries([&] { kp::transpose(m) = kp::transpose(m) + 1.0; }), 0u);
  EXPECT_EQ(temporaries([&] { m = kp::transpose(m) + 1.0; }), 1u);
  EXPECT_EQ(temporaries([&] { x(range(1, 1000)) = x(range(0, 999)); }), 1u);
}

}  // namespace
