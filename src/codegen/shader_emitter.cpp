// SPDX-License-Identifier: MIT
#include "codegen/shader_emitter.h"
#include "abi/thread_context.h"
#include "codegen/emitter_state.h"
#include <algorithm>

namespace monolith::codegen {

using namespace simd;
using ir::Instruction;
using ir::Op;

Float EmitterState::operandFlushed(const Instruction& i, unsigned n) const {
  const ir::Value v = function.operand(i, n);
  uint32_t w;
  if (operandConstant(i, n, w))
    return asFloat(Int((w & 0x7f800000u) ? w : w & 0x80000000u));
  return isFlushed[v.id] ? asFloat(values[v.id]) : asFloat(values[v.id]) * Float(1.0f);
}

bool EmitterState::operandConstant(const Instruction& i, unsigned n, uint32_t& word) const {
  const ir::Value v = function.operand(i, n);
  if (!v.isConstant())
    return false;
  word = function.constant(v);
  return true;
}

bool EmitterState::valueIsMask(ir::Value v) const {
  if (!v.isConstant())
    return isMask[v.id] != 0;
  const uint32_t w = function.constant(v);
  return w == 0 || w == ~0u;
}

Mask EmitterState::condition(ir::Value v) const {
  if (v.isConstant())
    return Mask(function.constant(v) != 0);
  return isMask[v.id] ? asMask(values[v.id]) : nonZero(values[v.id]);
}

Mask EmitterState::effectMask() const { return discarded ? andNot(exec, discarded->peek()) : exec; }

void EmitterState::setDoubleMode(bool on) {
  if (doubleMode == on)
    return;
  doubleMode = on;
  setFlushDenormals(!on);
}

namespace {

/// LoadVar results that can be the variable's own register: no store between the load and the last use. A use inside
/// a loop that does not contain the load counts as a use at the loop's end.
std::vector<uint8_t> findBorrows(const ir::Function& f) {
  const uint32_t count = uint32_t(f.instructions.size());
  std::vector<uint32_t> definition(f.valueCount, 0), lastUse(f.valueCount, 0);
  std::vector<uint32_t> loops; // open loops
  for (uint32_t at = 0; at < count; ++at) {
    const Instruction& i = f.instructions[at];
    if (i.op == Op::Loop)
      loops.push_back(at);
    else if (i.op == Op::EndLoop)
      loops.pop_back();
    for (unsigned n = 0; n < i.operandCount; ++n) {
      const ir::Value v = f.operand(i, n);
      if (v.isConstant())
        continue;
      uint32_t use = at;
      for (uint32_t loop : loops)
        if (loop > definition[v.id]) { // the outermost loop behind the definition
          use = f.instructions[loop].attr;
          break;
        }
      lastUse[v.id] = std::max(lastUse[v.id], use);
    }
    for (unsigned n = 0; n < i.resultCount; ++n)
      definition[i.firstResult + n] = at;
  }
  // Walk backwards with the next store of each variable. Around a loop's end, a store earlier in the loop matters only
  // for uses that the rule above has moved to the loop's end, and those stores lie between load and end as well.
  std::vector<uint8_t> borrow(count, 0);
  std::vector<uint32_t> nextStore(f.variableCount, ~0u);
  for (uint32_t at = count; at-- > 0;) {
    const Instruction& i = f.instructions[at];
    if (i.op == Op::StoreVar)
      nextStore[i.attr] = at;
    else if (i.op == Op::LoadVar)
      borrow[at] = nextStore[i.attr] >= lastUse[i.firstResult];
  }
  return borrow;
}

/// Registers of variables; those that may be read before a full store start as 0.
void prepareVariables(EmitterState& s) {
  std::vector<uint8_t> seen(s.function.variableCount, 0), needsZero(s.function.variableCount, 0);
  unsigned depth = 0;
  for (const Instruction& i : s.function.instructions) {
    if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Block)
      ++depth;
    else if (i.op == Op::EndIf || i.op == Op::EndLoop || i.op == Op::EndBlock)
      --depth;
    else if ((i.op == Op::LoadVar || i.op == Op::StoreVar) && !seen[i.attr]) {
      seen[i.attr] = 1;
      needsZero[i.attr] = i.op == Op::LoadVar || depth != 0;
    }
  }
  s.variables.resize(s.function.variableCount);
  for (uint32_t v = 0; v < s.function.variableCount; ++v) {
    s.variables[v] = newRegisterLike(Int());
    if (needsZero[v])
      assignRegister(s.variables[v], Int(0));
  }
}

/// Operations that leave the shader.
void emitOutside(EmitterState& s, const Instruction& i) {
  switch (i.op) {
  case Op::LoadInput: s.set(i, s.host.input(i.attr, i.attr2)); return;
  case Op::LoadSystem: s.set(i, s.host.system(i.attr, i.attr2)); return;
  case Op::StoreOutput:
    if (s.full)
      s.host.output(i.attr, i.attr2, s.operand(i, 0));
    else
      s.host.outputMasked(i.attr, i.attr2, s.operand(i, 0), s.exec);
    return;
  case Op::StoreDepth: s.host.outputDepth(s.operandFloat(i, 0)); return;
  default: break;
  }
  Int operands[16], results[8];
  for (unsigned n = 0; n < i.operandCount; ++n)
    operands[n] = s.operand(i, n);
  const ir::AttrKind kind = ir::opInfo(i.op).attr;
  const bool onResource = kind == ir::AttrKind::Sample || kind == ir::AttrKind::Resource ||
                          (kind == ir::AttrKind::Memory && ir::MemorySpace(i.attr2) == ir::MemorySpace::Resource);
  if (onResource)
    s.host.resource(s.function, i, operands, results, s.effectMask());
  else
    s.host.effect(s.function, i, operands, results, s.effectMask());
  for (unsigned n = 0; n < i.resultCount; ++n)
    s.set(i, results[n].valid() ? results[n] : Int(0), n);
}

} // namespace

ShaderEmitter::ShaderEmitter(const ir::Function& function, ShaderHost& host)
    : m_state(std::make_unique<EmitterState>(function, host)) {
  EmitterState& s = *m_state;
  s.uniformity = analyzeUniformity(function);
  s.values.resize(function.valueCount);
  s.isMask.resize(function.valueCount);
  s.isFlushed.resize(function.valueCount);
  s.uses = function.countUses();
  s.borrow = findBorrows(function);
  s.leaves = findLeaves(function, s.uniformity);
}

ShaderEmitter::~ShaderEmitter() = default;

void ShaderEmitter::prologue() {
  EmitterState& s = *m_state;
  prepareConstantBuffers(s);
  const auto isLoop = [](const Instruction& i) { return i.op == Op::Loop; };
  if (std::any_of(s.function.instructions.begin(), s.function.instructions.end(), isLoop))
    s.budget.emplace(loadLong(s.host.thread() + int32_t(offsetof(abi::ThreadContext, loopBudget))));
}

void ShaderEmitter::body(Mask active) {
  EmitterState& s = *m_state;
  s.exec = s.active = active;
  s.full = true;
  const auto isDiscard = [](const Instruction& i) { return i.op == Op::Discard; };
  if (std::any_of(s.function.instructions.begin(), s.function.instructions.end(), isDiscard))
    s.discarded.emplace(Mask(false));
  prepareVariables(s);
  prepareArrays(s);
  const uint32_t count = uint32_t(s.function.instructions.size());
  for (uint32_t at = 0; at < count; ++at) {
    const Instruction& i = s.function.instructions[at];
    const ir::OpInfo& info = ir::opInfo(i.op);
    if (info.flags & ir::kOpPure && i.resultCount) { // what nobody uses
      bool used = false;
      for (unsigned n = 0; n < i.resultCount; ++n)
        used |= s.used(i, n);
      if (!used)
        continue;
    }
    if (emitDoubleOp(s, i))
      continue;
    s.setDoubleMode(false);
    if (emitFloatOp(s, i) || emitIntegerOp(s, i) || emitMemoryOp(s, i, at) || emitFlowOp(s, i, at))
      continue;
    emitOutside(s, i);
  }
  s.setDoubleMode(false);
}

void ShaderEmitter::epilogue() {
  EmitterState& s = *m_state;
  if (!s.budget)
    return;
  const Pointer thread = s.host.thread();
  store(thread + int32_t(offsetof(abi::ThreadContext, loopBudget)), s.budget->peek());
  If(s.budget->peek() < Long(int64_t(0)),
     [&] { store(thread + int32_t(offsetof(abi::ThreadContext, hung)), Word(1)); });
}

void emitShader(const ir::Function& function, ShaderHost& host, Mask active) {
  ShaderEmitter emitter(function, host);
  emitter.prologue();
  emitter.body(active);
  emitter.epilogue();
}

} // namespace monolith::codegen
