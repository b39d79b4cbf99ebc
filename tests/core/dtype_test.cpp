// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The promotion table against numpy.result_type (NumPy 2.4), embedded below as it printed it.
#include <karpos/core/dtype.hpp>

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace {

namespace kp = karpos;
using c64 = Kokkos::complex<float>;
using c128 = Kokkos::complex<double>;

using table_types =
    std::tuple<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
               std::uint16_t, std::uint32_t, std::uint64_t, kp::half, float, double, c64, c128>;
constexpr std::size_t count = std::tuple_size_v<table_types>;
template <std::size_t I>
using type_at = std::tuple_element_t<I, table_types>;

// clang-format off
constexpr char const* numpy_table[count][count] = {
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"},
    {"int8", "int8", "int16", "int32", "int64", "int16", "int32", "int64", "float64", "float16", "float32", "float64", "complex64", "complex128"},
    {"int16", "int16", "int16", "int32", "int64", "int16", "int32", "int64", "float64", "float32", "float32", "float64", "complex64", "complex128"},
    {"int32", "int32", "int32", "int32", "int64", "int32", "int32", "int64", "float64", "float64", "float64", "float64", "complex128", "complex128"},
    {"int64", "int64", "int64", "int64", "int64", "int64", "int64", "int64", "float64", "float64", "float64", "float64", "complex128", "complex128"},
    {"uint8", "int16", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"},
    {"uint16", "int32", "int32", "int32", "int64", "uint16", "uint16", "uint32", "uint64", "float32", "float32", "float64", "complex64", "complex128"},
    {"uint32", "int64", "int64", "int64", "int64", "uint32", "uint32", "uint32", "uint64", "float64", "float64", "float64", "complex128", "complex128"},
    {"uint64", "float64", "float64", "float64", "float64", "uint64", "uint64", "uint64", "uint64", "float64", "float64", "float64", "complex128", "complex128"},
    {"float16", "float16", "float32", "float64", "float64", "float16", "float32", "float64", "float64", "float16", "float32", "float64", "complex64", "complex128"},
    {"float32", "float32", "float32", "float64", "float64", "float32", "float32", "float64", "float64", "float32", "float32", "float64", "complex64", "complex128"},
    {"float64", "float64", "float64", "float64", "float64", "float64", "float64", "float64", "float64", "float64", "float64", "float64", "complex128", "complex128"},
    {"complex64", "complex64", "complex64", "complex128", "complex128", "complex64", "complex64", "complex128", "complex128", "complex64", "complex64", "complex128", "complex64", "complex128"},
    {"complex128", "complex128", "complex128", "complex128", "complex128", "complex128", "complex128", "complex128", "complex128", "complex128", "complex128", "complex128", "complex128", "complex128"},
};
// clang-format on

/// NumPy widens the float where an integer meets it; here the floating-point type decides ("int
/// with float kind").
template <class A, class B>
std::string expected(std::string const& numpy) {
  if constexpr (kp::integer<A> && kp::kind<B> >= 2)
    return kp::dtype_name<B>();
  if constexpr (kp::integer<B> && kp::kind<A> >= 2)
    return kp::dtype_name<A>();
  if constexpr (kp::integer<A> && kp::integer<B>)
    if (numpy == "float64")
      return "refused";
  return numpy;
}

template <class A, class B>
std::string promoted() {
  if constexpr (kp::promotable<A, B>) {
    return kp::dtype_name<kp::promote_t<A, B>>();
  } else {
    return "refused";
  }
}

template <std::size_t I, std::size_t... J>
void check_row(std::index_sequence<J...>) {
  (
      [] {
        using A = type_at<I>;
        using B = type_at<J>;
        EXPECT_EQ((promoted<A, B>()), (expected<A, B>(numpy_table[I][J])))
            << kp::dtype_name<A>() << " with " << kp::dtype_name<B>();
      }(),
      ...);
}

template <std::size_t... I>
void check_table(std::index_sequence<I...> all) {
  (check_row<I>(all), ...);
}

TEST(dtype, promotion_is_numpys_without_widening_of_floats_by_integers) {
  check_table(std::make_index_sequence<count>());
}

template <class A, class B, class Result>
constexpr bool promotes =
    std::is_same_v<kp::promote_t<A, B>, Result> && std::is_same_v<kp::promote_t<B, A>, Result>;

static_assert(promotes<kp::half, kp::bfloat16, float>);
static_assert(promotes<kp::bfloat16, float, float> && promotes<kp::bfloat16, double, double>);
static_assert(promotes<kp::bfloat16, std::int64_t, kp::bfloat16> &&
              promotes<bool, kp::bfloat16, kp::bfloat16>);
static_assert(promotes<kp::bfloat16, c64, c64> && promotes<c64, double, c128>);
static_assert(promotes<long long, long, std::int64_t>);
static_assert(!kp::promotable<std::int8_t, std::uint64_t> &&
              !kp::promotable<std::uint64_t, std::int64_t>);
static_assert(!kp::promotable<char, int> && !kp::promotable<float, long double>);

// A scalar is weak (NEP 50).
template <class Tensor, class Scalar, class Result>
constexpr bool weakly = std::is_same_v<kp::weak_promote_t<Tensor, Scalar>, Result>;
static_assert(weakly<float, double, float> && weakly<float, int, float> &&
              weakly<kp::half, double, kp::half>);
static_assert(weakly<std::int8_t, int, std::int8_t> &&
              weakly<std::uint8_t, long long, std::uint8_t> &&
              weakly<std::int8_t, bool, std::int8_t>);
static_assert(weakly<std::int32_t, double, double> && weakly<std::int8_t, float, double>);
static_assert(weakly<bool, int, std::int64_t> && weakly<bool, unsigned, std::int64_t> &&
              weakly<bool, float, double> && weakly<bool, bool, bool>);
static_assert(weakly<float, c128, c64> && weakly<kp::bfloat16, c128, c64> &&
              weakly<double, c64, c128> && weakly<int, c64, c128>);
static_assert(weakly<c64, c128, c64> && weakly<c64, double, c64> &&
              weakly<float, std::complex<double>, c64>);

// Accumulation and computation.
template <class T, class Result>
constexpr bool accumulates = std::is_same_v<kp::accumulate_t<T>, Result>;
static_assert(accumulates<bool, std::int64_t> && accumulates<std::int8_t, std::int64_t> &&
              accumulates<std::uint32_t, std::uint64_t>);
static_assert(accumulates<std::uint64_t, std::uint64_t> && accumulates<kp::half, float> &&
              accumulates<float, float> && accumulates<c64, c64>);
static_assert(std::is_same_v<kp::compute_t<kp::bfloat16>, float> &&
              std::is_same_v<kp::compute_t<short>, short>);
static_assert(std::is_same_v<kp::real_of_t<c128>, double> &&
              std::is_same_v<kp::real_of_t<int>, int>);

// What is an element.
static_assert(kp::element<bool> && kp::element<signed char> && kp::element<unsigned long long> &&
              kp::element<kp::bfloat16> && kp::element<c64>);
static_assert(!kp::element<char> && !kp::element<wchar_t> && !kp::element<char8_t> &&
              !kp::element<long double>);
static_assert(!kp::element<float const> && !kp::element<float&> && !kp::element<int*> &&
              !kp::element<std::complex<float>>);
static_assert(kp::kind<bool> == 0 && kp::kind<long> == 1 && kp::kind<kp::half> == 2 &&
              kp::kind<c64> == 3);
static_assert(kp::is_complex_v<c64 const> && !kp::is_complex_v<float> &&
              kp::is_half_v<kp::half const> && !kp::is_half_v<std::uint16_t>);

TEST(dtype, names_are_numpys) {
  EXPECT_STREQ(kp::dtype_name<double>(), "float64");
  EXPECT_STREQ(kp::dtype_name<signed char>(), "int8");
  EXPECT_STREQ(kp::dtype_name<unsigned long long>(), "uint64");
  EXPECT_STREQ(kp::dtype_name<kp::half>(), "float16");
  EXPECT_STREQ(kp::dtype_name<kp::bfloat16>(), "bfloat16");
  EXPECT_STREQ(kp::dtype_name<c64>(), "complex64");
  EXPECT_STREQ(kp::dtype_name<bool>(), "bool");
}

}  // namespace
