// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// to_string and operator<<: arrays as NumPy's str() writes them.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/fwd.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/expr/operand.hpp>
#include <karpos/ops/detail/format_array.hpp>
#include <karpos/ops/detail/format_elements.hpp>
#include <karpos/ops/evaluate.hpp>

#include <cstddef>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

namespace ops::detail {

// Position on an axis of the i-th shown element.
constexpr index_t shown_position(index_t i, index_t shown, index_t extent) {
  return i < print_edge || shown == extent ? i : i + extent - shown;
}

/// The shown elements of a view that the host can read, in C order. Waits.
template <class T, int Rank, class Space>
void read_shown(tensor_view<T const, Rank, Space> const& v, extents<Rank> const& shown, T* out) {
  karpos::detail::default_instance<execution_space_of<Space>>("to_string")
      .fence("karpos::to_string");
  extents<Rank> index;
  for (index_t n = shown.size(); n > 0; --n) {
    index_t at = 0;
    for (int i = 0; i < Rank; ++i)
      at += shown_position(index[i], shown[i], v.extent(i)) * v.stride(i);
    *out++ = v.data()[at];
    for (int i = Rank - 1; i >= 0 && ++index[i] == shown[i]; --i)
      index[i] = 0;
  }
}

/// The corner of `v` and of the view of what is shown that the bits of `corner` choose: the ends of
/// the summarised axes.
template <class T, int Rank, class Space>
tensor_view<T, Rank, Space> corner_of(tensor_view<T, Rank, Space> const& v,
                                      extents<Rank> const& shown, extents<Rank> const& full,
                                      unsigned corner) {
  layout<Rank> l = v.get_layout();
  for (int i = 0; i < Rank; ++i) {
    if (shown[i] == full[i])
      continue;
    if ((corner >> i & 1u) != 0)
      l.offset += (l.shape[i] - print_edge) * l.strides[i];
    l.shape[i] = print_edge;
  }
  return {v.data(), l, v.owner()};
}

/// The same from the memory of a device: its corners are packed there and brought over in one
/// transfer. Waits.
template <class T, int Rank, class Space>
void fetch_shown(tensor_view<T const, Rank, Space> const& v, extents<Rank> const& shown, T* out) {
  auto const exec = karpos::detail::default_instance<execution_space_of<Space>>("to_string");
  using packed_tensor = tensor<T, Rank, Space>;
  packed_tensor packed(packed_tensor::uninitialised, shown, exec);
  unsigned summarised = 0;
  for (int i = 0; i < Rank; ++i)
    summarised |= shown[i] == v.extent(i) ? 0u : 1u << i;
  for (unsigned corner = 0; corner < (1u << Rank); ++corner)
    if ((corner & ~summarised) == 0)
      exec::assign_node(exec, detail::corner_of(packed.view(), shown, v.shape(), corner),
                        detail::corner_of(v, shown, v.shape(), corner));
  karpos::detail::copy_bytes<Kokkos::HostSpace, memory_space_of<Space>>(
      exec, out, packed.data(), static_cast<std::size_t>(shown.size()) * sizeof(T));
  exec.fence("karpos::to_string");
}

template <class T, int Rank, class Space>
std::string view_text(tensor_view<T const, Rank, Space> const& v) {
  if (v.size() == 0 || v.data() == nullptr)
    return "[]";
  extents<Rank> const shown = detail::shown_shape(v.shape());
  auto const count = static_cast<std::size_t>(shown.size());
  auto const values = std::make_unique_for_overwrite<T[]>(count);
  if constexpr (host_accessible<Space>)
    detail::read_shown(v, shown, values.get());
  else
    detail::fetch_shown(v, shown, values.get());
  if constexpr (Rank == 0)
    return detail::lone_text(values[0]);
  else
    return bracket_writer(v.shape().begin(), Rank, v.size(),
                          detail::element_texts(std::span<T const>(values.get(), count)))
        .write();
}

}  // namespace ops::detail

/// The value of a tensor, view, expression or Kokkos::View as NumPy's str() writes it: "[[1. 2.]\n
/// [3. 4.]]". More than 1000 elements are summarised, and only those shown are brought to the host.
/// Empty and moved-from: "[]". The 16-bit formats show the digits that tell their numbers apart.
/// Evaluates an expression once. Waits.
template <array_operand E>
[[nodiscard]] std::string to_string(E const& e) {
  auto const node = expr::as_node(e);
  if constexpr (is_tensor_view<decltype(node)>) {
    return ops::detail::view_text(node);
  } else {
    if (node.shape().size() == 0)
      return "[]";
    auto const value = karpos::eval(node);
    return ops::detail::view_text(value.view());
  }
}

/// Writes to_string(e). Waits.
template <expression E>
std::ostream& operator<<(std::ostream& out, E const& e) {
  return out << karpos::to_string(e);
}

}  // namespace karpos::inline KARPOS_ABI
