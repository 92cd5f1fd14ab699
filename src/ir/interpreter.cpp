// SPDX-License-Identifier: MIT
#include "ir/interpreter.h"

#include "ir/evaluate.h"
#include "ir/float_env.h"
#include "ir/scalar_ops.h"

#include <algorithm>
#include <cstring>

namespace monolith::ir {

namespace {
void zero(LaneWords out) { std::memset(out, 0, kMaxLanes * sizeof(uint32_t)); }
} // namespace

void Environment::loadInput(uint32_t, uint32_t, LaneWords out) { zero(out); }
void Environment::loadIndexedInput(Op, uint32_t, uint32_t, ConstLaneWords, LaneWords out) { zero(out); }
void Environment::loadSystem(SystemValue, uint32_t, LaneWords out) { zero(out); }
void Environment::evalInput(Op, uint32_t, uint32_t, ConstLaneWords, ConstLaneWords, LaneWords out) { zero(out); }
uint32_t Environment::loadConstant(uint32_t, uint32_t, uint32_t) { return 0; }
void Environment::storeOutput(Op, uint32_t, uint32_t, ConstLaneWords, ConstLaneWords, uint8_t) {}
void Environment::emitVertex(Op, uint32_t, uint8_t) {}
void Environment::resource(const Function&, const Instruction& i, ConstLaneWords const*, LaneWords const* results,
                           uint8_t) {
  for (unsigned n = 0; n < i.resultCount; n++)
    zero(results[n]);
}
void Environment::sync(uint32_t) {}

Interpreter::Interpreter(const Function& f) : m_f(f) {
  m_constants.resize(f.constants.size() * kMaxLanes);
  for (size_t c = 0; c < f.constants.size(); c++)
    std::fill_n(&m_constants[c * kMaxLanes], kMaxLanes, f.constants[c]);
  m_values.resize(size_t(f.valueCount) * kMaxLanes);
  m_variables.resize(size_t(f.variableCount) * kMaxLanes);
  uint32_t words = 0;
  for (const ArrayDecl& a : f.arrays) {
    m_arrayOffset.push_back(words);
    words += a.size * a.components * kMaxLanes;
  }
  m_arrays.resize(words);
}

uint8_t Interpreter::conditionMask(Value v) {
  const ConstLaneWords w = value(v);
  unsigned m = 0;
  for (unsigned l = 0; l < m_lanes; l++)
    m |= (w[l] != 0 ? 1u : 0u) << l;
  return static_cast<uint8_t>(m);
}

/// Break or Continue: lanes of exec that satisfy the condition wait in the target region.
void Interpreter::leave(const Instruction& i) {
  uint8_t lanes = m_exec;
  if (i.operandCount)
    lanes &= conditionMask(m_f.operand(i, 0));
  for (size_t r = m_regions.size(); r-- > 0;) {
    if (m_regions[r].open != i.attr)
      continue;
    (i.op == Op::Break ? m_regions[r].waiting : m_regions[r].continued) |= lanes;
    break;
  }
  m_exec &= static_cast<uint8_t>(~lanes);
}

/// A marker; returns the index of the next instruction.
uint32_t Interpreter::executeFlow(const Instruction& i, uint32_t at) {
  switch (i.op) {
  case Op::If: {
    const uint8_t taken = m_exec & conditionMask(m_f.operand(i, 0));
    m_regions.push_back({at, static_cast<uint8_t>(m_exec & ~taken), 0});
    m_exec = taken;
    return taken ? at + 1 : i.attr;
  }
  case Op::Else:
    std::swap(m_exec, m_regions.back().waiting);
    return m_exec ? at + 1 : i.attr;
  case Op::EndIf:
  case Op::EndBlock:
    m_exec |= m_regions.back().waiting;
    m_regions.pop_back();
    return at + 1;
  case Op::Block:
  case Op::Loop:
    m_regions.push_back({at, 0, 0});
    return m_exec ? at + 1 : i.attr;
  case Op::EndLoop: {
    Region& loop = m_regions.back();
    m_exec |= loop.continued;
    loop.continued = 0;
    if (m_exec)
      return i.attr + 1;
    m_exec = loop.waiting;
    m_regions.pop_back();
    return at + 1;
  }
  default:
    leave(i);
    return at + 1;
  }
}

void Interpreter::executeState(const Instruction& i) {
  switch (i.op) {
  case Op::LoadVar:
    std::memcpy(value(Function::result(i)), &m_variables[size_t(i.attr) * kMaxLanes], kMaxLanes * sizeof(uint32_t));
    return;
  case Op::StoreVar: {
    const ConstLaneWords x = value(m_f.operand(i, 0));
    for (unsigned l = 0; l < m_lanes; l++)
      if (m_exec >> l & 1)
        m_variables[size_t(i.attr) * kMaxLanes + l] = x[l];
    return;
  }
  case Op::LoadArray:
  case Op::StoreArray: {
    const ArrayDecl& a = m_f.arrays[i.attr];
    const ConstLaneWords index = value(m_f.operand(i, 0));
    for (unsigned l = 0; l < m_lanes; l++) {
      const bool inside = index[l] < a.size && i.attr2 < a.components;
      const size_t at = inside ? m_arrayOffset[i.attr] + (size_t(index[l]) * a.components + i.attr2) * kMaxLanes + l : 0;
      if (i.op == Op::LoadArray)
        value(Function::result(i))[l] = inside ? m_arrays[at] : 0;
      else if (inside && (m_exec >> l & 1))
        m_arrays[at] = value(m_f.operand(i, 1))[l];
    }
    return;
  }
  default: { // LoadIcb
    const ConstLaneWords index = value(m_f.operand(i, 0));
    for (unsigned l = 0; l < m_lanes; l++)
      value(Function::result(i))[l] = index[l] < m_f.icb.size() / 4 ? m_f.icb[index[l] * 4 + i.attr2] : 0;
    return;
  }
  }
}

void Interpreter::executeDerivative(const Instruction& i) {
  const ConstLaneWords x = value(m_f.operand(i, 0));
  const LaneWords out = value(Function::result(i));
  for (unsigned l = 0; l < m_lanes; l++) {
    const unsigned quad = l & ~3u;
    unsigned from = quad, to = quad;
    switch (i.op) {
    case Op::DerivXCoarse: to = quad + 1; break;
    case Op::DerivYCoarse: to = quad + 2; break;
    case Op::DerivXFine: from = l & ~1u, to = l | 1u; break;
    default: from = l & ~2u, to = l | 2u; break;
    }
    out[l] = scalar::fadd(x[to], x[from] ^ 0x80000000u);
  }
}

void Interpreter::executeEnvironment(const Instruction& i, Environment& env) {
  ConstLaneWords in[16];
  LaneWords out[8];
  for (unsigned n = 0; n < i.operandCount; n++)
    in[n] = value(m_f.operand(i, n));
  for (unsigned n = 0; n < i.resultCount; n++)
    out[n] = value(Value{i.firstResult + n});
  switch (i.op) {
  case Op::LoadInput: env.loadInput(i.attr, i.attr2, out[0]); return;
  case Op::LoadVertexInput:
  case Op::LoadOutputPoint:
  case Op::LoadPatchConstant:
    env.loadIndexedInput(i.op, i.attr, i.attr2, i.operandCount ? in[0] : nullptr, out[0]);
    return;
  case Op::LoadSystem: env.loadSystem(static_cast<SystemValue>(i.attr), i.attr2, out[0]); return;
  case Op::EvalCentroid:
  case Op::EvalSample:
  case Op::EvalSnapped:
    env.evalInput(i.op, i.attr, i.attr2, i.operandCount > 0 ? in[0] : nullptr, i.operandCount > 1 ? in[1] : nullptr,
                  out[0]);
    return;
  case Op::LoadConstant:
    for (unsigned l = 0; l < m_lanes; l++)
      out[0][l] = env.loadConstant(i.attr, in[0][l], i.attr2);
    return;
  case Op::StoreOutput:
  case Op::StoreDepth:
  case Op::StoreCoverage:
  case Op::StoreStencilRef:
  case Op::StorePatchConstant:
    env.storeOutput(i.op, i.attr, i.attr2, in[0], i.operandCount > 1 ? in[1] : nullptr, m_exec);
    return;
  case Op::EmitVertex:
  case Op::CutStrip: env.emitVertex(i.op, i.attr, m_exec); return;
  case Op::Sync: env.sync(i.attr); return;
  case Op::Discard:
    m_discarded |= i.operandCount ? m_exec & conditionMask(m_f.operand(i, 0)) : m_exec;
    return;
  default: // sampling, loads, memory; a discarded lane has no effects any more
    env.resource(m_f, i, in, out, static_cast<uint8_t>(m_exec & ~m_discarded));
    return;
  }
}

RunResult Interpreter::run(Environment& env, unsigned lanes, uint8_t mask) {
  RunResult r;
  m_lanes = std::min(lanes, kMaxLanes);
  m_exec = mask & static_cast<uint8_t>((1u << m_lanes) - 1);
  m_discarded = 0;
  m_regions.clear();
  std::fill(m_variables.begin(), m_variables.end(), 0u);
  std::fill(m_arrays.begin(), m_arrays.end(), 0u);

  FloatMode mode(FloatMode::Single);
  const uint32_t count = static_cast<uint32_t>(m_f.instructions.size());
  const uint32_t* in[8];
  uint32_t* out[4];
  for (uint32_t at = 0; at < count;) {
    if (++r.instructions > m_budget) {
      r.status = RunStatus::OutOfBudget;
      break;
    }
    const Instruction& i = m_f.instructions[at];
    const OpInfo& info = opInfo(i.op);
    if (info.flags & kOpFold) {
      for (unsigned n = 0; n < i.operandCount; n++)
        in[n] = value(m_f.operand(i, n));
      for (unsigned n = 0; n < i.resultCount; n++)
        out[n] = value(Value{i.firstResult + n});
      evaluateLanes(i.op, in, out, m_lanes);
    } else if (info.flags & kOpFlow) {
      at = executeFlow(i, at);
      continue;
    } else if (i.op >= Op::DerivXCoarse && i.op <= Op::DerivYFine) {
      executeDerivative(i);
    } else if (i.op >= Op::LoadVar && i.op <= Op::LoadIcb) {
      executeState(i);
    } else {
      executeEnvironment(i, env);
    }
    at++;
  }
  r.discarded = m_discarded;
  return r;
}

} // namespace monolith::ir
