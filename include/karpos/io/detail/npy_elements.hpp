// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of a .npy file: byte order, conversion, in pieces that stay in the cache.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/io/detail/file.hpp>
#include <karpos/io/detail/npy_format.hpp>
#include <karpos/io/npy_header.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>

namespace karpos::inline KARPOS_ABI::io::detail {

template <std::size_t Bytes>
using bits_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class Bits>
Bits reversed(Bits x) {
  if constexpr (sizeof(Bits) == 2)
    return __builtin_bswap16(x);
  else if constexpr (sizeof(Bits) == 4)
    return __builtin_bswap32(x);
  else if constexpr (sizeof(Bits) == 8)
    return __builtin_bswap64(x);
  else
    return x;
}

/// The element at any address. A byte that is not 0 is true, as NumPy reads it.
template <element T, bool Swap>
T load_element(unsigned char const* from) {
  if constexpr (boolean<T>) {
    return *from != 0;
  } else if constexpr (complex_floating<T>) {
    using real = real_of_t<T>;
    return T(load_element<real, Swap>(from), load_element<real, Swap>(from + sizeof(real)));
  } else {
    bits_of<sizeof(T)> bits;
    std::memcpy(&bits, from, sizeof bits);
    if constexpr (Swap)
      bits = reversed(bits);
    return __builtin_bit_cast(T, bits);
  }
}

template <element From, bool Swap, element T>
void decode(unsigned char const* from, std::size_t count, T* to) {
  for (std::size_t i = 0; i < count; ++i)
    to[i] = fn::convert<T>(load_element<From, Swap>(from + i * sizeof(From)));
}

/// `count` elements of type From as T, or nothing where the conversion would lose an imaginary
/// part.
template <element From, element T>
void decode(unsigned char const* from, std::size_t count, bool swap, T* to) {
  if constexpr (!complex_floating<From> || complex_floating<T> || boolean<T>) {
    if (swap)
      detail::decode<From, true>(from, count, to);
    else
      detail::decode<From, false>(from, count, to);
  }
}

template <class... T>
struct type_list {};
using npy_elements = type_list<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                               std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, half,
                               float, double, Kokkos::complex<float>, Kokkos::complex<double>>;

template <class T>
using decoder = void (*)(unsigned char const*, std::size_t, bool, T*);

/// The function that reads elements of the type called `dtype` as T.
template <element T, class... From>
decoder<T> find_decoder(std::string_view dtype, type_list<From...>) {
  decoder<T> found = nullptr;
  ((dtype == dtype_name<From>() ? void(found = &detail::decode<From, T>) : void()), ...);
  return found;
}

/// Reads the elements of an open file one after the other, as elements of type T.
template <element T>
class element_reader {
public:
  /// @throws io_error when the file holds another type and `convert` is false, or one that T cannot
  /// hold.
  element_reader(input_file& file, npy_header const& header, bool convert)
      : file_(file), itemsize_(header.itemsize),
        swap_(header.byte_order != '|' && header.byte_order != native_order) {
    bool const same = header.dtype == dtype_name<T>();
    if (!same && !convert)
      throw io_error(file.where() + " holds " + header.dtype + ", not " + dtype_name<T>() +
                     ": load it as what it holds, or with {.convert = true}");
    if (!complex_floating<T> && !boolean<T> && header.dtype.starts_with("complex"))
      throw io_error(file.where() + " holds " + header.dtype + ": converting to " +
                     dtype_name<T>() + " would lose the imaginary part");
    if (same && !swap_ && !boolean<T>)
      return;
    if (same)
      decode_ = &detail::decode<T, T>;
    else
      decode_ = detail::find_decoder<T>(header.dtype, npy_elements{});
    buffer_ = std::make_unique_for_overwrite<unsigned char[]>(buffer_bytes);
  }

  /// The next `count` elements.
  void read(T* to, std::size_t count) {
    if (decode_ == nullptr)
      return file_.read(static_cast<void*>(to), count * sizeof(T));
    std::size_t const most = buffer_bytes / itemsize_;
    for (std::size_t done = 0; done < count;) {
      std::size_t const n = std::min(most, count - done);
      file_.read(buffer_.get(), n * itemsize_);
      decode_(buffer_.get(), n, swap_, to + done);
      done += n;
    }
  }

private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 18;
  input_file& file_;
  std::size_t itemsize_;
  bool swap_;
  decoder<T> decode_ = nullptr;
  std::unique_ptr<unsigned char[]> buffer_;
};

}  // namespace karpos::inline KARPOS_ABI::io::detail
