// SPDX-License-Identifier: MIT
#include "simd/memory_ops.h"
#include "simd/internal/recorder.h"
#include <cstring>

namespace monolith::simd {

using asmjit::imm;

namespace {

Id loadYmm(InstId op, Pointer p, uint32_t size) {
  const Id r = newYmm();
  emitter().emit(op, ymm(r), memory(p, size));
  return r;
}
Id loadXmm(InstId op, Pointer p, uint32_t size) {
  const Id r = newXmm();
  emitter().emit(op, xmm(r), memory(p, size));
  return r;
}
Word loadScalar(InstId op, Pointer p, uint32_t size) {
  const Id r = newGpd();
  emitter().emit(op, gpd(r), memory(p, size));
  return Word::fromId(r);
}

} // namespace

Float loadFloat(Pointer p) { return Float::fromId(loadYmm(InstId::kIdVmovups, p, 32)); }
Int loadInt(Pointer p) { return Int::fromId(loadYmm(InstId::kIdVmovdqu, p, 32)); }
Mask loadMask(Pointer p) { return Mask::fromId(loadYmm(InstId::kIdVmovups, p, 32)); }
Int4 loadInt4(Pointer p) { return Int4::fromId(loadXmm(InstId::kIdVmovdqu, p, 16)); }
Int4 loadLow64(Pointer p) { return Int4::fromId(loadXmm(InstId::kIdVmovq, p, 8)); }
Int4 loadLow32(Pointer p) { return Int4::fromId(loadXmm(InstId::kIdVmovd, p, 4)); }
Word loadWord(Pointer p) { return loadScalar(InstId::kIdMov, p, 4); }
Word loadUnsigned16(Pointer p) { return loadScalar(InstId::kIdMovzx, p, 2); }
Word loadUnsigned8(Pointer p) { return loadScalar(InstId::kIdMovzx, p, 1); }
Word loadSigned16(Pointer p) { return loadScalar(InstId::kIdMovsx, p, 2); }
Word loadSigned8(Pointer p) { return loadScalar(InstId::kIdMovsx, p, 1); }
Long loadLong(Pointer p) {
  const Id r = newGpq();
  emitter().mov(gpq(r), memory(p, 8));
  return Long::fromId(r);
}
Long loadLongUnsigned32(Pointer p) {
  const Id r = newGpq();
  emitter().mov(gpd(r), memory(p, 4));
  return Long::fromId(r);
}
Pointer loadPointer(Pointer p) { return Pointer::fromId(loadLong(p).id); }
Float broadcastFloat(Pointer p) { return Float::fromId(loadYmm(InstId::kIdVbroadcastss, p, 4)); }
Int broadcastInt(Pointer p) { return Int::fromId(loadYmm(InstId::kIdVpbroadcastd, p, 4)); }
Int broadcast128(Pointer p) { return Int::fromId(loadYmm(InstId::kIdVbroadcasti128, p, 16)); }
Int loadWidenUnsigned16(Pointer p) { return Int::fromId(loadYmm(InstId::kIdVpmovzxwd, p, 16)); }
Int loadWidenSigned16(Pointer p) { return Int::fromId(loadYmm(InstId::kIdVpmovsxwd, p, 16)); }
Int loadWidenUnsigned8(Pointer p) { return Int::fromId(loadYmm(InstId::kIdVpmovzxbd, p, 8)); }
Int loadWidenSigned8(Pointer p) { return Int::fromId(loadYmm(InstId::kIdVpmovsxbd, p, 8)); }
Float loadHalves(Pointer p) { return Float::fromId(loadYmm(InstId::kIdVcvtph2ps, p, 16)); }

Int4 loadLow64Into(Int4 a, Pointer p) {
  const Id r = newXmm();
  emitter().vmovlps(xmm(r), xmm(a.id), memory(p, 8));
  return Int4::fromId(r);
}
Int4 loadHigh64Into(Int4 a, Pointer p) {
  const Id r = newXmm();
  emitter().vmovhps(xmm(r), xmm(a.id), memory(p, 8));
  return Int4::fromId(r);
}
Int4 insertWord(Int4 a, int lane, Pointer p) {
  const Id r = newXmm();
  emitter().vpinsrd(xmm(r), xmm(a.id), memory(p, 4), imm(lane));
  return Int4::fromId(r);
}

Int combine128(Int4 low, Pointer high) {
  const Id wide = newYmm(), r = newYmm();
  emitter().vmovdqa(xmm(wide), xmm(low.id));
  emitter().vinserti128(ymm(r), ymm(wide), memory(high, 16), imm(1));
  return Int::fromId(r);
}

static void storeVector(InstId op, Pointer p, Id value) {
  const Id v = inRegister(value);
  emitter().emit(op, memory(p, 32), ymm(v));
}
void store(Pointer p, Float value) { storeVector(InstId::kIdVmovups, p, value.id); }
void store(Pointer p, Int value) { storeVector(InstId::kIdVmovdqu, p, value.id); }
void store(Pointer p, Mask value) { storeVector(InstId::kIdVmovups, p, value.id); }
void store(Pointer p, Int4 value) { emitter().vmovdqu(memory(p, 16), xmm(value.id)); }
void storeLow64(Pointer p, Int4 value) { emitter().vmovq(memory(p, 8), xmm(value.id)); }
void storeHigh64(Pointer p, Int4 value) { emitter().vmovhps(memory(p, 8), xmm(value.id)); }
void storeLow32(Pointer p, Int4 value) { emitter().vmovd(memory(p, 4), xmm(value.id)); }
void store(Pointer p, Word value) {
  if (value.isImmediate())
    emitter().mov(memory(p, 4), imm(value.immediate));
  else
    emitter().mov(memory(p, 4), gpd(value.id));
}
void store16(Pointer p, Word value) {
  const Id v = inRegister(value);
  emitter().mov(memory(p, 2), x86::gpw(v));
}
void store8(Pointer p, Word value) {
  const Id v = inRegister(value);
  emitter().mov(memory(p, 1), x86::gpb(v));
}
void store(Pointer p, Long value) {
  const Id v = inRegister(value);
  emitter().mov(memory(p, 8), gpq(v));
}
void store(Pointer p, Pointer value) {
  const Id v = newGpq();
  assignRegister(Pointer::fromId(v), value);
  emitter().mov(memory(p, 8), gpq(v));
}
void storeStream(Pointer p, Int value) { storeVector(InstId::kIdVmovntdq, p, value.id); }
void fence() { emitter().sfence(); }
void storeMasked(Pointer p, Mask mask, Int value) {
  const Id m = inRegister(mask.id), v = inRegister(value.id);
  emitter().vpmaskmovd(memory(p, 32), ymm(m), ymm(v));
}
Int loadMasked(Pointer p, Mask mask) {
  const Id m = inRegister(mask.id);
  const Id r = newYmm();
  emitter().vpmaskmovd(ymm(r), ymm(m), memory(p, 32));
  return Int::fromId(r);
}

Int gather(Pointer base, Int index, int scale, Mask mask, Int fallback) {
  // The instruction addresses base + index * scale + offset only, and clears its mask.
  Pointer plain = base;
  if (base.index != kNoId || base.kind != Pointer::Base::Register) {
    plain = Pointer::fromId(newGpq());
    assignRegister(plain, base);
  }
  const Id i = inRegister(index.id);
  const Id m = copyOf(mask).id;
  const Id r = copyOf(fallback).id;
  const uint32_t shift = scale == 1 ? 0 : scale == 2 ? 1 : scale == 4 ? 2 : 3;
  emitter().vpgatherdd(ymm(r), x86::Mem(gpq(plain.base), ymm(i), shift, plain.offset), ymm(m));
  return Int::fromId(r);
}
Int gather(Pointer base, Int index, int scale) { return gather(base, index, scale, Mask(true), Int(0)); }
Float gatherFloat(Pointer base, Int index, int scale, Mask mask, Float fallback) {
  return Float::fromId(gather(base, index, scale, mask, Int::fromId(fallback.id)).id);
}

Pointer constantTable(const void* data, size_t bytes) {
  const uint32_t slot = Recorder::current().addToPool(data, bytes);
  Pointer p;
  p.kind = Pointer::Base::Constants;
  p.base = 0;
  p.offset = int32_t(slot * kVectorBytes);
  return p;
}

} // namespace monolith::simd
