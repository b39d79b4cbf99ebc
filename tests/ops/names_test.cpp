// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation called without `karpos::`, found by its arguments or by using-directives, beside
// the functions of the same names in Kokkos and std: the right value or no compilation, never
// another function's result.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/host.hpp>

#include <algorithm>
#include <any>
#include <cmath>
#include <complex>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <utility>

using karpos_test::fetch;
using karpos_test::host_array;
using karpos_test::near;

/// One call: its value at element 0 or the fact that it does not compile.
template <class R>
double first_element(R const& r) {
  if constexpr (karpos::expression<R>) {
    auto const values = fetch(karpos::eval(r));
    using T = typename R::value_type;
    if constexpr (karpos::is_complex_v<T>)
      return values[0].real();
    else
      return static_cast<double>(values[0]);
  } else {
    return static_cast<double>(r);
  }
}

int calls = 0;
int refused = 0;

// `a` (1.5, ...), `b` (0.25, ...): tensors or expressions; `v`: a Kokkos::View holding b; `i`:
// integers (7, ...); `c`: complex (3 + 4i, ...). The macro is used inside a template, so that a
// missing overload is no error.
#define CALL(expression, value)                                                                    \
  if constexpr (requires { expression; }) {                                                        \
    ++calls;                                                                                       \
    EXPECT_NEAR(first_element(expression), value, 1e-12) << #expression;                           \
  } else {                                                                                         \
    ++refused;                                                                                     \
    if (must_compile) {                                                                            \
      ADD_FAILURE() << "does not compile: " << #expression;                                        \
    }                                                                                              \
  }

#define ALL_CALLS                                                                                  \
  CALL(abs(a), 1.5)                                                                                \
  CALL(sign(a), 1)                                                                                 \
  CALL(sqrt(a), std::sqrt(1.5))                                                                    \
  CALL(rsqrt(a), 1 / std::sqrt(1.5))                                                               \
  CALL(cbrt(a), std::cbrt(1.5))                                                                    \
  CALL(square(a), 2.25)                                                                            \
  CALL(reciprocal(a), 1 / 1.5)                                                                     \
  CALL(exp(a), std::exp(1.5))                                                                      \
  CALL(exp2(a), std::exp2(1.5))                                                                    \
  CALL(expm1(a), std::expm1(1.5))                                                                  \
  CALL(log(a), std::log(1.5))                                                                      \
  CALL(log2(a), std::log2(1.5))                                                                    \
  CALL(log10(a), std::log10(1.5))                                                                  \
  CALL(log1p(a), std::log1p(1.5))                                                                  \
  CALL(sin(a), std::sin(1.5))                                                                      \
  CALL(cos(a), std::cos(1.5))                                                                      \
  CALL(tan(a), std::tan(1.5))                                                                      \
  CALL(asin(b), std::asin(0.25))                                                                   \
  CALL(acos(b), std::acos(0.25))                                                                   \
  CALL(atan(a), std::atan(1.5))                                                                    \
  CALL(sinh(a), std::sinh(1.5))                                                                    \
  CALL(cosh(a), std::cosh(1.5))                                                                    \
  CALL(tanh(a), std::tanh(1.5))                                                                    \
  CALL(asinh(a), std::asinh(1.5))                                                                  \
  CALL(acosh(a), std::acosh(1.5))                                                                  \
  CALL(atanh(b), std::atanh(0.25))                                                                 \
  CALL(erf(a), std::erf(1.5))                                                                      \
  CALL(erfc(a), std::erfc(1.5))                                                                    \
  CALL(lgamma(a), std::lgamma(1.5))                                                                \
  CALL(floor(a), 1)                                                                                \
  CALL(ceil(a), 2)                                                                                 \
  CALL(rint(a), 2)                                                                                 \
  CALL(trunc(a), 1)                                                                                \
  CALL(isnan(a), 0)                                                                                \
  CALL(isinf(a), 0)                                                                                \
  CALL(isfinite(a), 1)                                                                             \
  CALL(signbit(a), 0)                                                                              \
  CALL(conj(c), 3)                                                                                 \
  CALL(real(c), 3)                                                                                 \
  CALL(imag(c), 4)                                                                                 \
  CALL(angle(c), std::atan2(4.0, 3.0))                                                             \
  CALL(abs(c), 5)                                                                                  \
  CALL(sigmoid(a), 1 / (1 + std::exp(-1.5)))                                                       \
  CALL(relu(a), 1.5)                                                                               \
  CALL(gelu(a), 1.5 * 0.5 * std::erfc(-1.5 / std::sqrt(2.0)))                                      \
  CALL(silu(a), 1.5 / (1 + std::exp(-1.5)))                                                        \
  CALL(softplus(a), std::log1p(std::exp(1.5)))                                                     \
  CALL(hypot(a, b), std::hypot(1.5, 0.25))                                                         \
  CALL(atan2(a, b), std::atan2(1.5, 0.25))                                                         \
  CALL(fmod(a, b), 0)                                                                              \
  CALL(remainder(a, b), 0)                                                                         \
  CALL(floor_divide(a, b), 6)                                                                      \
  CALL(minimum(a, b), 0.25)                                                                        \
  CALL(maximum(a, b), 1.5)                                                                         \
  CALL(fmin(a, b), 0.25)                                                                           \
  CALL(fmax(a, b), 1.5)                                                                            \
  CALL(copysign(a, b), 1.5)                                                                        \
  CALL(pow(a, b), std::pow(1.5, 0.25))                                                             \
  CALL(pow(a, 2), 2.25)                                                                            \
  CALL(pow(2.0, a), std::pow(2.0, 1.5))                                                            \
  CALL(clip(a, 0.0, 1.0), 1)                                                                       \
  CALL(min(a, b), 0.25)                                                                            \
  CALL(max(a, b), 1.5)                                                                             \
  CALL(min(a, a), 1.5)                                                                             \
  CALL(max(b, b), 0.25)                                                                            \
  CALL(hypot(a, v), std::hypot(1.5, 0.25))                                                         \
  CALL(max(v, a), 1.5)                                                                             \
  CALL(min(a, v), 0.25)                                                                            \
  CALL(pow(v, a), std::pow(0.25, 1.5))                                                             \
  CALL(a + v, 1.75)                                                                                \
  CALL(v* a, 0.375)                                                                                \
  CALL(a / v, 6)                                                                                   \
  CALL(i % 4, 3)                                                                                   \
  CALL(i << 1, 14)                                                                                 \
  CALL((a > b), 1)                                                                                 \
  CALL((a == a), 1)                                                                                \
  CALL((a != a), 0)                                                                                \
  CALL(where(a > b, a, b), 1.5)                                                                    \
  CALL(cast<float>(a), 1.5)                                                                        \
  CALL(sum(a), 8.25)                                                                               \
  CALL(prod(b), 0.25 * 0.5 * 0.75)                                                                 \
  CALL(min(a), 1.5)                                                                                \
  CALL(max(a), 4)                                                                                  \
  CALL(max(a, 0), 4)                                                                               \
  CALL(min(a, karpos::axes(0)), 1.5)                                                               \
  CALL(mean(b), 0.5)                                                                               \
  CALL(transpose(a), 1.5)                                                                          \
  CALL(flip(a), 4)                                                                                 \
  CALL(permute(a, 0), 1.5)                                                                         \
  CALL(swapaxes(a, 0, 0), 1.5)                                                                     \
  CALL(moveaxis(a, 0, 0), 1.5)                                                                     \
  CALL(expand_dims(a, 0), 1.5)                                                                     \
  CALL(squeeze(expand_dims(a, 0), 0), 1.5)                                                         \
  CALL(broadcast_to(a, 2, 3), 1.5)                                                                 \
  CALL(reshape(a, 3, 1), 1.5)                                                                      \
  CALL(ravel(a), 1.5)                                                                              \
  CALL(flatten(a), 1.5)                                                                            \
  CALL(matmul(a, b), 1.5 * 0.25 + 2.75 * 0.5 + 4 * 0.75)                                           \
  CALL(size(a), 3)                                                                                 \
  CALL(eval(a + b), 1.75)                                                                          \
  CALL(clone(a), 1.5)                                                                              \
  CALL(to_host(a), 1.5)                                                                            \
  CALL(item(a, 0), 1.5)                                                                            \
  CALL(item(sum(a)), 8.25)                                                                         \
  CALL(diagonal(expand_dims(a, 0)), 1.5)

// std::any and std::extent are types: beside `using namespace std` these two do not compile.
#define CALLS_THAT_ARE_TYPES_IN_STD                                                                \
  CALL(any(a > 3.0), 1)                                                                            \
  CALL(extent(a, 0), 3)

namespace nothing_imported {
template <bool must_compile, class A, class B, class V, class I, class C>
void call_all(A const& a, [[maybe_unused]] B const& b, V const& v, [[maybe_unused]] I const& i,
              [[maybe_unused]] C const& c) {
  ALL_CALLS
  CALLS_THAT_ARE_TYPES_IN_STD
}
}  // namespace nothing_imported

namespace karpos_imported {
using namespace karpos;  // NOLINT(google-build-using-namespace): what this test is about
using karpos::all;       // CUDA has a global function of this name
template <bool must_compile, class A, class B, class V, class I, class C>
void call_all(A const& a, [[maybe_unused]] B const& b, V const& v, [[maybe_unused]] I const& i,
              [[maybe_unused]] C const& c) {
  CALL(sum(v), 1.5)  // a Kokkos::View alone finds no function of karpos
  CALLS_THAT_ARE_TYPES_IN_STD
  CALL(all(a > 0.0), 1)
  CALL(zeros<double>(3), 0)
  CALL(ones<double>(3) + a, 2.5)
  CALL(arange(3) + a, 1.5)
  CALL(linspace(1.0, 2.0, 3) * a, 1.5)
  CALL(eye<double>(2), 1)
}
}  // namespace karpos_imported

namespace karpos_and_kokkos_imported {
using namespace karpos;  // NOLINT(google-build-using-namespace)
using namespace Kokkos;  // NOLINT(google-build-using-namespace)
template <bool must_compile, class A, class B, class V, class I, class C>
void call_all(A const& a, [[maybe_unused]] B const& b, V const& v, [[maybe_unused]] I const& i,
              [[maybe_unused]] C const& c) {
  ALL_CALLS
  CALLS_THAT_ARE_TYPES_IN_STD
}
}  // namespace karpos_and_kokkos_imported

namespace karpos_and_std_imported {
using namespace karpos;  // NOLINT(google-build-using-namespace)
using namespace std;     // NOLINT(google-build-using-namespace)
#undef CALL
#define CALL(expression, value)                                                                    \
  if constexpr (requires { expression; }) {                                                        \
    ++calls;                                                                                       \
    EXPECT_NEAR(first_element(expression), value, 1e-12) << #expression;                           \
  } else {                                                                                         \
    ++refused;                                                                                     \
  }
template <class A, class B, class V, class I, class C>
void call_all(A const& a, [[maybe_unused]] B const& b, V const& v, [[maybe_unused]] I const& i,
              [[maybe_unused]] C const& c) {
  ALL_CALLS
}
}  // namespace karpos_and_std_imported

namespace {

struct operands {
  karpos::tensor<double, 1> a{1.5, 2.75, 4.0};
  karpos::tensor<double, 1> b{0.25, 0.5, 0.75};
  karpos::tensor<int, 1> i{7, 8, 9};
  karpos::tensor<Kokkos::complex<double>, 1> c{Kokkos::complex<double>(3, 4)};
  Kokkos::View<double*, karpos::default_space> v{"v", 3};
  operands() { karpos::assign(v, b); }
};

TEST(names, are_found_by_tensors_alone) {
  operands const o;
  nothing_imported::call_all<true>(o.a, o.b, o.v, o.i, o.c);
}

TEST(names, are_found_by_a_using_directive) {
  operands const o;
  karpos_imported::call_all<true>(o.a, o.b, o.v, o.i, o.c);
}

TEST(names, beside_those_of_kokkos_are_right_or_refused) {
  operands const o;
  karpos_and_kokkos_imported::call_all<true>(o.a, o.b, o.v, o.i, o.c);
}

TEST(names, beside_those_of_std_are_right_or_refused) {
  operands const o;
  calls = refused = 0;
  karpos_and_std_imported::call_all(o.a, o.b, o.v, o.i, o.c);
  EXPECT_GT(calls, 95);
  EXPECT_LT(refused, 5);
}

// Scalars beside `using namespace karpos` keep their own functions.
namespace with_scalars {
using namespace karpos;  // NOLINT(google-build-using-namespace)
double scalars(double x) {
  return sqrt(x) + exp(x) + pow(x, 2.0) + fmod(x, 2.0) + std::max(x, 1.0) + floor(x);
}
}  // namespace with_scalars

TEST(names, of_scalar_functions_stay_what_they_are) {
  EXPECT_EQ(with_scalars::scalars(1.5), std::sqrt(1.5) + std::exp(1.5) + 2.25 + 1.5 + 1.5 + 1.0);
}

TEST(names, swap_and_print_are_found_by_their_arguments) {
  operands o;
  swap(o.a, o.b);
  EXPECT_EQ(karpos::item(o.a, 0), 0.25);
  assign(o.a, 2.0 * o.b);
  EXPECT_EQ(karpos::item(o.a, 0), 3.0);
  copy(o.a, o.b);
  EXPECT_EQ(karpos::item(o.a, 0), 1.5);
  gemm(1.0, karpos::ones(3, 1), karpos::ones(1, 2), 0.0, karpos::empty(3, 2));
}

}  // namespace
