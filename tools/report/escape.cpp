// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/escape.hpp"

#include <cstddef>
#include <cstdint>

namespace karpos::tools {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// The bytes that the first one announces; 0 when it can be no first byte.
std::size_t length_of(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first < 0xE0)
    return 2;
  if (first >= 0xE0 && first < 0xF0)
    return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

struct character {
  std::size_t length = 1;
  std::uint32_t code = 0;
  bool valid = false;
};

// The character that `text` begins with; an invalid one is one byte long.
character first_of(std::string_view text) {
  constexpr std::uint32_t least[]{0, 0, 0x80, 0x800, 0x10000};
  auto const first = static_cast<unsigned char>(text.front());
  auto const length = length_of(first);
  if (length == 0 || length > text.size())
    return {};
  std::uint32_t code = length == 1 ? first : first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    auto const next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U)
      return {};
    code = code << 6U | (next & 0x3FU);
  }
  if (code < least[length] || code > 0x10FFFF)
    return {};
  return {length, code, true};
}

// The characters that XML can hold, except for the C1 controls.
bool is_allowed(std::uint32_t code) {
  if (code < 0x20)
    return code == '\t' || code == '\n' || code == '\r';
  return !(code >= 0x7F && code < 0xA0) && !(code >= 0xD800 && code < 0xE000) && code != 0xFFFE &&
         code != 0xFFFF;
}

std::string_view entity_of(std::uint32_t code) {
  switch (code) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return {};
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    auto const c = first_of(text);
    if (!c.valid || !is_allowed(c.code))
      result += replacement;
    else if (auto const entity = entity_of(c.code); !entity.empty())
      result += entity;
    else
      result += text.substr(0, c.length);
    text.remove_prefix(c.length);
  }
  return result;
}

std::string shortened(std::string_view text, int most) {
  std::string_view rest = text;
  std::size_t kept = 0;
  for (int count = 0; !rest.empty(); ++count) {
    if (count == most)
      return std::string(text.substr(0, kept)) + "...";
    if (count < most - 3)
      kept += first_of(rest).length;
    rest.remove_prefix(first_of(rest).length);
  }
  return std::string(text);
}

}  // namespace karpos::tools
