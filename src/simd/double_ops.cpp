// SPDX-License-Identifier: MIT
#include "simd/double_ops.h"
#include "simd/float_ops.h"
#include "simd/int_ops.h"
#include "simd/internal/recorder.h"

namespace monolith::simd {

using asmjit::imm;

namespace {

Double make(Id low, Id high) {
  Double d;
  d.low = low;
  d.high = high;
  return d;
}
Double binary(InstId op, Double a, Double b) { return make(emit2(op, a.low, b.low), emit2(op, a.high, b.high)); }
Mask narrowMask(Id low, Id high) { return Mask::fromId(shuffle22(Int::fromId(low), Int::fromId(high), 0x88).id); }
Mask compare(Double a, Double b, int predicate) {
  return narrowMask(emit2Immediate(InstId::kIdVcmppd, a.low, b.low, predicate),
                    emit2Immediate(InstId::kIdVcmppd, a.high, b.high, predicate));
}
Double round(Double a, int mode) {
  const Id low = newYmm(), high = newYmm();
  emitter().emit(InstId::kIdVroundpd, ymm(low), source(a.low), imm(mode));
  emitter().emit(InstId::kIdVroundpd, ymm(high), source(a.high), imm(mode));
  return make(low, high);
}
Id fused(Id a, Id b, Id c) {
  const Id ra = inRegister(a), rb = inRegister(b);
  const Id r = newYmm();
  emitter().vmovapd(ymm(r), ymm(ra));
  emitter().emit(InstId::kIdVfmadd213pd, ymm(r), ymm(rb), source(c));
  return r;
}
/// Lanes in order -> the order of Double (pairs 0,1 4,5 2,3 6,7), and back: the same exchange.
constexpr int kExchange = 0xd8;
Int4 narrow(InstId op, Id a) {
  const Id v = inRegister(a);
  const Id r = newXmm();
  emitter().emit(op, xmm(r), ymm(v));
  return Int4::fromId(r);
}
Id widen(InstId op, Int4 a) {
  const Id r = newYmm();
  emitter().emit(op, ymm(r), xmm(a.id));
  return r;
}
Int narrowBoth(InstId op, Double a) { return permute64(combine128(narrow(op, a.low), narrow(op, a.high)), kExchange); }
Double widenBoth(InstId op, Int a) {
  const Int ordered = permute64(a, kExchange);
  return make(widen(op, low128(ordered)), widen(op, high128(ordered)));
}

} // namespace

Double makeDouble(Int lowWords, Int highWords) {
  return make(emit2(InstId::kIdVunpcklps, lowWords.id, highWords.id),
              emit2(InstId::kIdVunpckhps, lowWords.id, highWords.id));
}
Int lowWords(Double a) { return shuffle22(Int::fromId(a.low), Int::fromId(a.high), 0x88); }
Int highWords(Double a) { return shuffle22(Int::fromId(a.low), Int::fromId(a.high), 0xdd); }

Double operator+(Double a, Double b) { return binary(InstId::kIdVaddpd, a, b); }
Double operator-(Double a, Double b) { return binary(InstId::kIdVsubpd, a, b); }
Double operator*(Double a, Double b) { return binary(InstId::kIdVmulpd, a, b); }
Double operator/(Double a, Double b) { return binary(InstId::kIdVdivpd, a, b); }
Double operator-(Double a) { return binary(InstId::kIdVxorpd, a, Double(-0.0)); }
Double abs(Double a) {
  const Double sign(-0.0);
  return make(emit2(InstId::kIdVandnpd, sign.low, a.low), emit2(InstId::kIdVandnpd, sign.high, a.high));
}
Double fma(Double a, Double b, Double c) { return make(fused(a.low, b.low, c.low), fused(a.high, b.high, c.high)); }
Double minSecond(Double a, Double b) { return binary(InstId::kIdVminpd, a, b); }
Double maxSecond(Double a, Double b) { return binary(InstId::kIdVmaxpd, a, b); }
Double minNumber(Double a, Double b) { return select(isNan(b), a, minSecond(a, b)); }
Double maxNumber(Double a, Double b) { return select(isNan(b), a, maxSecond(a, b)); }

Mask operator==(Double a, Double b) { return compare(a, b, 0x00); }
Mask operator!=(Double a, Double b) { return compare(a, b, 0x04); }
Mask operator<(Double a, Double b) { return compare(a, b, 0x11); }
Mask operator<=(Double a, Double b) { return compare(a, b, 0x12); }
Mask operator>(Double a, Double b) { return compare(a, b, 0x1e); }
Mask operator>=(Double a, Double b) { return compare(a, b, 0x1d); }
Mask isNan(Double a) {
  const Double r = make(inRegister(a.low), inRegister(a.high));
  return compare(r, r, 0x03);
}
Double trunc(Double a) { return round(a, 11); }
Double floor(Double a) { return round(a, 9); }

Double select(Mask mask, Double a, Double b) {
  const Int m = Int::fromId(inRegister(mask.id));
  const Id masks[2] = {unpackLow32(m, m).id, unpackHigh32(m, m).id};
  const Id rb[2] = {inRegister(b.low), inRegister(b.high)};
  const Id low = newYmm(), high = newYmm();
  emitter().emit(InstId::kIdVblendvpd, ymm(low), ymm(rb[0]), source(a.low), ymm(masks[0]));
  emitter().emit(InstId::kIdVblendvpd, ymm(high), ymm(rb[1]), source(a.high), ymm(masks[1]));
  return make(low, high);
}

Double toDouble(Float a) { return widenBoth(InstId::kIdVcvtps2pd, asInt(a)); }
Double toDouble(Int a) { return widenBoth(InstId::kIdVcvtdq2pd, a); }
Double toDoubleUnsigned(Int a) { return toDouble(a ^ Int(int32_t(0x80000000u))) + Double(2147483648.0); }
Float toFloat(Double a) { return asFloat(narrowBoth(InstId::kIdVcvtpd2ps, a)); }
Int toIntSaturate(Double a) {
  const Double clamped = minSecond(maxSecond(a, Double(-2147483648.0)), Double(2147483647.0));
  return andNot(narrowBoth(InstId::kIdVcvttpd2dq, clamped), asInt(isNan(a)));
}
Int toUintSaturate(Double a) {
  // clamped and truncated to [0, 2^32), then through the signed conversion; NaN becomes 0 by the maximum
  const Double clamped = trunc(minSecond(maxSecond(a, Double(0.0)), Double(4294967295.0)));
  return narrowBoth(InstId::kIdVcvttpd2dq, clamped - Double(2147483648.0)) ^ Int(int32_t(0x80000000u));
}

void setFlushDenormals(bool flush) {
  const Int mode(flush ? 0x9fc0 : 0x1f80);
  emitter().vldmxcsr(constantOperand(mode.id, 4));
}

} // namespace monolith::simd
