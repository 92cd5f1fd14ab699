// SPDX-License-Identifier: MIT
/// @file
/// exp2, log2, sine and cosine, written once for every executor. The interpreter runs these templates on plain
/// floats, the code generator runs them on values that record instructions; because both perform the same sequence
/// of correctly rounded operations they agree in every bit.
///
/// K is the executor. It has the types K::F (float), K::I (32-bit integer), K::M (mask) and the members
///   F   constant(float)              I    integer(int32_t)
///   F   add(F, F)   sub(F, F)   mul(F, F)   fma(F a, F b, F c)  = a * b + c rounded once
///   F   floor(F)    roundNe(F)                                   to integral float
///   I   toInt(F)    exact: called with integral values in int32 range only
///   F   toFloat(I)  exact: called with |i| < 2^24 only
///   I   bits(F)     F    fromBits(I)
///   I   iadd(I, I)  isub(I, I)  iand(I, I)   ixor(I, I)
///   I   shl(I, int) sar(I, int)                                  logical left, arithmetic right, constant counts
///   M   lt(F, F)    ge(F, F)                                     false with NaN
///   M   eq(F, F)    true if equal, false with NaN                M ieq(I, I)
///   F   select(M, F, F)
/// Arithmetic flushes denormal inputs and results to zero of the same sign; the argument x itself must be given to
/// the kernels with denormals already flushed if floor, bits and comparisons of K do not flush by themselves.
///
/// Error bounds (specification: exp2 and log2 2^-21, sine and cosine 0.0008 absolute up to 100 pi):
/// exp2 relative below 2^-22.5, log2 below 2^-22 (absolute in [0.5, 2], relative outside), sine and cosine absolute
/// below 2^-22 up to 100 pi; beyond that the error grows with the argument, the result stays in [-1, 1].
#pragma once

#include <cstdint>
#include <limits>

namespace monolith::ir::kernels {

/// 2^x. Integral x give exact powers. Results below 2^-126 are 0.
template <class K> typename K::F exp2(K& k, typename K::F x) {
  using F = typename K::F;
  const F low = k.constant(-126.0f);
  const F high = k.constant(127.99999f);
  F c = k.select(k.ge(x, low), x, low); // NaN takes the bound, so toInt below is safe
  c = k.select(k.lt(c, high), c, high);
  const F n = k.floor(c);
  const F f = k.sub(c, n); // exact, in [0, 1)
  F p = k.constant(0.00020817915043540742f);
  p = k.fma(p, f, k.constant(0.0012692166069140853f));
  p = k.fma(p, f, k.constant(0.009652195056014735f));
  p = k.fma(p, f, k.constant(0.05549602356402293f));
  p = k.fma(p, f, k.constant(0.24022720418109816f));
  p = k.fma(p, f, k.constant(0.6931471708649766f));
  p = k.fma(p, f, k.constant(1.0f)); // in [1, 2]
  F r = k.fromBits(k.iadd(k.bits(p), k.shl(k.toInt(n), 23)));
  r = k.select(k.ge(x, k.constant(128.0f)), k.constant(std::numeric_limits<float>::infinity()), r);
  r = k.select(k.lt(x, low), k.constant(0.0f), r);
  return k.select(k.eq(x, x), r, x);
}

/// Logarithm to base 2. Powers of two give exact results; +-0 gives -infinity, negative arguments NaN.
template <class K> typename K::F log2(K& k, typename K::F x) {
  using F = typename K::F;
  using I = typename K::I;
  const F zero = k.constant(0.0f);
  const F infinity = k.constant(std::numeric_limits<float>::infinity());
  // x = 2^e * m with m in [sqrt(1/2), sqrt(2))
  const I b = k.bits(x);
  const I e = k.sar(k.isub(b, k.integer(0x3f3504f3)), 23);
  const F m = k.fromBits(k.isub(b, k.shl(e, 23)));
  const F f = k.sub(m, k.constant(1.0f));
  F p = k.constant(0.1231096846719146f);
  p = k.fma(p, f, k.constant(-0.20586188051276055f));
  p = k.fma(p, f, k.constant(0.21607822552243777f));
  p = k.fma(p, f, k.constant(-0.2391698814010418f));
  p = k.fma(p, f, k.constant(0.28790326092450147f));
  p = k.fma(p, f, k.constant(-0.36069326813533614f));
  p = k.fma(p, f, k.constant(0.48091075345941253f));
  p = k.fma(p, f, k.constant(-0.7213474682495624f));
  p = k.fma(p, f, k.constant(1.4426950035679822f));
  F r = k.fma(p, f, k.toFloat(e));
  r = k.select(k.lt(x, infinity), r, x); // +infinity and NaN stay
  r = k.select(k.lt(x, zero), k.constant(std::numeric_limits<float>::quiet_NaN()), r);
  return k.select(k.eq(x, zero), k.constant(-std::numeric_limits<float>::infinity()), r);
}

/// Sine and cosine of x in radians. Infinities give NaN, -0 gives sine -0.
template <class K> void sincos(K& k, typename K::F x, typename K::F& sine, typename K::F& cosine) {
  using F = typename K::F;
  using I = typename K::I;
  using M = typename K::M;
  const I signBit = k.integer(static_cast<int32_t>(0x80000000u));
  const I sign = k.iand(k.bits(x), signBit);
  const F a = k.fromBits(k.ixor(k.bits(x), sign));
  // a = n * pi/2 + r, pi/2 in three parts
  const F n = k.roundNe(k.mul(a, k.constant(0.6366197723675814f)));
  F r = k.fma(n, k.constant(-0x1.921fb6p+0f), a);
  r = k.fma(n, k.constant(0x1.777a5cp-25f), r);
  r = k.fma(n, k.constant(0x1.ee59dap-50f), r);
  // Very large arguments: the remainder is noise; keep it where the polynomials hold.
  const F bound = k.constant(0.786f);
  r = k.select(k.lt(r, bound), r, bound);
  r = k.select(k.ge(r, k.constant(-0.786f)), r, k.constant(-0.786f));
  // Quadrant 0..3
  F q = k.fma(k.floor(k.mul(n, k.constant(0.25f))), k.constant(-4.0f), n);
  q = k.select(k.lt(q, k.constant(4.0f)), q, k.constant(0.0f)); // infinity and NaN
  const I quadrant = k.toInt(q);
  const F u = k.mul(r, r);
  F s = k.constant(-0.00019587249321738546f);
  s = k.fma(s, u, k.constant(0.00833274529736295f));
  s = k.fma(s, u, k.constant(-0.166666646469967f));
  s = k.fma(k.mul(s, u), r, r);
  F c = k.constant(2.45472991724818e-05f);
  c = k.fma(c, u, k.constant(-0.0013888300056586712f));
  c = k.fma(c, u, k.constant(0.04166666464415581f));
  c = k.fma(c, u, k.constant(-0.5f));
  c = k.fma(c, u, k.constant(1.0f));
  const M even = k.ieq(k.iand(quadrant, k.integer(1)), k.integer(0));
  const I two = k.integer(2);
  const I sineSign = k.shl(k.iand(quadrant, two), 30);
  const I cosineSign = k.shl(k.iand(k.iadd(quadrant, k.integer(1)), two), 30);
  const F sineValue = k.fromBits(k.ixor(k.bits(k.select(even, s, c)), k.ixor(sineSign, sign)));
  const F cosineValue = k.fromBits(k.ixor(k.bits(k.select(even, c, s)), cosineSign));
  const M finite = k.lt(a, k.constant(std::numeric_limits<float>::infinity()));
  const F nan = k.constant(std::numeric_limits<float>::quiet_NaN());
  sine = k.select(finite, sineValue, nan);
  cosine = k.select(finite, cosineValue, nan);
}

} // namespace monolith::ir::kernels
