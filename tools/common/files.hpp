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

/// Whether write_text could write it, found out before the work and not after it; nothing is made.
/// @throws usage_error.
void check_writable(std::string const& path);

/// The same for a file that is written under another name and renamed, as .npy files are: a regular
/// file or none, in a directory that can be written. @throws usage_error.
void check_replaceable(std::string const& path);

/// Whether two paths name one file, which need not be there.
[[nodiscard]] bool same_file(std::string const& a, std::string const& b);

}  // namespace karpos::tools
