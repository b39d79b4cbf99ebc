// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tensor: owns row-major elements. Move-only.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/copy.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/fwd.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/memory/pool.hpp>
#include <karpos/core/nested_list.hpp>
#include <karpos/core/spaces.hpp>
#include <karpos/core/tensor_view.hpp>

#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI {

namespace detail {
// clang-format off
// The compiler names the first when a tensor is copied, passed by value or captured in a kernel, the second when
// one is assigned to another.
struct a_tensor_is_move_only_use_clone_t_to_copy_or_t_dot_view_to_share_or_capture_it {
  using self = a_tensor_is_move_only_use_clone_t_to_copy_or_t_dot_view_to_share_or_capture_it;
  a_tensor_is_move_only_use_clone_t_to_copy_or_t_dot_view_to_share_or_capture_it() = default;
  a_tensor_is_move_only_use_clone_t_to_copy_or_t_dot_view_to_share_or_capture_it(self const&) = delete;
  a_tensor_is_move_only_use_clone_t_to_copy_or_t_dot_view_to_share_or_capture_it(self&&) noexcept = default;
  self& operator=(self const&) = default;
  self& operator=(self&&) noexcept = default;
};
struct a_tensor_is_not_assigned_to_another_use_assign_t_u_to_write_its_elements_or_t_equals_clone_u {
  using self = a_tensor_is_not_assigned_to_another_use_assign_t_u_to_write_its_elements_or_t_equals_clone_u;
  self& operator=(self const&) = delete;
};
// clang-format on
}  // namespace detail

/// Owns Rank-dimensional, row-major elements of type T in Space. Move-only: `clone(t)` copies,
/// `t.view()` shares.
///
/// `t = expr`, `t = scalar` and `t += expr` write into its storage, asynchronously, on the default
/// instance; only an empty tensor (default-constructed or moved-from) is allocated by `= expr`, and
/// by `= scalar` when its rank is 0; otherwise `= scalar` and `+=` throw shape_error when it is
/// empty. `t = std::move(u)` takes u's storage.
template <class T, int Rank, class Space>
class tensor
    : detail::a_tensor_is_move_only_use_clone_t_to_copy_or_t_dot_view_to_share_or_capture_it,
      detail::
          a_tensor_is_not_assigned_to_another_use_assign_t_u_to_write_its_elements_or_t_equals_clone_u {
  static_assert(element<T>, "karpos::tensor: not an element type (bool, integers, float, double, "
                            "half, bfloat16, complex)");

public:
  using value_type = T;
  using space = Space;
  using view_type = tensor_view<T, Rank, Space>;
  using const_view_type = tensor_view<T const, Rank, Space>;
  static constexpr int rank = Rank;

  /// Empty: no storage, every extent 0. Needs no initialised Kokkos.
  tensor() = default;
  tensor(tensor const&) = default;  // deleted by the base, whose name the compiler prints
  tensor(tensor&& other) noexcept { swap(view_, other.view_); }
  ~tensor() = default;

  /// Zero-filled elements of the shape given. @throws shape_error for a negative extent;
  /// memory_error.
  template <index_like... I>
    requires(sizeof...(I) == Rank && Rank > 0)
  explicit tensor(I... shape) {
    dim const dims[]{dim(shape)...};
    allocate(make_shape<Rank>("tensor", dims));
    detail::fill_zero(execution_space_of<Space>{}, view_);
  }

  /// Elements from nested lists: `tensor<double, 2> a{{1, 2}, {3, 4}}`. @throws shape_error for
  /// ragged rows.
  // Spelled as an initializer_list: g++ 12 looks for that before it tries the guides for lists.
  // NOLINTNEXTLINE(google-explicit-constructor): a list is the literal of a tensor
  tensor(std::initializer_list<detail::nested_list_t<T, Rank == 0 ? 0 : Rank - 1>> list)
    requires(Rank > 0)
  {
    detail::nested_list<T, Rank> const rows(list);
    allocate(rows.shape());
    detail::copy_from_host(view_, rows.elements());
  }

  /// The one element of a rank-0 tensor.
  template <element C>
    requires(Rank == 0)
  explicit tensor(C value) {
    allocate({});
    detail::assign_engine<C>::fill_default(view_, value);
  }

  /// Evaluates an expression into new storage, on the default instance; does not wait.
  template <assignable E>
    requires(!is_tensor<E>)
  // NOLINTNEXTLINE(google-explicit-constructor): `tensor<double, 2> c = a + b`
  tensor(E const& e) {
    allocate(detail::assign_engine<E>::template result_shape<Rank>(e));
    detail::assign_engine<E>::assign_default(view_, e);
  }

  tensor& operator=(tensor const&) = default;  // deleted by a base: assign(t, u) or t = clone(u)
  template <class E>
    requires(is_tensor<E>)
  tensor& operator=(E const&) = delete;  // assign(t, u) writes the elements; t = eval(cast<T>(u))
  tensor& operator=(tensor&& other) noexcept {
    tensor taken(std::move(other));
    swap(view_, taken.view_);
    return *this;
  }
  template <assignable E>
    requires(!is_tensor<E>)
  tensor& operator=(E const& e) {
    if (empty()) {  // stays so when the assignment throws
      tensor fresh(uninitialised, detail::assign_engine<E>::template first_shape<Rank>(e));
      detail::assign_engine<E>::assign_default(fresh.view_, e);
      swap(view_, fresh.view_);
    } else {
      detail::assign_engine<E>::assign_default(view_, e);
    }
    return *this;
  }
  template <element C>
  tensor& operator=(C value) {
    if (empty()) {
      if (Rank > 0)
        throw shape_error("karpos::assign: an empty tensor of rank " + std::to_string(Rank) +
                          " takes no shape from a scalar: give it one, as in t = full({n, ...}, " +
                          "value)");
      tensor fresh(uninitialised, {});
      detail::assign_engine<C>::fill_default(fresh.view_, value);
      swap(view_, fresh.view_);
    } else {
      detail::assign_engine<C>::fill_default(view_, value);
    }
    return *this;
  }
  /// Evaluates into new storage of the expression's shape; views made before keep the old storage.
  template <assignable E>
  void reset(E const& e) {
    tensor fresh(uninitialised, detail::assign_engine<E>::template result_shape<Rank>(e));
    detail::assign_engine<E>::assign_default(fresh.view_, e);
    *this = std::move(fresh);
  }

  // -- what it holds
  [[nodiscard]] T* data() { return view_.data(); }
  [[nodiscard]] T const* data() const { return view_.data(); }
  [[nodiscard]] extents<Rank> const& shape() const { return view_.shape(); }
  [[nodiscard]] extents<Rank> const& strides() const { return view_.strides(); }
  [[nodiscard]] index_t extent(int axis) const { return view_.extent(axis); }
  [[nodiscard]] index_t stride(int axis) const { return view_.stride(axis); }
  [[nodiscard]] index_t size() const { return empty() ? 0 : view_.size(); }
  [[nodiscard]] bool is_contiguous() const { return true; }
  /// True without storage: default-constructed or moved-from.
  [[nodiscard]] bool empty() const { return view_.owner().get() == nullptr; }

  /// A handle that shares the storage.
  [[nodiscard]] view_type view() { return view_; }
  [[nodiscard]] const_view_type view() const { return view_; }

  /// Element or slice, as tensor_view's.
  template <class... A>
    requires(slice_arg<A> && ...)
  [[nodiscard]] decltype(auto) operator()(A const&... args) {
    return view_(args...);
  }
  template <class... A>
    requires(slice_arg<A> && ...)
  [[nodiscard]] decltype(auto) operator()(A const&... args) const {
    return view()(args...);
  }
  template <expression M>
  void operator()(M const& mask) const {
    view()(mask);
  }

  /// Unmanaged LayoutRight Kokkos::View of the elements; does not keep the storage alive.
  [[nodiscard]] auto kokkos() { return view_.template kokkos<Kokkos::LayoutRight>(); }
  [[nodiscard]] auto kokkos() const { return view().template kokkos<Kokkos::LayoutRight>(); }
  /// mdspan of the elements, with layout_right; does not keep the storage alive.
  template <class Layout = kokkos_ext::md::layout_right>
  [[nodiscard]] mdspan_t<T, Rank, Layout> mdspan() {
    return view_.template mdspan<Layout>();
  }
  template <class Layout = kokkos_ext::md::layout_right>
  [[nodiscard]] mdspan_t<T const, Rank, Layout> mdspan() const {
    return view().template mdspan<Layout>();
  }

  friend void swap(tensor& a, tensor& b) noexcept { swap(a.view_, b.view_); }

  /// Tag of the constructor that leaves the elements unset (what `empty<T>(...)` uses).
  struct uninitialised_t {};
  static constexpr uninitialised_t uninitialised{};
  tensor(uninitialised_t, extents<Rank> const& shape) { allocate(shape); }
  /// The same for storage that is first used on `exec`.
  template <execution_space Exec>
  tensor(uninitialised_t, extents<Rank> const& shape, Exec const& exec) {
    allocate(shape, exec);
  }

private:
  void allocate(extents<Rank> const& shape) {
    allocate(shape, detail::default_instance<execution_space_of<Space>>("tensor"));
  }
  template <class Exec>
  void allocate(extents<Rank> const& shape, Exec const& exec) {
    view_.rebind(detail::allocate_view<T, Rank, Space>(exec, shape, "karpos::tensor"));
  }

  view_type view_;
};

// Another spelling of a space: the tensor of the normal spelling is its base.
template <class T, int Rank, class Space>
  requires(!normal_space<Space>)
class tensor<T, Rank, Space> : public tensor<T, Rank, normal_space_t<Space>> {
  using base = tensor<T, Rank, normal_space_t<Space>>;

public:
  using base::base;
  using base::operator=;
  tensor() = default;
  tensor(base&& other) noexcept  // NOLINT(google-explicit-constructor): it is the same tensor
      : base(std::move(other)) {}
};

template <expression E>
tensor(E const&) -> tensor<typename E::value_type, E::rank, result_space_t<typename E::space>>;
template <kokkos_view V>
tensor(V const&) -> tensor<typename V::non_const_value_type, kokkos_ext::view_rank<V>,
                           normal_space_t<typename V::device_type>>;
template <element T>
tensor(std::initializer_list<T>) -> tensor<T, 1>;
template <element T>
tensor(std::initializer_list<std::initializer_list<T>>) -> tensor<T, 2>;
template <element T>
tensor(std::initializer_list<std::initializer_list<std::initializer_list<T>>>) -> tensor<T, 3>;

/// A handle that shares t's storage.
template <class T, int Rank, class Space>
[[nodiscard]] tensor_view<T, Rank, Space> view(tensor<T, Rank, Space>& t) {
  return t.view();
}
template <class T, int Rank, class Space>
[[nodiscard]] tensor_view<T const, Rank, Space> view(tensor<T, Rank, Space> const& t) {
  return t.view();
}
template <class T, int Rank, class Space>
[[nodiscard]] tensor_view<T, Rank, Space> view(tensor<T, Rank, Space>&& t) {
  return t.view();
}
template <class T, int Rank, class Space>
[[nodiscard]] tensor_view<T, Rank, Space> view(tensor_view<T, Rank, Space> const& v) {
  return v;
}

}  // namespace karpos::inline KARPOS_ABI
