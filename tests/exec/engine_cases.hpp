// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random assignments and reductions over random views, against loops over the elements. Included by
// the tests of the engine of the build (engine_test.cpp) and of the device engine on host spaces
// (device_engine_test.cpp).
#pragma once
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>
#include <support/view_model.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace karpos_test::inline KARPOS_ABI {

template <class T, int Rank>
struct modelled_view {
  kp::tensor_view<T, Rank> view;
  view_model model;

  void crop(shape_t const& to) {
    for (int k = 0; k < Rank; ++k) {
      auto const extent = to[static_cast<std::size_t>(k)];
      view.rebind(kp::swapaxes(view, 0, k));
      view.rebind(view(kp::range(0, extent)));
      view.rebind(kp::swapaxes(view, 0, k));
      model = model.sliced(static_cast<std::size_t>(k), 0, extent, 1);
    }
  }
};

template <class T, int Rank>
modelled_view<T, Rank> random_view(kp::tensor<T, Rank>& t, std::mt19937_64& random, int steps) {
  modelled_view<T, Rank> v{t.view(), view_model::whole(to_vector(t.shape()))};
  for (int i = 0; i < steps; ++i)
    random_step(v.view, v.model, random);
  return v;
}

template <class... V>
shape_t common_shape(V const&... v) {
  shape_t out;
  std::size_t const rank = std::min({v.model.shape.size()...});
  for (std::size_t k = 0; k < rank; ++k)
    out.push_back(std::min({v.model.shape[k]...}));
  return out;
}

/// Four updates of a random view by two other random views of the SAME storage: as if the right
/// side had been evaluated first.
template <class T, int Rank>
void expect_overlapping_assignment(std::uint64_t seed, shape_t const& shape, int steps) {
  std::mt19937_64 random(seed);
  auto const before = random_integers<T>(shape, random, -50, 50);
  auto t = upload<Rank>(before);
  auto d = random_view(t, random, steps);
  auto a = random_view(t, random, steps);
  auto b = random_view(t, random, steps);
  auto const common = common_shape(d, a, b);
  d.crop(common);
  a.crop(common);
  b.crop(common);
  auto want = before;
  auto const form = random() % 4;
  for (std::size_t i = 0; i < d.model.where.size(); ++i) {
    T const x = before[a.model.where[i]];
    T const y = before[b.model.where[i]];
    T const z = before[d.model.where[i]];
    T const two = static_cast<T>(2);
    want[d.model.where[i]] = form == 0   ? x
                             : form == 1 ? T(x + two * y)
                             : form == 2 ? T(z + x)
                                         : T(two * z - x + y);
  }
  if (form == 0)
    kp::assign(d.view, a.view);
  else if (form == 1)
    d.view = a.view + 2 * b.view;
  else if (form == 2)
    d.view += a.view;
  else
    d.view = 2 * d.view - a.view + b.view;
  ASSERT_TRUE(same(fetch(t), want))
      << "seed " << seed << ", shape " << testing::PrintToString(shape) << ", form " << form
      << ", destination strides " << kp::to_string(d.view.strides()) << ", operands "
      << kp::to_string(a.view.strides()) << " and " << kp::to_string(b.view.strides()) << ", plan "
      << kp::exec::to_string(kp::exec::last_plan());
}

/// A function of the multi-index for generators: sum of (k + 1) i_k modulo 7.
template <class T>
struct index_weights {
  template <class... I>
  KOKKOS_FUNCTION T operator()(I... i) const {
    index_t sum = 0;
    index_t weight = 1;
    ((sum += weight++ * i), ...);
    return static_cast<T>(static_cast<int>(sum % 7));
  }
  [[nodiscard]] static T of(shape_t const& index) {
    index_t sum = 0;
    for (std::size_t k = 0; k < index.size(); ++k)
      sum += static_cast<index_t>(k + 1) * index[k];
    return static_cast<T>(static_cast<int>(sum % 7));
  }
};

/// Destination, a strided operand, a broadcast one and a generator (as it is and transposed), in
/// different storages.
template <class T, int Rank>
void expect_mixed_assignment(std::uint64_t seed, shape_t const& shape, int steps) {
  std::mt19937_64 random(seed);
  auto const x = random_integers<T>(shape, random, -9, 9);
  auto const y = random_integers<T>(shape, random, -9, 9);
  auto tx = upload<Rank>(x);
  auto ty = upload<Rank>(y);
  auto td = upload<Rank>(counting<T>(shape));
  auto d = random_view(td, random, steps);
  auto a = random_view(tx, random, steps);
  auto b = random_view(ty, random, steps);
  auto const common = common_shape(d, a, b);
  d.crop(common);
  a.crop(common);
  auto stretch = common;  // along these axes b repeats one element
  for (auto& extent : stretch)
    if (extent > 0 && random() % 3 == 0)
      extent = 1;
  b.crop(stretch);
  bool const turned = random() % 2 == 0;
  auto want = counting<T>(shape);
  std::size_t i = 0;
  for_each_index(common, [&](shape_t const& index) {
    auto own = index;
    auto place = index;
    for (std::size_t k = 0; k < own.size(); ++k)
      if (stretch[k] == 1)
        own[k] = 0;
    if (turned)
      std::reverse(place.begin(), place.end());
    want[d.model.where[i]] = static_cast<T>(
        static_cast<T>(x[a.model.where[i]] - y[b.model.at(own)] * static_cast<T>(3)) +
        index_weights<T>::of(place));
    ++i;
  });
  auto extents = to_extents<Rank>(common);
  if (turned) {
    std::reverse(extents.values, extents.values + Rank);
    d.view = a.view - b.view * 3 + kp::transpose(kp::map_index(index_weights<T>{}, extents));
  } else {
    d.view = a.view - b.view * 3 + kp::map_index(index_weights<T>{}, extents);
  }
  ASSERT_TRUE(same(fetch(td), want))
      << "seed " << seed << ", shape " << testing::PrintToString(shape) << ", broadcast as "
      << testing::PrintToString(stretch) << ", destination strides "
      << kp::to_string(d.view.strides()) << ", operands " << kp::to_string(a.view.strides())
      << " and " << kp::to_string(b.view.strides()) << ", plan "
      << kp::exec::to_string(kp::exec::last_plan());
}

// -- reductions

/// The reducers over whole numbers, written as loops.
struct sum_model {
  static constexpr double start = 0;
  static double combine(double a, double b) { return a + b; }
};
struct prod_model {
  static constexpr double start = 1;
  static double combine(double a, double b) { return a * b; }
};
struct min_model {
  static constexpr double start = std::numeric_limits<double>::infinity();
  static double combine(double a, double b) { return b < a ? b : a; }
};
struct max_model {
  static constexpr double start = -std::numeric_limits<double>::infinity();
  static double combine(double a, double b) { return b > a ? b : a; }
};

/// The values of an array (C order, `shape`) reduced over the axes of `mask`; kept axes in order.
template <class Model, class Value>
host_array<double> reduce_model(shape_t const& shape, unsigned mask, bool keepdims,
                                Value const& value) {
  shape_t to;
  shape_t kept;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    bool const reduced = (mask >> k & 1u) != 0;
    if (!reduced)
      kept.push_back(shape[k]);
    if (!reduced || keepdims)
      to.push_back(reduced ? 1 : shape[k]);
  }
  host_array<double> out(kept);
  std::fill(out.values.begin(), out.values.end(), Model::start);
  index_t i = 0;
  for_each_index(shape, [&](shape_t const& index) {
    shape_t at;
    for (std::size_t k = 0; k < index.size(); ++k)
      if ((mask >> k & 1u) == 0)
        at.push_back(index[k]);
    out.at(at) = Model::combine(out.at(at), value(i++));
  });
  out.shape = to;
  return out;
}

template <class T>
host_array<double> as_double(host_array<T> const& a) {
  return apply<double>([](auto const& x) { return static_cast<double>(x); }, a);
}

/// The axes of a mask, some counted from the end, in random order.
template <int N>
kp::axes_list<N> axes_of(unsigned mask, int rank, std::mt19937_64& random) {
  kp::axes_list<N> list;
  int n = 0;
  for (int k = 0; k < rank; ++k)
    if ((mask >> k & 1u) != 0)
      list.values[n++] = random() % 2 == 0 ? k : k - rank;
  std::shuffle(list.values, list.values + N, random);
  return list;
}

/// call(axes_list<N>) for the axes of a mask.
template <int Rank, int N = 0, class F>
void with_axes(unsigned mask, std::mt19937_64& random, F const& call) {
  if (__builtin_popcount(mask) == N)
    call(axes_of<N>(mask, Rank, random));
  else if constexpr (N < Rank)
    with_axes<Rank, N + 1>(mask, random, call);
}

struct sum_call {
  template <class... A>
  auto operator()(A const&... a) const {
    return kp::sum(a...);
  }
};
struct prod_call {
  template <class... A>
  auto operator()(A const&... a) const {
    return kp::prod(a...);
  }
};
struct min_call {
  template <class... A>
  auto operator()(A const&... a) const {
    return kp::min(a...);
  }
};
struct max_call {
  template <class... A>
  auto operator()(A const&... a) const {
    return kp::max(a...);
  }
};

/// A random view of T, optionally in an expression with a broadcast operand, reduced over every
/// subset of its axes.
template <class Model, class T, int Rank, class Reduce>
void expect_reductions(Reduce const& reduce, std::uint64_t seed, shape_t const& shape, int steps,
                       int largest) {
  std::mt19937_64 random(seed);
  auto const x = random_integers<T>(shape, random, -largest, largest);
  auto t = upload<Rank>(x);
  auto const v = random_view(t, random, steps);
  auto const& of = v.model.shape;
  for (unsigned mask = 0; mask < 1u << Rank; ++mask) {
    bool nothing = false;  // an extremum over an empty axis is refused
    for (int k = 0; k < Rank; ++k)
      nothing |= (mask >> k & 1u) != 0 && of[static_cast<std::size_t>(k)] == 0;
    if (nothing && Model::start * 0 != 0)
      continue;
    auto const leaf = [&](index_t i) {
      return static_cast<double>(x[v.model.where[static_cast<std::size_t>(i)]]);
    };
    auto const where = [&] {
      return "seed " + std::to_string(seed) + ", mask " + std::to_string(mask) + ", shape " +
             testing::PrintToString(of) + ", strides " + kp::to_string(v.view.strides());
    };
    with_axes<Rank>(mask, random, [&](auto const& axes) {
      auto const r = kp::eval(reduce(v.view, axes));
      ASSERT_TRUE(same(as_double(fetch(r)), reduce_model<Model>(of, mask, false, leaf))) << where();
    });
  }
}

/// sum over a fused expression: 2 v - w + generator, w broadcast along a random axis; kept axes
/// stay with extent 1.
template <class T, int Rank>
void expect_fused_sum(std::uint64_t seed, shape_t const& shape, int steps) {
  std::mt19937_64 random(seed);
  auto const x = random_integers<T>(shape, random, -9, 9);
  auto t = upload<Rank>(x);
  auto u = upload<Rank>(x);
  auto const v = random_view(t, random, steps);
  auto w = random_view(u, random, steps);
  auto const common = common_shape(v, w);
  auto a = v;
  a.crop(common);
  auto stretch = common;
  if (auto& extent = stretch[random() % Rank]; extent > 0)
    extent = 1;
  w.crop(stretch);
  unsigned const mask = static_cast<unsigned>(random() % (1u << Rank));
  std::vector<double> values;
  for_each_index(common, [&](shape_t const& index) {
    auto own = index;
    for (std::size_t k = 0; k < own.size(); ++k)
      if (stretch[k] == 1)
        own[k] = 0;
    values.push_back(2 * static_cast<double>(x[a.model.at(index)]) -
                     static_cast<double>(x[w.model.at(own)]) +
                     static_cast<double>(index_weights<T>::of(index)));
  });
  auto const want = reduce_model<sum_model>(
      common, mask, true, [&](index_t i) { return values[static_cast<std::size_t>(i)]; });
  with_axes<Rank>(mask, random, [&](auto const& axes) {
    auto const e =
        2 * a.view - w.view + kp::map_index(index_weights<T>{}, to_extents<Rank>(common));
    auto const r = kp::eval(kp::sum(e, axes, kp::keepdims));
    ASSERT_TRUE(same(as_double(fetch(r)), want))
        << "seed " << seed << ", mask " << mask << ", shape " << testing::PrintToString(common)
        << ", strides " << kp::to_string(a.view.strides()) << " and "
        << kp::to_string(w.view.strides());
  });
}

}  // namespace karpos_test::inline KARPOS_ABI
