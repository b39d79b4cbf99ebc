// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files by POSIX calls: reading of known size, writing that replaces the old file only when all of
// it is on the disk.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace karpos::inline KARPOS_ABI::io::detail {

/// "karpos::io::load_npy: 'a.npy'": how the text of every error begins.
inline std::string named_path(char const* function, std::string const& path) {
  return std::string("karpos::io::") + function + ": '" + path + "'";
}

/// The path for a call of the system, which reads up to the first NUL.
/// @throws io_error for a path that has a NUL inside: another file would be meant.
inline char const* system_path(char const* function, std::string const& path) {
  if (path.find('\0') != std::string::npos)
    throw io_error(named_path(function, path.c_str()) + "...: the path has a NUL character");
  return path.c_str();
}

[[noreturn]] inline void throw_errno(std::string const& where, char const* what, int code) {
  throw io_error(where + ": " + what + ": " + std::generic_category().message(code));
}

/// An open file. Closed by the destructor.
class descriptor {
public:
  explicit descriptor(int fd = -1) : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&&) = delete;
  ~descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  /// 0, or the errno of a failed close: a full disk may be reported no earlier.
  int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

private:
  int fd_;
};

// One call of read or write moves at most 2 GiB.
inline constexpr std::size_t largest_transfer = std::size_t{1} << 30;

/// A regular file, read from its beginning.
class input_file {
public:
  /// @throws io_error when it cannot be opened or is no regular file.
  input_file(char const* function, std::string const& path)
      : where_(named_path(function, path)),
        file_(::open(system_path(function, path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file_.get() < 0)
      throw_errno(where_, "cannot open", errno);
    struct stat status{};
    if (::fstat(file_.get(), &status) != 0)
      throw_errno(where_, "cannot open", errno);
    if (!S_ISREG(status.st_mode))
      throw io_error(where_ + " is not a regular file");
    size_ = static_cast<std::size_t>(status.st_size);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string const& where() const { return where_; }

  /// Reads exactly `bytes` bytes. @throws io_error when the file ends before, naming both counts.
  void read(void* to, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
      ssize_t const got = ::read(file_.get(), static_cast<char*>(to) + done,
                                 std::min(bytes - done, largest_transfer));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        throw_errno(where_, "cannot read", errno);
      if (got == 0)
        throw io_error(where_ + " ends early: expected " + std::to_string(bytes) +
                       " more bytes, found " + std::to_string(done));
      done += static_cast<std::size_t>(got);
    }
  }

private:
  std::string where_;
  descriptor file_;
  std::size_t size_ = 0;
};

/// A file written under another name in the same directory; commit() puts it in the place of the
/// old one in one step. Without commit nothing is left behind and the old file is as it was.
class output_file {
public:
  /// @throws io_error when the directory or the old file cannot be written.
  output_file(char const* function, std::string const& path)
      : where_(named_path(function, path)), target_(resolve(system_path(function, path))),
        file_(create()) {}
  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;
  ~output_file() {
    if (!temporary_.empty())
      ::unlink(temporary_.c_str());
  }

  void write(void const* from, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
      ssize_t const put = ::write(file_.get(), static_cast<char const*>(from) + done,
                                  std::min(bytes - done, largest_transfer));
      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0)
        throw_errno(where_, "cannot write", errno);
      done += static_cast<std::size_t>(put);
    }
  }

  /// Waits until the data is on the disk, then renames.
  void commit() {
    // Some file systems have no fsync and say so; that is no failure.
    if (::fsync(file_.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
      throw_errno(where_, "cannot write", errno);
    if (int const code = file_.close(); code != 0)
      throw_errno(where_, "cannot write", code);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0)
      throw_errno(where_, "cannot replace", errno);
    temporary_.clear();
  }

private:
  // The file behind symbolic links, which stay. Refuses what a rename must not replace.
  std::string resolve(std::string const& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) {
      if (errno != ENOENT)
        throw_errno(where_, "cannot write", errno);
      return behind_links(path);
    }
    if (!S_ISREG(status.st_mode))
      throw io_error(where_ + " exists and is not a regular file");
    if (::access(path.c_str(), W_OK) != 0)
      throw_errno(where_, "cannot write", errno);
    old_mode_ = status.st_mode & 07777;
    char* const real = ::realpath(path.c_str(), nullptr);
    if (real == nullptr)
      throw_errno(where_, "cannot write", errno);
    std::string result = real;
    std::free(real);
    return result;
  }

  // Where symbolic links to a file that is not there yet lead.
  static std::string behind_links(std::string path) {
    char text[4096];
    for (;;) {
      ssize_t const size = ::readlink(path.c_str(), text, sizeof text);
      if (size <= 0 || size == sizeof text)
        return path;
      std::size_t const name = text[0] == '/' ? 0 : path.rfind('/') + 1;  // npos + 1 is 0
      path.replace(name, std::string::npos, text, static_cast<std::size_t>(size));
    }
  }

  descriptor create() {
    static std::atomic<unsigned> counter{0};
    std::size_t const slash = target_.rfind('/');
    std::string const directory = slash == std::string::npos ? "" : target_.substr(0, slash + 1);
    for (;;) {
      std::string name = directory + ".karpos-" + std::to_string(::getpid()) + "-" +
                         std::to_string(counter.fetch_add(1)) + ".tmp";
      descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      if (file.get() < 0 && errno == EEXIST)
        continue;
      if (file.get() < 0)
        throw_errno(where_, "cannot write", errno);
      if (old_mode_ != 0)
        static_cast<void>(::fchmod(file.get(), old_mode_));
      temporary_ = std::move(name);
      return file;
    }
  }

  std::string where_;
  mode_t old_mode_ = 0;
  std::string temporary_;
  std::string target_;
  descriptor file_;
};

}  // namespace karpos::inline KARPOS_ABI::io::detail
