// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// That loops reach the vector library at all; that its results are right is the business of
// math_test.cpp.
#include <karpos/fn/math.hpp>

#include <fn/evaluate.hpp>

#include <cmath>
#include <string_view>
#if defined(__linux__)
#include <link.h>

// Present in a program that is instrumented, whose loops are not vectorised.
extern "C" {
__attribute__((weak)) void __asan_init();
__attribute__((weak)) void __tsan_init();
__attribute__((weak)) void __ubsan_handle_add_overflow();
}
#endif

namespace {

namespace kp = karpos;
using namespace karpos_test;

#if defined(__linux__)
int is_vector_library(dl_phdr_info* info, std::size_t, void*) {
  return std::string_view(info->dlpi_name).find("libmvec") != std::string_view::npos;
}

/// The linker takes libmvec (part of -lm, "as needed") only if some loop calls it.
bool vector_library_is_loaded() { return dl_iterate_phdr(is_vector_library, nullptr) != 0; }
bool instrumented() {
  return __asan_init != nullptr || __tsan_init != nullptr || __ubsan_handle_add_overflow != nullptr;
}
#else
bool vector_library_is_loaded() { return false; }
bool instrumented() { return false; }
#endif

#if defined(__OPTIMIZE__)
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif

TEST(vector_math, loops_over_functors_call_the_vector_library) {
  auto const x = test_values<float>(1000);
  auto const y = on_host(kp::fn::exp{}, x);
  EXPECT_EQ(y.extent(0), x.extent(0));
  if (KARPOS_HAS_VECTOR_MATH == 0 || !optimised || instrumented())
    GTEST_SKIP() << "no vector library in this build";
  EXPECT_TRUE(vector_library_is_loaded());
}

/// A value does not depend much on whether it lies in a vector or in the remainder of the loop.
TEST(vector_math, positions_agree_within_the_bound) {
  auto const x = test_values<double>(4001);
  auto const whole = on_host(kp::fn::sin{}, x);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    double const alone = kp::fn::sin{}(x(i));
    if (std::isnan(alone)) {
      ASSERT_TRUE(std::isnan(whole(i)));
    } else {
      ASSERT_NEAR(whole(i), alone, 4 * std::numeric_limits<double>::epsilon() * std::abs(alone))
          << x(i);
    }
  }
}

TEST(vector_math, host_roundings_equal_the_standard_library) {
  for (double v : {0.5, 1.5, 2.5, -0.5, -2.5, 0.49999999999999994, 4503599627370495.5,
                   4503599627370497.0, 9007199254740993.0, -0.0}) {
    EXPECT_EQ(kp::fn::detail::rint(v), std::nearbyint(v)) << v;
    EXPECT_EQ(kp::fn::detail::floor(v), std::floor(v)) << v;
    EXPECT_EQ(kp::fn::detail::ceil(v), std::ceil(v)) << v;
    EXPECT_EQ(kp::fn::detail::trunc(v), std::trunc(v)) << v;
  }
}

}  // namespace
