// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/inputs.hpp"

#include "common/hash.hpp"
#include "common/text.hpp"
#include <karpos/io/npy.hpp>
#include <karpos/ops/evaluate.hpp>
#include <karpos/ops/random.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace karpos::tools {

namespace {

// The names in which the two operands appear in the results.
std::array<char const*, 2> names_of(std::string const& operation) {
  if (operation == "matmul")
    return {"A", "B"};
  return {"X", "Y"};
}

void check_header(compare_options const& o, std::string const& path, io::npy_header const& h) {
  if (h.dtype != "float32" && h.dtype != "float64")
    throw usage_error(path + " holds " + h.dtype + "; " + o.operation +
                      " takes float32 and float64");
  if (h.rank() != 2)
    throw usage_error(path + " has rank " + std::to_string(h.rank()) + ", shape " +
                      shape_text(h.shape) + "; " + o.operation + " takes matrices (rank 2)");
  if (h.size() == 0)
    throw usage_error(path + " has no elements, shape " + shape_text(h.shape) +
                      ": nothing to time");
}

void check_fit(compare_options const& o, io::npy_header const& a, io::npy_header const& b) {
  auto const both =
      o.files[0] + " is " + shape_text(a.shape) + ", " + o.files[1] + " is " + shape_text(b.shape);
  if (o.operation == "matmul" && a.shape[1] != b.shape[0])
    throw usage_error("matmul: inner extents differ: " + both);
  if (o.operation == "elementwise" && a.shape != b.shape)
    throw usage_error("elementwise: shapes differ: " + both);
  if (a.dtype != b.dtype)
    throw usage_error("element types differ: " + o.files[0] + " holds " + a.dtype + ", " +
                      o.files[1] + " " + b.dtype);
}

template <class T>
bool all_finite(host_matrix<T> const& t) {
  T const* const data = t.data();
  for (index_t i = 0; i < t.size(); ++i)
    if (!std::isfinite(data[i]))
      return false;
  return true;
}

template <class T>
input_array describe(char const* name, std::string const& source, host_matrix<T> const& t) {
  return {name,
          source,
          {t.shape().begin(), t.shape().end()},
          hash_text(t.data(), static_cast<std::size_t>(t.size()) * sizeof(T))};
}

template <class T>
void complete(operands<T>& in, compare_options const& o,
              std::array<std::string, 2> const& sources) {
  auto const names = names_of(o.operation);
  auto& p = in.head;
  p.operation = o.operation;
  p.dtype = dtype_name<T>();
  p.inputs = {describe(names[0], sources[0], in.first), describe(names[1], sources[1], in.second)};
  p.shape = {in.first.extent(0), in.second.extent(1)};
  p.input_hash = hash_of_inputs(p);
}

}  // namespace

std::string check_files(compare_options const& o) {
  auto const a = io::load_npy_info(o.files[0]), b = io::load_npy_info(o.files[1]);
  check_header(o, o.files[0], a);
  check_header(o, o.files[1], b);
  check_fit(o, a, b);
  return a.dtype;
}

template <class T>
operands<T> load_operands(compare_options const& o) {
  operands<T> in{
      io::load_npy<T, 2, host_space>(o.files[0]), io::load_npy<T, 2, host_space>(o.files[1]), {}};
  // A product with NaN or infinity has no error bound to check it by.
  if (o.operation == "matmul" && !all_finite(in.first))
    throw usage_error(o.files[0] + " has elements that are not finite");
  if (o.operation == "matmul" && !all_finite(in.second))
    throw usage_error(o.files[1] + " has elements that are not finite");
  complete(in, o, {o.files[0], o.files[1]});
  return in;
}

template <class T>
operands<T> random_operands(compare_options const& o, std::int64_t n) {
  host_space const exec;
  auto const make = [&](std::uint64_t seed) {
    return karpos::eval(exec, random::uniform<T>({n, n}, {.seed = seed}));
  };
  operands<T> in{make(o.seed), make(o.seed + 1), {}};
  exec.fence("karpos-compare: inputs");
  auto const source = [&](std::uint64_t seed) { return "uniform, seed " + std::to_string(seed); };
  complete(in, o, {source(o.seed), source(o.seed + 1)});
  return in;
}

template operands<float> load_operands(compare_options const&);
template operands<double> load_operands(compare_options const&);
template operands<float> random_operands(compare_options const&, std::int64_t);
template operands<double> random_operands(compare_options const&, std::int64_t);

}  // namespace karpos::tools
