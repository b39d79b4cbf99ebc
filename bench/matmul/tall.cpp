// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times a vector, and A^T A of a tall matrix.
#include "products.hpp"
#include "raw.hpp"

namespace karpos_bench {
namespace {

enum class way { karpos, vendor, raw };

/// n is the place in matrix_sizes.
template <class T>
struct matrix_and_vector {
  explicit matrix_and_vector(std::int64_t place)
      : n(place), size(matrix_sizes[n]), a(random_elements<T>(1, size.rows, size.columns)),
        x(random_elements<T>(2, size.columns)), y(size.rows) {}
  std::int64_t n;
  matrix_size size;
  kp::tensor_view<T const, 2> a;
  kp::tensor_view<T const, 1> x;
  kp::tensor<T, 1> y;
};

template <class T>
void run_gemv(benchmark::State& state, std::int64_t place, way how) {
  auto& o = inputs<matrix_and_vector<T>>(place);
  auto const [rows, columns] = o.size;
  auto const column = kp::view_as(o.x, columns, 1);
  auto const result = kp::view_as(o.y, rows, 1);
  vendor_library<T> const library{space()};
  vector_call<T> const call{columns, rows, o.a.data(), o.x.data(), o.y.data()};
  auto const run = [&](auto const& multiply) {
    run_product<T>(state, o.a, column, result, multiply);
  };
  if (how == way::karpos)
    run([&] { o.y = kp::matmul(o.a, o.x); });
  else if (how == way::vendor)
    run([&] { library.gemv(call); });
  else
    run([&] { run_raw(call); });
}

template <class T>
void add_gemv(std::int64_t place) {
  auto const row = std::string("gemv/") + dtype<T>() + "/" +
                   by(matrix_sizes[place].rows, matrix_sizes[place].columns) + "/";
  auto const add = [&](char const* name, way how) {
    add_row(row + name, [=](benchmark::State& state) { run_gemv<T>(state, place, how); });
  };
  add("karpos", way::karpos);
  if (vendor_library<T>::available)
    add(vendor_library<T>::gemv_name, way::vendor);
  add("raw_kokkos", way::raw);
}

constexpr std::int64_t tall_columns = 64;

template <class T>
struct tall_matrix {
  explicit tall_matrix(std::int64_t rows)
      : n(rows), a(random_elements<T>(1, n, tall_columns)), c(tall_columns, tall_columns) {}
  std::int64_t n;
  kp::tensor_view<T const, 2> a;
  kp::tensor<T, 2> c;
};

/// In column-major terms a is a^T, so the direct call is c = a a^T.
template <class T>
void run_gram(benchmark::State& state, std::int64_t n, way how) {
  auto& o = inputs<tall_matrix<T>>(n);
  constexpr auto k = tall_columns;
  vendor_library<T> const library{space()};
  product_call<T> const call{'N', 'T', k, k, n, o.a.data(), k, o.a.data(), k, o.c.data(), k};
  auto const run = [&](auto const& multiply) {
    run_product<T>(state, kp::transpose(o.a), o.a, o.c.view(), multiply);
  };
  if (how == way::karpos)
    run([&] { o.c = kp::matmul(kp::transpose(o.a), o.a); });
  else
    run([&] { library.gemm(call); });
}

template <class T>
void add_gram(std::int64_t n) {
  auto const row = std::string("matmul(A^T,A)/") + dtype<T>() + "/" + by(n, tall_columns) + "/";
  add_row(row + "karpos", [=](benchmark::State& state) { run_gram<T>(state, n, way::karpos); });
  if constexpr (vendor_library<T>::available)
    add_row(row + vendor_library<T>::gemm_name,
            [=](benchmark::State& state) { run_gram<T>(state, n, way::vendor); });
}

}  // namespace

void add_tall() {
  for (std::int64_t const place : {0, 1}) {
    add_gemv<float>(place);
    add_gemv<double>(place);
  }
  add_gram<float>(100000);
  add_gram<double>(100000);
}

}  // namespace karpos_bench
