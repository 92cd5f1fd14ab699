// SPDX-License-Identifier: MIT
#include "ir/evaluate.h"

#include "ir/float_env.h"
#include "ir/math_kernels.h"
#include "ir/scalar_ops.h"

#include <algorithm>

namespace monolith::ir {
namespace {

using namespace scalar;

struct Lanes {
  const uint32_t* const* in;
  uint32_t* const* out;
  unsigned count;
};

template <class Fn> inline void unary(const Lanes& l, Fn f) {
  for (unsigned i = 0; i < l.count; i++)
    l.out[0][i] = f(l.in[0][i]);
}
template <class Fn> inline void binary(const Lanes& l, Fn f) {
  for (unsigned i = 0; i < l.count; i++)
    l.out[0][i] = f(l.in[0][i], l.in[1][i]);
}
template <class Fn> inline void ternary(const Lanes& l, Fn f) {
  for (unsigned i = 0; i < l.count; i++)
    l.out[0][i] = f(l.in[0][i], l.in[1][i], l.in[2][i]);
}
template <class Fn> inline void binaryPair(const Lanes& l, Fn f) {
  for (unsigned i = 0; i < l.count; i++) {
    uint32_t r[2];
    f(l.in[0][i], l.in[1][i], r);
    l.out[0][i] = r[0];
    l.out[1][i] = r[1];
  }
}

inline double doubleOperand(const Lanes& l, unsigned n, unsigned lane) {
  return asDouble(l.in[2 * n][lane], l.in[2 * n + 1][lane]);
}
inline void setDouble(const Lanes& l, unsigned lane, double d) {
  const uint64_t w = std::bit_cast<uint64_t>(d);
  l.out[0][lane] = static_cast<uint32_t>(w);
  l.out[1][lane] = static_cast<uint32_t>(w >> 32);
}
template <class Fn> inline void doubles(const Lanes& l, Fn f) {
  for (unsigned i = 0; i < l.count; i++)
    setDouble(l, i, f(doubleOperand(l, 0, i), doubleOperand(l, 1, i)));
}
template <class Fn> inline void doubleCompare(const Lanes& l, Fn f) {
  for (unsigned i = 0; i < l.count; i++)
    l.out[0][i] = mask(f(doubleOperand(l, 0, i), doubleOperand(l, 1, i)));
}

__attribute__((noinline)) void evaluateDouble(Op op, const Lanes& l) {
  FloatMode mode(FloatMode::Double);
  switch (op) {
  case Op::DAdd: doubles(l, [](double a, double b) { return a + b; }); break;
  case Op::DMul: doubles(l, [](double a, double b) { return a * b; }); break;
  case Op::DDiv: doubles(l, [](double a, double b) { return a / b; }); break;
  case Op::DMin: doubles(l, dmin); break;
  case Op::DMax: doubles(l, dmax); break;
  case Op::DFma:
    for (unsigned i = 0; i < l.count; i++)
      setDouble(l, i, std::fma(doubleOperand(l, 0, i), doubleOperand(l, 1, i), doubleOperand(l, 2, i)));
    break;
  case Op::DRcp:
    for (unsigned i = 0; i < l.count; i++)
      setDouble(l, i, 1.0 / doubleOperand(l, 0, i));
    break;
  case Op::DEq: doubleCompare(l, [](double a, double b) { return a == b; }); break;
  case Op::DNe: doubleCompare(l, [](double a, double b) { return a != b; }); break;
  case Op::DLt: doubleCompare(l, [](double a, double b) { return a < b; }); break;
  case Op::DGe: doubleCompare(l, [](double a, double b) { return a >= b; }); break;
  case Op::DToF:
    for (unsigned i = 0; i < l.count; i++)
      l.out[0][i] = out(static_cast<float>(doubleOperand(l, 0, i)));
    break;
  case Op::FToD:
    for (unsigned i = 0; i < l.count; i++)
      setDouble(l, i, static_cast<double>(in(l.in[0][i])));
    break;
  case Op::DToI:
    for (unsigned i = 0; i < l.count; i++)
      l.out[0][i] = dtoi(doubleOperand(l, 0, i));
    break;
  case Op::DToU:
    for (unsigned i = 0; i < l.count; i++)
      l.out[0][i] = dtou(doubleOperand(l, 0, i));
    break;
  case Op::IToD:
    for (unsigned i = 0; i < l.count; i++)
      setDouble(l, i, static_cast<double>(asInt(l.in[0][i])));
    break;
  case Op::UToD:
    for (unsigned i = 0; i < l.count; i++)
      setDouble(l, i, static_cast<double>(l.in[0][i]));
    break;
  default: break;
  }
}

void exp2Lanes(const Lanes& l) {
  Kernel k;
  for (unsigned i = 0; i < l.count; i++)
    l.out[0][i] = asWord(kernels::exp2(k, in(l.in[0][i])));
}

void log2Lanes(const Lanes& l) {
  Kernel k;
  for (unsigned i = 0; i < l.count; i++)
    l.out[0][i] = asWord(kernels::log2(k, in(l.in[0][i])));
}

void sincosLanes(const Lanes& l) {
  Kernel k;
  for (unsigned i = 0; i < l.count; i++) {
    float s, c;
    kernels::sincos(k, in(l.in[0][i]), s, c);
    l.out[0][i] = asWord(s);
    l.out[1][i] = asWord(c);
  }
}

/// Float operations; false if `op` is none of them.
__attribute__((noinline)) bool evaluateFloat(Op op, const Lanes& l) {
  switch (op) {
  case Op::FAdd: binary(l, fadd); return true;
  case Op::FMul: binary(l, fmul); return true;
  case Op::FMad: ternary(l, fmad); return true;
  case Op::FDiv: binary(l, fdiv); return true;
  case Op::FRcp: unary(l, frcp); return true;
  case Op::FSqrt: unary(l, fsqrt); return true;
  case Op::FRsq: unary(l, frsq); return true;
  case Op::FMin: binary(l, scalar::fmin); return true;
  case Op::FMax: binary(l, scalar::fmax); return true;
  case Op::FSat: unary(l, fsat); return true;
  case Op::FNeg: unary(l, [](uint32_t a) { return a ^ 0x80000000u; }); return true;
  case Op::FAbs: unary(l, [](uint32_t a) { return a & 0x7FFFFFFFu; }); return true;
  case Op::FFrc: unary(l, ffrc); return true;
  case Op::FRoundNe: unary(l, froundNe); return true;
  case Op::FRoundNi: unary(l, froundNi); return true;
  case Op::FRoundPi: unary(l, froundPi); return true;
  case Op::FRoundZ: unary(l, froundZ); return true;
  case Op::FExp2: exp2Lanes(l); return true;
  case Op::FLog2: log2Lanes(l); return true;
  case Op::FSinCos: sincosLanes(l); return true;
  case Op::FEq: binary(l, [](uint32_t a, uint32_t b) { return mask(in(a) == in(b)); }); return true;
  case Op::FNe: binary(l, [](uint32_t a, uint32_t b) { return mask(in(a) != in(b)); }); return true;
  case Op::FLt: binary(l, [](uint32_t a, uint32_t b) { return mask(in(a) < in(b)); }); return true;
  case Op::FGe: binary(l, [](uint32_t a, uint32_t b) { return mask(in(a) >= in(b)); }); return true;
  case Op::FToI: unary(l, ftoi); return true;
  case Op::FToU: unary(l, ftou); return true;
  case Op::IToF: unary(l, itof); return true;
  case Op::UToF: unary(l, utof); return true;
  case Op::F32ToF16: unary(l, f32tof16); return true;
  case Op::F16ToF32: unary(l, f16tof32); return true;
  default: return false;
  }
}

/// Integer arithmetic and comparison; false if `op` is none of them.
bool evaluateInteger(Op op, const Lanes& l) {
  using u = uint32_t;
  switch (op) {
  case Op::IAdd: binary(l, [](u a, u b) { return a + b; }); return true;
  case Op::ISub: binary(l, [](u a, u b) { return a - b; }); return true;
  case Op::INeg: unary(l, [](u a) { return 0u - a; }); return true;
  case Op::IMulLo: binary(l, [](u a, u b) { return a * b; }); return true;
  case Op::IMul:
    binaryPair(l, [](u a, u b, u* r) {
      const int64_t p = int64_t(asInt(a)) * asInt(b);
      r[0] = static_cast<u>(static_cast<uint64_t>(p) >> 32);
      r[1] = static_cast<u>(p);
    });
    return true;
  case Op::UMul:
    binaryPair(l, [](u a, u b, u* r) {
      const uint64_t p = uint64_t(a) * b;
      r[0] = static_cast<u>(p >> 32);
      r[1] = static_cast<u>(p);
    });
    return true;
  case Op::UDiv:
    binaryPair(l, [](u a, u b, u* r) {
      r[0] = b ? a / b : ~0u;
      r[1] = b ? a % b : ~0u;
    });
    return true;
  case Op::UAddC:
    binaryPair(l, [](u a, u b, u* r) {
      r[0] = a + b;
      r[1] = r[0] < a ? 1 : 0;
    });
    return true;
  case Op::USubB:
    binaryPair(l, [](u a, u b, u* r) {
      r[0] = a - b;
      r[1] = a < b ? 1 : 0;
    });
    return true;
  case Op::IMin: binary(l, [](u a, u b) { return asInt(a) < asInt(b) ? a : b; }); return true;
  case Op::IMax: binary(l, [](u a, u b) { return asInt(a) > asInt(b) ? a : b; }); return true;
  case Op::UMin: binary(l, [](u a, u b) { return std::min(a, b); }); return true;
  case Op::UMax: binary(l, [](u a, u b) { return std::max(a, b); }); return true;
  case Op::Msad: ternary(l, msad); return true;
  case Op::IEq: binary(l, [](u a, u b) { return mask(a == b); }); return true;
  case Op::INe: binary(l, [](u a, u b) { return mask(a != b); }); return true;
  case Op::ILt: binary(l, [](u a, u b) { return mask(asInt(a) < asInt(b)); }); return true;
  case Op::IGe: binary(l, [](u a, u b) { return mask(asInt(a) >= asInt(b)); }); return true;
  case Op::ULt: binary(l, [](u a, u b) { return mask(a < b); }); return true;
  case Op::UGe: binary(l, [](u a, u b) { return mask(a >= b); }); return true;
  default: return false;
  }
}

/// Operations on bits; false if `op` is none of them.
bool evaluateBits(Op op, const Lanes& l) {
  using u = uint32_t;
  switch (op) {
  case Op::And: binary(l, [](u a, u b) { return a & b; }); return true;
  case Op::Or: binary(l, [](u a, u b) { return a | b; }); return true;
  case Op::Xor: binary(l, [](u a, u b) { return a ^ b; }); return true;
  case Op::Not: unary(l, [](u a) { return ~a; }); return true;
  case Op::Shl: binary(l, [](u a, u b) { return a << (b & 31); }); return true;
  case Op::IShr: binary(l, [](u a, u b) { return static_cast<u>(asInt(a) >> (b & 31)); }); return true;
  case Op::UShr: binary(l, [](u a, u b) { return a >> (b & 31); }); return true;
  case Op::UBfe: ternary(l, ubfe); return true;
  case Op::IBfe: ternary(l, ibfe); return true;
  case Op::Bfi:
    for (unsigned i = 0; i < l.count; i++)
      l.out[0][i] = bfi(l.in[0][i], l.in[1][i], l.in[2][i], l.in[3][i]);
    return true;
  case Op::BfRev: unary(l, bfrev); return true;
  case Op::CountBits: unary(l, [](u a) { return static_cast<u>(std::popcount(a)); }); return true;
  case Op::FirstBitLo: unary(l, firstBitLo); return true;
  case Op::FirstBitHi: unary(l, firstBitHi); return true;
  case Op::FirstBitSHi: unary(l, firstBitSHi); return true;
  case Op::Select: ternary(l, [](u c, u a, u b) { return c ? a : b; }); return true;
  default: return false;
  }
}

} // namespace

void evaluateLanes(Op op, const uint32_t* const* operands, uint32_t* const* results, unsigned lanes) {
  const Lanes l{operands, results, lanes};
  if (op >= Op::DAdd && op <= Op::UToD)
    evaluateDouble(op, l);
  else if (!evaluateFloat(op, l) && !evaluateInteger(op, l))
    evaluateBits(op, l);
}

void evaluate(Op op, const uint32_t* operands, uint32_t* results) {
  const uint32_t* in[8];
  uint32_t* out[4];
  for (unsigned i = 0; i < 8; i++)
    in[i] = operands + (i < opInfo(op).maxOperands ? i : 0);
  for (unsigned i = 0; i < 4; i++)
    out[i] = results + (i < opInfo(op).results ? i : 0);
  FloatMode mode(FloatMode::Single);
  evaluateLanes(op, in, out, 1);
}

} // namespace monolith::ir
