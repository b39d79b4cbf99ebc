// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tensor_view: a handle to strided elements (pointer, extents, signed strides, shared ownership on
// the host).
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/fwd.hpp>
#include <karpos/core/kokkos_view.hpp>
#include <karpos/core/layout.hpp>
#include <karpos/core/mdspan.hpp>
#include <karpos/core/memory/block.hpp>
#include <karpos/core/slices.hpp>
#include <karpos/core/spaces.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace karpos::inline KARPOS_ABI {

/// Handle to elements of type T (const T: read only) in Space. Copying is shallow and keeps the
/// storage alive; constness of the elements is in T. Trivial to use in kernels: capture it by value
/// and index it.
///
/// Assignment of an expression or scalar writes the elements (asynchronously, on the default
/// instance of the space). Assigning a tensor or view to a NAMED view does not compile; say `v(all,
/// ...) = w`, `assign(v, w)` or `v.rebind(w)`.
template <class T, int Rank, class Space>
class tensor_view {
  static_assert(element<std::remove_const_t<T>>, "karpos::tensor_view: not an element type");

public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using space = Space;
  static constexpr int rank = Rank;

  KOKKOS_DEFAULTED_FUNCTION tensor_view() = default;
  KOKKOS_DEFAULTED_FUNCTION tensor_view(tensor_view const&) = default;
  KOKKOS_DEFAULTED_FUNCTION tensor_view(tensor_view&&) = default;
  KOKKOS_DEFAULTED_FUNCTION ~tensor_view() = default;

  /// Elements at data + layout.offset with the layout's shape and strides; `owner` keeps them
  /// alive.
  tensor_view(T* data, layout<Rank> const& l, detail::storage owner = {})
      : data_(data == nullptr ? nullptr : data + l.offset), shape_(l.shape), strides_(l.strides),
        owner_(std::move(owner)) {}

  /// A read-only view of the same elements.
  template <class U>
    requires(std::is_same_v<U const, T>)
  KOKKOS_FUNCTION
  tensor_view(tensor_view<U, Rank, Space> const& other)  // NOLINT(google-explicit-constructor)
      : data_(other.data()), shape_(other.shape()), strides_(other.strides()),
        owner_(other.owner()) {}

  // -- what it shows
  KOKKOS_FORCEINLINE_FUNCTION T* data() const { return data_; }
  KOKKOS_FORCEINLINE_FUNCTION extents<Rank> const& shape() const { return shape_; }
  KOKKOS_FORCEINLINE_FUNCTION extents<Rank> const& strides() const {
    return strides_;
  }  ///< in elements, signed
  /// Of an axis; negative ones count from the end. Out of range: index_error on the host,
  /// undefined in device code.
  KOKKOS_FORCEINLINE_FUNCTION index_t extent(int axis) const { return shape_[position(axis)]; }
  KOKKOS_FORCEINLINE_FUNCTION index_t stride(int axis) const { return strides_[position(axis)]; }
  KOKKOS_FORCEINLINE_FUNCTION index_t size() const { return shape_.size(); }
  /// Row-major without gaps.
  [[nodiscard]] bool is_contiguous() const { return is_row_major(shape_, strides_); }
  KOKKOS_FORCEINLINE_FUNCTION detail::storage const& owner() const { return owner_; }

  // -- elements: on the host (host-accessible spaces) checked, throws index_error; in device code
  // unchecked. Negative indices count from the end in both.
  template <class... I>
    requires(sizeof...(I) == Rank && (index_like<I> && ...))
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(I... i) const {
    KOKKOS_IF_ON_HOST((return data_[checked_offset(i...)];))
    KOKKOS_IF_ON_DEVICE((return data_[offset(static_cast<index_t>(i)...)];))
  }

  /// Slices: integers, `all`, `range(b, e, step)`, `newaxis`; axes that are not named stay whole.
  /// Host only.
  template <class... A>
    requires((slice_arg<A> && ...) && !((sizeof...(A) == Rank) && (index_like<A> && ...)))
  [[nodiscard]] auto operator()(A const&... args) const {
    static_assert((detail::axes_used<A> + ... + 0) <= Rank,
                  "karpos::tensor_view: more indices than axes");
    if constexpr ((detail::axes_used<A> + ... + 0) <= Rank)
      return tensor_view<T, sliced_rank<Rank, A...>, Space>(data_, slice(get_layout(), args...),
                                                            owner_);
  }

  template <expression M>
  void operator()(M const&) const {
    static_assert(sizeof(M) == 0, "karpos::tensor: elements are not selected by a mask or an index "
                                  "array: write v = where(mask, x, v)");
  }

  // -- assignment: see the class comment
  // The compilers print the line of a deleted function, and so its comment.
  tensor_view& operator=(tensor_view const&) & = delete;  // v(all) = w, assign(v, w) or v.rebind(w)
  void operator=(tensor_view const&) const& = delete;     // v(all) = w, assign(v, w) or v.rebind(w)
  template <class E>
    requires(is_tensor<E> || is_tensor_view<E>)
  void operator=(E const&) const& = delete;  // v(all) = t or assign(v, t)
  // Self-assignment stores every element in itself.
  void operator=(tensor_view const& e) && {  // NOLINT(bugprone-unhandled-self-assignment)
    detail::assign_engine<tensor_view>::assign_default(*this, e);
  }
  void operator=(tensor_view const& e) const&& {  // NOLINT(bugprone-unhandled-self-assignment)
    detail::assign_engine<tensor_view>::assign_default(*this, e);
  }
  template <assignable E>
    requires(!is_tensor<E> && !is_tensor_view<E>)
  void operator=(E const& e) const& {
    detail::assign_engine<E>::assign_default(*this, e);
  }
  template <assignable E>
  void operator=(E const& e) const&& {
    detail::assign_engine<E>::assign_default(*this, e);
  }
  template <element C>
  void operator=(C value) const& {
    detail::assign_engine<C>::fill_default(*this, value);
  }
  template <element C>
  void operator=(C value) const&& {
    detail::assign_engine<C>::fill_default(*this, value);
  }

  /// Makes this handle show what `other` shows; no element is written.
  void rebind(tensor_view const& other) {
    tensor_view copy(other);
    swap(*this, copy);
  }
  friend void swap(tensor_view& a, tensor_view& b) noexcept {
    std::swap(a.data_, b.data_);
    std::swap(a.shape_, b.shape_);
    std::swap(a.strides_, b.strides_);
    a.owner_.swap(b.owner_);
  }

  /// Unmanaged Kokkos::View of the elements. LayoutStride always fits (negative strides throw
  /// argument_error); LayoutRight or LayoutLeft are checked. Does not keep the storage alive.
  template <class Layout = Kokkos::LayoutStride>
  [[nodiscard]] kokkos_view_t<T, Rank, Layout, Space> kokkos() const {
    return kokkos_view_t<T, Rank, Layout, Space>(data_,
                                                 detail::kokkos_layout<Layout>(shape_, strides_));
  }

  /// mdspan of the elements (std's from C++23 on, else Kokkos'), with layout_stride, or with
  /// layout_right or layout_left, which are checked. Throws argument_error where the layout cannot
  /// say the strides: negative and overlapping ones for layout_stride. Does not keep the storage
  /// alive.
  template <class Layout = kokkos_ext::md::layout_stride>
  [[nodiscard]] mdspan_t<T, Rank, Layout> mdspan() const {
    return detail::make_mdspan<Layout>(data_, shape_, strides_);
  }

  [[nodiscard]] layout<Rank> get_layout() const { return {shape_, strides_, 0}; }

private:
  KOKKOS_FORCEINLINE_FUNCTION static int position(int axis) {
    KOKKOS_IF_ON_HOST((if (axis < -Rank || axis >= Rank) normal_axis("tensor", axis, Rank);))
    return axis < 0 ? axis + Rank : axis;
  }
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION index_t offset(I... i) const {
    index_t at = 0;
    int axis = 0;
    ((at += (i < 0 ? i + shape_[axis] : i) * strides_[axis], ++axis), ...);
    return at;
  }
  // Of an index that is not below the extent as it is. Unsigned ones do not count from the end.
  template <class I>
  index_t checked_position(I given, int axis) const {
    auto const index = static_cast<index_t>(given);
    if (std::is_unsigned_v<I> && index < 0)
      throw index_error(
          "karpos::tensor: index " + std::to_string(static_cast<std::uint64_t>(given)) +
          " is out of range for axis " + std::to_string(axis) + " of shape " + to_string(shape_));
    return detail::checked_index(index, axis, shape_.values, Rank);
  }
  template <class... I>
  index_t checked_offset(I... i) const {
    if constexpr (!host_accessible<Space>)
      throw index_error("karpos::tensor: element access on the host to memory of a device: use "
                        "item(t, i, ...) or to_host(t)");
    if (data_ == nullptr)
      throw index_error("karpos::tensor: element access to a tensor without storage");
    index_t at = 0;
    int axis = 0;
    [[maybe_unused]] auto const take = [&](auto given) {
      auto index = static_cast<index_t>(given);
      if (static_cast<std::size_t>(index) >= static_cast<std::size_t>(shape_[axis]))
        index = checked_position(given, axis);
      at += index * strides_[axis++];
    };
    (take(i), ...);
    return at;
  }

  T* data_ = nullptr;
  extents<Rank> shape_{};
  extents<Rank> strides_{};
  detail::storage owner_;
};

// Another spelling of a space is the same view: the class of the normal spelling is its base.
template <class T, int Rank, class Space>
  requires(!normal_space<Space>)
class tensor_view<T, Rank, Space> : public tensor_view<T, Rank, normal_space_t<Space>> {
  using base = tensor_view<T, Rank, normal_space_t<Space>>;

public:
  using base::base;
  using base::operator=;
  tensor_view() = default;
  tensor_view(base const& other)  // NOLINT(google-explicit-constructor): it is the same view
      : base(other) {}
};

}  // namespace karpos::inline KARPOS_ABI
