// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a Kokkos user writes first: one loop over the elements of the result, plain Kokkos::Views.
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karpos::tools {

/// Row-major and unmanaged: a raw loop reads and writes the very memory that Karpos does.
template <class T, class Exec>
using raw_matrix =
    Kokkos::View<T**, Kokkos::LayoutRight, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class T, class Exec>
using raw_vector = Kokkos::View<T*, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class A, class B, class C>
struct product_loop {
  A a;
  B b;
  C c;
  KOKKOS_FUNCTION void operator()(std::int64_t element) const {
    auto const columns = static_cast<std::int64_t>(c.extent(1));
    auto const i = element / columns, j = element % columns;
    typename C::non_const_value_type sum = 0;
    for (std::int64_t p = 0; p < static_cast<std::int64_t>(a.extent(1)); ++p)
      sum += a(i, p) * b(p, j);
    c(i, j) = sum;
  }
};

/// The first `rows` rows of c = a b.
template <class Exec, class A, class B, class C>
void raw_product(Exec const& exec, A const& a, B const& b, C const& c, std::int64_t rows) {
  using policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  auto const elements = rows * static_cast<std::int64_t>(c.extent(1));
  Kokkos::parallel_for("raw::matmul", policy(exec, 0, elements), product_loop<A, B, C>{a, b, c});
}

/// r(i, j) = Operation::scalar(x(i, j), y(i, j)) over the elements in one row.
template <class Operation, class X, class Y, class R>
struct element_loop {
  X x;
  Y y;
  R r;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { r(i) = Operation::scalar(x(i), y(i)); }
};

/// r(i, j) = Operation::scalar(x(i, j), row(j)).
template <class Operation, class X, class Row, class R>
struct row_loop {
  X x;
  Row row;
  R r;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    r(i, j) = Operation::scalar(x(i, j), row(j));
  }
};

}  // namespace karpos::tools
