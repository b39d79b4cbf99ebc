// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .npy format: "\x93NUMPY", version, length of the header, header (a Python dict), elements.
// Versions 1.0, 2.0, 3.0.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/io/detail/file.hpp>
#include <karpos/io/detail/python_literal.hpp>
#include <karpos/io/npy_header.hpp>

#include <bit>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace karpos::inline KARPOS_ABI::io::detail {

inline constexpr std::string_view npy_magic{"\x93NUMPY", 6};
inline constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';
// Far above any header that names one of the element types here; a length beyond it is not
// believed.
inline constexpr std::size_t largest_header = std::size_t{1} << 20;

/// "(2, 3)" as Python writes it.
inline std::string shape_text(std::vector<index_t> const& shape) {
  return karpos::to_string(shape.data(), static_cast<int>(shape.size()));
}

struct npy_type {
  char const* code;  // kind and size, as in '<f8'
  char const* name;
  std::size_t itemsize;
};
inline constexpr npy_type npy_types[] = {
    {"b1", "bool", 1},      {"i1", "int8", 1},        {"i2", "int16", 2},   {"i4", "int32", 4},
    {"i8", "int64", 8},     {"u1", "uint8", 1},       {"u2", "uint16", 2},  {"u4", "uint32", 4},
    {"u8", "uint64", 8},    {"f2", "float16", 2},     {"f4", "float32", 4}, {"f8", "float64", 8},
    {"c8", "complex64", 8}, {"c16", "complex128", 16}};

/// What kind of thing a descr is that Karpos has no element type for.
inline std::string refused_type(std::string_view code) {
  switch (code.empty() ? '\0' : code[0]) {
  case 'O':
    return "an object array (pickled Python objects)";
  case 'V':
    return "raw bytes (void)";
  case 'S':
  case 'a':
  case 'U':
    return "strings";
  case 'M':
    return "dates";
  case 'm':
    return "time differences";
  default:
    return "an element type that Karpos does not have";
  }
}

/// Sets the element type of `header` from '<f8'. @throws io_error for anything else than a plain
/// number.
inline void read_descr(std::string const& where, python_value const& descr, npy_header& header) {
  using kind = python_value::kind;
  if (descr.type == kind::list || descr.type == kind::tuple || descr.type == kind::dict)
    throw io_error(where + " holds a structured array: only plain numbers can be read");
  if (descr.type != kind::string)
    throw io_error(where + ": header: 'descr' is not a string");
  std::string_view code = descr.text;
  char order = native_order;
  if (!code.empty() && std::string_view("<>|=").find(code[0]) != std::string_view::npos) {
    if (code[0] == '<' || code[0] == '>')
      order = code[0];
    code.remove_prefix(1);
  }
  for (npy_type const& type : npy_types)
    if (code == type.code) {
      header.dtype = type.name;
      header.itemsize = type.itemsize;
      header.byte_order = type.itemsize == 1 ? '|' : order;
      return;
    }
  throw io_error(where + " holds " + refused_type(code) + ", descr '" + descr.text +
                 "': only plain numbers can be read");
}

/// Sets the shape. Extents are not negative, and the bytes of all elements fit 64 bits (also when
/// one extent is 0).
inline void read_shape(std::string const& where, python_value const& shape, npy_header& header) {
  using kind = python_value::kind;
  if (shape.type != kind::tuple)
    throw io_error(where + ": header: 'shape' is not a tuple");
  index_t bytes = static_cast<index_t>(header.itemsize);
  bool overflow = false;
  for (python_value const& extent : shape.items) {
    if (extent.type != kind::integer)
      throw io_error(where + ": header: 'shape' holds something else than integers");
    if (extent.integer < 0)
      throw io_error(where + ": header: 'shape' holds the negative extent " +
                     std::to_string(extent.integer));
    header.shape.push_back(extent.integer);
    if (extent.integer > 0)
      overflow = overflow || __builtin_mul_overflow(bytes, extent.integer, &bytes);
  }
  if (overflow)
    throw io_error(where + ": header: the size of shape " + shape_text(header.shape) +
                   " overflows 64 bits");
}

/// The header's dict. @throws io_error unless it has exactly the three keys, with values of the
/// right kinds.
inline void read_dict(std::string const& where, std::string_view text, npy_header& header) {
  using kind = python_value::kind;
  python_value const dict = python_literal_parser(text, where).parse();
  if (dict.type != kind::dict)
    throw io_error(where + ": header: it is not a dict");
  python_value const* found[3]{};
  constexpr std::string_view keys[3]{"descr", "fortran_order", "shape"};
  for (std::size_t i = 0; i < dict.items.size(); i += 2) {
    python_value const& key = dict.items[i];
    int which = 0;
    while (which < 3 && (key.type != kind::string || key.text != keys[which]))
      ++which;
    if (which == 3)
      throw io_error(where + ": header: unknown key '" + key.text + "'");
    if (found[which] != nullptr)
      throw io_error(where + ": header: '" + key.text + "' is there twice");
    found[which] = &dict.items[i + 1];
  }
  for (int which = 0; which < 3; ++which)
    if (found[which] == nullptr)
      throw io_error(where + ": header: no '" + std::string(keys[which]) + "'");
  if (found[1]->type != kind::boolean)
    throw io_error(where + ": header: 'fortran_order' is neither True nor False");
  header.fortran_order = found[1]->truth;
  read_descr(where, *found[0], header);
  read_shape(where, *found[2], header);
}

inline void check_file_size(input_file const& file, npy_header const& header) {
  std::size_t const expected = static_cast<std::size_t>(header.size()) * header.itemsize;
  std::size_t const found = file.size() - header.data_offset;
  if (found == expected)
    return;
  throw io_error(file.where() +
                 (found < expected ? " is truncated" : " is longer than its header says") +
                 ": shape " + shape_text(header.shape) + " of " + header.dtype + " takes " +
                 std::to_string(expected) + " bytes, found " + std::to_string(found));
}

/// Reads and checks everything before the elements, and that the file has as many bytes as it must.
inline npy_header read_npy_header(input_file& file) {
  std::string const& where = file.where();
  npy_header header;
  unsigned char start[12]{};  // magic, version, length of 2 or 4 bytes
  if (file.size() < 10)
    throw io_error(where + " is not a .npy file: it has " + std::to_string(file.size()) + " bytes");
  file.read(start, 8);
  if (std::string_view(reinterpret_cast<char const*>(start), 6) != npy_magic)
    throw io_error(where + " is not a .npy file: it does not begin with \\x93NUMPY");
  header.major_version = start[6];
  if (start[6] < 1 || start[6] > 3 || start[7] != 0)
    throw io_error(where + ": version " + std::to_string(start[6]) + "." +
                   std::to_string(start[7]) +
                   " of the .npy format is unknown (1.0, 2.0 and 3.0 are known)");
  std::size_t const width = start[6] == 1 ? 2 : 4;
  header.data_offset = 8 + width;
  if (file.size() < header.data_offset)
    throw io_error(where + " is truncated: it ends inside its header");
  file.read(start + 8, width);
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;)
    length = length << 8 | start[8 + i];
  if (length > file.size() - header.data_offset)
    throw io_error(where + " is truncated: its header takes " + std::to_string(length) +
                   " bytes, found " + std::to_string(file.size() - header.data_offset));
  if (length > largest_header)
    throw io_error(where + ": a header of " + std::to_string(length) + " bytes; at most " +
                   std::to_string(largest_header) + " are read");
  std::string text(length, '\0');
  file.read(text.data(), length);
  header.data_offset += length;
  read_dict(where, text, header);
  check_file_size(file, header);
  return header;
}

/// NumPy's code of an element type in the byte order of this machine: "<f8", "|b1".
template <element T>
std::string npy_descr() {
  for (npy_type const& type : npy_types)
    if (std::string_view(type.name) == dtype_name<T>())
      return (type.itemsize == 1 ? '|' : native_order) + std::string(type.code);
  return {};
}

/// Everything before the elements, byte for byte as numpy.save writes it for an array in C order:
/// the first extent has room to grow to 21 digits, and the elements begin at a multiple of 64
/// bytes.
inline std::string npy_preamble(std::string const& descr, std::vector<index_t> const& shape) {
  constexpr std::size_t growth_digits = 21, alignment = 64;
  std::string dict =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
  if (!shape.empty())
    dict.append(growth_digits - std::to_string(shape[0]).size(), ' ');
  for (int version : {1, 2}) {
    std::size_t const width = version == 1 ? 2 : 4;
    std::size_t const used = npy_magic.size() + 2 + width + dict.size() + 1;
    std::size_t const padding = alignment - used % alignment;
    std::size_t const length = dict.size() + padding + 1;
    if (version == 1 && length > 0xffff)
      continue;
    std::string result(npy_magic);
    result += static_cast<char>(version);
    result += '\0';
    for (std::size_t i = 0; i < width; ++i)
      result += static_cast<char>(length >> (8 * i) & 0xff);
    return result + dict + std::string(padding, ' ') + '\n';
  }
  return {};  // not reached: the second version takes every header
}

}  // namespace karpos::inline KARPOS_ABI::io::detail
