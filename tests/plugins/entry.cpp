// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one symbol that a library or the plugin exports.
namespace karpos_test {
struct calls;
calls const& own_calls();
}  // namespace karpos_test

extern "C" __attribute__((visibility("default"))) karpos_test::calls const* KARPOS_TEST_ENTRY() {
  return &karpos_test::own_calls();
}
