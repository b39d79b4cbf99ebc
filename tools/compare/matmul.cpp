// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/text.hpp"
#include "compare/direct_blas.hpp"
#include "compare/host_loop.hpp"
#include "compare/operations.hpp"
#include "compare/raw_loops.hpp"
#include "compare/reference.hpp"
#include <karpos/io/npy.hpp>
#include <karpos/karpos.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace karpos::tools {

namespace {

// All that the rows of one space need.
template <class Exec, class T>
struct product_on {
  session const& s;
  product_reference<T> const& reference;
  problem& p;
  Exec exec;
  tensor<T, 2, Exec> a, b, c;

  [[nodiscard]] index_t m() const { return a.extent(0); }
  [[nodiscard]] index_t k() const { return a.extent(1); }
  [[nodiscard]] index_t n() const { return b.extent(1); }
  [[nodiscard]] double flops(index_t rows) const {
    return 2.0 * static_cast<double>(rows) * static_cast<double>(k()) * static_cast<double>(n());
  }
  measured_row& add(std::string name, bench::measurement const& time, index_t rows) {
    return p.rows.emplace_back(
        make_row<Exec>("matmul", std::move(name), time, flops(rows), "GFLOP/s"));
  }
};

// A product that reads as right at a glance: the wrong element is twice the right one plus 1 (1 for
// a negative one).
template <class T>
void plant_error(session const& s, product_reference<T> const& reference, host_matrix<T>& c) {
  if (s.options.plant.empty())
    return;
  T& element = c.data()[reference.element_in_row(s.options.plant == "sampled")];
  element += std::fabs(element) + 1;
}

template <class Exec, class T>
bench::measurement time_karpos(product_on<Exec, T>& on, Exec const& exec) {
  return bench::measure(
      exec, [&] { karpos::assign(exec, on.c, karpos::matmul(on.a, on.b)); }, on.s.timing_options());
}

template <class Exec, class T>
void karpos_row(product_on<Exec, T>& on, operands<T> const& in) {
  auto const time = time_karpos(on, on.exec);
  auto& row = on.add("karpos", time, on.m());
  row.path = backend::blas::to_string(backend::blas::last_path());
  host_matrix<T> c(host_matrix<T>::uninitialised, on.c.shape());
  karpos::copy(on.exec, c, on.c);
  on.exec.fence("karpos-compare: result");
  if (auto const a = transfer_time<Exec>(on.s, on.a, in.first))
    row.to_space_s = *a + *transfer_time<Exec>(on.s, on.b, in.second);
  row.from_space_s = transfer_time<Exec>(on.s, c, on.c);
  if (!on.s.options.output.empty() && row.space == on.s.output_space())
    io::save_npy(on.s.options.output, c);
  plant_error(on.s, on.reference, c);
  row.check = on.reference.check(c.data(), on.m());
}

template <class Exec, class T>
void direct_row(product_on<Exec, T>& on) {
  using direct = direct_product<Exec, T>;
  if (!direct::available())
    return;
  karpos::assign(on.exec, on.c, T(0));
  direct const call(on.exec);
  auto const time = bench::measure(
      on.exec, [&] { call(on.m(), on.n(), on.k(), on.a.data(), on.b.data(), on.c.data()); },
      on.s.timing_options());
  auto& row = on.add("direct BLAS", time, on.m());
  row.path = direct::name();
  row.check = on.reference.check(karpos::to_host(on.c).data(), on.m());
}

// On a host the loop over a large matrix would take minutes, and its rate shows in a part of it.
template <class Exec, class T>
index_t rows_of_raw_loop(product_on<Exec, T> const& on) {
  constexpr double enough = 2.1e9, part = 5e8;  // operations: 1000^3 is done whole
  if (kokkos_ext::is_device_space<Exec> || on.flops(on.m()) <= enough)
    return on.m();
  return std::clamp<index_t>(static_cast<index_t>(part / on.flops(1)), 1, on.m());
}

template <class Exec, class T>
void raw_row(product_on<Exec, T>& on) {
  karpos::assign(on.exec, on.c, T(0));
  raw_matrix<T const, Exec> const a(on.a.data(), on.m(), on.k()), b(on.b.data(), on.k(), on.n());
  raw_matrix<T, Exec> const c(on.c.data(), on.m(), on.n());
  index_t const rows = rows_of_raw_loop(on);
  auto const time =
      bench::measure(on.exec, [&] { raw_product(on.exec, a, b, c, rows); }, on.s.short_options());
  auto& row = on.add("raw Kokkos loop", time, rows);
  if (rows < on.m())
    row.path = std::to_string(rows) + " rows";
  row.check = on.reference.check(karpos::to_host(on.c).data(), rows);
}

template <class Exec, class T>
void one_thread_row(product_on<Exec, T>& on) {
  if constexpr (kokkos_ext::has_one_thread_instance<Exec>) {
    if (kokkos_ext::concurrency(on.exec) == 1)
      return;
    karpos::assign(on.exec, on.c, T(0));
    Exec const single(1);
    auto const time = time_karpos(on, single);
    auto& row = on.add("one thread", time, on.m());
    int const threads = backend::blas::threads(single);
    row.path = concat(backend::blas::to_string(backend::blas::last_path()), ", ",
                      std::to_string(threads), threads == 1 ? " thread" : " threads");
    row.check = on.reference.check(karpos::to_host(on.c).data(), on.m());
  }
}

template <class Exec, class T>
void compare_on(session const& s, operands<T> const& in, product_reference<T> const& reference,
                problem& p) {
  using matrix = tensor<T, 2, Exec>;
  Exec const exec;
  product_on<Exec, T> on{
      s,
      reference,
      p,
      exec,
      karpos::to<Exec>(in.first),
      karpos::to<Exec>(in.second),
      matrix(matrix::uninitialised, {in.first.extent(0), in.second.extent(1)}, exec)};
  karpos_row(on, in);
  direct_row(on);
  raw_row(on);
  one_thread_row(on);
}

}  // namespace

template <class T>
problem compare_matmul(session const& s, operands<T> const& in) {
  auto p = in.head;
  product_reference<T> const reference(in.first.data(), in.second.data(), in.first.extent(0),
                                       in.first.extent(1), in.second.extent(1),
                                       s.options.full_check_size, run_on_host);
  for_each_chosen_space(s, [&]<class Exec>() { compare_on<Exec>(s, in, reference, p); });
  return p;
}

template problem compare_matmul(session const&, operands<float> const&);
template problem compare_matmul(session const&, operands<double> const&);

}  // namespace karpos::tools
