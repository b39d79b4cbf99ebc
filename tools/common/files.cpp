// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/files.hpp"

#include "common/results.hpp"

#include <unistd.h>

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

// `file`: where `path` leads.
void check_folder(std::string const& path, std::filesystem::path const& file) {
  auto folder = file.parent_path().string();
  if (folder.empty())
    folder = ".";
  if (!is_directory(folder) || access(folder.c_str(), W_OK | X_OK) != 0)
    cannot("write", path, folder + " is not a directory that can be written");
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

void check_writable(std::string const& path) {
  std::error_code ignored;
  if (is_directory(path))
    cannot("write", path, "it is a directory");
  if (!std::filesystem::exists(path, ignored)) {
    check_folder(path, path);
  } else if (access(path.c_str(), W_OK) != 0) {
    cannot("write", path, std::strerror(errno));
  }
}

void check_replaceable(std::string const& path) {
  check_writable(path);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return;
  if (!std::filesystem::is_regular_file(path, ignored))
    cannot("write", path, "it is not a regular file");
  check_folder(path, std::filesystem::weakly_canonical(path, ignored));
}

bool same_file(std::string const& a, std::string const& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error))
    return true;
  auto const place = [](std::string const& path) {
    std::error_code unknown;
    return std::filesystem::weakly_canonical(path, unknown);
  };
  return !a.empty() && place(a) == place(b);
}

}  // namespace karpos::tools
