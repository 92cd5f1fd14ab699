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

/// Index behind which each value is dead. A use inside a loop that does not contain the definition counts as a use at
/// the loop's end.
std::vector<uint32_t> findLastUses(const ir::Function& f) {
  std::vector<uint32_t> definition(f.valueCount, 0), lastUse(f.valueCount, 0);
  std::vector<uint32_t> loops; // open loops
  for (uint32_t at = 0; at < f.instructions.size(); ++at) {
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
      definition[i.firstResult + n] = lastUse[i.firstResult + n] = at;
  }
  return lastUse;
}

/// LoadVar results that can be the variable's own register: no store between the load and the last use.
std::vector<uint8_t> findBorrows(const ir::Function& f, const std::vector<uint32_t>& lastUse) {
  const uint32_t count = uint32_t(f.instructions.size());
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
    s.pin(s.operand(i, 0));
    if (s.full)
      s.host.output(i.attr, i.attr2, s.operand(i, 0));
    else
      s.host.outputMasked(i.attr, i.attr2, s.operand(i, 0), s.exec);
    return;
  case Op::StoreDepth: s.pin(s.operand(i, 0)); s.host.outputDepth(s.operandFloat(i, 0)); return;
  default: break;
  }
  Int operands[16], results[8];
  for (unsigned n = 0; n < i.operandCount; ++n)
    s.pin(operands[n] = s.operand(i, n));
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

/// Operations that leave nothing but their results behind.
bool isSelfContained(const EmitterState& s, const Instruction& i) {
  if (ir::opInfo(i.op).flags & ir::kOpFold)
    return true;
  switch (i.op) {
  case Op::DerivXCoarse:
  case Op::DerivXFine:
  case Op::DerivYCoarse:
  case Op::DerivYFine:
  case Op::LoadVar:
  case Op::LoadIcb:
  case Op::LoadArray: return true;
  case Op::LoadConstant: { // others go to a cache of rows
    uint32_t row;
    return s.operandConstant(i, 0, row) && row < s.constantSlots[i.attr].checked;
  }
  default: return false;
  }
}

/// Records such an operation; registers other than those of its results are free again.
bool emitSelfContained(EmitterState& s, const Instruction& i, uint32_t at) {
  if (!isSelfContained(s, i))
    return false;
  Temporaries temporaries;
  if (!emitDoubleOp(s, i)) {
    s.setDoubleMode(false);
    if (!emitFloatOp(s, i) && !emitIntegerOp(s, i))
      emitMemoryOp(s, i, at);
  }
  for (unsigned n = 0; n < i.resultCount; ++n) {
    const Int v = s.values[i.firstResult + n];
    if (v.isConstant())
      continue;
    if (s.owners.size() <= v.id)
      s.owners.resize(v.id + 64, 0);
    // made here, or an operand's register that gets one more owner
    if (temporaries.keep(v))
      s.owners[v.id] = 1;
    else if (s.owners[v.id] && s.owners[v.id] != ~0u)
      ++s.owners[v.id];
  }
  return true;
}

void emitInstruction(EmitterState& s, const Instruction& i, uint32_t at) {
  if (ir::opInfo(i.op).flags & ir::kOpPure && i.resultCount) { // what nobody uses
    bool used = false;
    for (unsigned n = 0; n < i.resultCount; ++n)
      used |= s.used(i, n);
    if (!used)
      return;
  }
  if (emitSelfContained(s, i, at))
    return;
  s.setDoubleMode(false);
  if (!emitMemoryOp(s, i, at) && !emitFlowOp(s, i, at))
    emitOutside(s, i);
}

/// Gives back the registers of values that die at `at`.
class Deaths {
public:
  explicit Deaths(const EmitterState& s) : m_first(s.function.instructions.size(), ~0u), m_next(s.lastUse.size(), ~0u) {
    for (uint32_t v = 0; v < s.lastUse.size(); ++v) {
      m_next[v] = m_first[s.lastUse[v]];
      m_first[s.lastUse[v]] = v;
    }
  }
  void bury(EmitterState& s, uint32_t at) const {
    for (uint32_t v = m_first[at]; v != ~0u; v = m_next[v]) {
      const Id id = s.values[v].id;
      if (id >= s.owners.size() || !s.owners[id] || s.owners[id] == ~0u)
        continue;
      if (--s.owners[id] == 0)
        giveBack(s.values[v]);
    }
  }

private:
  std::vector<uint32_t> m_first, m_next; ///< list per instruction
};

} // namespace

ShaderEmitter::ShaderEmitter(const ir::Function& function, ShaderHost& host)
    : m_state(std::make_unique<EmitterState>(function, host)) {
  EmitterState& s = *m_state;
  s.uniformity = analyzeUniformity(function);
  s.values.resize(function.valueCount);
  s.isMask.resize(function.valueCount);
  s.isFlushed.resize(function.valueCount);
  s.uses = function.countUses();
  s.lastUse = findLastUses(function);
  s.borrow = findBorrows(function, s.lastUse);
  s.leaves = findLeaves(function, s.uniformity);
  s.privateTo = findPrivateVariables(function);
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
  const Deaths deaths(s);
  const uint32_t count = uint32_t(s.function.instructions.size());
  for (uint32_t at = 0; at < count; ++at) {
    emitInstruction(s, s.function.instructions[at], at);
    deaths.bury(s, at);
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
