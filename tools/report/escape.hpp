// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Somebody else's text in a page.
#pragma once
#include <string>
#include <string_view>

namespace karpos::tools {

/// The text as HTML and XML have it, in an element or in a quoted attribute: no markup, no control
/// characters, valid UTF-8 (what is not becomes U+FFFD).
[[nodiscard]] std::string escaped(std::string_view text);

/// At most `most` characters: the end gives way to "...". Not escaped yet.
[[nodiscard]] std::string shortened(std::string_view text, int most);

}  // namespace karpos::tools
