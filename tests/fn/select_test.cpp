// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/fn/select.hpp>

#include <fn/evaluate.hpp>

#include <cmath>

namespace {

namespace kp = karpos;
using namespace karpos_test;

template <class C, class A, class B>
void expect_selection(array<C> const& c, array<A> const& a, array<B> const& b) {
  auto const device = on_device(kp::fn::where{}, c, a, b);
  auto const host = on_host(kp::fn::where{}, c, a, b);
  static_assert(std::is_same_v<decltype(host), array<kp::promote_t<A, B>> const>);
  for (std::size_t i = 0; i < c.extent(0); ++i) {
    auto const expected =
        static_cast<double>(c(i)) != 0 ? static_cast<double>(a(i)) : static_cast<double>(b(i));
    EXPECT_EQ(static_cast<double>(host(i)), expected);
    EXPECT_EQ(static_cast<double>(device(i)), expected);
  }
}

TEST(select, takes_a_where_the_condition_differs_from_zero) {
  auto const a = to_array<std::int8_t>({1, -2, 3, 4});
  auto const b = to_array<std::uint8_t>({200, 201, 202, 203});
  expect_selection(to_array<bool>({true, false, false, true}), a, b);
  expect_selection(to_array<std::int32_t>({0, 256, -1, 0}), a, b);
  expect_selection(to_array<double>({NAN, -0.0, 1e-300, 0.0}), a, b);
  expect_selection(
      to_array<kp::half>({kp::half(0), kp::half(1), kp::half(-0.0f), kp::half(2)}),
      to_array<float>({1.5f, 2.5f, 3.5f, 4.5f}),
      to_array<kp::bfloat16>({kp::bfloat16(1), kp::bfloat16(2), kp::bfloat16(3), kp::bfloat16(4)}));
}

TEST(select, does_not_evaluate_the_other_into_the_result) {
  EXPECT_EQ(kp::fn::where{}(true, 1.0, NAN), 1.0);
  EXPECT_EQ(kp::fn::where{}(Kokkos::complex<float>(0, 1), 1, 2), 1);
  EXPECT_EQ(kp::fn::where{}(false, true, false), false);
}

template <class F, class... A>
concept callable = requires(F f, A... a) { f(a...); };
static_assert(!callable<kp::fn::where, bool, std::int64_t, std::uint64_t> &&
              callable<kp::fn::where, bool, bool, Kokkos::complex<float>>);

}  // namespace
