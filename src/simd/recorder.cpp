// SPDX-License-Identifier: MIT
#include "simd/internal/recorder.h"
#include "simd/temporaries.h"
#include <cstdlib>
#include <cstring>
#include <utility>

namespace monolith::simd {

using asmjit::imm;

void Recorder::handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) {
  if (error.empty())
    error = message ? message : "code generation failed";
}

Recorder*& Recorder::currentSlot() {
  static thread_local Recorder* slot = nullptr;
  return slot;
}

Recorder& Recorder::current() {
  Recorder* r = currentSlot();
  if (!r)
    abort(); // a value outside of a Function: a bug that no input can cause
  return *r;
}

void Recorder::clear() {
  code.reset(asmjit::ResetPolicy::kSoft);
  logger.clear();
  function = nullptr;
  poolWords.clear();
  splatSlots.clear();
  arguments.clear();
  name.clear();
  error.clear();
  outer = nullptr;
  freeVectors.clear();
  scopeVectors.clear();
  openScopes = 0;
}

Id newYmm() {
  Recorder& r = Recorder::current();
  Id id;
  if (r.freeVectors.empty()) {
    id = r.compiler.newYmm().id();
  } else {
    id = r.freeVectors.back();
    r.freeVectors.pop_back();
  }
  if (r.openScopes)
    r.scopeVectors.push_back(id);
  return id;
}

Temporaries::Temporaries() : m_first(Recorder::current().scopeVectors.size()) { ++Recorder::current().openScopes; }

bool Temporaries::keep(VectorValue value) {
  Recorder& r = Recorder::current();
  for (size_t n = m_first; n < r.scopeVectors.size(); ++n)
    if (r.scopeVectors[n] == value.id) {
      r.scopeVectors.erase(r.scopeVectors.begin() + ptrdiff_t(n));
      return true;
    }
  return false;
}

Temporaries::~Temporaries() {
  Recorder& r = Recorder::current();
  r.freeVectors.insert(r.freeVectors.end(), r.scopeVectors.begin() + ptrdiff_t(m_first), r.scopeVectors.end());
  r.scopeVectors.resize(m_first);
  --r.openScopes;
}

void giveBack(VectorValue value) { Recorder::current().freeVectors.push_back(value.id); }

Id Recorder::splat(uint32_t word) {
  auto [it, added] = splatSlots.try_emplace(word, uint32_t(poolWords.size() / kLanes));
  if (added)
    poolWords.insert(poolWords.end(), kLanes, word);
  return kConstantBit | it->second;
}

Id Recorder::constant8(const uint32_t* words) {
  bool same = true;
  for (int i = 1; i < kLanes; ++i)
    same &= words[i] == words[0];
  if (same)
    return splat(words[0]);
  return kConstantBit | addToPool(words, kVectorBytes);
}

uint32_t Recorder::addToPool(const void* data, size_t bytes) {
  const size_t count = (bytes + kVectorBytes - 1) / kVectorBytes;
  std::vector<uint32_t> padded(count * kLanes, 0);
  memcpy(padded.data(), data, bytes);
  const size_t slots = poolWords.size() / kLanes;
  for (size_t s = 0; count <= slots && s <= slots - count && slots < 256; ++s)
    if (memcmp(&poolWords[s * kLanes], padded.data(), count * kVectorBytes) == 0)
      return uint32_t(s);
  poolWords.insert(poolWords.end(), padded.begin(), padded.end());
  return uint32_t(slots);
}

x86::Mem constantOperand(Id id, uint32_t size) {
  return x86::Mem(Recorder::current().pool, int32_t((id & ~kConstantBit) * kVectorBytes), size);
}

x86::Mem memory(const Pointer& p, uint32_t size) {
  Recorder& r = Recorder::current();
  switch (p.kind) {
  case Pointer::Base::Constants:
    if (p.index == kNoId)
      return x86::Mem(r.pool, p.offset, size);
    break;
  case Pointer::Base::Stack: {
    x86::Mem m = x86::Mem(gpq(p.base), p.offset, size);
    m.setRegHome();
    if (p.index != kNoId)
      m.setIndex(gpq(p.index), p.shift);
    return m;
  }
  case Pointer::Base::Register:
    if (p.index != kNoId)
      return x86::Mem(gpq(p.base), gpq(p.index), p.shift, p.offset, size);
    return x86::Mem(gpq(p.base), p.offset, size);
  }
  // constants with an index: the table's address into a register first
  const Id base = newGpq();
  r.compiler.lea(gpq(base), x86::Mem(r.pool, p.offset));
  return x86::Mem(gpq(base), gpq(p.index), p.shift, 0, size);
}

Id inRegister(Id vector) {
  if (!(vector & kConstantBit))
    return vector;
  const Id id = newYmm();
  emitter().vmovaps(ymm(id), constantOperand(vector));
  return id;
}

asmjit::Operand source(Id vector) {
  if (vector & kConstantBit)
    return constantOperand(vector);
  return ymm(vector);
}

Id emit2(InstId op, Id a, Id b) {
  const Id ra = inRegister(a);
  const Id r = newYmm();
  emitter().emit(op, ymm(r), ymm(ra), source(b));
  return r;
}

Id emitCommuting(InstId op, Id a, Id b) {
  if ((a & kConstantBit) && !(b & kConstantBit))
    std::swap(a, b);
  return emit2(op, a, b);
}

Id emit1(InstId op, Id a) {
  const Id r = newYmm();
  emitter().emit(op, ymm(r), source(a));
  return r;
}

Id emitImmediate(InstId op, Id a, int immediate) {
  const Id ra = inRegister(a);
  const Id r = newYmm();
  emitter().emit(op, ymm(r), ymm(ra), imm(immediate));
  return r;
}

Id emit2Immediate(InstId op, Id a, Id b, int immediate) {
  const Id ra = inRegister(a);
  const Id r = newYmm();
  emitter().emit(op, ymm(r), ymm(ra), source(b), imm(immediate));
  return r;
}

Id inRegister(const Word& w) {
  if (!w.isImmediate())
    return w.id;
  const Id id = newGpd();
  emitter().mov(gpd(id), imm(w.immediate));
  return id;
}

Id inRegister(const Long& l) {
  if (!l.isImmediate())
    return l.id;
  const Id id = newGpq();
  emitter().mov(gpq(id), imm(l.immediate));
  return id;
}

} // namespace monolith::simd
