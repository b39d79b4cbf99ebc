// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choice between two elements by a third.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>

namespace karpos::inline KARPOS_ABI::fn {

/// a where the condition differs from 0, else b, in the common type of a and b.
struct where {
  template <element C, class A, class B>
    requires promotable<A, B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr promote_t<A, B> operator()(C const& condition, A const& a,
                                                                   B const& b) const {
    using T = promote_t<A, B>;
    return fn::convert<bool>(condition) ? fn::convert<T>(a) : fn::convert<T>(b);
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
