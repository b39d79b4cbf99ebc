// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions of complex numbers that fn/ is built on, for host and device alike. They
// neither overflow nor cancel where the result does not, which Kokkos' formulas do. Branch cuts and
// special values are those of C (Annex G), signed zeros choose the side. Sources: W. Kahan, "Branch
// cuts for complex elementary functions" (1987); T. E. Hull, T. F. Fairgrieve, P. T. P. Tang,
// "Implementing complex elementary functions using exception handling", TOMS 20 (1994) 215.
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

/// 1, or the power of 4 by which a z with large or tiny parts is multiplied, so that |z| neither
/// overflows nor loses digits: 1/16 or epsilon^-2.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R range_scale(complex<R> const& z) {
  constexpr R epsilon = Kokkos::Experimental::epsilon_v<R>;
  R const x = detail::abs(z.real());
  R const y = detail::abs(z.imag());
  R const larger = x > y ? x : y;
  if (larger > Kokkos::Experimental::finite_max_v<R> / R(8))
    return R(0.0625);
  return larger < Kokkos::Experimental::norm_min_v<R> * R(16) ? R(1) / (epsilon * epsilon) : R(1);
}

/// z / |z|, and 0 for 0. An infinite part counts as +-1, a part beside it that is not as 0.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> direction(complex<R> z) {
  bool const infinite_x = Kokkos::isinf(z.real());
  bool const infinite_y = Kokkos::isinf(z.imag());
  if (infinite_x || infinite_y)
    z = complex<R>(infinite_x ? detail::copysign(R(1), z.real()) : R(0),
                   infinite_y ? detail::copysign(R(1), z.imag()) : R(0));
  z = z * detail::range_scale(z);
  R const length = detail::modulus(z);
  return length == R(0) ? complex<R>(R(0), R(0)) : complex<R>(z.real() / length, z.imag() / length);
}

/// Principal root.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> sqrt(complex<R> const& z) {
  if (z.real() == R(0) && z.imag() == R(0))
    return complex<R>(R(0), z.imag());
  if (Kokkos::isinf(z.imag()))
    return complex<R>(detail::abs(z.imag()), z.imag());
  R const scale = detail::range_scale(z);
  R const unscale = scale < R(1) ? R(4) : scale > R(1) ? Kokkos::Experimental::epsilon_v<R> : R(1);
  R const x = z.real() * scale;
  R const y = z.imag() * scale;
  R const t = detail::sqrt((detail::abs(x) + detail::hypot(x, y)) * R(0.5));
  R const larger_part = t * unscale;
  R const smaller_part = detail::abs(y) / (R(2) * t) * unscale;
  return x >= R(0) ? complex<R>(larger_part, detail::copysign(smaller_part, y))
                   : complex<R>(smaller_part, detail::copysign(larger_part, y));
}

struct natural_exponential {
  template <class R>
  KOKKOS_FORCEINLINE_FUNCTION R operator()(R x) const {
    return detail::exp(x);
  }
};
struct binary_exponential {
  template <class R>
  KOKKOS_FORCEINLINE_FUNCTION R operator()(R x) const {
    return detail::exp2(x);
  }
};

/// An exponent, of e or 2, whose power is finite and beside whose power 1 is lost.
template <class R>
inline constexpr R exponent_step_v = R(Kokkos::Experimental::max_exponent_v<R> / 2);

/// z b^x with b^x = power(x), finite where the product is, though b^x may not be: a large x goes in
/// steps, x - step is exact. Three steps lift the smallest number to the largest.
template <class R, class Power>
KOKKOS_FORCEINLINE_FUNCTION complex<R> times_power(complex<R> z, Power power, R x) {
  constexpr R step = exponent_step_v<R>;
  for (int k = 0; k < 3 && x > step; ++k) {
    z = z * power(step);
    x -= step;
  }
  return z * power(x);
}

/// b^x (cos y + i sin y) with b^x = power(x).
template <class R, class Power>
KOKKOS_INLINE_FUNCTION complex<R> polar_power(Power power, R x, R y) {
  constexpr R infinity = Kokkos::Experimental::infinity_v<R>;
  if (y == R(0))
    return complex<R>(power(x), y);
  if (Kokkos::isfinite(y))
    return detail::times_power(complex<R>(detail::cos(y), detail::sin(y)), power, x);
  if (x == -infinity)
    return complex<R>(R(0), R(0));
  return complex<R>(x == infinity ? x : y - y, y - y);
}

template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> exp(complex<R> const& z) {
  return detail::polar_power(natural_exponential{}, z.real(), z.imag());
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> exp2(complex<R> const& z) {
  return detail::polar_power(binary_exponential{}, z.real(), z.imag() * Kokkos::numbers::ln2_v<R>);
}

template <class R>
KOKKOS_INLINE_FUNCTION complex<R> expm1(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  if (y == R(0))
    return complex<R>(detail::expm1(x), y);
  if (detail::abs(x) > exponent_step_v<R>) {
    complex<R> const e = detail::exp(z);
    return complex<R>(e.real() - R(1), e.imag());
  }
  R const s = detail::sin(y * R(0.5));
  return complex<R>(detail::expm1(x) * detail::cos(y) - R(2) * s * s,
                    detail::exp(x) * detail::sin(y));
}

/// log|z|: near |z| = 1 through log1p of |z|^2 - 1.
template <class R>
KOKKOS_INLINE_FUNCTION R log_modulus(complex<R> const& z) {
  R const x = detail::abs(z.real());
  R const y = detail::abs(z.imag());
  R const large = x > y ? x : y;
  R const small = x > y ? y : x;
  if (large > R(0.5) && large < R(1.5))
    return R(0.5) * detail::log1p((large - R(1)) * (large + R(1)) + small * small);
  R const scale = detail::range_scale(z);
  R const log_scaled = detail::log(detail::hypot(x * scale, y * scale));
  return scale == R(1) ? log_scaled : log_scaled - detail::log(scale);
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

/// (c, s) e^x / 2, finite where the product is: sinh and cosh of a large x.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> times_half_exp(R c, R s, R x) {
  constexpr R step = exponent_step_v<R>;
  R const half = R(0.5) * detail::exp(step);
  return detail::times_power(complex<R>(half * c, half * s), natural_exponential{}, x - step);
}

/// For an infinite or NaN y: zero and infinite x stay, and only they are their own double.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> sinh(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  if (y == R(0))
    return complex<R>(detail::sinh(x), y);
  if (!Kokkos::isfinite(y))
    return complex<R>(x + x == x ? x : y - y, y - y);
  R const c = detail::cos(y);
  R const s = detail::sin(y);
  if (detail::abs(x) > exponent_step_v<R>)
    return detail::times_half_exp(detail::copysign(R(1), x) * c, s, detail::abs(x));
  return complex<R>(detail::sinh(x) * c, detail::cosh(x) * s);
}
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> cosh(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  if (y == R(0))
    return complex<R>(detail::cosh(x), detail::copysign(R(1), x) * y);
  if (!Kokkos::isfinite(y))
    return complex<R>(Kokkos::isinf(x) ? detail::abs(x) : y - y, x == R(0) ? x : y - y);
  R const c = detail::cos(y);
  R const s = detail::sin(y);
  if (detail::abs(x) > exponent_step_v<R>)
    return detail::times_half_exp(c, detail::copysign(R(1), x) * s, detail::abs(x));
  return complex<R>(detail::cosh(x) * c, detail::sinh(x) * s);
}

/// After Kahan; beyond |x| = 22 the real part is +-1 to the last place.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> tanh(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  if (Kokkos::isinf(x) && !Kokkos::isfinite(y))
    return complex<R>(detail::copysign(R(1), x), R(0));
  if (x == R(0) || y == R(0))
    return complex<R>(detail::tanh(x), detail::tan(y));
  if (detail::abs(x) > R(22) && Kokkos::isfinite(y)) {
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

/// A part exceeds 1 / epsilon: 1 is lost beside z^2, and the inverse functions are their first
/// terms at infinity. Below, no product of parts overflows.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION bool is_huge(complex<R> const& z) {
  constexpr R bound = R(1) / Kokkos::Experimental::epsilon_v<R>;
  return detail::abs(z.real()) > bound || detail::abs(z.imag()) > bound;
}

/// log(2 |z|), though 2 |z| overflows.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R log_double(complex<R> const& z) {
  return detail::log_modulus(z) + Kokkos::numbers::ln2_v<R>;
}

/// The inverse functions after Kahan, from the roots of 1 - z and 1 + z. The selections for x = 0
/// are for a NaN y.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> asin(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  if (detail::is_huge(z))
    return complex<R>(detail::atan2(x, detail::abs(y)), detail::copysign(detail::log_double(z), y));
  complex<R> const a = detail::sqrt(complex<R>(R(1) - x, -y));
  complex<R> const b = detail::sqrt(complex<R>(R(1) + x, y));
  R const re = detail::atan2(x, a.real() * b.real() - a.imag() * b.imag());
  return complex<R>(x == R(0) ? x : re, detail::asinh(a.real() * b.imag() - a.imag() * b.real()));
}
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> acos(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  if (detail::is_huge(z))
    return complex<R>(detail::atan2(detail::abs(y), x),
                      -detail::copysign(detail::log_double(z), y));
  complex<R> const a = detail::sqrt(complex<R>(R(1) - x, -y));
  complex<R> const b = detail::sqrt(complex<R>(R(1) + x, y));
  R const re = R(2) * detail::atan2(a.real(), b.real());
  return complex<R>(x == R(0) ? R(0.5) * Kokkos::numbers::pi_v<R> : re,
                    detail::asinh(b.real() * a.imag() - b.imag() * a.real()));
}
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> acosh(complex<R> const& z) {
  R const x = z.real();
  R const y = z.imag();
  if (detail::is_huge(z))
    return complex<R>(detail::log_double(z), detail::atan2(y, x));
  complex<R> const a = detail::sqrt(complex<R>(x - R(1), y));
  complex<R> const b = detail::sqrt(complex<R>(x + R(1), y));
  R const im = R(2) * detail::atan2(a.imag(), b.real());
  return complex<R>(detail::asinh(a.real() * b.real() + a.imag() * b.imag()),
                    x == R(0) ? detail::copysign(R(0.5) * Kokkos::numbers::pi_v<R>, y) : im);
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> asinh(complex<R> const& z) {
  return detail::over_i(detail::asin(detail::times_i(z)));
}

/// atanh of a huge z: 1 / z, whose imaginary part is lost beside that of +-i pi/2.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> atanh_of_huge(complex<R> const& z) {
  bool const infinite = Kokkos::isinf(z.real()) || Kokkos::isinf(z.imag());
  R const quarter = detail::quotient(complex<R>(R(1), R(0)), z * R(0.25)).real();
  R const re = infinite ? detail::copysign(R(0), z.real()) : R(0.25) * quarter;
  R const nan = re + z.imag();
  return complex<R>(re, nan != nan ? nan
                                   : detail::copysign(R(0.5) * Kokkos::numbers::pi_v<R>, z.imag()));
}

/// The real part is log1p(4 |x| / |1 - |x| + iy|^2) / 4 with the sign of x. At |x| = 1 it is
/// log(|2 + iy| / |y|) / 2, where y^2 may underflow; elsewhere y^2 does so beside (1 - |x|)^2.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> atanh(complex<R> const& z) {
  if (detail::is_huge(z))
    return detail::atanh_of_huge(z);
  R const x = detail::abs(z.real());
  R const y = z.imag();
  R const im = R(0.5) * detail::atan2(R(2) * y, (R(1) - x) * (R(1) + x) - y * y);
  R re = x;
  if (x == R(1) && detail::abs(y) < R(1)) {
    re = R(0.5) * (detail::log(detail::hypot(R(2), y)) - detail::log(detail::abs(y)));
  } else if (x != R(0)) {
    R const distance = (R(1) - x) * (R(1) - x) + y * y;
    re = R(0.25) * detail::log1p(R(4) * x / distance);
  }
  return complex<R>(detail::copysign(re, z.real()), im);
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> atan(complex<R> const& z) {
  return detail::over_i(detail::atanh(detail::times_i(z)));
}

/// a b, where 0 times infinity is 0: the zero part of a number on an axis stays zero when the other
/// part overflows.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R zero_keeping_product(R a, R b) {
  R const product = a * b;
  return product != product && a == a && b == b ? R(0) : product;
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION complex<R> zero_keeping_product(complex<R> const& a,
                                                            complex<R> const& b) {
  complex<R> const product = a * b;
  if (!Kokkos::isnan(product.real() + product.imag()))
    return product;
  return complex<R>(detail::zero_keeping_product(a.real(), b.real()) -
                        detail::zero_keeping_product(a.imag(), b.imag()),
                    detail::zero_keeping_product(a.real(), b.imag()) +
                        detail::zero_keeping_product(a.imag(), b.real()));
}

/// z^n by squaring, for n >= 1. Each factor divides z^n: none overflows where |z^n| does not.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> natural_power(complex<R> z, int n) {
  for (; n % 2 == 0; n /= 2)
    z = detail::zero_keeping_product(z, z);
  complex<R> result = z;
  for (n /= 2; n != 0; n /= 2) {
    z = detail::zero_keeping_product(z, z);
    if (n % 2 != 0)
      result = detail::zero_keeping_product(result, z);
  }
  return result;
}

/// z^n for n != 0; NaN where |z^n| overflows away from the axes. The power of 1 / z stands in where
/// that of z overflows or vanishes.
template <class R>
KOKKOS_INLINE_FUNCTION complex<R> integral_power(complex<R> const& z, int n) {
  complex<R> const one(R(1), R(0));
  complex<R> const power = detail::natural_power(z, n < 0 ? -n : n);
  if (n > 0)
    return power;
  R const size = detail::abs(power.real()) + detail::abs(power.imag());
  return Kokkos::isfinite(size) && size != R(0)
             ? detail::quotient(one, power)
             : detail::natural_power(detail::quotient(one, z), -n);
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
    complex<R> const power = detail::integral_power(z, static_cast<int>(w.real()));
    if (power.real() == power.real() && power.imag() == power.imag())
      return power;
  }
  return detail::exp(detail::zero_keeping_product(w, detail::log(z)));
}

}  // namespace karpos::inline KARPOS_ABI::fn::detail
