// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random tensors: counter-based (Philox4x32-10), the same bits for a seed on every back end and
// number of threads.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/uniform.hpp>
#include <karpos/ops/create.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace karpos::inline KARPOS_ABI::random {

/// Options of uniform. Without a seed each node draws one from the system when it is built:
/// evaluating the same node twice gives the same numbers.
struct uniform_options {
  std::optional<std::uint64_t> seed{};
  double low = 0.0, high = 1.0;  ///< values lie in [low, high)
};

namespace detail {
inline std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) ^ device();
}

template <class T, int Rank>
auto uniform(extents<Rank> const& shape, uniform_options const& o) {
  auto const low = fn::convert<T>(o.low), high = fn::convert<T>(o.high);
  using C = compute_t<T>;
  if (!(static_cast<C>(low) < static_cast<C>(high)) ||
      !std::isfinite(static_cast<C>(high) - static_cast<C>(low)))
    throw argument_error(
        std::string(
            "karpos::random::uniform: low must be less than high and their distance finite in ") +
        dtype_name<T>() + ": low " + std::to_string(o.low) + ", high " + std::to_string(o.high));
  return ops::detail::generate(fn::uniform<T>{o.seed ? *o.seed : fresh_seed(), 0, low, high},
                               shape);
}
}  // namespace detail

/// Uniform numbers in [low, high): `uniform<float>({1000, 1000}, {.seed = 1})`. Element i in C
/// order takes word i % 4 of Philox block i / 4 (f64: two words, block i / 2).
template <real_floating T = double, std::size_t N>
[[nodiscard]] auto uniform(dim const (&shape)[N], uniform_options const& options = {}) {
  return detail::uniform<T>(make_shape<static_cast<int>(N)>("random::uniform", shape), options);
}
template <real_floating T = double, index_like... I>
[[nodiscard]] auto uniform(I... shape) {
  return detail::uniform<T>(ops::detail::shape_of("random::uniform", shape...), {});
}

}  // namespace karpos::inline KARPOS_ABI::random
