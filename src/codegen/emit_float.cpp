// SPDX-License-Identifier: MIT
#include "codegen/emitter_state.h"
#include "ir/math_kernels.h"

namespace monolith::codegen {

using namespace simd;
using ir::Instruction;
using ir::Op;

namespace {

/// Executor of ir/math_kernels.h that records.
struct RecordingKernel {
  using F = Float;
  using I = Int;
  using M = Mask;
  static F constant(float f) { return Float(f); }
  static I integer(int32_t i) { return Int(i); }
  static F add(F a, F b) { return a + b; }
  static F sub(F a, F b) { return a - b; }
  static F mul(F a, F b) { return a * b; }
  static F fma(F a, F b, F c) { return simd::fma(a, b, c); }
  static F floor(F a) { return simd::floor(a); }
  static F roundNe(F a) { return roundEven(a); }
  static I toInt(F a) { return toIntTruncate(a); }
  static F toFloat(I a) { return simd::toFloat(a); }
  static I bits(F a) { return asInt(a); }
  static F fromBits(I a) { return asFloat(a); }
  static I iadd(I a, I b) { return a + b; }
  static I isub(I a, I b) { return a - b; }
  static I iand(I a, I b) { return a & b; }
  static I ixor(I a, I b) { return a ^ b; }
  static I shl(I a, int n) { return simd::shl(a, n); }
  static I sar(I a, int n) { return simd::sar(a, n); }
  static M lt(F a, F b) { return a < b; }
  static M ge(F a, F b) { return a >= b; }
  static M eq(F a, F b) { return a == b; }
  static M ieq(I a, I b) { return a == b; }
  static F select(M m, F a, F b) { return simd::select(m, a, b); }
};

bool isNumberConstant(const EmitterState& s, const Instruction& i, unsigned n) {
  uint32_t w;
  return s.operandConstant(i, n, w) && (w & 0x7fffffff) <= 0x7f800000;
}

/// a < b ? a : b; the other one if one is NaN.
Float minimum(const EmitterState& s, const Instruction& i) {
  const Float a = s.operandFloat(i, 0), b = s.operandFloat(i, 1);
  if (isNumberConstant(s, i, 1))
    return minSecond(a, b);
  return select(isNan(b), s.operandFlushed(i, 0), minSecond(a, b));
}

/// a >= b ? a : b; equal operands (zeros of either sign) give a, so the instruction gets them exchanged.
Float maximum(const EmitterState& s, const Instruction& i) {
  const Float a = s.operandFloat(i, 0), b = s.operandFloat(i, 1);
  if (isNumberConstant(s, i, 0))
    return maxSecond(b, a);
  return select(isNan(a), s.operandFlushed(i, 1), maxSecond(b, a));
}

bool emitConversion(EmitterState& s, const Instruction& i) {
  switch (i.op) {
  case Op::FToI: s.set(i, toIntSaturate(s.operandFloat(i, 0))); return true;
  case Op::FToU: s.set(i, toUintSaturate(s.operandFloat(i, 0))); return true;
  case Op::IToF: s.setFloat(i, toFloat(s.operand(i, 0))); return true;
  case Op::UToF: s.setFloat(i, toFloatUnsigned(s.operand(i, 0))); return true;
  case Op::F32ToF16: s.set(i, widenUnsigned16(floatToHalfPacked(s.operandFloat(i, 0), 3))); return true;
  case Op::F16ToF32: s.setFloat(i, halfToFloat(s.operand(i, 0))); return true;
  default: return false;
  }
}

bool emitCompare(EmitterState& s, const Instruction& i) {
  switch (i.op) {
  case Op::FEq: s.setMask(i, s.operandFloat(i, 0) == s.operandFloat(i, 1)); return true;
  case Op::FNe: s.setMask(i, s.operandFloat(i, 0) != s.operandFloat(i, 1)); return true;
  case Op::FLt: s.setMask(i, s.operandFloat(i, 0) < s.operandFloat(i, 1)); return true;
  case Op::FGe: s.setMask(i, s.operandFloat(i, 0) >= s.operandFloat(i, 1)); return true;
  default: return false;
  }
}

bool emitTranscendental(EmitterState& s, const Instruction& i) {
  RecordingKernel k;
  switch (i.op) {
  case Op::FExp2: s.setFloat(i, ir::kernels::exp2(k, s.operandFlushed(i, 0))); return true;
  case Op::FLog2: s.setFloat(i, ir::kernels::log2(k, s.operandFlushed(i, 0))); return true;
  case Op::FSinCos: {
    Float sine, cosine;
    ir::kernels::sincos(k, s.operandFlushed(i, 0), sine, cosine);
    s.setFloat(i, sine, 0);
    s.setFloat(i, cosine, 1);
    return true;
  }
  default: return false;
  }
}

/// Differences within the quads {0,1,4,5} and {2,3,6,7}.
bool emitDerivative(EmitterState& s, const Instruction& i) {
  const auto rows = [](Float v, int order) { return asFloat(permute128(asInt(v), asInt(v), order)); };
  switch (i.op) {
  case Op::DerivXCoarse:
  case Op::DerivXFine: {
    Float v = s.operandFloat(i, 0);
    if (i.op == Op::DerivXCoarse)
      v = rows(v, 0x00);
    s.setFloat(i, shuffle4(v, 0xf5) - shuffle4(v, 0xa0));
    return true;
  }
  case Op::DerivYCoarse:
  case Op::DerivYFine: {
    const Float v = s.operandFloat(i, 0);
    const Float d = rows(v, 0x11) - rows(v, 0x00);
    s.setFloat(i, i.op == Op::DerivYCoarse ? shuffle4(d, 0xa0) : d);
    return true;
  }
  default: return false;
  }
}

} // namespace

bool emitFloatOp(EmitterState& s, const Instruction& i) {
  const auto f = [&](unsigned n) { return s.operandFloat(i, n); };
  switch (i.op) {
  case Op::FAdd: s.setFloat(i, f(0) + f(1)); return true;
  case Op::FMul: s.setFloat(i, f(0) * f(1)); return true;
  case Op::FMad: s.setFloat(i, fma(f(0), f(1), f(2))); return true;
  case Op::FDiv: s.setFloat(i, f(0) / f(1)); return true;
  case Op::FRcp: s.setFloat(i, Float(1.0f) / f(0)); return true;
  case Op::FSqrt: s.setFloat(i, sqrt(f(0))); return true;
  case Op::FRsq: s.setFloat(i, Float(1.0f) / sqrt(f(0))); return true;
  case Op::FMin: s.setFloat(i, minimum(s, i)); return true;
  case Op::FMax: s.setFloat(i, maximum(s, i)); return true;
  case Op::FSat: s.setFloat(i, saturate(f(0))); return true;
  case Op::FNeg:
  case Op::FAbs: {
    const ir::Value v = s.function.operand(i, 0);
    s.set(i, asInt(i.op == Op::FNeg ? -f(0) : abs(f(0))));
    s.isFlushed[i.firstResult] = !v.isConstant() && s.isFlushed[v.id];
    return true;
  }
  case Op::FFrc:
    // a tiny negative number would round up to 1; NaN stays
    s.setFloat(i, minSecond(Float(0x1.fffffep-1f), f(0) - floor(f(0))));
    return true;
  case Op::FRoundNe: s.setFloat(i, roundEven(f(0))); return true;
  case Op::FRoundNi: s.setFloat(i, floor(f(0))); return true;
  case Op::FRoundPi: s.setFloat(i, ceil(f(0))); return true;
  case Op::FRoundZ: s.setFloat(i, trunc(f(0))); return true;
  default: return emitCompare(s, i) || emitConversion(s, i) || emitTranscendental(s, i) || emitDerivative(s, i);
  }
}

} // namespace monolith::codegen
