// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of the element types: which there are, what they are called, what a mixture of two becomes,
// what sums accumulate in.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/half.hpp>

#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace karpos::inline KARPOS_ABI {

template <class T>
inline constexpr bool is_half_v = false;
template <int M, int B>
inline constexpr bool is_half_v<small_float<M, B>> = true;
template <class T>
inline constexpr bool is_half_v<T const> = is_half_v<T>;

template <class T>
inline constexpr bool is_complex_v = false;
template <class R>
inline constexpr bool is_complex_v<Kokkos::complex<R>> = true;
template <class T>
inline constexpr bool is_complex_v<T const> = is_complex_v<T>;

/// float, double or one of the 16-bit formats.
template <class T>
concept real_floating = std::same_as<std::remove_cv_t<T>, float> ||
                        std::same_as<std::remove_cv_t<T>, double> || is_half_v<T>;

/// Kokkos::complex of float or double.
template <class T>
concept complex_floating = std::same_as<std::remove_cv_t<T>, Kokkos::complex<float>> ||
                           std::same_as<std::remove_cv_t<T>, Kokkos::complex<double>>;

/// An integer of 8 to 64 bits; bool and the character types are none, plain char included.
template <class T>
concept integer =
    std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool> &&
    !std::same_as<std::remove_cv_t<T>, char> && !std::same_as<std::remove_cv_t<T>, wchar_t> &&
    !std::same_as<std::remove_cv_t<T>, char8_t> && !std::same_as<std::remove_cv_t<T>, char16_t> &&
    !std::same_as<std::remove_cv_t<T>, char32_t> && sizeof(T) <= 8;

template <class T>
concept boolean = std::same_as<std::remove_cv_t<T>, bool>;

/// What a tensor may hold. Qualified types are not element types.
template <class T>
concept element = std::same_as<T, std::remove_cv_t<T>> &&
                  (boolean<T> || integer<T> || real_floating<T> || complex_floating<T>);

/// 0 bool, 1 integer, 2 real floating-point, 3 complex.
template <element T>
inline constexpr int kind =
    int(!boolean<T>) + int(!boolean<T> && !integer<T>) + int(complex_floating<T>);

namespace detail {

template <class T>
struct real_of {
  using type = T;
};
template <class R>
struct real_of<Kokkos::complex<R>> {
  using type = R;
};

template <int Bytes, bool Signed>
struct integer_of;
template <>
struct integer_of<1, true> {
  using type = std::int8_t;
};
template <>
struct integer_of<2, true> {
  using type = std::int16_t;
};
template <>
struct integer_of<4, true> {
  using type = std::int32_t;
};
template <>
struct integer_of<8, true> {
  using type = std::int64_t;
};
template <int Bytes>
struct integer_of<Bytes, false> {
  using type = std::make_unsigned_t<typename integer_of<Bytes, true>::type>;
};
// A signed type that holds an unsigned one of 64 bits does not exist: no member `type`.
template <>
struct integer_of<16, true> {};

// Selected by the order of the partial specialisations' constraints; each pair of kinds has exactly
// one.
template <class A, class B>
struct promote {};

template <class A>
struct promote<A, A> {
  using type = A;
};
template <class A, class B>
  requires(!std::same_as<A, B> && boolean<A> && !boolean<B>)
struct promote<A, B> {
  using type = B;
};
template <class A, class B>
  requires(!std::same_as<A, B> && boolean<B> && !boolean<A>)
struct promote<A, B> {
  using type = A;
};

template <class A, class B>
  requires(!std::same_as<A, B> && integer<A> && integer<B> &&
           std::is_signed_v<A> == std::is_signed_v<B>)
struct promote<A, B>
    : integer_of<(sizeof(A) > sizeof(B) ? sizeof(A) : sizeof(B)), std::is_signed_v<A>> {};
template <class A, class B>
  requires(integer<A> && integer<B> && std::is_signed_v<A> && !std::is_signed_v<B>)
struct promote<A, B> : integer_of<(sizeof(A) > sizeof(B) ? sizeof(A) : 2 * sizeof(B)), true> {};
template <class A, class B>
  requires(integer<A> && integer<B> && !std::is_signed_v<A> && std::is_signed_v<B>)
struct promote<A, B> : promote<B, A> {};

template <class A, class B>
  requires(real_floating<A> && integer<B>)
struct promote<A, B> {
  using type = A;
};
template <class A, class B>
  requires(integer<A> && real_floating<B>)
struct promote<A, B> {
  using type = B;
};
template <class A, class B>
  requires(!std::same_as<A, B> && real_floating<A> && real_floating<B>)
struct promote<A, B> {
  using type =
      std::conditional_t<std::same_as<A, double> || std::same_as<B, double>, double, float>;
};

template <class A, class B>
  requires(!std::same_as<A, B> && (complex_floating<A> || complex_floating<B>) && !boolean<A> &&
           !boolean<B>)
struct promote<A, B> {
  using type =
      Kokkos::complex<typename promote<typename real_of<A>::type, typename real_of<B>::type>::type>;
};

template <class T>
struct accumulate {
  using type = T;
};
template <integer T>
struct accumulate<T> : integer_of<8, std::is_signed_v<T>> {};
template <boolean T>
struct accumulate<T> : integer_of<8, true> {};
template <class T>
  requires is_half_v<T>
struct accumulate<T> {
  using type = float;
};

// A C++ scalar of a higher kind than the tensor's: the default type of that kind, at the tensor's
// precision where it has one.
template <class T, class S>
consteval auto weak_promote() {
  if constexpr (kind<S> <= kind<T>) {
    return std::type_identity<T>{};
  } else if constexpr (kind<S> == 1) {
    return std::type_identity<std::int64_t>{};
  } else if constexpr (kind<S> == 2) {
    return std::type_identity<double>{};
  } else if constexpr (is_half_v<T> || std::same_as<T, float>) {
    return std::type_identity<Kokkos::complex<float>>{};
  } else {
    return std::type_identity<Kokkos::complex<double>>{};
  }
}

}  // namespace detail

/// The type of the real part: R for complex<R>, else T.
template <class T>
using real_of_t = typename detail::real_of<std::remove_cv_t<T>>::type;

/// The type that arithmetic on T runs in: float for the 16-bit formats, else T.
template <class T>
using compute_t = std::conditional_t<is_half_v<T>, float, std::remove_cv_t<T>>;

/// The type that sum, prod and cumsum accumulate in: 64-bit integers (bool counts as signed), float
/// for the 16-bit formats, else T.
template <element T>
using accumulate_t = typename detail::accumulate<T>::type;

/// The common type of two tensors' elements, NumPy's without integral promotion: int8 with int8 is
/// int8, an integer with a floating-point type is that type, half with bfloat16 is float, mixed
/// signs give the smallest signed type that holds both. No member exists for signed integers with
/// 64-bit unsigned ones: ask `promotable` first.
template <class A, class B>
using promote_t = typename detail::promote<A, B>::type;

/// Two element types that have a common type.
template <class A, class B>
concept promotable = element<A> && element<B> && requires { typename detail::promote<A, B>::type; };

/// The type of a C++ scalar as an element: std::complex counts as Kokkos::complex, long double as
/// double.
template <class S>
struct scalar_element {
  using type = S;
};
template <class R>
struct scalar_element<std::complex<R>> {
  using type = Kokkos::complex<R>;
};
template <>
struct scalar_element<long double> {
  using type = double;
};
template <class S>
using scalar_element_t = typename scalar_element<std::remove_cvref_t<S>>::type;

/// The element type of tensor<Tensor> op scalar (NumPy's NEP 50): a scalar of the same or a lower
/// kind (bool < integer < real < complex) keeps the tensor's type; else bool with an integer is
/// int64, bool or integer with a real is double, real with complex is complex of the tensor's
/// precision.
template <element Tensor, class Scalar>
  requires element<scalar_element_t<Scalar>>
using weak_promote_t =
    typename decltype(detail::weak_promote<Tensor, scalar_element_t<Scalar>>())::type;

/// NumPy's name of the type ("float64", "complex64", "bool", "float16"; "bfloat16" as ml_dtypes has
/// it).
template <element T>
[[nodiscard]] constexpr char const* dtype_name() {
  if constexpr (boolean<T>) {
    return "bool";
  } else if constexpr (integer<T>) {
    constexpr char const* names[2][4] = {{"uint8", "uint16", "uint32", "uint64"},
                                         {"int8", "int16", "int32", "int64"}};
    return names[std::is_signed_v<T>][sizeof(T) == 1   ? 0
                                      : sizeof(T) == 2 ? 1
                                      : sizeof(T) == 4 ? 2
                                                       : 3];
  } else if constexpr (is_half_v<T>) {
    return std::same_as<T, half> ? "float16" : "bfloat16";
  } else if constexpr (complex_floating<T>) {
    return sizeof(T) == 8 ? "complex64" : "complex128";
  } else {
    return sizeof(T) == 4 ? "float32" : "float64";
  }
}

}  // namespace karpos::inline KARPOS_ABI
