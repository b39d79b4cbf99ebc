// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshape, ravel, flatten: the same elements in C order in another shape. Expressions: free when
// the strides allow a view (known only at run time), else one copy when they are evaluated. view_as
// gives a view or throws.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/tensor_view.hpp>
#include <karpos/exec/assign.hpp>
#include <karpos/exec/lower.hpp>
#include <karpos/expr/node.hpp>
#include <karpos/expr/operand.hpp>

#include <string>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

namespace ops::detail {

// The operation behind reshape: lowers to a view of its operand where the strides allow, else to a
// packed copy.
template <class T, int Rank>
struct reshape_op {
  using value_type = T;
  static constexpr int rank = Rank;
  static constexpr bool gives_view = true;

  template <class Context, class Node>
  auto view(Context& context, extents<Rank> const& shape, Node const& operand) const {
    using result = tensor_view<T const, Rank, typename Context::space>;
    auto const source = exec::materialise(context, operand);
    layout<Rank> l{shape, {}, 0};
    if (reshape_strides(source.get_layout(), shape, l.strides))
      return result(source.data(), l, source.owner());
    auto const packed = context.template temporary<T, decltype(source)::rank>(source.shape());
    exec::run_assignment(context.exec(), packed, source);
    return result(packed.data(), row_major(shape), packed.owner());
  }
};

template <int Rank>
extents<Rank> dims_text(dim const* dims) {
  extents<Rank> e;
  for (int i = 0; i < Rank; ++i)
    e[i] = dims[i].value;
  return e;
}

/// Shape with one extent of -1 worked out from the size. @throws shape_error.
template <int Rank>
extents<Rank> resolve_shape(char const* function, dim const* dims, std::string const& from,
                            index_t size) {
  extents<Rank> shape;
  int unknown = -1;
  for (int i = 0; i < Rank; ++i) {
    shape[i] = dims[i].value;
    if (shape[i] != -1)
      continue;
    if (unknown >= 0)
      throw shape_error(std::string("karpos::") + function + ": only one extent may be -1");
    unknown = i;
    shape[i] = 1;
  }
  karpos::detail::check_shape(function, shape.values, Rank);
  index_t const known = shape.size();
  if (unknown >= 0 && known > 0)
    shape[unknown] = size / known;
  if (shape.size() != size || (unknown >= 0 && known == 0))
    throw shape_error(std::string("karpos::") + function + ": shape " + from + " has " +
                      std::to_string(size) + " elements, not those of " +
                      karpos::to_string(dims_text<Rank>(dims)));
  return shape;
}
template <int Rank, class X>
auto reshape_node(char const* function, X const& x, dim const* dims) {
  auto const node = expr::as_node(x);
  using N = std::remove_cvref_t<decltype(node)>;
  using op = reshape_op<typename N::value_type, Rank>;
  auto const shape =
      resolve_shape<Rank>(function, dims, karpos::to_string(node.shape()), node.shape().size());
  return expr::array_node<op, N>(op{}, shape, node);
}

template <int Rank, class T, int R, class Space>
tensor_view<T, Rank, Space> view_in_shape(tensor_view<T, R, Space> const& v, dim const* dims) {
  auto const shape = resolve_shape<Rank>("view_as", dims, karpos::to_string(v.shape()), v.size());
  layout<Rank> l{shape, {}, 0};
  if (!reshape_strides(v.get_layout(), shape, l.strides))
    throw shape_error("karpos::view_as: a view of shape " + karpos::to_string(v.shape()) +
                      " and strides " + karpos::to_string(v.strides()) + " cannot show shape " +
                      karpos::to_string(shape) + " without a copy: use reshape");
  return {v.data(), l, v.owner()};
}

}  // namespace ops::detail

/// x's elements, in C order, in another shape; one extent may be -1. Copies when it is evaluated
/// and the strides of x do not allow a view. @throws shape_error when the sizes differ.
template <array_operand X, index_like... I>
[[nodiscard]] auto reshape(X const& x, I... shape) {
  dim const dims[sizeof...(I) + 1]{dim(shape)..., dim(0)};
  return ops::detail::reshape_node<static_cast<int>(sizeof...(I))>("reshape", x, dims);
}
template <array_operand X, std::size_t N>
[[nodiscard]] auto reshape(X const& x, dim const (&shape)[N]) {
  return ops::detail::reshape_node<static_cast<int>(N)>("reshape", x, shape);
}

/// All elements of x in C order, rank 1; as reshape(x, -1).
template <array_operand X>
[[nodiscard]] auto ravel(X const& x) {
  dim const dims[]{dim(expr::as_node(x).shape().size())};
  return ops::detail::reshape_node<1>("ravel", x, dims);
}
template <array_operand X>
[[nodiscard]] auto flatten(X const& x) {
  return karpos::ravel(x);
}

/// A view of t's elements in another shape; one extent may be -1. @throws shape_error when sizes
/// differ or a copy would be needed.
template <class T, int R, class Space, index_like... I>
[[nodiscard]] auto view_as(tensor_view<T, R, Space> const& t, I... shape) {
  dim const dims[sizeof...(I) + 1]{dim(shape)..., dim(0)};
  return ops::detail::view_in_shape<static_cast<int>(sizeof...(I))>(t, dims);
}
template <class T, int R, class Space, index_like... I>
[[nodiscard]] auto view_as(tensor<T, R, Space>& t, I... shape) {
  return karpos::view_as(t.view(), shape...);
}
template <class T, int R, class Space, index_like... I>
[[nodiscard]] auto view_as(tensor<T, R, Space> const& t, I... shape) {
  return karpos::view_as(t.view(), shape...);
}

}  // namespace karpos::inline KARPOS_ABI
