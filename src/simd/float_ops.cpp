// SPDX-License-Identifier: MIT
#include "simd/float_ops.h"
#include "simd/int_ops.h"
#include "simd/internal/recorder.h"

namespace monolith::simd {

using asmjit::imm;

namespace {

// Predicates of vcmpps. "Q" forms raise nothing on quiet NaN.
enum Predicate { kEqOQ = 0x00, kLtOQ = 0x11, kLeOQ = 0x12, kUnordQ = 0x03, kNeqUQ = 0x04, kOrdQ = 0x07, kGtOQ = 0x1e, kGeOQ = 0x1d };

Float binary(InstId op, Float a, Float b) { return Float::fromId(emit2(op, a.id, b.id)); }
Float commuting(InstId op, Float a, Float b) { return Float::fromId(emitCommuting(op, a.id, b.id)); }
Mask compare(Float a, Float b, int predicate) {
  return Mask::fromId(emit2Immediate(InstId::kIdVcmpps, a.id, b.id, predicate));
}
Float round(Float a, int mode) {
  const Id r = newYmm();
  emitter().emit(InstId::kIdVroundps, ymm(r), source(a.id), imm(mode));
  return Float::fromId(r);
}

/// The 132, 213 and 231 forms let any one operand be a pooled constant.
Float fused(InstId f132, InstId f213, InstId f231, Float a, Float b, Float c) {
  const Id r = newYmm();
  if (c.isConstant() || (!a.isConstant() && !b.isConstant())) {
    const Id ra = inRegister(a.id), rb = inRegister(b.id);
    emitter().vmovaps(ymm(r), ymm(ra));
    emitter().emit(f213, ymm(r), ymm(rb), source(c.id));
  } else if (b.isConstant()) {
    const Id ra = inRegister(a.id);
    emitter().vmovaps(ymm(r), ymm(ra));
    emitter().emit(f132, ymm(r), ymm(c.id), source(b.id));
  } else {
    emitter().vmovaps(ymm(r), ymm(c.id));
    emitter().emit(f231, ymm(r), ymm(b.id), source(a.id));
  }
  return Float::fromId(r);
}

Id blendVariable(Id mask, Id a, Id b) {
  const Id rm = inRegister(mask), rb = inRegister(b);
  const Id r = newYmm();
  emitter().emit(InstId::kIdVblendvps, ymm(r), ymm(rb), source(a), ymm(rm));
  return r;
}

} // namespace

Float operator+(Float a, Float b) { return commuting(InstId::kIdVaddps, a, b); }
Float operator-(Float a, Float b) { return binary(InstId::kIdVsubps, a, b); }
Float operator*(Float a, Float b) { return commuting(InstId::kIdVmulps, a, b); }
Float operator/(Float a, Float b) { return binary(InstId::kIdVdivps, a, b); }
Float operator-(Float a) { return Float::fromId(emit2(InstId::kIdVxorps, a.id, Int(int32_t(0x80000000u)).id)); }
Float abs(Float a) { return Float::fromId(emit2(InstId::kIdVandps, a.id, Int(0x7fffffff).id)); }
Float sqrt(Float a) { return Float::fromId(emit1(InstId::kIdVsqrtps, a.id)); }
Float fma(Float a, Float b, Float c) {
  return fused(InstId::kIdVfmadd132ps, InstId::kIdVfmadd213ps, InstId::kIdVfmadd231ps, a, b, c);
}
Float fnma(Float a, Float b, Float c) {
  return fused(InstId::kIdVfnmadd132ps, InstId::kIdVfnmadd213ps, InstId::kIdVfnmadd231ps, a, b, c);
}
Float fms(Float a, Float b, Float c) {
  return fused(InstId::kIdVfmsub132ps, InstId::kIdVfmsub213ps, InstId::kIdVfmsub231ps, a, b, c);
}

Float minSecond(Float a, Float b) { return binary(InstId::kIdVminps, a, b); }
Float maxSecond(Float a, Float b) { return binary(InstId::kIdVmaxps, a, b); }
// The instruction answers b when either is NaN, so only a NaN b needs a correction.
Float minNumber(Float a, Float b) { return b.isConstant() ? minSecond(a, b) : select(isNan(b), a, minSecond(a, b)); }
Float maxNumber(Float a, Float b) { return b.isConstant() ? maxSecond(a, b) : select(isNan(b), a, maxSecond(a, b)); }
Float saturate(Float a) { return minSecond(maxSecond(a, Float(0.0f)), Float(1.0f)); }
Float clamp(Float a, Float low, Float high) { return minSecond(maxSecond(a, low), high); }

Float floor(Float a) { return round(a, 9); }
Float ceil(Float a) { return round(a, 10); }
Float trunc(Float a) { return round(a, 11); }
Float roundEven(Float a) { return round(a, 8); }

Mask operator==(Float a, Float b) { return compare(a, b, kEqOQ); }
Mask operator!=(Float a, Float b) { return compare(a, b, kNeqUQ); }
Mask operator<(Float a, Float b) { return compare(a, b, kLtOQ); }
Mask operator<=(Float a, Float b) { return compare(a, b, kLeOQ); }
Mask operator>(Float a, Float b) { return compare(a, b, kGtOQ); }
Mask operator>=(Float a, Float b) { return compare(a, b, kGeOQ); }
Mask isNan(Float a) {
  const Float r = Float::fromId(inRegister(a.id));
  return compare(r, r, kUnordQ);
}
Mask ordered(Float a, Float b) { return compare(a, b, kOrdQ); }

Mask operator&(Mask a, Mask b) { return Mask::fromId(emitCommuting(InstId::kIdVandps, a.id, b.id)); }
Mask operator|(Mask a, Mask b) { return Mask::fromId(emitCommuting(InstId::kIdVorps, a.id, b.id)); }
Mask operator^(Mask a, Mask b) { return Mask::fromId(emitCommuting(InstId::kIdVxorps, a.id, b.id)); }
Mask operator~(Mask a) { return Mask::fromId(emitCommuting(InstId::kIdVxorps, a.id, Mask(true).id)); }
// vandnps computes ~first & second
Mask andNot(Mask a, Mask b) { return Mask::fromId(emit2(InstId::kIdVandnps, b.id, a.id)); }
Float operator&(Float a, Mask m) { return Float::fromId(emitCommuting(InstId::kIdVandps, a.id, m.id)); }
Int operator&(Int a, Mask m) { return Int::fromId(emitCommuting(InstId::kIdVandps, a.id, m.id)); }

Float select(Mask mask, Float a, Float b) { return Float::fromId(blendVariable(mask.id, a.id, b.id)); }
Int select(Mask mask, Int a, Int b) { return Int::fromId(blendVariable(mask.id, a.id, b.id)); }
Mask select(Mask mask, Mask a, Mask b) { return Mask::fromId(blendVariable(mask.id, a.id, b.id)); }
void assignMasked(Int reg, Mask mask, Int value) {
  const Id m = inRegister(mask.id);
  emitter().emit(InstId::kIdVblendvps, ymm(reg.id), ymm(reg.id), source(value.id), ymm(m));
}
Float blend(uint32_t lanes, Float a, Float b) {
  return Float::fromId(emit2Immediate(InstId::kIdVblendps, b.id, a.id, int(lanes)));
}
Int blend(uint32_t lanes, Int a, Int b) {
  return Int::fromId(emit2Immediate(InstId::kIdVblendps, b.id, a.id, int(lanes)));
}

Word laneBits(Mask mask) { return signBits(Float::fromId(mask.id)); }
Word signBits(Float a) {
  const Id v = inRegister(a.id);
  const Id r = newGpd();
  emitter().vmovmskps(gpd(r), ymm(v));
  return Word::fromId(r);
}
Mask maskFromBits(Word bits) {
  std::array<int32_t, kLanes> lanes;
  for (int i = 0; i < kLanes; ++i)
    lanes[size_t(i)] = 1 << i;
  const Int selector(lanes);
  return (broadcast(bits) & selector) == selector;
}

static Condition lanesCondition(Mask mask, Condition::Kind kind, bool negated) {
  Condition c;
  c.kind = kind;
  c.vector = mask.id;
  c.negated = negated;
  return c;
}
Condition any(Mask mask) { return lanesCondition(mask, Condition::Kind::AnyLane, false); }
Condition none(Mask mask) { return lanesCondition(mask, Condition::Kind::AnyLane, true); }
Condition all(Mask mask) { return lanesCondition(mask, Condition::Kind::AllLanes, false); }
Condition notAll(Mask mask) { return lanesCondition(mask, Condition::Kind::AllLanes, true); }

Int toIntTruncate(Float a) { return Int::fromId(emit1(InstId::kIdVcvttps2dq, a.id)); }
Int toIntRound(Float a) { return Int::fromId(emit1(InstId::kIdVcvtps2dq, a.id)); }
Float toFloat(Int a) { return Float::fromId(emit1(InstId::kIdVcvtdq2ps, a.id)); }
Float toFloatUnsigned(Int a) {
  // both halves are exact as floats; the fused add rounds once
  return fma(toFloat(shr(a, 16)), Float(65536.0f), toFloat(a & Int(0xffff)));
}
Int toIntSaturate(Float a) {
  // too large: 0x80000000 ^ ~0 = 0x7fffffff
  const Mask over = a >= Float(2147483648.0f);
  const Int r = toIntTruncate(a) ^ asInt(over);
  return r & ordered(a, a);
}
Int toUintSaturate(Float a) {
  const Float two31(2147483648.0f);
  const Float b = maxSecond(a, Float(0.0f)); // NaN -> 0
  const Mask big = b >= two31;
  const Float reduced = b - (two31 & big);
  const Mask over = reduced >= two31;
  return (toIntTruncate(reduced) ^ (Int(int32_t(0x80000000u)) & big)) | asInt(over);
}

Float halfToFloat(Int4 a) {
  const Id r = newYmm();
  emitter().vcvtph2ps(ymm(r), xmm(a.id));
  return Float::fromId(r);
}
Int4 floatToHalfPacked(Float a, int rounding) {
  const Id v = inRegister(a.id);
  const Id r = newXmm();
  emitter().vcvtps2ph(xmm(r), ymm(v), imm(rounding));
  return Int4::fromId(r);
}
Float halfToFloat(Int a) { return halfToFloat(narrowUnsigned16(a & Int(0xffff))); }
Int floatToHalf(Float a) { return widenUnsigned16(floatToHalfPacked(a)); }

} // namespace monolith::simd
