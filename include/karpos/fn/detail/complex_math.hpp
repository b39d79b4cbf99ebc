// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions of complex numbers that fn/ is built on, for host and device alike. They
// neither overflow nor cancel where the result does not, which Kokkos' formulas do. Branch cuts are
// those of C (Annex G), signed zeros choose the side.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/fn/vector_math.hpp>

namespace karpos::inline KARPOS_ABI::fn::detail {

template <class R>
using complex = Kokkos::complex<R>;

/// i z and -i z without arithmetic.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> times_i(complex<R> const& z) {
  return complex<R>(-z.imag(), z.real());
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> over_i(complex<R> const& z) {
  return complex<R>(z.imag(), -z.real());
}

/// Smith's quotient (R. L. Smith, CACM 5 (1962) 435): no overflow unless the result is large. z / 0
/// divides both parts by 0.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> quotient(complex<R> const& a, complex<R> const& b) {
  R const c = b.real();
  R const d = b.imag();
  if (detail::abs(c) >= detail::abs(d)) {
    if (c == R(0) && d == R(0))
      return complex<R>(a.real() / detail::abs(c), a.imag() / detail::abs(c));
    R const ratio = d / c;
    R const scale = R(1) / (c + d * ratio);
    return complex<R>((a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale);
  }
  R const ratio = c / d;
  R const scale = R(1) / (c * ratio + d);
  return complex<R>((a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale);
}

template <class R>
KOKKOS_FORCEINLINE_FUNCTION R modulus(complex<R> const& z) {
  return detail::length(z.real(), z.imag());
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R argument(complex<R> const& z) {
  return detail::atan2(z.imag(), z.real());
}

/// Principal root. Large and tiny arguments are scaled by a power of 4, so that |z| neither
/// overflows nor loses digits.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> sqrt(complex<R> const& z) {
  R x = z.real();
  R y = z.imag();
  if (x == R(0) && y == R(0))
    return complex<R>(R(0), y);
  if (detail::abs(y) == Kokkos::Experimental::infinity_v<R>)
    return complex<R>(detail::abs(y), y);
  R const larger = detail::abs(x) > detail::abs(y) ? detail::abs(x) : detail::abs(y);
  R unscale = 1;
  if (larger > Kokkos::Experimental::finite_max_v<R> / R(8)) {
    x *= R(0.0625);
    y *= R(0.0625);
    unscale = R(4);
  } else if (larger < Kokkos::Experimental::norm_min_v<R> * R(16)) {
    constexpr R up =
        R(1) / (Kokkos::Experimental::epsilon_v<R> * Kokkos::Experimental::epsilon_v<R>);
    x *= up;
    y *= up;
    unscale = Kokkos::Experimental::epsilon_v<R>;
  }
  R const t = detail::sqrt((detail::abs(x) + detail::hypot(x, y)) * R(0.5));
  R const larger_part = t * unscale;
  R const smaller_part = detail::abs(y) / (R(2) * t) * unscale;
  return x >= R(0) ? complex<R>(larger_part, detail::copysign(smaller_part, y))
                   : complex<R>(smaller_part, detail::copysign(larger_part, y));
}

template <class R>
KOKKOS_INLINE_FUNCTION complex<R> exp(complex<R> const& z) {
  R const e = detail::exp(z.real());
  if (z.imag() == R(0))
    return complex<R>(e, z.imag());
  if (e == R(0))
    return complex<R>(R(0), R(0));
  return complex<R>(e * detail::cos(z.imag()), e * detail::sin(z.imag()));
}

template <class R>
KOKKOS_INLINE_FUNCTION complex<R> expm1(complex<R> const& z) {
  if (z.imag() == R(0))
    return complex<R>(detail::expm1(z.real()), z.imag());
  R const s = detail::sin(z.imag() * R(0.5));
  return complex<R>(detail::expm1(z.real()) * detail::cos(z.imag()) - R(2) * s * s,
                    detail::exp(z.real()) * detail::sin(z.imag()));
}

/// log|z|: near |z| = 1 through log1p of |z|^2 - 1, and with z halved where |z| overflows.
template <class R>
KOKKOS_INLINE_FUNCTION R log_modulus(complex<R> const& z) {
  R const x = detail::abs(z.real());
  R const y = detail::abs(z.imag());
  R const large = x > y ? x : y;
  R const small = x > y ? y : x;
  if (large > R(0.5) && large < R(1.5))
    return R(0.5) * detail::log1p((large - R(1)) * (large + R(1)) + small * small);
  if (large > Kokkos::Experimental::finite_max_v<R> / R(2))
    return detail::log(detail::hypot(x * R(0.5), y * R(0.5))) + Kokkos::numbers::ln2_v<R>;
  return detail::log(detail::hypot(x, y));
}

template <class R>
KOKKOS_INLINE_FUNCTION complex<R> log(complex<R> const& z) {
  return complex<R>(detail::log_modulus(z), detail::argument(z));
}

template <class R>
KOKKOS_INLINE_FUNCTION complex<R> log1p(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  bool const near_one = detail::abs(x) < R(0.5) && detail::abs(y) < R(0.5);
  R const re = near_one ? R(0.5) * detail::log1p(x * (R(2) + x) + y * y)
                        : detail::log_modulus(complex<R>(R(1) + x, y));
  return complex<R>(re, detail::atan2(y, R(1) + x));
}

template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> exp2(complex<R> const& z) {
  complex<R> const turn = detail::exp(complex<R>(R(0), z.imag() * Kokkos::numbers::ln2_v<R>));
  R const e = detail::exp2(z.real());
  return complex<R>(e * turn.real(), z.imag() == R(0) ? z.imag() : e * turn.imag());
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> log2(complex<R> const& z) {
  constexpr R scale = Kokkos::numbers::log2e_v<R>;
  complex<R> const natural = detail::log(z);
  return complex<R>(natural.real() * scale, natural.imag() * scale);
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> log10(complex<R> const& z) {
  constexpr R scale = Kokkos::numbers::log10e_v<R>;
  complex<R> const natural = detail::log(z);
  return complex<R>(natural.real() * scale, natural.imag() * scale);
}

template <class R>
KOKKOS_INLINE_FUNCTION complex<R> sinh(complex<R> const& z) {
  if (z.imag() == R(0))
    return complex<R>(detail::sinh(z.real()), z.imag());
  return complex<R>(detail::sinh(z.real()) * detail::cos(z.imag()),
                    detail::cosh(z.real()) * detail::sin(z.imag()));
}
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> cosh(complex<R> const& z) {
  if (z.imag() == R(0))
    return complex<R>(detail::cosh(z.real()), detail::copysign(z.imag(), z.real() * z.imag()));
  return complex<R>(detail::cosh(z.real()) * detail::cos(z.imag()),
                    detail::sinh(z.real()) * detail::sin(z.imag()));
}

/// W. Kahan, "Branch cuts for complex elementary functions" (1987); beyond |x| = 22 the real part
/// is +-1 to the last place.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> tanh(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  if (detail::abs(x) > R(22)) {
    R const e = detail::exp(-detail::abs(x));
    return complex<R>(detail::copysign(R(1), x), R(4) * detail::sin(y) * detail::cos(y) * e * e);
  }
  R const t = detail::tan(y);
  R const s = detail::sinh(x);
  R const beta = R(1) + t * t;
  R const denominator = R(1) + beta * s * s;
  return complex<R>(beta * detail::sqrt(R(1) + s * s) * s / denominator, t / denominator);
}

template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> sin(complex<R> const& z) {
  return detail::over_i(detail::sinh(detail::times_i(z)));
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> cos(complex<R> const& z) {
  return detail::cosh(detail::times_i(z));
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> tan(complex<R> const& z) {
  return detail::over_i(detail::tanh(detail::times_i(z)));
}

/// The inverse functions after Kahan (1987), from the roots of 1 - z and 1 + z.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> asin(complex<R> const& z) {
  complex<R> const a = detail::sqrt(complex<R>(R(1) - z.real(), -z.imag()));
  complex<R> const b = detail::sqrt(complex<R>(R(1) + z.real(), z.imag()));
  return complex<R>(detail::atan2(z.real(), a.real() * b.real() - a.imag() * b.imag()),
                    detail::asinh(a.real() * b.imag() - a.imag() * b.real()));
}
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> acos(complex<R> const& z) {
  complex<R> const a = detail::sqrt(complex<R>(R(1) - z.real(), -z.imag()));
  complex<R> const b = detail::sqrt(complex<R>(R(1) + z.real(), z.imag()));
  return complex<R>(R(2) * detail::atan2(a.real(), b.real()),
                    detail::asinh(b.real() * a.imag() - b.imag() * a.real()));
}
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> acosh(complex<R> const& z) {
  complex<R> const a = detail::sqrt(complex<R>(z.real() - R(1), z.imag()));
  complex<R> const b = detail::sqrt(complex<R>(z.real() + R(1), z.imag()));
  return complex<R>(detail::asinh(a.real() * b.real() + a.imag() * b.imag()),
                    R(2) * detail::atan2(a.imag(), b.real()));
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> asinh(complex<R> const& z) {
  return detail::over_i(detail::asin(detail::times_i(z)));
}

/// The real part is log1p(4 |x| / |1 - |x| + iy|^2) / 4 with the sign of x; it is 0 where |z|^2
/// overflows.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> atanh(complex<R> const& z) {
  R const x = detail::abs(z.real());
  R const y = z.imag();
  R const distance = (R(1) - x) * (R(1) - x) + y * y;
  return complex<R>(detail::copysign(R(0.25) * detail::log1p(R(4) * x / distance), z.real()),
                    R(0.5) * detail::atan2(R(2) * y, (R(1) - x) * (R(1) + x) - y * y));
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> atan(complex<R> const& z) {
  return detail::over_i(detail::atanh(detail::times_i(z)));
}

/// z^n by squaring, for n >= 0.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> natural_power(complex<R> z, int n) {
  complex<R> result(R(1), R(0));
  for (; n != 0; n /= 2) {
    if (n % 2 != 0)
      result = result * z;
    z = z * z;
  }
  return result;
}

/// NumPy's rules: z^0 = 1; 0^w = 0 where Re w > 0, else NaN; small integer exponents by
/// multiplication; else exp(w log z).
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> pow(complex<R> const& z, complex<R> const& w) {
  constexpr R largest_product = 100;
  if (w.real() == R(0) && w.imag() == R(0))
    return complex<R>(R(1), R(0));
  if (z.real() == R(0) && z.imag() == R(0)) {
    R const value = w.real() > R(0) ? R(0) : Kokkos::Experimental::quiet_NaN_v<R>;
    return complex<R>(value, value);
  }
  if (w.imag() == R(0) && detail::abs(w.real()) < largest_product &&
      w.real() == Kokkos::trunc(w.real())) {
    int const n = static_cast<int>(w.real());
    complex<R> const power = detail::natural_power(z, n < 0 ? -n : n);
    return n < 0 ? detail::quotient(complex<R>(R(1), R(0)), power) : power;
  }
  return detail::exp(w * detail::log(z));
}

}  // namespace karpos::inline KARPOS_ABI::fn::detail
