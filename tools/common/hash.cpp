// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/hash.hpp"

#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

namespace karpos::tools {

namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F,
                        prime3 = 0x165667B19E3779F9, prime4 = 0x85EBCA77C2B2AE63,
                        prime5 = 0x27D4EB2F165667C5;

// Little-endian, on every host.
template <class Word>
std::uint64_t read(unsigned char const* p) {
  if constexpr (std::endian::native == std::endian::little) {
    Word word;
    std::memcpy(&word, p, sizeof(Word));
    return word;
  } else {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i)
      value |= std::uint64_t{p[i]} << (8 * i);
    return value;
  }
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * prime2, 31) * prime1;
}

std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ round(0, lane)) * prime1 + prime4;
}

// The blocks of 32 bytes, in four lanes; `p` is left behind the last of them.
std::uint64_t blocks(unsigned char const*& p, unsigned char const* end) {
  std::array<std::uint64_t, 4> lanes{prime1 + prime2, prime2, 0, 0 - prime1};
  for (; end - p >= 32; p += 32)
    for (std::size_t i = 0; i < 4; ++i)
      lanes[i] = round(lanes[i], read<std::uint64_t>(p + 8 * i));
  std::uint64_t hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
                       std::rotl(lanes[3], 18);
  for (auto const lane : lanes)
    hash = merge(hash, lane);
  return hash;
}

std::uint64_t tail(std::uint64_t hash, unsigned char const* p, unsigned char const* end) {
  for (; end - p >= 8; p += 8)
    hash = std::rotl(hash ^ round(0, read<std::uint64_t>(p)), 27) * prime1 + prime4;
  if (end - p >= 4) {
    hash = std::rotl(hash ^ (read<std::uint32_t>(p) * prime1), 23) * prime2 + prime3;
    p += 4;
  }
  for (; p != end; ++p)
    hash = std::rotl(hash ^ (*p * prime5), 11) * prime1;
  return hash;
}

}  // namespace

std::uint64_t xxh64(void const* data, std::size_t size) {
  auto const* p = static_cast<unsigned char const*>(data);
  auto const* const end = p + size;
  std::uint64_t hash = size >= 32 ? blocks(p, end) : prime5;
  hash = tail(hash + size, p, end);
  hash = (hash ^ (hash >> 33)) * prime2;
  hash = (hash ^ (hash >> 29)) * prime3;
  return hash ^ (hash >> 32);
}

std::string hash_text(void const* data, std::size_t size) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "xxh64:%016llx",
                static_cast<unsigned long long>(xxh64(data, size)));
  return text.data();
}

}  // namespace karpos::tools
