// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tensor_view: a handle that shares storage, usable in one's own kernels.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <type_traits>
#include <utility>

namespace {

using namespace karpos_test;
using kp::all;
using kp::range;

static_assert(std::is_copy_constructible_v<kp::tensor_view<double, 2>>);
static_assert(std::is_convertible_v<kp::tensor_view<double, 2>, kp::tensor_view<double const, 2>>);
static_assert(!std::is_convertible_v<kp::tensor_view<double const, 2>, kp::tensor_view<double, 2>>);
static_assert(
    !std::is_assignable_v<kp::tensor_view<double, 2>&, kp::tensor_view<double, 2> const&>);
static_assert(std::is_assignable_v<kp::tensor_view<double, 2>, kp::tensor_view<double, 2> const&>);
static_assert(std::is_nothrow_swappable_v<kp::tensor_view<double, 2>>);

// -- one's own kernels

template <class Space>
struct add_index {
  kp::tensor_view<double, 2, Space> v;
  KOKKOS_FUNCTION void operator()(int i, int j) const { v(i, -1 - j) += 10 * i + j; }
};
struct copy_row {
  kp::tensor_view<double const, 1> from;
  kp::tensor_view<double, 1> to;
  KOKKOS_FUNCTION void operator()(int i) const {
    to(i) = from(i) + static_cast<double>(from.extent(0) * from.stride(-1));
  }
};

void double_in_a_lambda(kp::tensor_view<double, 2> const& v) {
  Kokkos::parallel_for(
      "double_in_a_lambda",
      Kokkos::MDRangePolicy<kp::default_space, Kokkos::Rank<2>>({0, 0}, {v.extent(0), v.extent(1)}),
      KOKKOS_LAMBDA(int i, int j) { v(i, j) *= 2; });
}
void sum_in_a_lambda(kp::tensor_view<double const, 2> const& v, double& sum) {
  auto const columns = v.extent(1);
  Kokkos::parallel_reduce(
      "sum_in_a_lambda", Kokkos::RangePolicy<kp::default_space>(0, v.size()),
      KOKKOS_LAMBDA(int n, double& part) { part += v(n / columns, n % columns); }, sum);
}
void halve_by_teams(kp::tensor_view<double, 2> const& v) {
  using policy = Kokkos::TeamPolicy<kp::default_space>;
  Kokkos::parallel_for(
      "halve_by_teams", policy(static_cast<int>(v.extent(0)), Kokkos::AUTO),
      KOKKOS_LAMBDA(policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(v.extent(1))),
                             [&](int j) { v(team.league_rank(), j) /= 2; });
      });
}

/// Launches itself: the kernel runs on a copy, whose view shows the same elements.
struct ramp {
  kp::tensor_view<index_t, 1> v;
  KOKKOS_FUNCTION void operator()(index_t i) const { v(i) = i; }
  void fill() const {
    Kokkos::parallel_for(
        "ramp", Kokkos::RangePolicy<kp::default_space, Kokkos::IndexType<index_t>>(0, v.extent(0)),
        *this);
  }
};
class ramp_owner {
public:
  explicit ramp_owner(index_t n) : elements_(n) {}
  void fill() { ramp{elements_.view()}.fill(); }
  [[nodiscard]] kp::tensor_view<index_t const, 1> elements() const { return elements_.view(); }

private:
  kp::tensor<index_t, 1> elements_;
};

TEST(tensor_view, as_a_member_of_a_class_is_used_in_the_kernels_of_its_methods) {
  kp::tensor<index_t, 1> t(10);
  ramp const r{t.view()};
  r.fill();
  EXPECT_TRUE(same(fetch(t), counting<index_t>({10})));
  ramp_owner owner(10);
  owner.fill();
  EXPECT_TRUE(same(fetch(owner.elements()), counting<index_t>({10})));
}

TEST(tensor_view, is_captured_and_indexed_in_kernels) {
  auto t = upload<2>(counting<double>({5, 4}));
  Kokkos::parallel_for("add_index",
                       Kokkos::MDRangePolicy<kp::default_space, Kokkos::Rank<2>>({0, 0}, {5, 4}),
                       add_index<kp::default_space>{t.view()});
  host_array<double> want({5, 4});
  for_each_index(want.shape, [&](shape_t const& i) {
    want.at(i) = static_cast<double>(4 * i[0] + i[1] + 10 * i[0] + (3 - i[1]));
  });
  EXPECT_TRUE(same(fetch(t), want));

  double_in_a_lambda(t.view());
  halve_by_teams(t.view());
  double sum = 0;
  sum_in_a_lambda(t.view(), sum);
  double expected = 0;
  for (double x : want.values)
    expected += x;
  EXPECT_EQ(sum, expected);

  auto out = kp::tensor<double, 1>(5);
  kp::tensor_view<double const, 1> const column = t(all, 1);
  Kokkos::parallel_for("copy_row", Kokkos::RangePolicy<kp::default_space>(0, 5),
                       copy_row{column, out.view()});
  EXPECT_TRUE(same(fetch(out), apply<double>([](double x) { return x + 20; }, fetch(column))));
}

TEST(tensor_view, in_a_kernel_keeps_its_storage_alive) {
  kp::tensor_view<double, 2> v;
  {
    kp::tensor<double, 2> t = kp::ones(30, 40);
    v.rebind(t.view());
  }
  kp::tensor<double, 2> other = kp::zeros(30, 40);  // would reuse the block
  double_in_a_lambda(v);
  EXPECT_EQ(kp::item(kp::sum(v)), 2400.0);
  EXPECT_EQ(kp::item(kp::sum(other)), 0.0);
}

// -- ownership

auto make_slice() {
  auto t = upload<2>(counting<int>({4, 3}));
  return t(range(1, 3), all);
}

TEST(cases, a_view_outlives_its_parent) {
  auto v = make_slice();
  auto other = upload<2>(counting<int>({4, 3}, 100));  // another block of the same size
  v(0, all) = -1;
  EXPECT_TRUE(same(fetch(v), host_array<int>({2, 3}, {-1, -1, -1, 6, 7, 8})));
  EXPECT_TRUE(same(fetch(other), counting<int>({4, 3}, 100)));
}

TEST(tensor_view, of_a_temporary_keeps_its_storage_alive) {
  auto const v = kp::view(kp::eval(kp::arange(5)));
  auto const w = kp::eval(kp::arange(6))(range(2, 5));
  auto const x = kp::transpose(kp::eval(kp::ones<int>(2, 3)));
  auto const dirt = upload<1>(counting<index_t>({5}, 1000));
  EXPECT_TRUE(same(fetch(v), counting<index_t>({5})));
  EXPECT_TRUE(same(fetch(w), counting<index_t>({3}, 2)));
  EXPECT_TRUE(same(fetch(x), host_array<int>({3, 2}, {1, 1, 1, 1, 1, 1})));
}

// -- assignment

TEST(cases, assignment_between_two_views_copies_elements) {
  auto arr = upload<1>(host_array<int>({2}, {5, 6}));
  arr(range(0, 1)) = arr(range(1, 2));
  EXPECT_TRUE(same(fetch(arr), host_array<int>({2}, {6, 6})));
}

TEST(tensor_view, on_the_left_writes_elements) {
  auto t = upload<2>(counting<int>({3, 4}));
  auto const u = upload<1>(host_array<int>({3}, {7, 8, 9}));
  t(all, 0) = u;          // a tensor
  t(all, 1) = u.view();   // a view
  t(all, 2) = t(all, 0);  // a slice of the same type
  t(all, 3) = u * 2;      // an expression
  EXPECT_TRUE(same(fetch(t), host_array<int>({3, 4}, {7, 7, 7, 14, 8, 8, 8, 16, 9, 9, 9, 18})));
  auto row = t(1);  // named
  row = 0;
  row += 5;
  row = row * 2 + 1;
  row(all) = t(0);
  EXPECT_TRUE(same(fetch(t(1)), host_array<int>({4}, {7, 7, 7, 14})));
  t(2) -= 1;
  t(2) *= 2;
  t(2) /= 4;
  t(2) %= 3;
  EXPECT_TRUE(same(fetch(t(2)), host_array<int>({4}, {1, 1, 1, 2})));
  auto const constant_handle = t(0);  // constness of the handle is not constness of the elements
  constant_handle = 3;
  EXPECT_TRUE(same(fetch(t(0)), host_array<int>({4}, {3, 3, 3, 3})));
}

TEST(tensor_view, is_rebound_and_swapped_without_touching_elements) {
  auto a = upload<1>(counting<int>({3}));
  auto b = upload<1>(counting<int>({4}, 10));
  auto v = a.view();
  auto w = b.view();
  v.rebind(w);
  EXPECT_EQ(v.data(), b.data());
  EXPECT_EQ(v.extent(0), 4);
  v.rebind(a(range(kp::none, kp::none, -1)));
  swap(v, w);
  EXPECT_TRUE(same(fetch(v), counting<int>({4}, 10)));
  EXPECT_TRUE(same(fetch(w), host_array<int>({3}, {2, 1, 0})));
  std::swap(a, b);
  EXPECT_TRUE(same(fetch(v), counting<int>({4}, 10)));
  EXPECT_TRUE(same(fetch(a), counting<int>({4}, 10)));
}

TEST(tensor_view, knows_what_it_shows) {
  auto t = upload<3>(counting<int>({2, 3, 4}));
  auto const v = kp::permute(t, 2, 0, 1)(range(kp::none, kp::none, -2));
  EXPECT_EQ(v.shape(), (kp::extents<3>{{2, 2, 3}}));
  EXPECT_EQ(v.strides(), (kp::extents<3>{{-2, 12, 4}}));
  EXPECT_EQ(v.extent(-1), 3);
  EXPECT_EQ(v.stride(-3), -2);
  EXPECT_EQ(v.size(), 12);
  EXPECT_EQ(v.data(), t.data() + 3);
  EXPECT_FALSE(v.is_contiguous());
  EXPECT_TRUE(t(1).is_contiguous());
  EXPECT_TRUE(t(all, range(0, 0)).is_contiguous());
  kp::tensor_view<int, 2> empty;
  EXPECT_EQ(empty.size(), 0);
  EXPECT_EQ(empty.data(), nullptr);
}

// -- as Kokkos::View

template <class T, int Rank, class Space, class View>
void expect_same_memory(kp::tensor_view<T, Rank, Space> const& v, View const& k) {
  ASSERT_EQ(static_cast<int>(View::rank()), Rank);
  EXPECT_EQ(k.data(), v.data());
  for (int i = 0; i < Rank; ++i) {
    EXPECT_EQ(static_cast<index_t>(k.extent(static_cast<std::size_t>(i))), v.extent(i));
    if (v.extent(i) > 1) {
      EXPECT_EQ(static_cast<index_t>(k.stride(static_cast<std::size_t>(i))), v.stride(i));
    }
  }
}

TEST(kokkos, gives_an_unmanaged_view_of_the_elements) {
  auto t = upload<3>(counting<float>({2, 3, 4}));
  auto const right = t.kokkos();
  static_assert(std::is_same_v<typename decltype(right)::array_layout, Kokkos::LayoutRight>);
  static_assert(decltype(right)::traits::memory_traits::is_unmanaged);
  expect_same_memory(t.view(), right);
  auto const& c = t;
  static_assert(std::is_same_v<typename decltype(c.kokkos())::value_type, float const>);
  auto const slice = t(all, range(0, 3, 2), 1);
  expect_same_memory(slice, slice.kokkos());
  auto const turned = kp::transpose(t);
  expect_same_memory(turned, turned.kokkos<Kokkos::LayoutLeft>());
  expect_same_memory(turned, turned.kokkos());
  kp::tensor<double, 0> zero(4.0);
  expect_same_memory(zero.view(), zero.kokkos());
  kp::tensor<double, 2> none(0, 5);
  expect_same_memory(none.view(), none.kokkos());
}

TEST(kokkos, refuses_what_the_layout_cannot_say) {
  auto t = upload<2>(counting<float>({3, 4}));
  EXPECT_EQ(
      error_text<kp::argument_error>([&] { (void)kp::flip(t, 0).kokkos(); }),
      "karpos::kokkos: a Kokkos::View has no negative strides: shape (3, 4), strides (-4, 1)");
  EXPECT_EQ(error_text<kp::argument_error>(
                [&] { (void)t(all, range(0, 2)).kokkos<Kokkos::LayoutRight>(); }),
            "karpos::kokkos: the strides do not fit LayoutRight: shape (3, 2), strides (4, 1)");
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)t.view().kokkos<Kokkos::LayoutLeft>(); }),
            "karpos::kokkos: the strides do not fit LayoutLeft: shape (3, 4), strides (4, 1)");
}

TEST(kokkos, views_take_part_in_kokkos_calls) {
  auto t = upload<2>(counting<double>({3, 4}));
  Kokkos::View<double**, Kokkos::LayoutRight, kp::default_space> k("k", 3, 4);
  Kokkos::deep_copy(k, t.kokkos());
  Kokkos::deep_copy(t.kokkos(), 1.0);
  Kokkos::fence();
  EXPECT_EQ(kp::item(kp::sum(t)), 12.0);
  EXPECT_EQ(kp::item(kp::sum(k)), 66.0);
}

// -- mdspan: std's in C++23, else the one that Kokkos brings; some have neither
#if KARPOS_HAS_MDSPAN

namespace md = kp::kokkos_ext::md;

template <class View, class Mdspan>
void expect_same_elements(View const& v, Mdspan const& m) {
  static_assert(static_cast<int>(Mdspan::rank()) == View::rank);
  static_assert(std::is_same_v<typename Mdspan::element_type, typename View::element_type>);
  static_assert(std::is_same_v<typename Mdspan::index_type, kp::index_t>);
  EXPECT_EQ(m.data_handle(), v.data());
  EXPECT_EQ(static_cast<index_t>(m.size()), v.size());
  if constexpr (View::rank > 0) {
    for (int i = 0; i < View::rank; ++i) {
      auto const axis = static_cast<std::size_t>(i);
      EXPECT_EQ(m.extent(axis), v.extent(i));
      if (v.size() > 0) {
        EXPECT_GT(m.stride(axis), 0);
      }
      if (v.size() > 0 && v.extent(i) > 1) {
        EXPECT_EQ(m.stride(axis), v.stride(i));
      }
    }
  }
}

TEST(mdspan, shows_the_elements) {
  auto t = upload<3>(counting<float>({2, 3, 4}));
  auto const right = t.mdspan();
  static_assert(std::is_same_v<typename decltype(right)::layout_type, md::layout_right>);
  expect_same_elements(t.view(), right);
  EXPECT_EQ(right.mapping()(1, 2, 3), 23);
  auto const& c = t;
  expect_same_elements(c.view(), c.mdspan());
  auto const slice = t(all, range(0, 3, 2), 1);
  auto const strided = slice.mdspan();
  static_assert(std::is_same_v<typename decltype(strided)::layout_type, md::layout_stride>);
  expect_same_elements(slice, strided);
  EXPECT_EQ(strided.mapping()(1, 1), 20);
  auto const turned = kp::transpose(t);
  expect_same_elements(turned, turned.mdspan());
  expect_same_elements(turned, turned.mdspan<md::layout_left>());
  expect_same_elements(t.view(), t.view().mdspan<md::layout_right>());
  auto const thin = t(range(0, 1), all, range(0, 1));
  expect_same_elements(thin, thin.mdspan());
  auto const one = kp::broadcast_to(t(range(0, 1), 0, range(0, 1)), 1, 1);
  expect_same_elements(one, one.mdspan());
  auto const corner = kp::diagonal(kp::view_as(t, 4, 6));
  expect_same_elements(corner, corner.mdspan());
}

TEST(mdspan, of_a_block_spans_no_further_than_its_last_element) {
  auto t = upload<2>(counting<float>({4, 5}));
  auto const block = t(range(2, 4), range(3, 5)).mdspan();
  EXPECT_EQ(block.mapping().required_span_size(), 7);
  EXPECT_EQ(block.data_handle() + 7, t.data() + t.size());
  EXPECT_EQ(t(range(4, 4), range(3, 5)).mdspan().mapping().required_span_size(), 0);
}

TEST(mdspan, of_no_axes_and_of_no_elements) {
  kp::tensor<double, 0> zero(4.0);
  expect_same_elements(zero.view(), zero.mdspan());
  expect_same_elements(zero.view(), zero.view().mdspan());
  kp::tensor<double, 2> none(0, 5);
  expect_same_elements(none.view(), none.mdspan());
  auto const flipped = kp::flip(none);
  expect_same_elements(flipped, flipped.mdspan());
  kp::tensor<double, 2> empty;
  expect_same_elements(empty.view(), empty.mdspan());
}

TEST(mdspan, reads_and_writes_on_the_host) {
  auto h = kp::to_host(kp::arange(6) * 1.0);
  auto const rows = kp::view_as(h, 2, 3);
  auto const m = kp::transpose(rows).mdspan();
  m.accessor().access(m.data_handle(), static_cast<std::size_t>(m.mapping()(2, 1))) = 50.0;
  EXPECT_EQ(h(5), 50.0);
}

TEST(mdspan, refuses_what_the_layout_cannot_say) {
  auto t = upload<2>(counting<float>({3, 4}));
  std::string const cannot = "karpos::mdspan: the strides do not fit layout_stride, which takes "
                             "positive ones without overlap: ";
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)kp::flip(t, 0).mdspan(); }),
            cannot + "shape (3, 4), strides (-4, 1)");
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)kp::broadcast_to(t(0), 2, 4).mdspan(); }),
            cannot + "shape (2, 4), strides (0, 1)");
  auto const windows = kp::wrap<kp::default_space>(t.data(), {3, 2}, {1, 1});
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)windows.mdspan(); }),
            cannot + "shape (3, 2), strides (1, 1)");
  EXPECT_EQ(
      error_text<kp::argument_error>([&] { (void)t(all, range(0, 2)).mdspan<md::layout_right>(); }),
      "karpos::mdspan: the strides do not fit layout_right: shape (3, 2), strides (4, 1)");
  EXPECT_EQ(error_text<kp::argument_error>([&] { (void)t.mdspan<md::layout_left>(); }),
            "karpos::mdspan: the strides do not fit layout_left: shape (3, 4), strides (4, 1)");
}
#endif

}  // namespace
