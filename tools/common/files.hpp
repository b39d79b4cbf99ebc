// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of text, with one line for the user where one cannot be read or written.
#pragma once
#include <string>

namespace karpos::tools {

/// All of a file. @throws usage_error when it cannot be read, as a directory cannot.
[[nodiscard]] std::string read_text(std::string const& path);

/// @throws usage_error when the file cannot be written.
void write_text(std::string const& path, std::string const& text);

}  // namespace karpos::tools
