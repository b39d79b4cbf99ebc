// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/fn/philox.hpp>

#include <fn/evaluate.hpp>

namespace {

namespace kp = karpos;
using namespace karpos_test;
using kp::fn::philox_block;

struct known_answer {
  philox_block counter;
  kp::fn::philox_key key;
  philox_block expected;
};

/// Known answers of the authors' Random123 library (kat_vectors, philox4x32 10).
constexpr known_answer known_answers[] = {
    {{{0, 0, 0, 0}}, {{0, 0}}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
    {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
     {{0xffffffff, 0xffffffff}},
     {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
    {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
     {{0xa4093822, 0x299f31d0}},
     {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
};

struct philox_functor {
  KOKKOS_FUNCTION philox_block operator()(philox_block const& counter,
                                          kp::fn::philox_key const& key) const {
    return kp::fn::philox4x32(counter, key);
  }
};

TEST(philox, known_answers_on_host_and_device) {
  for (auto const& known : known_answers) {
    EXPECT_TRUE(kp::fn::philox4x32(known.counter, known.key) == known.expected);
    auto const device = on_device(philox_functor{}, to_array<philox_block>({known.counter}),
                                  to_array<kp::fn::philox_key>({known.key}));
    EXPECT_TRUE(device(0) == known.expected);
  }
}
static_assert(kp::fn::philox4x32({{0, 0, 0, 0}}, {{0, 0}}).word[0] == 0x6627e8d5);

TEST(philox, counter_and_key_are_split_low_word_first) {
  auto const got =
      kp::fn::philox_bits(0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u);
  EXPECT_TRUE(got == known_answers[2].expected);
}

TEST(philox, blocks_of_a_stream_differ_in_half_of_their_bits) {
  double flips = 0;
  int const n = 20000;
  for (int i = 0; i < n; ++i)
    for (int w = 0; w < 4; ++w)
      flips += Kokkos::Experimental::popcount_builtin(kp::fn::philox_bits(5, 0, i).word[w] ^
                                                      kp::fn::philox_bits(5, 0, i + 1).word[w]);
  EXPECT_NEAR(flips / n, 64.0,
              5 * 5.66 / std::sqrt(n));  // binomial(128, 1/2), five standard deviations
}

}  // namespace
