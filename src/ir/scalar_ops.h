// SPDX-License-Identifier: MIT
/// @file
/// The meaning of each arithmetic operation on plain words: the specification that every other executor must meet.
/// Float functions expect FloatMode::Single, double functions FloatMode::Double.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace monolith::ir::scalar {

inline float asFloat(uint32_t w) { return std::bit_cast<float>(w); }
inline uint32_t asWord(float f) { return std::bit_cast<uint32_t>(f); }
inline double asDouble(uint32_t low, uint32_t high) { return std::bit_cast<double>(uint64_t(high) << 32 | low); }
inline int32_t asInt(uint32_t w) { return static_cast<int32_t>(w); }

/// Denormals to zero of the same sign.
inline uint32_t flushWord(uint32_t w) { return (w & 0x7F800000u) ? w : w & 0x80000000u; }
inline float flush(float f) { return asFloat(flushWord(asWord(f))); }
/// Operand of a float operation.
inline float in(uint32_t w) { return asFloat(flushWord(w)); }
/// Result of a float operation.
inline uint32_t out(float f) { return flushWord(asWord(f)); }
inline uint32_t mask(bool b) { return b ? 0xFFFFFFFFu : 0u; }

/// Executor of math_kernels.h on single floats.
struct Kernel {
  using F = float;
  using I = uint32_t;
  using M = bool;
  static F constant(float f) { return f; }
  static I integer(int32_t i) { return static_cast<uint32_t>(i); }
  static F add(F a, F b) { return flush(a + b); }
  static F sub(F a, F b) { return flush(a - b); }
  static F mul(F a, F b) { return flush(a * b); }
  static F fma(F a, F b, F c) { return flush(std::fma(a, b, c)); }
  static F floor(F a) { return std::floor(a); }
  static F roundNe(F a) { return std::nearbyint(a); }
  static I toInt(F a) { return static_cast<uint32_t>(static_cast<int32_t>(a)); }
  static F toFloat(I a) { return static_cast<float>(asInt(a)); }
  static I bits(F a) { return asWord(a); }
  static F fromBits(I a) { return asFloat(a); }
  static I iadd(I a, I b) { return a + b; }
  static I isub(I a, I b) { return a - b; }
  static I iand(I a, I b) { return a & b; }
  static I ixor(I a, I b) { return a ^ b; }
  static I shl(I a, int n) { return a << n; }
  static I sar(I a, int n) { return static_cast<uint32_t>(asInt(a) >> n); }
  static M lt(F a, F b) { return a < b; }
  static M ge(F a, F b) { return a >= b; }
  static M eq(F a, F b) { return a == b; }
  static M ieq(I a, I b) { return a == b; }
  static F select(M m, F a, F b) { return m ? a : b; }
};

inline uint32_t fadd(uint32_t a, uint32_t b) { return out(in(a) + in(b)); }
inline uint32_t fmul(uint32_t a, uint32_t b) { return out(in(a) * in(b)); }
inline uint32_t fmad(uint32_t a, uint32_t b, uint32_t c) { return out(std::fma(in(a), in(b), in(c))); }
inline uint32_t fdiv(uint32_t a, uint32_t b) { return out(in(a) / in(b)); }
inline uint32_t frcp(uint32_t a) { return out(1.0f / in(a)); }
inline uint32_t fsqrt(uint32_t a) { return out(std::sqrt(in(a))); }
inline uint32_t frsq(uint32_t a) { return out(1.0f / std::sqrt(in(a))); }
inline uint32_t fmin(uint32_t a, uint32_t b) {
  const float x = in(a), y = in(b);
  return asWord(x < y || y != y ? x : y);
}
inline uint32_t fmax(uint32_t a, uint32_t b) {
  const float x = in(a), y = in(b);
  return asWord(x >= y || y != y ? x : y);
}
inline uint32_t fsat(uint32_t a) {
  const float x = in(a);
  return asWord(x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f);
}
inline uint32_t ffrc(uint32_t a) {
  const float x = in(a);
  const float r = x - std::floor(x);
  // a tiny negative number rounds up to 1, which is outside the range of the result
  return out(r >= 1.0f ? 0x1.fffffep-1f : r);
}
inline uint32_t froundNe(uint32_t a) { return asWord(std::nearbyint(in(a))); }
inline uint32_t froundNi(uint32_t a) { return asWord(std::floor(in(a))); }
inline uint32_t froundPi(uint32_t a) { return asWord(std::ceil(in(a))); }
inline uint32_t froundZ(uint32_t a) { return asWord(std::trunc(in(a))); }

inline uint32_t ftoi(uint32_t a) {
  const float x = in(a);
  if (x != x) return 0;
  if (x >= 2147483648.0f) return 0x7FFFFFFFu;
  if (x <= -2147483648.0f) return 0x80000000u;
  return static_cast<uint32_t>(static_cast<int32_t>(x));
}
inline uint32_t ftou(uint32_t a) {
  const float x = in(a);
  if (!(x > 0.0f)) return 0;
  return x >= 4294967296.0f ? 0xFFFFFFFFu : static_cast<uint32_t>(x);
}
inline uint32_t itof(uint32_t a) { return asWord(static_cast<float>(asInt(a))); }
inline uint32_t utof(uint32_t a) { return asWord(static_cast<float>(a)); }

/// Toward zero: too large becomes the largest finite half; half denormals are kept.
inline uint32_t f32tof16(uint32_t w) {
  const uint32_t sign = w >> 16 & 0x8000u;
  const uint32_t a = w & 0x7FFFFFFFu;
  if (a > 0x7F800000u) return sign | 0x7E00u | (a >> 13 & 0x3FFu);
  if (a == 0x7F800000u) return sign | 0x7C00u;
  if (a >= 0x47800000u) return sign | 0x7BFFu;
  if (a >= 0x38800000u) return sign | ((a - 0x38000000u) >> 13);
  const uint32_t exponent = a >> 23;
  if (exponent < 103) return sign; // below 2^-24
  return sign | (((a & 0x7FFFFFu) | 0x800000u) >> (126 - exponent));
}
inline uint32_t f16tof32(uint32_t w) {
  const uint32_t sign = (w & 0x8000u) << 16;
  const uint32_t exponent = w >> 10 & 31;
  uint32_t mantissa = w & 0x3FFu;
  if (exponent == 31) return sign | 0x7F800000u | (mantissa ? 0x400000u | mantissa << 13 : 0);
  if (exponent) return sign | ((exponent + 112) << 23) | mantissa << 13;
  if (!mantissa) return sign;
  const int shift = std::countl_zero(mantissa) - 21;
  mantissa = mantissa << shift & 0x3FFu;
  return sign | static_cast<uint32_t>(113 - shift) << 23 | mantissa << 13;
}

inline uint32_t ubfe(uint32_t w, uint32_t o, uint32_t x) {
  w &= 31, o &= 31;
  if (w == 0) return 0;
  return w + o < 32 ? x << (32 - w - o) >> (32 - w) : x >> o;
}
inline uint32_t ibfe(uint32_t w, uint32_t o, uint32_t x) {
  w &= 31, o &= 31;
  if (w == 0) return 0;
  if (w + o < 32) return static_cast<uint32_t>(asInt(x << (32 - w - o)) >> (32 - w));
  return static_cast<uint32_t>(asInt(x) >> o);
}
inline uint32_t bfi(uint32_t w, uint32_t o, uint32_t x, uint32_t base) {
  w &= 31, o &= 31;
  const uint32_t m = ((1u << w) - 1) << o;
  return (x << o & m) | (base & ~m);
}
inline uint32_t bfrev(uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
  return __builtin_bswap32(x);
}
inline uint32_t firstBitLo(uint32_t x) { return x ? static_cast<uint32_t>(std::countr_zero(x)) : 0xFFFFFFFFu; }
inline uint32_t firstBitHi(uint32_t x) { return x ? static_cast<uint32_t>(std::countl_zero(x)) : 0xFFFFFFFFu; }
inline uint32_t firstBitSHi(uint32_t x) { return firstBitHi(asInt(x) < 0 ? ~x : x); }
inline uint32_t msad(uint32_t reference, uint32_t source, uint32_t sum) {
  for (int i = 0; i < 32; i += 8) {
    const uint32_t r = reference >> i & 255, s = source >> i & 255;
    const uint32_t d = r ? (r > s ? r - s : s - r) : 0;
    sum = 0xFFFFFFFFu - sum < d ? 0xFFFFFFFFu : sum + d;
  }
  return sum;
}

inline double dmin(double x, double y) { return x < y || y != y ? x : y; }
inline double dmax(double x, double y) { return x >= y || y != y ? x : y; }
inline uint32_t dtoi(double x) {
  if (x != x) return 0;
  if (x >= 2147483647.0) return 0x7FFFFFFFu;
  if (x <= -2147483648.0) return 0x80000000u;
  return static_cast<uint32_t>(static_cast<int32_t>(x));
}
inline uint32_t dtou(double x) {
  if (!(x > 0.0)) return 0;
  return x >= 4294967295.0 ? 0xFFFFFFFFu : static_cast<uint32_t>(x);
}

} // namespace monolith::ir::scalar
