// SPDX-License-Identifier: MIT
#include "simd/value.h"
#include "simd/internal/recorder.h"
#include <bit>

namespace monolith::simd {

using asmjit::imm;

Float::Float(float splat) { id = Recorder::current().splat(std::bit_cast<uint32_t>(splat)); }

Float::Float(const std::array<float, kLanes>& lanes) {
  uint32_t words[kLanes];
  for (int i = 0; i < kLanes; ++i)
    words[i] = std::bit_cast<uint32_t>(lanes[i]);
  id = Recorder::current().constant8(words);
}

Int::Int(int32_t splat) { id = Recorder::current().splat(uint32_t(splat)); }

Int::Int(const std::array<int32_t, kLanes>& lanes) {
  uint32_t words[kLanes];
  for (int i = 0; i < kLanes; ++i)
    words[i] = uint32_t(lanes[i]);
  id = Recorder::current().constant8(words);
}

Mask::Mask(bool splat) { id = Recorder::current().splat(splat ? ~0u : 0u); }

Mask::Mask(const std::array<bool, kLanes>& lanes) {
  uint32_t words[kLanes];
  for (int i = 0; i < kLanes; ++i)
    words[i] = lanes[i] ? ~0u : 0u;
  id = Recorder::current().constant8(words);
}

Double::Double(double splat) {
  const uint64_t bits = std::bit_cast<uint64_t>(splat);
  uint32_t words[kLanes];
  for (int i = 0; i < kLanes; ++i)
    words[i] = uint32_t(i & 1 ? bits >> 32 : bits);
  low = high = Recorder::current().constant8(words);
}

static Id moveVector(Id to, Id from) {
  if (from & kConstantBit)
    emitter().vmovaps(ymm(to), constantOperand(from));
  else
    emitter().vmovaps(ymm(to), ymm(from));
  return to;
}

Float newRegisterLike(Float) { return Float::fromId(newYmm()); }
Int newRegisterLike(Int) { return Int::fromId(newYmm()); }
Mask newRegisterLike(Mask) { return Mask::fromId(newYmm()); }
Int4 newRegisterLike(Int4) { return Int4::fromId(newXmm()); }
Word newRegisterLike(Word) { return Word::fromId(newGpd()); }
Long newRegisterLike(Long) { return Long::fromId(newGpq()); }
Pointer newRegisterLike(Pointer) { return Pointer::fromId(newGpq()); }
Double newRegisterLike(Double) {
  Double d;
  d.low = newYmm();
  d.high = newYmm();
  return d;
}

Float copyOf(Float a) { return Float::fromId(moveVector(newYmm(), a.id)); }
Int copyOf(Int a) { return Int::fromId(moveVector(newYmm(), a.id)); }
Mask copyOf(Mask a) { return Mask::fromId(moveVector(newYmm(), a.id)); }
Int4 copyOf(Int4 a) {
  const Int4 r = newRegisterLike(a);
  assignRegister(r, a);
  return r;
}
Double copyOf(Double a) {
  Double d;
  d.low = moveVector(newYmm(), a.low);
  d.high = moveVector(newYmm(), a.high);
  return d;
}
Word copyOf(Word a) {
  const Word r = newRegisterLike(a);
  assignRegister(r, a);
  return r;
}
Long copyOf(Long a) {
  const Long r = newRegisterLike(a);
  assignRegister(r, a);
  return r;
}
Pointer copyOf(Pointer a) {
  const Pointer r = newRegisterLike(a);
  assignRegister(r, a);
  return r;
}

void assignRegister(Float reg, Float value) { moveVector(reg.id, value.id); }
void assignRegister(Int reg, Int value) { moveVector(reg.id, value.id); }
void assignRegister(Mask reg, Mask value) { moveVector(reg.id, value.id); }
void assignRegister(Int4 reg, Int4 value) { emitter().vmovaps(xmm(reg.id), xmm(value.id)); }
void assignRegister(Double reg, Double value) {
  moveVector(reg.low, value.low);
  moveVector(reg.high, value.high);
}
void assignRegister(Word reg, Word value) {
  if (value.isImmediate())
    emitter().mov(gpd(reg.id), imm(value.immediate));
  else
    emitter().mov(gpd(reg.id), gpd(value.id));
}
void assignRegister(Long reg, Long value) {
  if (value.isImmediate())
    emitter().mov(gpq(reg.id), imm(value.immediate));
  else
    emitter().mov(gpq(reg.id), gpq(value.id));
}
void assignRegister(Pointer reg, Pointer value) {
  if (value.kind == Pointer::Base::Register && value.index == kNoId && value.offset == 0)
    emitter().mov(gpq(reg.base), gpq(value.base));
  else
    emitter().lea(gpq(reg.base), memory(value, 0));
}

} // namespace monolith::simd
