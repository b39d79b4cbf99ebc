// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of n x n matrices in row-major and column-major memory: the direct call gets the same
// memory with transpose flags.
#include "products.hpp"

namespace karpos_bench {
namespace {

/// Which matrices are column-major: transposes of what lies row-major in memory.
struct layouts {
  bool a, b, c;
};

template <class T>
struct factors {
  explicit factors(std::int64_t size)
      : n(size), a(random_elements<T>(1, n, n)), b(random_elements<T>(2, n, n)) {
    c = kp::zeros<T>(n, n);
  }
  std::int64_t n;
  kp::tensor_view<T const, 2> a, b;
  kp::tensor<T, 2> c;
};

template <class View>
View laid_out(View const& v, bool column_major) {
  return column_major ? View(kp::transpose(v)) : v;
}

template <class T>
void run_karpos(benchmark::State& state, std::int64_t n, layouts const& column_major) {
  auto& f = inputs<factors<T>>(n);
  auto const a = laid_out(f.a, column_major.a), b = laid_out(f.b, column_major.b);
  auto const c = laid_out(f.c.view(), column_major.c);
  run_product<T>(state, a, b, c, [&] { kp::assign(c, kp::matmul(a, b)); });
}

/// A row-major c is asked for as c^T = b^T a^T, in which a row-major factor needs no flag.
template <class T>
void run_vendor(benchmark::State& state, std::int64_t n, layouts const& column_major) {
  auto& f = inputs<factors<T>>(n);
  auto const a = laid_out(f.a, column_major.a), b = laid_out(f.b, column_major.b);
  auto const c = laid_out(f.c.view(), column_major.c);
  product_call<T> p{'N', 'N', n, n, n, f.b.data(), n, f.a.data(), n, f.c.data(), n};
  if (column_major.c) {
    p.a = f.a.data(), p.b = f.b.data();
    p.op_a = column_major.a ? 'N' : 'T', p.op_b = column_major.b ? 'N' : 'T';
  } else {
    p.op_a = column_major.b ? 'T' : 'N', p.op_b = column_major.a ? 'T' : 'N';
  }
  vendor_library<T> const library{space()};
  run_product<T>(state, a, b, c, [&] { library.gemm(p); });
}

template <class T>
void add(char const* name, std::int64_t n, layouts const& column_major) {
  auto const row = std::string(name) + "/" + dtype<T>() + "/" + std::to_string(n) + "/";
  add_row(row + "karpos", [=](benchmark::State& state) { run_karpos<T>(state, n, column_major); });
  if constexpr (vendor_library<T>::available)
    add_row(row + vendor_library<T>::gemm_name,
            [=](benchmark::State& state) { run_vendor<T>(state, n, column_major); });
}

template <class T>
void add_mixed_of(std::int64_t n) {
  add<T>("matmul(A,B^T)", n, {.a = false, .b = true, .c = false});
  add<T>("matmul(A^T,B)", n, {.a = true, .b = false, .c = false});
  add<T>("matmul(A^T,B^T)", n, {.a = true, .b = true, .c = false});
  add<T>("C^T=matmul(A,B)", n, {.a = false, .b = false, .c = true});
  add<T>("C^T=matmul(A,B^T)", n, {.a = false, .b = true, .c = true});
}

}  // namespace

void add_square() {
  for (std::int64_t const n : {256, 1000, 4096}) {
    add<float>("matmul", n, {});
    add<double>("matmul", n, {});
  }
}

void add_mixed() {
  for (std::int64_t const n : {1000, 4096}) {
    add_mixed_of<float>(n);
    add_mixed_of<double>(n);
  }
}

}  // namespace karpos_bench
