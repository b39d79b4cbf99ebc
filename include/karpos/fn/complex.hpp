// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of complex numbers. Real elements count as complex numbers with imaginary part 0. The
// modulus is fn::abs (math.hpp).
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/core/dtype.hpp>
#include <karpos/fn/convert.hpp>
#include <karpos/fn/detail/complex_math.hpp>
#include <karpos/fn/math_types.hpp>
#include <karpos/fn/vector_math.hpp>

namespace karpos::inline KARPOS_ABI::fn {

/// The complex conjugate; a real element itself.
struct conj {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return T(x.real(), -x.imag());
    } else {
      return x;
    }
  }
};

/// The real part, in the real type.
struct real {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr real_of_t<T> operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return x.real();
    } else {
      return x;
    }
  }
};

/// The imaginary part, in the real type; 0 for a real element.
struct imag {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr real_of_t<T> operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return x.imag();
    } else {
      return T(0);
    }
  }
};

/// atan2(imaginary part, real part) in [-pi, pi]; of a negative real number pi.
struct angle {
  template <element T>
  KOKKOS_FORCEINLINE_FUNCTION real_of_t<math_result_t<T>> operator()(T const& x) const {
    if constexpr (complex_floating<T>) {
      return detail::argument(x);
    } else {
      using C = math_compute_t<T>;
      return static_cast<math_result_t<T>>(detail::atan2(C(0), fn::convert<C>(x)));
    }
  }
};

}  // namespace karpos::inline KARPOS_ABI::fn
