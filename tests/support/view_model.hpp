// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a view shows, index by index: the storage position of every element. Each view operation is
// written once more as a rule for indices, and random chains of them are applied to a tensor_view
// and to the model alike.
#pragma once
#include <karpos/karpos.hpp>

#include <support/host.hpp>

#include <random>
#include <utility>
#include <vector>

namespace karpos_test::inline KARPOS_ABI {

/// Element i in C order of the view is element where[i] of the storage.
struct view_model {
  shape_t shape;
  std::vector<index_t> where;

  static view_model whole(shape_t const& shape) {
    view_model m{shape, {}};
    for (index_t i = 0; i < size_of(shape); ++i)
      m.where.push_back(i);
    return m;
  }
  [[nodiscard]] index_t at(shape_t const& index) const {
    return where[static_cast<std::size_t>(position(shape, index))];
  }

  /// The view of shape `to` whose element `index` is element from(index) of this one.
  template <class F>
  [[nodiscard]] view_model picked(shape_t const& to, F const& from) const {
    view_model m{to, {}};
    for_each_index(to, [&](shape_t const& index) { m.where.push_back(at(from(index))); });
    return m;
  }
  [[nodiscard]] view_model permuted(std::vector<int> const& order) const {
    shape_t to;
    for (int k : order)
      to.push_back(shape[static_cast<std::size_t>(k)]);
    return picked(to, [&](shape_t const& index) {
      shape_t from(index.size());
      for (std::size_t k = 0; k < index.size(); ++k)
        from[static_cast<std::size_t>(order[k])] = index[k];
      return from;
    });
  }
  /// `length` elements of an axis from `begin` on, `step` apart.
  [[nodiscard]] view_model sliced(std::size_t axis, index_t begin, index_t length,
                                  index_t step) const {
    shape_t to = shape;
    to[axis] = length;
    return picked(to, [&](shape_t index) {
      index[axis] = begin + index[axis] * step;
      return index;
    });
  }
  [[nodiscard]] view_model flipped(std::size_t axis) const {
    return sliced(axis, shape[axis] - 1, shape[axis], -1);
  }
  [[nodiscard]] view_model fixed(std::size_t axis, index_t i) const {
    shape_t to = shape;
    to.erase(to.begin() + static_cast<std::ptrdiff_t>(axis));
    return picked(to, [&](shape_t index) {
      index.insert(index.begin() + static_cast<std::ptrdiff_t>(axis), i);
      return index;
    });
  }
  [[nodiscard]] view_model expanded(std::size_t axis) const {
    shape_t to = shape;
    to.insert(to.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    return picked(to, [&](shape_t index) {
      index.erase(index.begin() + static_cast<std::ptrdiff_t>(axis));
      return index;
    });
  }
  [[nodiscard]] view_model diagonal(index_t k, std::size_t a, std::size_t b) const {
    shape_t to;
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (d != a && d != b)
        to.push_back(shape[d]);
    index_t length = 0;  // as long as (i, i + k) or (i - k, i) is an index
    while ((k < 0 ? length - k : length) < shape[a] && (k > 0 ? length + k : length) < shape[b])
      ++length;
    to.push_back(length);
    return picked(to, [&](shape_t const& index) {
      shape_t from(shape.size());
      std::size_t next = 0;
      for (std::size_t d = 0; d < shape.size(); ++d)
        if (d != a && d != b)
          from[d] = index[next++];
      from[a] = k < 0 ? index.back() - k : index.back();
      from[b] = k > 0 ? index.back() + k : index.back();
      return from;
    });
  }
};

/// Python's slice(begin, end, step).indices(extent) and its length, by walking.
struct walked_slice {
  index_t begin = 0;
  index_t length = 0;
};
inline walked_slice walk_slice(index_t extent, bool has_begin, index_t begin, bool has_end,
                               index_t end, index_t step) {
  auto const normal = [&](index_t v) { return v < 0 ? v + extent : v; };
  index_t first = has_begin ? normal(begin) : (step > 0 ? 0 : extent - 1);
  index_t const last = has_end ? normal(end) : (step > 0 ? extent : -1);
  if (step > 0)
    first = std::max<index_t>(first, 0);
  else
    first = std::min<index_t>(first, extent - 1);
  walked_slice s{first, 0};
  for (index_t i = first; step > 0 ? (i < last && i < extent) : (i > last && i >= 0); i += step)
    ++s.length;
  return s;
}

/// A random range over an axis, with what it selects.
struct random_range {
  kp::range range;
  walked_slice selects;
  index_t step = 1;
};
inline random_range make_range(index_t extent, std::mt19937_64& random, int max_step) {
  random_range r;
  auto const draw = [&](index_t low, index_t high) {
    return low + static_cast<index_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  r.step = draw(1, max_step) * (random() % 2 == 0 ? 1 : -1);
  bool const has_begin = random() % 2 == 0;
  bool const has_end = random() % 2 == 0;
  // mostly near the ends, so that chains of slices do not run empty
  index_t const low = extent / 3;
  index_t begin = r.step > 0 ? draw(-1, low) : extent - 1 - draw(-1, low);
  index_t end = r.step > 0 ? extent - draw(-2, low) : draw(-1, low) - 1;
  if (random() % 4 == 0)
    begin -= extent;
  if (end == -1 && r.step < 0)
    end = -extent - 1;
  if (has_begin && has_end)
    r.range = kp::range(begin, end, r.step);
  else if (has_begin)
    r.range = kp::range(begin, kp::none, r.step);
  else if (has_end)
    r.range = kp::range(kp::none, end, r.step);
  else
    r.range = kp::range(kp::none, kp::none, r.step);
  r.selects = walk_slice(extent, has_begin, begin, has_end, end, r.step);
  return r;
}

/// One random operation that keeps the rank, on a view and its model.
template <class View>
void random_step(View& v, view_model& m, std::mt19937_64& random, int max_step = 3) {
  constexpr int rank = View::rank;
  if constexpr (rank > 0) {
    int const axis = static_cast<int>(random() % rank);
    auto const a = static_cast<std::size_t>(axis);
    switch (random() % 5) {
    case 0: {
      v.rebind(kp::flip(v, axis));
      m = m.flipped(a);
      break;
    }
    case 1: {
      int const other = static_cast<int>(random() % rank);
      v.rebind(kp::swapaxes(v, axis - rank, other));
      std::vector<int> order;
      for (int k = 0; k < rank; ++k)
        order.push_back(k == axis ? other : k == other ? axis : k);
      m = m.permuted(order);
      break;
    }
    case 2: {
      v.rebind(kp::transpose(v));
      std::vector<int> order;
      for (int k = rank - 1; k >= 0; --k)
        order.push_back(k);
      m = m.permuted(order);
      break;
    }
    default: {
      auto const r = make_range(m.shape[a], random, max_step);
      if constexpr (rank == 1) {
        v.rebind(v(r.range));
      } else {
        v.rebind(kp::swapaxes(v, 0, axis));
        v.rebind(v(r.range));
        v.rebind(kp::swapaxes(v, 0, axis));
      }
      m = m.sliced(a, r.selects.begin, r.selects.length, r.step);
    }
    }
  }
}

}  // namespace karpos_test::inline KARPOS_ABI
