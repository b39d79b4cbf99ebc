// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's .npy files: load_npy_info, load_npy, save_npy. No Python needed.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/io/detail/file.hpp>
#include <karpos/io/detail/npy_elements.hpp>
#include <karpos/io/detail/npy_format.hpp>
#include <karpos/io/npy_header.hpp>
#include <karpos/ops/evaluate.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace karpos::inline KARPOS_ABI::io {

/// How load_npy treats a file of another element type.
struct npy_options {
  bool convert =
      false;  ///< convert the elements by the rules of `cast` instead of refusing the file
};

namespace detail {

// Memory that reads and writes of files may touch themselves; the rest goes through a buffer.
template <class Space>
inline constexpr bool is_host_memory = std::is_same_v<memory_space_of<Space>, Kokkos::HostSpace> &&
                                       host_execution<execution_space_of<Space>>;

// Elements per piece of a transfer through a buffer.
template <class T>
inline constexpr std::size_t staging_elements = (std::size_t{1} << 24) / sizeof(T);

/// Fills a row-major view in any memory with the next elements of the file, in pieces. Waits.
template <class T, int Rank, class Space>
void read_staged(element_reader<T>& reader, tensor_view<T, Rank, Space> const& to,
                 std::size_t piece) {
  auto const count = static_cast<std::size_t>(to.size());
  auto const staging = std::make_unique_for_overwrite<T[]>(std::min(count, piece));
  for (std::size_t done = 0; done < count; done += piece) {
    std::size_t const n = std::min(piece, count - done);
    reader.read(staging.get(), n);
    layout<1> const where{{{static_cast<index_t>(n)}}, {{1}}, static_cast<index_t>(done)};
    karpos::detail::copy_from_host(tensor_view<T, 1, Space>(to.data(), where), staging.get());
  }
}

/// Writes the elements of a row-major view in any memory, in pieces. Waits.
template <class T, int Rank, class Space>
void write_staged(output_file& file, tensor_view<T const, Rank, Space> const& from,
                  std::size_t piece) {
  execution_space_of<Space> const exec;
  auto const count = static_cast<std::size_t>(from.size());
  auto const staging = std::make_unique_for_overwrite<T[]>(std::min(count, piece));
  for (std::size_t done = 0; done < count; done += piece) {
    std::size_t const bytes = std::min(piece, count - done) * sizeof(T);
    karpos::detail::copy_bytes<Kokkos::HostSpace, memory_space_of<Space>>(
        exec, staging.get(), from.data() + done, bytes);
    exec.fence("karpos::io::save_npy");
    file.write(staging.get(), bytes);
  }
}

template <class T, int Rank, class Space>
void read_elements(element_reader<T>& reader, tensor_view<T, Rank, Space> const& to) {
  if (to.size() == 0)
    return;
  if constexpr (is_host_memory<Space>) {
    execution_space_of<Space>{}.fence("karpos::io::load_npy");
    reader.read(to.data(), static_cast<std::size_t>(to.size()));
  } else {
    detail::read_staged(reader, to, staging_elements<T>);
  }
}

template <class T, int Rank, class Space>
void write_elements(output_file& file, tensor_view<T const, Rank, Space> const& from) {
  if (from.size() == 0)
    return;
  if constexpr (is_host_memory<Space>) {
    execution_space_of<Space>{}.fence("karpos::io::save_npy");
    file.write(from.data(), static_cast<std::size_t>(from.size()) * sizeof(T));
  } else {
    detail::write_staged(file, from, staging_elements<T>);
  }
}

template <int Rank>
extents<Rank> header_shape(input_file const& file, npy_header const& header) {
  if (header.rank() != Rank)
    throw io_error(file.where() + " holds an array of rank " + std::to_string(header.rank()) +
                   ", shape " + shape_text(header.shape) + ", not of rank " + std::to_string(Rank));
  extents<Rank> shape;
  for (int i = 0; i < Rank; ++i)
    shape[i] = header.shape[static_cast<std::size_t>(i)];
  return shape;
}

// Column-major strides over elements that lie without gaps.
template <int Rank>
layout<Rank> column_major(extents<Rank> const& shape) {
  layout<Rank> result{shape, {}, 0};
  index_t step = 1;
  for (int i = 0; i < Rank; ++i) {
    result.strides[i] = step;
    step *= shape[i];
  }
  return result;
}

template <class T, int Rank, class Space>
void write_npy(std::string const& path, tensor_view<T const, Rank, Space> const& packed) {
  std::vector<index_t> const shape(packed.shape().begin(), packed.shape().end());
  output_file file("save_npy", path);
  std::string const preamble = npy_preamble(npy_descr<T>(), shape);
  file.write(preamble.data(), preamble.size());
  detail::write_elements(file, packed);
  file.commit();
}

}  // namespace detail

/// Element type, shape and order of a .npy file, without its elements. Does not wait for anything.
/// @throws io_error when the file cannot be read, is damaged, truncated or too long, or holds a
/// structured or object array.
[[nodiscard]] inline npy_header load_npy_info(std::string const& path) {
  detail::input_file file("load_npy_info", path);
  return detail::read_npy_header(file);
}

/// The array of a .npy file (versions 1.0 to 3.0, either order and endianness) as a row-major
/// tensor of Space. Waits until the elements are in the memory of Space. Nothing is allocated
/// before the file's size has been checked.
/// @throws io_error as load_npy_info, for another rank, and for another element type unless
/// options.convert is set (complex to real is refused always); memory_error.
template <element T, int Rank, class Space = default_space>
[[nodiscard]] tensor<T, Rank, normal_space_t<Space>> load_npy(std::string const& path,
                                                              npy_options const& options = {}) {
  using space = normal_space_t<Space>;
  using result = tensor<T, Rank, space>;
  detail::input_file file("load_npy", path);
  npy_header const header = detail::read_npy_header(file);
  extents<Rank> const shape = detail::header_shape<Rank>(file, header);
  detail::element_reader<T> reader(file, header, options.convert);
  result loaded(result::uninitialised, shape);
  detail::read_elements(reader, loaded.view());
  if constexpr (Rank > 1) {  // fewer axes have one order
    layout<Rank> const columns = detail::column_major(shape);
    if (header.fortran_order && !is_row_major(shape, columns.strides)) {
      auto turned = karpos::eval(
          tensor_view<T const, Rank, space>(loaded.data(), columns, loaded.view().owner()));
      execution_space_of<space>{}.fence("karpos::io::load_npy");
      return turned;
    }
  }
  return loaded;
}

/// Writes the value of any tensor, view, expression or Kokkos::View, of any space, as numpy.save
/// would: C order, the byte order of this machine. Evaluates and waits. The file is written under
/// another name in the same directory and then renamed: on any error the old file is whole, and
/// nothing else is left behind. Symbolic links are followed.
/// @throws io_error with the path and the reason; memory_error for a rank-0 tensor without storage.
template <array_operand E>
void save_npy(std::string const& path, E const& e) {
  auto const node = expr::as_node(e);
  using Node = std::remove_cvref_t<decltype(node)>;
  using T = typename Node::value_type;
  static_assert(!std::is_same_v<T, bfloat16>,
                "karpos::io::save_npy: NumPy has no bfloat16: save cast<float>(e)");
  if constexpr (is_tensor_view<Node>) {
    if (node.data() == nullptr && node.size() > 0)
      throw memory_error("karpos::io::save_npy: the operand has no storage");
    if (node.is_contiguous())
      return detail::write_npy<T>(path, node);
  }
  auto const packed = karpos::eval(node);
  detail::write_npy<T>(path, packed.view());
}

}  // namespace karpos::inline KARPOS_ABI::io
