// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a build without a vendor's BLAS does where Kokkos Kernels is there: configured so here, in a
// namespace of its own.
#undef KARPOS_HAS_BLAS
#define KARPOS_HAS_BLAS 0
#undef KARPOS_HAS_CUBLAS
#define KARPOS_HAS_CUBLAS 0
#undef KARPOS_HAS_ROCBLAS
#define KARPOS_HAS_ROCBLAS 0
#include "backend/blas_products.hpp"

namespace {

using namespace karpos_test;
using blas::path;
using host = Kokkos::DefaultHostExecutionSpace;

template <class T>
struct blas_kokkos_kernels : testing::Test {};
using types = testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(blas_kokkos_kernels, types);

template <class T>
void expect_path(trial<T> const& t, path want) {
  expect_right<host>(t);
  EXPECT_EQ(blas::to_string(blas::last_path()), std::string(blas::to_string(want)))
      << "a " << text(t.a) << ", b " << text(t.b);
}

template <class T>
void unasked() {
  constexpr path want =
      blas::detail::second_calls_blas<host> ? path::kokkos_kernels : path::portable;
  for (order a : {order::rows, order::cols, order::rows_slice, order::nonsense})
    for (order b : {order::rows, order::cols})
      for (order c : {order::rows, order::cols})
        for (index_t m : {1, 5})
          for (index_t n : {1, 7}) {
            expect_path(trial<T>{place(a, m, 6), place(b, 6, n), place(c, m, n)}, want);
            expect_path(trial<T>{place(a, m, 6), place(b, 6, n), place(c, m, n), T(2), T(3)}, want);
          }
  expect_path(
      trial<T>{place(order::strided, 5, 6), place(order::rows, 6, 7), place(order::rows, 5, 7)},
      path::portable);
}
TYPED_TEST(blas_kokkos_kernels, products_of_any_order_and_unit_vectors_take_it_unasked) {
  unasked<TypeParam>();
}

template <class T>
void conjugated() {
  if constexpr (karpos::is_complex_v<T>)
    expect_right<host>(trial<T>{place(order::rows, 5, 6), place(order::cols, 6, 7),
                                place(order::rows, 5, 7), T(1), T(0), false, true});
}
TYPED_TEST(blas_kokkos_kernels, conjugated_operands_are_right) { conjugated<TypeParam>(); }

template <class T>
void asked() {
  if constexpr (blas::detail::second<host>::template has_type<T>) {
    blas::scoped_path const forced(path::kokkos_kernels);
    expect_path(trial<T>{place(order::rows, 5, 6, 4), place(order::cols, 6, 7, -4),
                         place(order::rows, 5, 7, 4)},
                path::kokkos_kernels);
    EXPECT_THROW(wrong<host>(trial<T>{place(order::strided, 5, 6), place(order::rows, 6, 7),
                                      place(order::rows, 5, 7)}),
                 karpos::argument_error);
  } else {
    GTEST_SKIP() << "this build has no Kokkos Kernels";
  }
}
TYPED_TEST(blas_kokkos_kernels, a_scoped_path_asks_for_it) { asked<TypeParam>(); }

TEST(blas_kokkos_kernels_integers, stay_on_the_portable_kernel) {
  expect_path(
      trial<int>{place(order::rows, 5, 6), place(order::cols, 6, 7), place(order::rows, 5, 7)},
      path::portable);
}

}  // namespace
