// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements and shape of nested initialiser lists: {{1, 2}, {3, 4}}.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/core/extents.hpp>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace karpos::inline KARPOS_ABI::detail {

template <class T, int Rank>
struct nested_list_type {
  using type = std::initializer_list<typename nested_list_type<T, Rank - 1>::type>;
};
template <class T>
struct nested_list_type<T, 0> {
  using type = T;
};
template <class T, int Rank>
using nested_list_t = typename nested_list_type<T, Rank>::type;

// Flattens the lists in C order. @throws shape_error when rows of one level differ in length.
template <class T, int Rank>
class nested_list {
public:
  explicit nested_list(nested_list_t<T, Rank> const& list) {
    measure<0>(list);
    elements_.reset(new T[static_cast<std::size_t>(shape_.size())]);
    flatten<0>(list);
  }
  [[nodiscard]] extents<Rank> const& shape() const { return shape_; }
  [[nodiscard]] T const* elements() const { return elements_.get(); }

private:
  template <int Axis, class List>
  void measure(List const& list) {
    shape_[Axis] = static_cast<index_t>(list.size());
    if constexpr (Axis + 1 < Rank)
      if (list.size() != 0)
        measure<Axis + 1>(*list.begin());
  }
  template <int Axis, class List>
  void flatten(List const& list) {
    if (static_cast<index_t>(list.size()) != shape_[Axis])
      throw shape_error("karpos::tensor: ragged list: axis " + std::to_string(Axis) +
                        " has rows of " + std::to_string(shape_[Axis]) + " and of " +
                        std::to_string(list.size()) + " elements");
    for (auto const& item : list) {
      if constexpr (Axis + 1 < Rank)
        flatten<Axis + 1>(item);
      else
        elements_[static_cast<std::size_t>(next_++)] = item;
    }
  }

  extents<Rank> shape_;
  std::unique_ptr<T[]> elements_;  // not std::vector: its bool is not an array
  index_t next_ = 0;
};

}  // namespace karpos::inline KARPOS_ABI::detail
