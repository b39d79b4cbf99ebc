// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward declarations of tensor and tensor_view, the concept `expression`, and the engine that
// assignment calls.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/kokkos_ext/view_traits.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/core/extents.hpp>
#include <karpos/core/spaces.hpp>

#include <concepts>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

template <class T, int Rank, class Space = default_space>
class tensor;
template <class T, int Rank, class Space = default_space>
class tensor_view;

namespace detail {
// Pointer conversion finds the base also for the types that normalise their space.
template <class T, int Rank, class Space>
std::true_type tensor_test(tensor<T, Rank, Space> const*);
std::false_type tensor_test(void const*);
template <class T, int Rank, class Space>
std::true_type view_test(tensor_view<T, Rank, Space> const*);
std::false_type view_test(void const*);
}  // namespace detail

template <class X>
inline constexpr bool is_tensor =
    decltype(detail::tensor_test(static_cast<std::remove_cvref_t<X>*>(nullptr)))::value;
template <class X>
inline constexpr bool is_tensor_view =
    decltype(detail::view_test(static_cast<std::remove_cvref_t<X>*>(nullptr)))::value;

/// What an operation can compute with: element type, space, rank and shape are known.
template <class E>
concept expression = requires(std::remove_cvref_t<E> const& e) {
  typename std::remove_cvref_t<E>::value_type;
  typename std::remove_cvref_t<E>::space;
  { e.shape() } -> std::convertible_to<extents<std::remove_cvref_t<E>::rank>>;
};

/// A Kokkos::View, accepted wherever a tensor is (wrapped on the way in).
template <class V>
concept kokkos_view = kokkos_ext::is_view<V>;

/// What may stand on the right of `x = ...` besides scalars.
template <class E>
concept assignable = expression<E> || kokkos_view<E>;

namespace detail {
// core only declares the engine; exec/assign.hpp defines it. The name is what the compiler prints
// when only headers of core are included.
template <class Tag>
struct the_assignment_engine_is_in_karpos_exec_assign_hpp;
template <class... E>
struct late {
  using type = void;
};
template <class... E>
using assign_engine = the_assignment_engine_is_in_karpos_exec_assign_hpp<typename late<E...>::type>;
}  // namespace detail

}  // namespace karpos::inline KARPOS_ABI
