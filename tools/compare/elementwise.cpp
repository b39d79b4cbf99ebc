// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/text.hpp"
#include "compare/host_loop.hpp"
#include "compare/operations.hpp"
#include "compare/raw_loops.hpp"
#include "compare/reference.hpp"
#include <karpos/io/npy.hpp>
#include <karpos/karpos.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace karpos::tools {

namespace {

// An operation: as Karpos writes it, as the body of a raw loop, and as the reference.
struct expression {
  static constexpr char const* name = "expression";
  static constexpr bool takes_row = false;
  template <class X, class Y>
  static auto karpos_form(X const& x, Y const& y) {
    return karpos::exp(-x * x) * karpos::sin(y) + 0.5 * x;
  }
  template <class T>
  KOKKOS_FUNCTION static T scalar(T x, T y) {
    return Kokkos::exp(-x * x) * Kokkos::sin(y) + T(0.5) * x;
  }
  template <class R>
  static expected<R> reference(R x, R y) {
    R const bump = std::exp(-x * x) * std::sin(y), half = R(0.5) * x, value = bump + half;
    return {value, std::max({std::fabs(value), std::fabs(bump), std::fabs(half)})};
  }
};

struct plus {
  static constexpr char const* name = "x+y";
  static constexpr bool takes_row = false;
  template <class X, class Y>
  static auto karpos_form(X const& x, Y const& y) {
    return x + y;
  }
  template <class T>
  KOKKOS_FUNCTION static T scalar(T x, T y) {
    return x + y;
  }
  template <class R>
  static expected<R> reference(R x, R y) {
    return {x + y, std::max({std::fabs(x + y), std::fabs(x), std::fabs(y)})};
  }
};

struct times {
  static constexpr char const* name = "x*y";
  static constexpr bool takes_row = false;
  template <class X, class Y>
  static auto karpos_form(X const& x, Y const& y) {
    return x * y;
  }
  template <class T>
  KOKKOS_FUNCTION static T scalar(T x, T y) {
    return x * y;
  }
  template <class R>
  static expected<R> reference(R x, R y) {
    return {x * y, std::fabs(x * y)};
  }
};

struct plus_row : plus {
  static constexpr char const* name = "x+row";
  static constexpr bool takes_row = true;
};

// A failure of one row of the matrix, or the largest error in it.
struct row_error {
  double worst = 0;
  index_t column = 0;
};

template <class Operation, class T>
row_error check_row(operands<T> const& in, T const* result, index_t i) {
  using R = wider<T>;
  index_t const n = in.first.extent(1);
  T const* const x = in.first.data() + i * n;
  T const* const y = in.second.data() + (Operation::takes_row ? 0 : i * n);
  row_error e;
  for (index_t j = 0; j < n; ++j) {
    double const error =
        elementwise_error(result[i * n + j], Operation::reference(R(x[j]), R(y[j])));
    if (!(error <= e.worst))
      e = {error, j};
  }
  return e;
}

template <class Operation, class T>
verdict check_result(operands<T> const& in, T const* result) {
  index_t const m = in.first.extent(0), n = in.first.extent(1);
  std::vector<row_error> errors(static_cast<std::size_t>(m));
  run_on_host(m, [&](index_t i) {
    errors[static_cast<std::size_t>(i)] = check_row<Operation>(in, result, i);
  });
  auto const worst = std::ranges::max_element(errors, {}, &row_error::worst);
  verdict v;
  v.status = worst->worst <= 1 ? "pass" : "fail";
  v.how = "all elements within 8 ulp";
  if (std::isfinite(worst->worst))
    v.worst = worst->worst;
  if (worst->worst <= 1)
    return v;
  using R = wider<T>;
  index_t const i = worst - errors.begin(), j = worst->column;
  auto const want = Operation::reference(
      R(in.first.data()[i * n + j]), R(in.second.data()[(Operation::takes_row ? 0 : i * n) + j]));
  v.detail = "element (" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
             exact_text(static_cast<double>(result[i * n + j])) + ", should be " +
             exact_text(static_cast<double>(want.value)) + " +- " +
             number_text(static_cast<double>(8 * ulp_at<T>(want.scale)));
  return v;
}

template <class Exec, class T>
struct elements_on {
  session const& s;
  operands<T> const& in;
  problem& p;
  Exec exec;
  tensor<T, 2, Exec> x, y, r;

  // Each input once and the output once.
  template <class Operation>
  [[nodiscard]] double bytes() const {
    auto const all = static_cast<double>(x.size()), row = static_cast<double>(x.extent(1));
    return static_cast<double>(sizeof(T)) * (2 * all + (Operation::takes_row ? row : all));
  }
  template <class Operation>
  measured_row& add(std::string name, bench::measurement const& time) {
    return p.rows.emplace_back(
        make_row<Exec>(Operation::name, std::move(name), time, bytes<Operation>(), "GB/s"));
  }
};

template <class Operation, class Exec, class T>
bench::measurement time_karpos(elements_on<Exec, T>& on, Exec const& exec) {
  auto const run = [&] {
    if constexpr (Operation::takes_row) {
      karpos::assign(exec, on.r, Operation::karpos_form(on.x, on.y.view()(0)));
    } else {
      karpos::assign(exec, on.r, Operation::karpos_form(on.x, on.y));
    }
  };
  return bench::measure(exec, run, on.s.timing_options());
}

// One element, off by a sixteenth of a percent.
template <class T>
void plant_error(host_matrix<T>& r) {
  T& element = r.data()[r.size() / 2];
  element += std::fabs(element) / T(1600) + std::numeric_limits<T>::min();
}

template <class Operation, class Exec, class T>
void karpos_row(elements_on<Exec, T>& on) {
  auto const time = time_karpos<Operation>(on, on.exec);
  auto& row = on.template add<Operation>("karpos", time);
  host_matrix<T> r(host_matrix<T>::uninitialised, on.r.shape());
  karpos::copy(on.exec, r, on.r);
  on.exec.fence("karpos-compare: result");
  if (auto const t = transfer_time<Exec>(on.s, on.x, on.in.first))
    row.to_space_s = *t + *transfer_time<Exec>(on.s, on.y, on.in.second);
  row.from_space_s = transfer_time<Exec>(on.s, r, on.r);
  bool const wanted = !on.s.options.output.empty() && row.space == on.s.output_space();
  if (wanted && row.operation == expression::name)
    io::save_npy(on.s.options.output, r);
  if (!on.s.options.plant.empty())
    plant_error(r);
  row.check = check_result<Operation>(on.in, r.data());
}

template <class Operation, class Exec, class T>
bench::measurement time_raw(elements_on<Exec, T>& on) {
  auto const options = on.s.timing_options();
  if constexpr (Operation::takes_row) {
    index_t const m = on.r.extent(0), n = on.r.extent(1);
    raw_matrix<T const, Exec> const x(on.x.data(), m, n);
    raw_vector<T const, Exec> const row(on.y.data(), n);
    raw_matrix<T, Exec> const r(on.r.data(), m, n);
    row_loop<Operation, decltype(x), decltype(row), decltype(r)> const body{x, row, r};
    Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>> const work(
        on.exec, {0, 0}, {m, n});
    return bench::measure(on.exec, [&] { Kokkos::parallel_for("raw::row", work, body); }, options);
  } else {
    raw_vector<T const, Exec> const x(on.x.data(), on.x.size()), y(on.y.data(), on.y.size());
    raw_vector<T, Exec> const r(on.r.data(), on.r.size());
    element_loop<Operation, decltype(x), decltype(y), decltype(r)> const body{x, y, r};
    Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>> const work(on.exec, 0, on.r.size());
    return bench::measure(
        on.exec, [&] { Kokkos::parallel_for("raw::elements", work, body); }, options);
  }
}

template <class Operation, class Exec, class T>
void raw_row(elements_on<Exec, T>& on) {
  karpos::assign(on.exec, on.r, T(0));
  auto const time = time_raw<Operation>(on);
  auto& row = on.template add<Operation>("raw Kokkos loop", time);
  row.path = Operation::takes_row ? "MDRangePolicy" : "RangePolicy";
  row.check = check_result<Operation>(on.in, karpos::to_host(on.r).data());
}

template <class Operation, class Exec, class T>
void one_thread_row(elements_on<Exec, T>& on) {
  if constexpr (kokkos_ext::has_one_thread_instance<Exec>) {
    if (kokkos_ext::concurrency(on.exec) == 1)
      return;
    karpos::assign(on.exec, on.r, T(0));
    auto const time = time_karpos<Operation>(on, Exec(1));
    auto& row = on.template add<Operation>("one thread", time);
    row.check = check_result<Operation>(on.in, karpos::to_host(on.r).data());
  }
}

template <class Operation, class Exec, class T>
void run_operation(elements_on<Exec, T>& on) {
  karpos_row<Operation>(on);
  raw_row<Operation>(on);
  one_thread_row<Operation>(on);
}

template <class Exec, class T>
void compare_on(session const& s, operands<T> const& in, problem& p) {
  using matrix = tensor<T, 2, Exec>;
  Exec const exec;
  elements_on<Exec, T> on{s,
                          in,
                          p,
                          exec,
                          karpos::to<Exec>(in.first),
                          karpos::to<Exec>(in.second),
                          matrix(matrix::uninitialised, in.first.shape(), exec)};
  run_operation<expression>(on);
  run_operation<plus>(on);
  run_operation<times>(on);
  run_operation<plus_row>(on);
}

}  // namespace

template <class T>
problem compare_elementwise(session const& s, operands<T> const& in) {
  auto p = in.head;
  for_each_chosen_space(s, [&]<class Exec>() { compare_on<Exec>(s, in, p); });
  return p;
}

template problem compare_elementwise(session const&, operands<float> const&);
template problem compare_elementwise(session const&, operands<double> const&);

}  // namespace karpos::tools
