// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of exceptions: all are karpos::error, which is a std::runtime_error, and none is
// another.
#include <karpos/base/error.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

namespace {

namespace kp = karpos;

using kinds = std::tuple<kp::shape_error, kp::index_error, kp::argument_error, kp::memory_error,
                         kp::io_error, kp::backend_error>;

template <class Kind, class... Others>
constexpr bool derives_from_none =
    ((std::is_same_v<Kind, Others> || !std::is_base_of_v<Others, Kind>) && ...);
template <class... Kind>
constexpr bool are_siblings(std::tuple<Kind...>*) {
  return (std::is_base_of_v<kp::error, Kind> && ...) && (derives_from_none<Kind, Kind...> && ...);
}
static_assert(are_siblings(static_cast<kinds*>(nullptr)));
static_assert(std::is_base_of_v<std::runtime_error, kp::error>);

template <class Kind>
void expect_caught_as_its_bases() {
  try {
    throw Kind("text");
  } catch (kp::error const& e) {
    EXPECT_STREQ(e.what(), "text");
  }
  EXPECT_THROW(throw Kind("text"), std::runtime_error);
}
template <class... Kind>
void expect_all_caught(std::tuple<Kind...>*) {
  (expect_caught_as_its_bases<Kind>(), ...);
}

TEST(error, of_every_kind_is_caught_as_karpos_error_and_as_runtime_error) {
  expect_all_caught(static_cast<kinds*>(nullptr));
}

}  // namespace
