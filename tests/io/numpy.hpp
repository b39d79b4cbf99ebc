// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: files in a directory that vanishes, and Python with NumPy where the machine has it.
#pragma once
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace karpos_test {

/// A new directory, removed with all it holds by the destructor.
class scratch_directory {
public:
  scratch_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "karpos-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("mkdtemp failed: " + name);
    path_ = name;
  }
  scratch_directory(scratch_directory const&) = delete;
  scratch_directory& operator=(scratch_directory const&) = delete;
  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string operator/(std::string const& name) const {
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                                  std::filesystem::directory_iterator{}));
  }

private:
  std::filesystem::path path_;
};

inline std::string read_file(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("no such file: " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(std::string const& path, std::string const& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out)
    throw std::runtime_error("cannot write " + path);
}

inline bool has_numpy() {
  static bool const found = std::system("python3 -c 'import numpy' > /dev/null 2>&1") == 0;
  return found;
}

/// NumPy as it printed numbers until 2.2; later ones write float32 and float16 in scientific
/// notation earlier (seen with 2.5).
inline bool has_numpy_that_prints_alike() {
  static bool const found =
      std::system("python3 -c 'import numpy, sys; sys.exit(tuple(map(int, "
                  "numpy.__version__.split(\".\")[:2])) > (2, 2))' > /dev/null 2>&1") == 0;
  return found;
}

/// Runs a Python program with one argument; says what it printed (errors too) and whether it exited
/// with 0.
inline testing::AssertionResult python_succeeds(std::string const& program,
                                                std::string const& argument) {
  scratch_directory const scratch;
  write_file(scratch / "program.py", program);
  std::string const command = "python3 '" + (scratch / "program.py") + "' '" + argument + "' 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr)
    return testing::AssertionFailure() << "cannot run " << command;
  std::string output;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    output.append(buffer, n);
  if (::pclose(pipe) == 0)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << output;
}

}  // namespace karpos_test
