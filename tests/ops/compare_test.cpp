// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// isclose and allclose against NumPy's rule written as a host loop; array_equal against its
// definition.
#include <karpos/ops/compare.hpp>
#include <karpos/ops/create.hpp>
#include <karpos/ops/operators.hpp>
#include <karpos/ops/reduce.hpp>
#include <karpos/ops/reshape.hpp>
#include <karpos/ops/shape.hpp>
#include <karpos/ops/transfer.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace {

namespace kp = karpos;
using kp::tensor;
using c64 = Kokkos::complex<float>;
using c128 = Kokkos::complex<double>;

double const nan = std::numeric_limits<double>::quiet_NaN();
double const inf = std::numeric_limits<double>::infinity();

// NumPy's definition: |a - b| <= atol + rtol |b| where b is finite; else equality.
bool numpy_isclose(double a, double b, kp::close_options const& o) {
  if (std::isnan(a) && std::isnan(b))
    return o.equal_nan;
  return a == b || (std::isfinite(b) && std::abs(a - b) <= o.atol + o.rtol * std::abs(b));
}

std::vector<double> const values{0,          -0.0,  1,      1 + 1e-9, 1 + 1e-5, 1 + 1.1e-5,
                                 1.001,      -1,    1e-8,   1.1e-8,   1e-9,     1e10,
                                 1.00001e10, 1e300, -1e300, inf,      -inf,     nan};

template <class T>
tensor<T, 1> column_of_values() {
  tensor<T, 1, kp::host_space> a(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    a(i) = static_cast<T>(values[i]);
  return kp::to<kp::default_space>(a);
}

template <class T>
void expect_numpys_rule(kp::close_options const& options) {
  tensor<T, 1> const a = column_of_values<T>();
  auto const close = kp::to_host(kp::isclose(a(kp::all, kp::newaxis), a, options));
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j) {
      auto const x = static_cast<double>(static_cast<T>(values[i])),
                 y = static_cast<double>(static_cast<T>(values[j]));
      EXPECT_EQ(close(i, j), numpy_isclose(x, y, options)) << x << " and " << y;
      EXPECT_EQ(kp::allclose(a(i, kp::newaxis), a(j, kp::newaxis), options), close(i, j));
    }
}

TEST(isclose, follows_numpys_rule) {
  expect_numpys_rule<double>({});
  expect_numpys_rule<double>({.equal_nan = true});
  expect_numpys_rule<double>({.rtol = 0, .atol = 1e-9});
  expect_numpys_rule<double>({.rtol = 1e-3, .atol = 0});
  expect_numpys_rule<double>({.rtol = 0, .atol = 0});
  expect_numpys_rule<float>({});
  expect_numpys_rule<float>({.rtol = 1e-3, .equal_nan = true});
}

TEST(isclose, is_relative_to_the_second_operand) {
  tensor<double, 1> const small{1.0}, large{1.1};
  kp::close_options const tenth{.rtol = 0.095, .atol = 0};
  EXPECT_TRUE(kp::allclose(small, large, tenth));
  EXPECT_FALSE(kp::allclose(large, small, tenth));
}

TEST(isclose, takes_complex_numbers_by_their_distance) {
  EXPECT_TRUE(kp::allclose(tensor<c128, 1>{c128(3, 4)}, tensor<c128, 1>{c128(3 + 3e-5, 4)}));
  EXPECT_FALSE(
      kp::allclose(tensor<c128, 1>{c128(3, 4)}, tensor<c128, 1>{c128(3 + 4e-5, 4 + 4e-5)}));
  EXPECT_FALSE(kp::allclose(tensor<c128, 1>{c128(3, 4)}, tensor<c128, 1>{c128(3, -4)}));
  EXPECT_TRUE(kp::allclose(tensor<c64, 1>{c64(1, 0)}, tensor<double, 1>{1}));
  EXPECT_FALSE(kp::allclose(tensor<double, 1>{1}, tensor<c64, 1>{c64(1, 1)}));
  EXPECT_TRUE(kp::allclose(tensor<c128, 1>{c128(inf, 0)}, tensor<c128, 1>{c128(inf, 0)}));
  EXPECT_FALSE(kp::allclose(tensor<c128, 1>{c128(nan, 0)}, tensor<c128, 1>{c128(nan, 0)}));
  EXPECT_TRUE(kp::allclose(tensor<c128, 1>{c128(nan, 0)}, tensor<c128, 1>{c128(0, nan)},
                           {.equal_nan = true}));
}

TEST(isclose, takes_integers_bools_and_mixtures) {
  EXPECT_TRUE(kp::allclose(tensor<int, 1>{1000000}, tensor<int, 1>{1000001}));
  EXPECT_FALSE(kp::allclose(tensor<int, 1>{10}, tensor<int, 1>{11}));
  EXPECT_TRUE(kp::allclose(tensor<std::uint8_t, 1>{0}, tensor<std::uint8_t, 1>{255},
                           {.atol = 255}));  // no wrapping
  EXPECT_FALSE(
      kp::allclose(tensor<std::uint64_t, 1>{~std::uint64_t{0}}, tensor<std::int64_t, 1>{-1}));
  EXPECT_TRUE(kp::allclose(tensor<int, 1>{2}, tensor<double, 1>{2.00001}));
  EXPECT_TRUE(kp::allclose(tensor<bool, 1>{true, false}, tensor<int, 1>{1, 0}));
  EXPECT_TRUE(
      kp::allclose(tensor<kp::half, 1>{kp::half(0.1f)}, tensor<float, 1>{0.1f}, {.rtol = 1e-3}));
  EXPECT_FALSE(kp::allclose(tensor<kp::half, 1>{kp::half(0.1f)}, tensor<float, 1>{0.1f}));
}

TEST(allclose, broadcasts_and_takes_scalars_and_expressions) {
  tensor<double, 2> const a = kp::reshape(kp::arange(6.0), 2, 3);
  EXPECT_TRUE(kp::allclose(a, a + 1e-9));
  EXPECT_FALSE(kp::allclose(a, a + 1e-3));
  EXPECT_TRUE(kp::allclose(a * 0.0, 0.0));
  EXPECT_TRUE(kp::allclose(1.0, kp::full({2, 2}, 1.0)));
  EXPECT_TRUE(kp::allclose(a - a, kp::zeros<double>(3)));
  EXPECT_TRUE(kp::allclose(kp::transpose(a), kp::transpose(a + 0.0)));
  EXPECT_TRUE(kp::allclose(kp::zeros<double>(0, 3), kp::ones<double>(0, 3)));
  EXPECT_THROW(static_cast<void>(kp::allclose(a, kp::zeros<double>(2))), kp::shape_error);
}

TEST(allclose, finds_one_wrong_element_among_many) {
  tensor<float, 1> const a = kp::ones<float>(100003);
  tensor<float, 1> b = kp::clone(a);
  EXPECT_TRUE(kp::allclose(a, b));
  b(kp::range(77777, 77778)) = 1.1f;
  EXPECT_FALSE(kp::allclose(a, b));
  EXPECT_FALSE(kp::array_equal(a, b));
}

TEST(array_equal, wants_the_same_shape_and_elements) {
  tensor<double, 2> const a{{1, 2}, {3, 4}};
  EXPECT_TRUE(kp::array_equal(a, kp::clone(a)));
  EXPECT_TRUE(kp::array_equal(a, tensor<int, 2>{{1, 2}, {3, 4}}));
  EXPECT_TRUE(kp::array_equal(kp::transpose(a), tensor<double, 2>{{1, 3}, {2, 4}}));
  EXPECT_FALSE(kp::array_equal(a, a + 1e-15));
  EXPECT_FALSE(kp::array_equal(a, kp::ravel(a)));
  EXPECT_FALSE(kp::array_equal(kp::ones<int>(2, 3), kp::ones<int>(3, 2)));
  EXPECT_FALSE(kp::array_equal(kp::ones<int>(3), kp::ones<int>(1)));  // no broadcasting
  EXPECT_TRUE(kp::array_equal(kp::ones<int>(0, 3), kp::zeros<int>(0, 3)));
  EXPECT_FALSE(kp::array_equal(kp::ones<int>(0, 3), kp::ones<int>(3, 0)));
}

TEST(array_equal, compares_values) {
  EXPECT_TRUE(kp::array_equal(tensor<double, 1>{0.0}, tensor<double, 1>{-0.0}));
  EXPECT_FALSE(kp::array_equal(tensor<double, 1>{nan}, tensor<double, 1>{nan}));
  EXPECT_TRUE(
      kp::array_equal(tensor<double, 1>{nan, 1}, tensor<double, 1>{nan, 1}, {.equal_nan = true}));
  EXPECT_FALSE(
      kp::array_equal(tensor<double, 1>{nan, 1}, tensor<double, 1>{1, nan}, {.equal_nan = true}));
  EXPECT_FALSE(
      kp::array_equal(tensor<std::int64_t, 1>{-1}, tensor<std::uint64_t, 1>{~std::uint64_t{0}}));
  EXPECT_FALSE(kp::array_equal(tensor<std::int64_t, 1>{(std::int64_t{1} << 60) + 1},
                               tensor<std::int64_t, 1>{std::int64_t{1} << 60}));
}

TEST(array_equal, takes_moved_from_tensors_and_kokkos_views) {
  tensor<double, 2> a(2, 2);
  tensor<double, 2> const b = std::move(a);
  EXPECT_FALSE(kp::array_equal(a, b));  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(kp::array_equal(a, tensor<double, 2>()));
  Kokkos::View<double**, Kokkos::LayoutLeft> v("v", 2, 2);
  EXPECT_TRUE(kp::array_equal(v, b));
  EXPECT_TRUE(kp::array_equal(v, v));
}

}  // namespace
