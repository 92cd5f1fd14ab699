// SPDX-License-Identifier: MIT
#include "simd/float_ops.h"
#include "simd/int_ops.h"
#include "simd/internal/recorder.h"

namespace monolith::simd {

using asmjit::imm;

namespace {

Int binary(InstId op, Int a, Int b) { return Int::fromId(emit2(op, a.id, b.id)); }
Int commuting(InstId op, Int a, Int b) { return Int::fromId(emitCommuting(op, a.id, b.id)); }
Int shifted(InstId op, Int a, int count) { return Int::fromId(emitImmediate(op, a.id, count)); }

} // namespace

Int permute(Int a, Int indices) {
  const Id control = inRegister(indices.id);
  const Id r = newYmm();
  emitter().emit(InstId::kIdVpermd, ymm(r), ymm(control), source(a.id));
  return Int::fromId(r);
}
Float permute(Float a, Int indices) { return asFloat(permute(asInt(a), indices)); }

Int permute(Int a, const std::array<int, kLanes>& order) {
  bool identity = true, grouped = true;
  for (int i = 0; i < kLanes; ++i) {
    identity &= order[size_t(i)] == i;
    grouped &= order[size_t(i)] / 4 == i / 4 && order[size_t(i)] % 4 == order[size_t(i % 4)] % 4;
  }
  if (identity)
    return a;
  if (grouped)
    return shuffle4(a, order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6);
  std::array<int32_t, kLanes> lanes;
  for (size_t i = 0; i < kLanes; ++i)
    lanes[i] = order[i];
  return permute(a, Int(lanes));
}
Float permute(Float a, const std::array<int, kLanes>& order) { return asFloat(permute(asInt(a), order)); }

Int shuffle4(Int a, int order) {
  const Id r = newYmm();
  emitter().emit(InstId::kIdVpshufd, ymm(r), source(a.id), imm(order));
  return Int::fromId(r);
}
Float shuffle4(Float a, int order) { return asFloat(shuffle4(asInt(a), order)); }
Int shuffle22(Int a, Int b, int order) { return Int::fromId(emit2Immediate(InstId::kIdVshufps, a.id, b.id, order)); }

Int unpackLow32(Int a, Int b) { return binary(InstId::kIdVpunpckldq, a, b); }
Int unpackHigh32(Int a, Int b) { return binary(InstId::kIdVpunpckhdq, a, b); }
Int unpackLow64(Int a, Int b) { return binary(InstId::kIdVpunpcklqdq, a, b); }
Int unpackHigh64(Int a, Int b) { return binary(InstId::kIdVpunpckhqdq, a, b); }
Int unpackLow16(Int a, Int b) { return binary(InstId::kIdVpunpcklwd, a, b); }
Int unpackHigh16(Int a, Int b) { return binary(InstId::kIdVpunpckhwd, a, b); }
Int unpackLow8(Int a, Int b) { return binary(InstId::kIdVpunpcklbw, a, b); }
Int unpackHigh8(Int a, Int b) { return binary(InstId::kIdVpunpckhbw, a, b); }

static Id byteControl(const std::array<uint8_t, 16>& bytes) {
  uint32_t words[kLanes] = {};
  for (size_t i = 0; i < size_t(kLanes) * 4; ++i)
    words[i / 4] |= uint32_t(bytes[i % 16]) << (8 * (i % 4));
  return Recorder::current().constant8(words);
}
Int shuffleBytes(Int a, const std::array<uint8_t, 16>& bytes) {
  return binary(InstId::kIdVpshufb, a, Int::fromId(byteControl(bytes)));
}
Int4 shuffleBytes(Int4 a, const std::array<uint8_t, 16>& bytes) {
  const Id r = newXmm();
  emitter().vpshufb(xmm(r), xmm(a.id), constantOperand(byteControl(bytes), 16));
  return Int4::fromId(r);
}
Int permute128(Int a, Int b, int order) {
  return Int::fromId(emit2Immediate(InstId::kIdVperm2i128, a.id, b.id, order));
}
Int permute64(Int a, int order) {
  const Id r = newYmm();
  emitter().emit(InstId::kIdVpermq, ymm(r), source(a.id), imm(order));
  return Int::fromId(r);
}

Int packSigned32To16(Int a, Int b) { return binary(InstId::kIdVpackssdw, a, b); }
Int packUnsigned32To16(Int a, Int b) { return binary(InstId::kIdVpackusdw, a, b); }
Int packSigned16To8(Int a, Int b) { return binary(InstId::kIdVpacksswb, a, b); }
Int packUnsigned16To8(Int a, Int b) { return binary(InstId::kIdVpackuswb, a, b); }

Int add16(Int a, Int b) { return commuting(InstId::kIdVpaddw, a, b); }
Int sub16(Int a, Int b) { return binary(InstId::kIdVpsubw, a, b); }
Int mulLow16(Int a, Int b) { return commuting(InstId::kIdVpmullw, a, b); }
Int mulHighUnsigned16(Int a, Int b) { return commuting(InstId::kIdVpmulhuw, a, b); }
Int mulHighSigned16(Int a, Int b) { return commuting(InstId::kIdVpmulhw, a, b); }
Int mulHighRound16(Int a, Int b) { return commuting(InstId::kIdVpmulhrsw, a, b); }
Int shl16(Int a, int count) { return shifted(InstId::kIdVpsllw, a, count); }
Int shr16(Int a, int count) { return shifted(InstId::kIdVpsrlw, a, count); }
Int sar16(Int a, int count) { return shifted(InstId::kIdVpsraw, a, count); }
Int minUnsigned16(Int a, Int b) { return commuting(InstId::kIdVpminuw, a, b); }
Int maxUnsigned16(Int a, Int b) { return commuting(InstId::kIdVpmaxuw, a, b); }
Int mulAddPairs16(Int a, Int b) { return commuting(InstId::kIdVpmaddwd, a, b); }
Int add8(Int a, Int b) { return commuting(InstId::kIdVpaddb, a, b); }
Int equal8(Int a, Int b) { return commuting(InstId::kIdVpcmpeqb, a, b); }
Int addSaturateUnsigned8(Int a, Int b) { return commuting(InstId::kIdVpaddusb, a, b); }
Int subSaturateUnsigned8(Int a, Int b) { return binary(InstId::kIdVpsubusb, a, b); }
Int minUnsigned8(Int a, Int b) { return commuting(InstId::kIdVpminub, a, b); }
Int maxUnsigned8(Int a, Int b) { return commuting(InstId::kIdVpmaxub, a, b); }
Int averageUnsigned8(Int a, Int b) { return commuting(InstId::kIdVpavgb, a, b); }
Int mulAddPairsUnsigned8(Int a, Int b) { return binary(InstId::kIdVpmaddubsw, a, b); }

Int4 low128(Int a) {
  const Id r = newXmm();
  if (a.isConstant())
    emitter().vmovdqa(xmm(r), constantOperand(a.id, 16));
  else
    emitter().vmovdqa(xmm(r), xmm(a.id));
  return Int4::fromId(r);
}
Int4 high128(Int a) {
  const Id v = inRegister(a.id);
  const Id r = newXmm();
  emitter().vextracti128(xmm(r), ymm(v), imm(1));
  return Int4::fromId(r);
}
Int combine128(Int4 low, Int4 high) {
  const Id lowWide = newYmm(), r = newYmm();
  emitter().vmovdqa(xmm(lowWide), xmm(low.id));
  emitter().vinserti128(ymm(r), ymm(lowWide), xmm(high.id), imm(1));
  return Int::fromId(r);
}

static Int widen(InstId op, Int4 a) {
  const Id r = newYmm();
  emitter().emit(op, ymm(r), xmm(a.id));
  return Int::fromId(r);
}
Int widenUnsigned16(Int4 a) { return widen(InstId::kIdVpmovzxwd, a); }
Int widenSigned16(Int4 a) { return widen(InstId::kIdVpmovsxwd, a); }
Int widenUnsigned8(Int4 a) { return widen(InstId::kIdVpmovzxbd, a); }
Int widenSigned8(Int4 a) { return widen(InstId::kIdVpmovsxbd, a); }
Int widenUnsigned8To16(Int4 a) { return widen(InstId::kIdVpmovzxbw, a); }

static Int4 narrow(InstId op, Int4 low, Int4 high) {
  const Id r = newXmm();
  emitter().emit(op, xmm(r), xmm(low.id), xmm(high.id));
  return Int4::fromId(r);
}
Int4 narrowUnsigned16(Int a) { return narrow(InstId::kIdVpackusdw, low128(a), high128(a)); }
Int4 narrowSigned16(Int a) { return narrow(InstId::kIdVpackssdw, low128(a), high128(a)); }
Int4 narrowUnsigned8(Int a) {
  const Int4 shorts = narrowSigned16(a);
  return narrow(InstId::kIdVpackuswb, shorts, shorts);
}
Int4 narrowSigned8(Int a) {
  const Int4 shorts = narrowSigned16(a);
  return narrow(InstId::kIdVpacksswb, shorts, shorts);
}

Word extract4(Int4 a, int lane) {
  const Id r = newGpd();
  if (lane == 0)
    emitter().vmovd(gpd(r), xmm(a.id));
  else
    emitter().vpextrd(gpd(r), xmm(a.id), imm(lane));
  return Word::fromId(r);
}
Long extractLong(Int4 a, int lane) {
  const Id r = newGpq();
  if (lane == 0)
    emitter().vmovq(gpq(r), xmm(a.id));
  else
    emitter().vpextrq(gpq(r), xmm(a.id), imm(lane));
  return Long::fromId(r);
}
Int4 insert4(Int4 a, int lane, Word value) {
  const Id w = inRegister(value);
  const Id r = newXmm();
  emitter().vpinsrd(xmm(r), xmm(a.id), gpd(w), imm(lane));
  return Int4::fromId(r);
}

} // namespace monolith::simd
