// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definitions of api.hpp: checks a product, chooses the path, runs it. Include it to call
// backend::blas.
#pragma once
#include <karpos/backend/blas/api.hpp>
#include <karpos/backend/blas/portable.hpp>
#include <karpos/backend/blas/select.hpp>
#include <karpos/base/error.hpp>

#include <string>

namespace karpos::inline KARPOS_ABI::backend::blas {

namespace detail {

template <class V>
std::string shape_text(V const& v) {
  return "(" + std::to_string(v.rows) + ", " + std::to_string(v.cols) + ")";
}

template <class T>
KARPOS_COLD void throw_bad_shape(gemm_problem<T> const& p) {
  throw shape_error("karpos::backend::blas::gemm: extents do not fit: a is " + shape_text(p.a) +
                    ", b is " + shape_text(p.b) + ", c is " + shape_text(p.c) + ", batch is " +
                    std::to_string(p.batch));
}

KARPOS_COLD inline void throw_path_refused(path wanted) {
  throw argument_error(std::string("karpos::backend::blas::gemm: path ") + to_string(wanted) +
                       " was asked for and cannot serve this call: no such library for this space "
                       "and element type in the build, "
                       "an operand without unit stride, or an extent beyond its integers");
}

template <class T>
void check_shapes(gemm_problem<T> const& p) {
  bool const fit = p.a.rows == p.c.rows && p.b.cols == p.c.cols && p.a.cols == p.b.rows;
  if (!fit || p.c.rows < 0 || p.c.cols < 0 || p.a.cols < 0 || p.batch < 0)
    throw_bad_shape(p);
}

// Matrix-vector calls go first: they take vectors of any stride.
template <class Provider, class Exec, class T>
bool run_as_it_is(Exec const& exec, gemm_problem<T> const& p) {
  if (auto const v = as_gemv(p); v && Provider::takes(*v))
    return Provider::run(exec, *v), true;
  if (auto const g = as_gemm(p); g && Provider::takes(*g))
    return Provider::run(exec, *g), true;
  return false;
}

template <class Provider, class Exec, class T>
bool run_with(Exec const& exec, gemm_problem<T> const& p) {
  if constexpr (Provider::template has_type<T>) {
    auto const merged = merge_batch(p);
    if (!run_as_it_is<Provider>(exec, merged) &&
        (merged.batch == p.batch || !run_as_it_is<Provider>(exec, p)))
      return false;
    this_thread_path().last = Provider::id;
    return true;
  } else {
    return false;
  }
}

template <class Exec, class T>
void run_portable(Exec const& exec, gemm_problem<T> const& p) {
  portable_gemm(exec, merge_batch(p));
  this_thread_path().last = path::portable;
}

// Where the kernel of our own beats the vendor's library: small matrices on a device.
template <class Exec, class T>
bool prefers_portable(gemm_problem<T> const& p) {
  if constexpr (host_execution<Exec>)
    return false;
  else
    return p.batch > 1 && is_small_batch(merge_batch(p), small_product_extent<T>);
}

template <class Exec, class T>
void run_wanted(Exec const& exec, gemm_problem<T> const& p, path wanted) {
  if (wanted == path::portable)
    return run_portable(exec, p);
  if (wanted == vendor<Exec>::id && run_with<vendor<Exec>>(exec, p))
    return;
  if (wanted == second<Exec>::id && run_with<second<Exec>>(exec, p))
    return;
  throw_path_refused(wanted);
}

// A scaling of c alone: the matrices are not read.
template <class Exec, class T>
void run_scaling(Exec const& exec, gemm_problem<T> const& p) {
  scale(exec, p);
  this_thread_path().last = path::portable;
}

}  // namespace detail

template <class Exec, class T>
void gemm(Exec const& exec, gemm_problem<T> const& problem) {
  static_assert(element<T> && !boolean<T>,
                "karpos::backend::blas::gemm: integers, floating-point and complex elements only");
  detail::check_shapes(problem);
  auto& state = detail::this_thread_path();
  state.last = path::none;
  if (problem.c.rows == 0 || problem.c.cols == 0 || problem.batch == 0)
    return;
  if (problem.a.cols == 0 || problem.alpha == T(0))
    return detail::run_scaling(exec, problem);
  if (state.wanted != path::none)
    return detail::run_wanted(exec, problem, state.wanted);
  if (detail::prefers_portable<Exec>(problem) ||
      !detail::run_with<detail::preferred<Exec>>(exec, problem))
    detail::run_portable(exec, problem);
}

template <class Exec, class T>
served serves(gemm_problem<T> const& problem) {
  using chosen = detail::preferred<Exec>;
  if constexpr (!chosen::template has_type<T>) {
    return {false, false, false, false};
  } else {
    if (detail::prefers_portable<Exec>(problem))
      return {true, true, true, true};  // takes any strides
    if (auto const v = as_gemv(problem); v && chosen::takes(*v))
      return {true, true, true, true};
    auto const o = detail::operands_of(problem);
    if (o.ldc != 0) {
      auto const call = as_gemm(problem);
      return {!call || chosen::takes(*call), o.a.ld != 0, o.b.ld != 0, true};
    }
    auto const packed_c = detail::operands_of(problem, true);
    return {true, packed_c.a.ld != 0, packed_c.b.ld != 0, false};
  }
}

template <class Exec>
std::string library() {
  return detail::preferred<Exec>::template library<Exec>();
}

template <class Exec>
int threads(Exec const& exec) {
  return host_execution<Exec> ? detail::preferred<Exec>::threads(exec) : 0;
}
template <class Exec>
int threads() {
  return blas::threads(Exec());
}

}  // namespace karpos::inline KARPOS_ABI::backend::blas
