// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XXH64 of a block of memory, written as xxhsum writes it: tells whether two runs had the same
// input.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace karpos::tools {

/// XXH64 with seed 0 of `size` bytes (github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
[[nodiscard]] std::uint64_t xxh64(void const* data, std::size_t size);

/// "xxh64:" and sixteen hexadecimal digits.
[[nodiscard]] std::string hash_text(void const* data, std::size_t size);

}  // namespace karpos::tools
