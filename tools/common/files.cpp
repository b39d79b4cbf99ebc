// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/files.hpp"

#include "common/results.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace karpos::tools {

namespace {

bool is_directory(std::string const& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

[[noreturn]] void cannot(std::string const& what, std::string const& path, std::string const& why) {
  throw usage_error("cannot " + what + " " + path + ": " + why);
}

}  // namespace

std::string read_text(std::string const& path) {
  if (is_directory(path))  // which opens as a file does
    cannot("read", path, "it is a directory");
  std::ifstream in(path, std::ios::binary);
  if (!in)
    cannot("read", path, std::strerror(errno));
  std::string text;
  for (std::array<char, 65536> part; in;) {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad())
    cannot("read", path, std::strerror(errno));
  return text;
}

void write_text(std::string const& path, std::string const& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    cannot("write", path, std::strerror(errno));
}

}  // namespace karpos::tools
