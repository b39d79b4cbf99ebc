// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backend/blas_products.hpp"
#include <karpos/backend/blas/detail/status.hpp>
#include <karpos/base/error.hpp>

#include <array>
#include <chrono>
#include <ctime>
#include <sstream>
#include <thread>
#include <tuple>
#include <type_traits>

namespace {

using namespace karpos_test;
using blas::path;

template <class Exec, class T>
struct on {
  using exec = Exec;
  using type = T;
};

// Every space of the build with every kind of element: int8, uint16 and int32 share the 32-bit
// arithmetic.
template <class Exec>
using on_space =
    std::tuple<on<Exec, float>, on<Exec, double>, on<Exec, Kokkos::complex<float>>,
               on<Exec, Kokkos::complex<double>>, on<Exec, karpos::half>,
               on<Exec, karpos::bfloat16>, on<Exec, std::int8_t>, on<Exec, std::uint16_t>,
               on<Exec, std::int32_t>, on<Exec, std::int64_t>>;
template <class... T>
testing::Types<T...> as_types(std::tuple<T...>);
using device_cases = std::conditional_t<
    std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>, std::tuple<>,
    on_space<Kokkos::DefaultExecutionSpace>>;
using cases = decltype(as_types(
    std::tuple_cat(on_space<Kokkos::DefaultHostExecutionSpace>(), device_cases())));

template <class Case>
struct blas_gemm : testing::Test {
  using exec = typename Case::exec;
  using type = typename Case::type;
};
TYPED_TEST_SUITE(blas_gemm, cases);

/// Through the path that the library chooses, and through the portable kernel.
template <class Exec, class T>
void expect_right_on_both(trial<T> const& t) {
  expect_right<Exec>(t);
  blas::scoped_path const portable(path::portable);
  expect_right<Exec>(t);
}

template <class Exec, class T>
void small_sizes() {
  for (index_t m : {0, 1, 2, 3, 17, 33})
    for (index_t n : {0, 1, 2, 3, 17, 33})
      for (index_t k : {0, 1, 2, 3, 17, 33})
        expect_right_on_both<Exec>(
            trial<T>{place(order::rows, m, k), place(order::rows, k, n), place(order::rows, m, n)});
}
TYPED_TEST(blas_gemm, small_sizes_of_every_extent_are_right) {
  small_sizes<typename TestFixture::exec, typename TestFixture::type>();
}

template <class Exec, class T>
void sizes_around_blocks() {
  for (index_t s : {15, 16, 31, 32, 64, 127, 128, 129})
    expect_right_on_both<Exec>(
        trial<T>{place(order::rows, s, s), place(order::cols, s, s), place(order::rows, s, s)});
  expect_right_on_both<Exec>(trial<T>{place(order::rows, 15, 700), place(order::rows, 700, 65),
                                      place(order::rows, 15, 65)});
  expect_right_on_both<Exec>(
      trial<T>{place(order::cols, 400, 5), place(order::rows, 5, 3), place(order::cols, 400, 3)});
}
TYPED_TEST(blas_gemm, sizes_around_the_block_sizes_are_right) {
  sizes_around_blocks<typename TestFixture::exec, typename TestFixture::type>();
}

template <class Exec, class T>
void every_order(index_t m, index_t n, index_t k) {
  for (order a : all_orders)
    for (order b : all_orders)
      for (order c : all_orders)
        expect_right_on_both<Exec>(trial<T>{place(a, m, k), place(b, k, n), place(c, m, n)});
}
TYPED_TEST(blas_gemm, every_order_of_the_three_matrices_is_right) {
  every_order<typename TestFixture::exec, typename TestFixture::type>(5, 7, 6);
}
TYPED_TEST(blas_gemm, every_order_of_vectors_is_right) {
  using exec = typename TestFixture::exec;
  using type = typename TestFixture::type;
  every_order<exec, type>(5, 1, 6);
  every_order<exec, type>(1, 7, 6);
  every_order<exec, type>(5, 7, 1);
  every_order<exec, type>(1, 1, 6);
  every_order<exec, type>(1, 1, 1);
}

template <class Exec, class T>
void scalars() {
  for (T alpha : {T(1), T(0), T(3)})
    for (T beta : {T(0), T(1), T(2)})
      for (index_t n : {1, 6})
        for (index_t k : {0, 9})
          expect_right_on_both<Exec>(trial<T>{place(order::rows, 7, k),
                                              place(order::cols_slice, k, n),
                                              place(order::cols, 7, n), alpha, beta});
}
TYPED_TEST(blas_gemm, alpha_and_beta_scale_and_beta_zero_does_not_read_c) {
  scalars<typename TestFixture::exec, typename TestFixture::type>();
}

template <class Exec, class T>
void conjugates() {
  if constexpr (karpos::is_complex_v<T>) {
    for (bool conj_a : {false, true})
      for (bool conj_b : {false, true})
        for (order a : {order::rows, order::cols, order::strided})
          for (order b : {order::rows, order::cols})
            for (order c : {order::rows, order::cols})
              for (index_t n : {1, 4}) {
                trial<T> t{place(a, 5, 3), place(b, 3, n), place(c, 5, n), T(1, 2),
                           T(-1, 1),       conj_a,         conj_b};
                expect_right_on_both<Exec>(t);
                std::swap(t.a, t.b);
                t.a = place(b, n, 3), t.b = place(a, 3, 5), t.c = place(c, n, 5);
                expect_right_on_both<Exec>(t);
              }
  }
}
TYPED_TEST(blas_gemm, conjugated_operands_are_right) {
  conjugates<typename TestFixture::exec, typename TestFixture::type>();
}

template <class Exec, class T>
void batches() {
  for (index_t batch : {0, 1, 2, 9})
    for (index_t m : {1, 4})
      for (index_t n : {1, 5})
        for (order o : {order::rows, order::cols, order::strided})
          for (bool repeat_a : {false, true})
            for (bool repeat_b : {false, true})
              expect_right_on_both<Exec>(trial<T>{place(o, m, 3, repeat_a ? -batch : batch),
                                                  place(o, 3, n, repeat_b ? -batch : batch),
                                                  place(o, m, n, batch), T(2), T(1)});
}
TYPED_TEST(blas_gemm, batches_with_repeated_operands_are_right) {
  batches<typename TestFixture::exec, typename TestFixture::type>();
}

// A slice ::2 of a batch, batches in reverse, and matrices that interleave.
template <class Exec, class T>
void odd_batches() {
  auto canonical = place(order::rows, 4, 4, 4);
  trial<T> every_second{canonical, canonical, canonical};
  every_second.a.batch_stride = 32, every_second.a.size = 200;
  expect_right_on_both<Exec>(every_second);
  trial<T> backward{canonical, canonical, canonical};
  backward.a.first = canonical.at(3, 0, 0), backward.a.batch_stride = -canonical.batch_stride;
  expect_right_on_both<Exec>(backward);
  trial<T> interleaved{canonical, canonical, canonical};
  interleaved.a = {4, 4, 4, 16, 1, 4, 1, 70};
  interleaved.c = {4, 4, 4, 16, 1, 4, 1, 70};
  expect_right_on_both<Exec>(interleaved);
}
TYPED_TEST(blas_gemm, batch_strides_need_not_be_canonical) {
  odd_batches<typename TestFixture::exec, typename TestFixture::type>();
}

// Stacked rows of a batch that shares b, and stacked columns of a batch that shares a, become one
// product.
template <class Exec, class T>
void merged_batches() {
  trial<T> rows{
      {4, 3, 5, 3, 1, 12, 0, 60}, place(order::rows, 3, 6, -5), {4, 6, 5, 6, 1, 24, 0, 120}};
  expect_right_on_both<Exec>(rows);
  trial<T> cols{
      place(order::rows, 4, 3, -5), {3, 2, 5, 10, 1, 2, 0, 30}, {4, 2, 5, 10, 1, 2, 0, 40}};
  expect_right_on_both<Exec>(cols);
  trial<T> vectors{
      place(order::rows, 4, 3, -5), {3, 1, 5, 1, 1, 3, 0, 15}, {4, 1, 5, 1, 1, 4, 0, 20}};
  expect_right_on_both<Exec>(vectors);
  trial<T> windows{
      {1, 3, 5, 1, 1, 1, 0, 7}, place(order::rows, 3, 2, -5), {1, 2, 5, 2, 1, 2, 0, 10}};
  expect_right_on_both<Exec>(windows);
}
TYPED_TEST(blas_gemm, batches_that_continue_each_other_are_right) {
  merged_batches<typename TestFixture::exec, typename TestFixture::type>();
}

// The kernel for devices on a host space: teams of one thread, each with a whole tile.
struct run_device_kernel {
  template <class Exec, class T>
  void operator()(Exec const& exec, blas::gemm_problem<T> const& p) const {
    if constexpr (karpos::host_execution<Exec>)
      blas::detail::run_device_product<blas::detail::device_tiling<1, 8, 4>>(exec, p);
    else
      blas::portable_gemm(exec, p);
  }
};
template <class Exec, class T>
void device_kernel() {
  for (order a : {order::rows, order::cols, order::strided})
    for (order b : {order::rows, order::cols, order::rows_backward})
      for (order c : {order::rows, order::cols, order::strided})
        expect_right<Exec>(trial<T>{place(a, 19, 10, 3), place(b, 10, 9, -3), place(c, 19, 9, 3),
                                    T(2), T(1), true},
                           run_device_kernel{});
}
TYPED_TEST(blas_gemm, the_device_kernel_is_right) {
  device_kernel<typename TestFixture::exec, typename TestFixture::type>();
}

// The one for batches of small matrices, likewise.
template <int Block>
struct run_small_kernel {
  template <class Exec, class T>
  void operator()(Exec const& exec, blas::gemm_problem<T> const& p) const {
    constexpr int threads = karpos::host_execution<Exec> ? 1 : 64;
    if (!blas::detail::run_small_products<threads, Block>(exec, p)) {
      EXPECT_EQ(sizeof(T), 16u);  // what may be too large for the scratch
      blas::portable_gemm(exec, p);
    }
  }
};
// Matrices that follow each other without gaps.
placement dense(order o, index_t rows, index_t cols, index_t batch) {
  bool const by_cols = o == order::cols;
  return {rows,
          cols,
          batch,
          by_cols ? 1 : cols,
          by_cols ? rows : 1,
          rows * cols,
          0,
          rows * cols * batch};
}
template <class Exec, class T>
void small_kernel(trial<T> const& t) {
  expect_right<Exec>(t, run_small_kernel<4>{});
  expect_right<Exec>(t, run_small_kernel<8>{});
}
template <class Exec, class T>
void small_kernel_sizes() {
  for (auto const [m, n, k] : {std::array<index_t, 3>{1, 1, 1},
                               {2, 3, 1},
                               {3, 3, 3},
                               {4, 4, 4},
                               {5, 1, 7},
                               {1, 6, 8},
                               {8, 8, 8},
                               {8, 16, 4},
                               {4, 32, 8},
                               {6, 8, 8},
                               {16, 16, 16},
                               {17, 9, 23},
                               {32, 4, 32},
                               {31, 32, 29},
                               {32, 32, 32}})
    for (order a : {order::rows, order::cols})
      for (order b : {order::rows, order::cols})
        for (index_t batch : {index_t{3}, m * n * k <= 100 ? index_t{70} : index_t{20}})
          small_kernel<Exec>(trial<T>{dense(a, m, k, batch), dense(b, k, n, batch),
                                      dense(order::rows, m, n, batch), T(1), T(batch == 3)});
}
TYPED_TEST(blas_gemm, the_kernel_for_small_matrices_is_right_for_every_size) {
  small_kernel_sizes<typename TestFixture::exec, typename TestFixture::type>();
}
template <class Exec, class T>
void small_kernel_orders() {
  for (order a : all_orders)
    for (order b : {order::rows, order::cols_slice, order::cols_backward, order::strided})
      for (order c : {order::rows, order::cols, order::strided})
        for (index_t batch : {-9, 9})
          small_kernel<Exec>(trial<T>{place(a, 5, 8, batch), place(b, 8, 12, -batch),
                                      place(c, 5, 12, 9), T(2), T(1), true, batch < 0});
}
TYPED_TEST(blas_gemm, the_kernel_for_small_matrices_is_right_for_every_order) {
  small_kernel_orders<typename TestFixture::exec, typename TestFixture::type>();
}

template <class Provider, class T>
constexpr bool has_type() {
  if constexpr (Provider::template has_type<T>)
    return true;
  else
    return false;
}

template <class Exec, class T>
void forced_vendor() {
  constexpr path vendor = blas::detail::vendor<Exec>::id;
  constexpr path second = blas::detail::second<Exec>::id;
  trial<T> const t{place(order::rows, 6, 5), place(order::cols_slice, 5, 4),
                   place(order::rows, 6, 4)};
  for (path wanted : {path::portable, vendor, second}) {
    bool const serves = wanted == path::portable ||
                        (wanted == vendor && has_type<blas::detail::vendor<Exec>, T>()) ||
                        (wanted == second && has_type<blas::detail::second<Exec>, T>());
    if (wanted == path::none || !serves)
      continue;
    blas::scoped_path const forced(wanted);
    expect_right<Exec>(t);
    EXPECT_EQ(blas::last_path(), wanted);
    expect_right<Exec>(trial<T>{place(order::rows, 6, 5, 3), place(order::cols_slice, 5, 4, -3),
                                place(order::rows, 6, 4, 3)});
    EXPECT_EQ(blas::last_path(), wanted);
    expect_right<Exec>(
        trial<T>{place(order::rows, 6, 5), place(order::cols, 5, 1), place(order::cols, 6, 1)});
    EXPECT_EQ(blas::last_path(), wanted);
  }
}
TYPED_TEST(blas_gemm, each_path_of_the_build_serves_when_it_is_asked_for) {
  forced_vendor<typename TestFixture::exec, typename TestFixture::type>();
}

using host = Kokkos::DefaultHostExecutionSpace;
constexpr bool has_vendor = blas::detail::preferred<host>::id != path::none;

// ---- paths

blas::gemm_problem<double> square(double const* a, double const* b, double* c, index_t n,
                                  index_t row_stride, index_t col_stride) {
  return {1.0, {a, n, n, row_stride, col_stride}, {b, n, n, n, 1}, 0.0, {c, n, n, n, 1}};
}

TEST(blas_path, names) {
  EXPECT_STREQ(blas::to_string(path::none), "none");
  EXPECT_STREQ(blas::to_string(path::kokkos_kernels), "kokkos_kernels");
}

TEST(blas_path, prints_its_name) {
  std::ostringstream out;
  out << path::portable << ' ' << path::cublas;
  EXPECT_EQ(out.str(), "portable cublas");
}

TEST(blas_path, last_path_tells_the_vendor_from_the_portable_kernel) {
  std::vector<double> a(16, 1.0), c(16);
  blas::gemm(host(), square(a.data(), a.data(), c.data(), 2, 2, 1));
  EXPECT_EQ(blas::last_path(), has_vendor ? blas::detail::preferred<host>::id : path::portable);
  blas::gemm(host(), square(a.data(), a.data(), c.data(), 2, 4, 2));
  EXPECT_EQ(blas::last_path(), path::portable);
  blas::gemm(host(), square(a.data(), a.data(), c.data(), 0, 1, 1));
  EXPECT_EQ(blas::last_path(), path::none);
}

TEST(blas_path, last_path_and_scoped_path_belong_to_the_thread) {
  std::vector<double> a(4, 1.0), c(4);
  blas::scoped_path const here(path::portable);
  blas::gemm(host(), square(a.data(), a.data(), c.data(), 2, 2, 1));
  path before = path::portable, after = path::portable;
  std::thread([&] {
    before = blas::last_path();
    blas::gemm(host(), square(a.data(), a.data(), c.data(), 2, 2, 1));
    after = blas::last_path();
  }).join();
  EXPECT_EQ(before, path::none);
  EXPECT_EQ(after, has_vendor ? blas::detail::preferred<host>::id : path::portable);
  EXPECT_EQ(blas::last_path(), path::portable);
}

TEST(blas_path, a_path_that_cannot_serve_is_refused_by_name) {
  std::vector<double> a(16, 1.0), c(4, -1.0);
  auto const refuses = [&](path wanted, auto const& problem) {
    blas::scoped_path const forced(wanted);
    try {
      blas::gemm(host(), problem);
      ADD_FAILURE() << "no exception for " << blas::to_string(wanted);
    } catch (karpos::argument_error const& e) {
      EXPECT_NE(std::string(e.what()).find(std::string("path ") + blas::to_string(wanted)),
                std::string::npos)
          << e.what();
    }
  };
  for (path other : {path::cublas, path::rocblas})
    refuses(other, square(a.data(), a.data(), c.data(), 2, 2, 1));
  for (path strided : {path::blas, path::kokkos_kernels})
    refuses(strided, square(a.data(), a.data(), c.data(), 2, 4, 2));
  EXPECT_EQ(c[0], -1.0);
}

TEST(blas_path, scoped_path_nests) {
  std::vector<double> a(4, 1.0), c(4);
  auto const p = square(a.data(), a.data(), c.data(), 2, 2, 1);
  blas::scoped_path const outer(path::portable);
  {
    blas::scoped_path const inner(path::none);
    blas::gemm(host(), p);
    EXPECT_EQ(blas::last_path() == path::portable, !has_vendor);
  }
  blas::gemm(host(), p);
  EXPECT_EQ(blas::last_path(), path::portable);
}

// ---- errors

TEST(blas_errors, extents_that_do_not_fit_are_refused_with_the_shapes) {
  std::vector<double> a(64);
  blas::gemm_problem<double> const p{
      1.0, {a.data(), 4, 3, 3, 1}, {a.data(), 5, 2, 2, 1}, 0.0, {a.data() + 40, 4, 2, 2, 1}};
  try {
    blas::gemm(host(), p);
    ADD_FAILURE() << "no exception";
  } catch (karpos::shape_error const& e) {
    EXPECT_STREQ(e.what(), "karpos::backend::blas::gemm: extents do not fit: a is (4, 3), b is (5, "
                           "2), c is (4, 2), batch is 1");
  }
}

struct fake_traits {
  using status = int;
  static constexpr int success = 0;
  static char const* text(int) { return "FAKE_STATUS_BROKEN"; }
};
TEST(blas_errors, a_vendor_status_is_reported_with_call_name_code_and_place) {
  EXPECT_NO_THROW(blas::detail::check<fake_traits>(0, "fakeGemm"));
  try {
    blas::detail::check<fake_traits>(7, "fakeGemm");
    ADD_FAILURE() << "no exception";
  } catch (karpos::backend_error const& e) {
    std::string const what = e.what();
    for (char const* part : {"fakeGemm", "FAKE_STATUS_BROKEN", "(7)", "blas_test.cpp:"})
      EXPECT_NE(what.find(part), std::string::npos) << what;
  }
}

// ---- from strides to BLAS arguments

template <class T>
blas::gemm_problem<T> arranged(placement const& a, placement const& b, placement const& c) {
  static T element{};
  return {T(1),
          {&element, a.rows, a.cols, a.row_stride, a.col_stride},
          {&element, b.rows, b.cols, b.row_stride, b.col_stride},
          T(0),
          {&element, c.rows, c.cols, c.row_stride, c.col_stride}};
}

TEST(blas_layout, the_eight_orders_become_flags_and_leading_dimensions) {
  for (order a : {order::rows, order::cols})
    for (order b : {order::rows, order::cols})
      for (order c : {order::rows, order::cols}) {
        auto const call =
            blas::as_gemm(arranged<double>(place(a, 5, 6), place(b, 6, 7), place(c, 5, 7)));
        ASSERT_TRUE(call);
        bool const swapped = c == order::rows;
        EXPECT_EQ(call->m, swapped ? 7 : 5);
        EXPECT_EQ(call->n, swapped ? 5 : 7);
        EXPECT_EQ(call->k, 6);
        EXPECT_EQ(swapped ? call->op_b : call->op_a, a == c ? blas::op::n : blas::op::t);
        EXPECT_EQ(swapped ? call->op_a : call->op_b, b == c ? blas::op::n : blas::op::t);
        EXPECT_EQ(swapped ? call->ldb : call->lda, a == order::rows ? 6 : 5);
        EXPECT_EQ(swapped ? call->lda : call->ldb, b == order::rows ? 7 : 6);
        EXPECT_EQ(call->ldc, swapped ? 7 : 5);
      }
}

TEST(blas_layout, a_leading_slice_keeps_its_leading_dimension) {
  auto const call = blas::as_gemm(arranged<double>(
      {5, 3, 1, 4, 1, 0, 0, 0}, place(order::rows, 3, 7), place(order::rows, 5, 7)));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->ldb, 4);
}

TEST(blas_layout, an_extent_of_one_leaves_its_stride_without_meaning) {
  for (index_t nonsense : {-5, 0, 1, 1000}) {
    auto const call =
        blas::as_gemm(arranged<double>({2, 1, 1, 1, nonsense, 0, 0, 0},
                                       {1, 2, 1, nonsense, 1, 0, 0, 0}, place(order::rows, 2, 2)));
    ASSERT_TRUE(call) << nonsense;
    EXPECT_GE(call->lda, call->op_a == blas::op::n ? call->m : call->k);
    EXPECT_GE(call->ldb, call->op_b == blas::op::n ? call->k : call->n);
  }
}

TEST(blas_layout, backward_strided_and_repeated_matrices_are_not_taken) {
  using view = blas::matrix_view<double const>;
  EXPECT_TRUE(blas::blas_compatible(view{nullptr, 3, 4, 4, 1}));
  EXPECT_TRUE(blas::blas_compatible(view{nullptr, 3, 4, 1, 3}));
  EXPECT_TRUE(blas::blas_compatible(view{nullptr, 3, 4, 9, 1}));
  EXPECT_TRUE(blas::blas_compatible(view{nullptr, 1, 4, -7, 2}));
  EXPECT_FALSE(blas::blas_compatible(view{nullptr, 3, 4, -4, 1}));
  EXPECT_FALSE(blas::blas_compatible(view{nullptr, 3, 4, 8, 2}));
  EXPECT_FALSE(blas::blas_compatible(view{nullptr, 3, 4, 0, 1}));
  EXPECT_FALSE(blas::blas_compatible(
      view{nullptr, 3, 4, 2, 1}));  // rows overlap: ld is less than the columns
}

TEST(blas_layout, vectors_of_any_stride_are_taken_by_matrix_vector_calls) {
  auto const call = blas::as_gemv(arranged<double>(
      place(order::rows, 3, 4), {4, 1, 1, -2, 0, 0, 0, 0}, {3, 1, 1, 5, 0, 0, 0, 0}));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->how, blas::op::t);
  EXPECT_EQ(call->m, 4);
  EXPECT_EQ(call->n, 3);
  EXPECT_EQ(call->lda, 4);
  EXPECT_EQ(call->incx, -2);
  EXPECT_EQ(call->incy, 5);
  EXPECT_FALSE(blas::as_gemv(arranged<double>(place(order::rows, 3, 4), {4, 1, 1, 0, 0, 0, 0, 0},
                                              place(order::rows, 3, 1))));
}

TEST(blas_layout, serves_names_the_operand_to_pack) {
  if constexpr (has_vendor) {
    auto const rows = place(order::rows, 4, 4), strided = place(order::strided, 4, 4);
    EXPECT_TRUE(bool(blas::serves<host>(arranged<double>(rows, rows, rows))));
    EXPECT_FALSE(blas::serves<host>(arranged<int>(rows, rows, rows)).library);
    auto const a = blas::serves<host>(arranged<double>(strided, rows, rows));
    EXPECT_TRUE(a.library && !a.a && a.b && a.c);
    auto const c = blas::serves<host>(arranged<double>(rows, rows, strided));
    EXPECT_TRUE(c.library && c.a && c.b && !c.c);
    using complex = Kokkos::complex<double>;
    auto conjugated = arranged<complex>(rows, rows, rows);
    conjugated.conj_b =
        true;  // c is row-major: a row-major b enters plain, and plain does not conjugate
    auto const b = blas::serves<host>(conjugated);
    EXPECT_TRUE(b.library && b.a && !b.b && b.c);
    conjugated.b = {nullptr, 4, 4, 1, 4};
    EXPECT_TRUE(bool(blas::serves<host>(conjugated)));
  }
}

TEST(blas_layout, extents_beyond_the_librarys_integers_are_not_served) {
  index_t const large = index_t{3} << 30;
  auto const p = arranged<double>({4, 4, 1, large, 1, 0, 0, 0}, place(order::rows, 4, 4),
                                  place(order::rows, 4, 4));
  auto const call = blas::as_gemm(p);
  ASSERT_TRUE(call);
  EXPECT_FALSE(blas::fits_integers<std::int32_t>(*call));
  EXPECT_TRUE(blas::fits_integers<std::int64_t>(*call));
  EXPECT_EQ(blas::serves<host>(p).library, has_vendor && KARPOS_BLAS_ILP64 != 0);
}

// ---- the numbered cases

TEST(blas_cases, half_accumulates_in_float) {
  for (path wanted : {path::none, path::portable}) {
    blas::scoped_path const forced(wanted);
    std::vector<karpos::half> ones(4096, karpos::half(1.0f)), c(1);
    blas::gemm(host(), blas::gemm_problem<karpos::half>{karpos::half(1.0f),
                                                        {ones.data(), 1, 4096, 4096, 1},
                                                        {ones.data(), 4096, 1, 1, 1},
                                                        karpos::half(0.0f),
                                                        {c.data(), 1, 1, 1, 1}});
    EXPECT_EQ(static_cast<float>(c[0]), 4096.0f);
    // The same sum with more than one row, for the kernel of matrices.
    std::vector<karpos::half> many(2 * 4096, karpos::half(1.0f)), d(4);
    blas::gemm(host(), blas::gemm_problem<karpos::half>{karpos::half(1.0f),
                                                        {many.data(), 2, 4096, 4096, 1},
                                                        {many.data(), 4096, 2, 2, 1},
                                                        karpos::half(0.0f),
                                                        {d.data(), 2, 2, 2, 1}});
    for (auto x : d)
      EXPECT_EQ(static_cast<float>(x), 4096.0f);
  }
}

TEST(blas_cases, a_row_major_matrix_times_a_vector) {
  std::vector<double> a(12), x(4, 1.0), y(3, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < 12; ++i)
    a[i] = static_cast<double>(i);
  blas::gemm(host(),
             blas::gemm_problem<double>{
                 1.0, {a.data(), 3, 4, 4, 1}, {x.data(), 4, 1, 1, 1}, 0.0, {y.data(), 3, 1, 1, 1}});
  EXPECT_EQ(y, (std::vector<double>{6, 22, 38}));
}

TEST(blas_cases, no_terms_scale_c) {
  for (auto [beta, want] : {std::pair{0.5, 1.0}, {0.0, 0.0}, {1.0, 2.0}}) {
    std::vector<double> c(9, 2.0);
    blas::gemm(
        host(),
        blas::gemm_problem<double>{
            1.0, {nullptr, 3, 0, 1, 1}, {nullptr, 0, 3, 3, 1}, beta, {c.data(), 3, 3, 3, 1}});
    EXPECT_EQ(c, std::vector<double>(9, want));
  }
}

// Eight host threads, each with its own vector, on one instance.
TEST(blas_threads, many_host_threads_get_the_same_product) {
  constexpr index_t n = 96;
  values v(5);
  std::vector<double> a(n * n);
  for (auto& x : a)
    x = v.next<double>();
  auto const multiply = [&](int thread) {
    std::vector<double> x(n), y(n);
    for (index_t i = 0; i < n; ++i)
      x[static_cast<std::size_t>(i)] = static_cast<double>(thread + 1) / static_cast<double>(i + 1);
    blas::gemm(
        host(),
        blas::gemm_problem<double>{
            1.0, {a.data(), n, n, n, 1}, {x.data(), n, 1, 1, 1}, 0.0, {y.data(), n, 1, 1, 1}});
    return y;
  };
  std::vector<std::vector<double>> want;
  for (int t = 0; t < 8; ++t)
    want.push_back(multiply(t));
  std::vector<int> different(8, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i)
        different[static_cast<std::size_t>(t)] += multiply(t) != want[static_cast<std::size_t>(t)];
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(different, std::vector<int>(8, 0));
}

struct product_inside_a_region {
  host const* exec;
  double const* ones;
  double* out;
  index_t n;
  void operator()(index_t i) const {
    blas::gemm(*exec, square(ones, ones, out + i * n * n, n, n, 1));
  }
};
void products_inside_a_region(double const* ones, double* out, index_t n) {
  host const exec;
  Kokkos::parallel_for("karpos::test::region",
                       Kokkos::RangePolicy<host, Kokkos::IndexType<index_t>>(exec, 0, 2),
                       product_inside_a_region{&exec, ones, out, n});
  exec.fence();
}
TEST(blas_threads, a_product_inside_a_parallel_region_finishes) {
  constexpr index_t n = 512;
  std::vector<double> ones(n * n, 1.0), out(2 * n * n, 0.0);
  if constexpr (has_vendor) {
    products_inside_a_region(ones.data(), out.data(), n);
    EXPECT_EQ(out, std::vector<double>(2 * n * n, 512.0));
  }
}

// On Serial the processor time of the whole process is that of one thread.
TEST(blas_threads, a_library_on_one_thread_stays_on_one_thread) {
  EXPECT_GE(blas::threads<host>(), 1);
  if (host().concurrency() > 1)
    GTEST_SKIP() << "the host space of this build is parallel";
  EXPECT_EQ(blas::threads<host>(), 1);
  constexpr index_t n = 512;
  std::vector<double> a(n * n, 1.0), c(n * n);
  auto const start = std::chrono::steady_clock::now();
  auto const cpu = std::clock();
  for (int i = 0; i < 20; ++i)
    blas::gemm(host(), square(a.data(), a.data(), c.data(), n, n, 1));
  double const used = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  EXPECT_LT(used,
            1.3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() +
                0.02);
}

TEST(blas_threads, the_library_says_what_it_is) { EXPECT_FALSE(blas::library<host>().empty()); }

}  // namespace
