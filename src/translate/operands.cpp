// SPDX-License-Identifier: MIT
#include "translate/translator.h"

#include <algorithm>

namespace monolith::translate {

using dxbc::Operand;
using dxbc::RegisterType;
using dxbc::ValueType;

namespace {

/// Registers that hold a system value and need no declaration to be read.
ir::SystemValue registerSystemValue(RegisterType t) {
  using S = ir::SystemValue;
  switch (t) {
  case RegisterType::PrimitiveId: return S::PrimitiveId;
  case RegisterType::OutputControlPointId: return S::OutputControlPointId;
  case RegisterType::ForkInstanceId: return S::ForkInstanceId;
  case RegisterType::JoinInstanceId: return S::JoinInstanceId;
  case RegisterType::DomainPoint: return S::DomainLocation;
  case RegisterType::ThreadId: return S::ThreadId;
  case RegisterType::ThreadGroupId: return S::ThreadGroupId;
  case RegisterType::ThreadIdInGroup: return S::ThreadIdInGroup;
  case RegisterType::ThreadIndexInGroup: return S::ThreadIdInGroupFlattened;
  case RegisterType::InputCoverage: return S::Coverage;
  case RegisterType::InnerCoverage: return S::InnerCoverage;
  case RegisterType::GsInstanceId: return S::GsInstanceId;
  case RegisterType::CycleCounter: return S::CycleCounter;
  default: return S::None;
  }
}

/// Inputs of v# that the executor makes itself; the others come through the register.
bool isGenerated(ir::SystemValue v, ir::Stage stage) {
  using S = ir::SystemValue;
  if (v == S::Position)
    return stage == ir::Stage::Pixel;
  return v == S::VertexId || v == S::InstanceId || v == S::PrimitiveId || v == S::IsFrontFace || v == S::SampleIndex;
}

constexpr unsigned kMaxIndexDepth = 4;

} // namespace

ir::Value Translator::loadVariable(ir::VarId v) {
  if (m_cache.size() <= v.id)
    m_cache.resize(std::max<size_t>(v.id + 1, m_f.variableCount));
  Cached& c = m_cache[v.id];
  if (c.epoch != m_epoch)
    c = {m_b.loadVar(v), m_epoch};
  return c.value;
}

void Translator::storeVariable(ir::VarId v, Value x) {
  if (m_cache.size() <= v.id)
    m_cache.resize(std::max<size_t>(v.id + 1, m_f.variableCount));
  m_b.storeVar(v, x);
  m_cache[v.id] = {x, m_epoch};
}

/// The register number of one dimension, less `minus`.
ir::Value Translator::indexValue(const dxbc::OperandIndex& i, uint32_t minus, unsigned depth) {
  const uint32_t offset = static_cast<uint32_t>(i.offset) - minus;
  if (!i.isRelative())
    return m_b.constant(offset);
  if (i.relative >= m_in->relatives.size() || depth >= kMaxIndexDepth) {
    fail("bad relative index");
    return zero();
  }
  const Operand& r = m_in->relatives[i.relative];
  const Value base = loadRegister(r, r.component(0), depth + 1);
  return offset ? m_b.emit(Op::IAdd, {base, m_b.constant(offset)}) : ir::Values{base.id, 1};
}

ir::Value Translator::loadInput(const Operand& o, unsigned component, unsigned depth) {
  if (o.indexCount == 2) { // v[vertex][register]
    if (o.index[1].isRelative()) {
      fail("relative register index of a vertex input is not translated yet");
      return zero();
    }
    if (o.index[1].offset >= kMaxRegister) {
      fail("input register out of range");
      return zero();
    }
    return m_b.emit(Op::LoadVertexInput, {indexValue(o.index[0], 0, depth)}, static_cast<uint32_t>(o.index[1].offset),
                    component);
  }
  if (o.index[0].isRelative()) {
    const int32_t n = rangeOf(o);
    if (n < 0) {
      fail("indexed input outside of every index range");
      return zero();
    }
    const Range& r = m_ranges[n];
    return m_b.loadArray(r.array, component, indexValue(o.index[0], r.range.first, depth));
  }
  if (o.index[0].offset >= kMaxRegister) {
    fail("input register out of range");
    return zero();
  }
  const ir::InputDecl* d = m_f.findInput(o.reg(), component);
  if (d && isGenerated(d->system, m_f.stage))
    return loadSystem(d->system, d->system == ir::SystemValue::Position ? component : 0);
  if (!d)
    return zero(); // a component that is not declared
  return m_b.loadInput(o.reg(), component);
}

ir::Value Translator::loadConstantBuffer(const Operand& o, unsigned component, unsigned depth) {
  if (o.indexCount != 2 || o.index[0].isRelative()) {
    fail("constant buffer operand needs a fixed slot and one index");
    return zero();
  }
  for (ir::ConstantBufferDecl& c : m_f.constantBuffers) {
    if (c.slot != o.reg())
      continue;
    const Value index = indexValue(o.index[1], 0, depth);
    if (index.isConstant()) {
      if (o.index[1].offset < dxbc::kMaxConstantBufferSize)
        c.usedSize = std::max(c.usedSize, static_cast<uint32_t>(o.index[1].offset) + 1);
    } else {
      c.dynamic = true;
      c.usedSize = c.size;
    }
    return m_b.loadConstant(c.slot, index, component);
  }
  fail("constant buffer is not declared");
  return zero();
}

ir::Value Translator::loadRegister(const Operand& o, unsigned component, unsigned depth) {
  component &= 3;
  switch (o.type) {
  case RegisterType::Temp:
    if (o.index[0].isRelative() || o.index[0].offset >= m_temps) {
      fail("temporary register out of range");
      return zero();
    }
    return loadVariable({o.reg() * 4 + component});
  case RegisterType::IndexableTemp: {
    if (o.indexCount != 2 || o.index[0].isRelative() || o.reg() >= m_indexableArrays.size() ||
        m_indexableArrays[o.reg()] == ~0u) {
      fail("indexable temporary register is not declared");
      return zero();
    }
    return m_b.loadArray(m_indexableArrays[o.reg()], component, indexValue(o.index[1], 0, depth));
  }
  case RegisterType::Imm32: return m_b.constant(o.imm[component]);
  case RegisterType::Imm64: return m_b.constant(o.imm[component]);
  case RegisterType::Input:
  case RegisterType::InputControlPoint: return loadInput(o, component, depth);
  case RegisterType::ConstantBuffer: return loadConstantBuffer(o, component, depth);
  case RegisterType::ImmediateConstantBuffer:
    return m_b.emit(Op::LoadIcb, {indexValue(o.index[0], 0, depth)}, 0, component);
  case RegisterType::PatchConstant:
    if (o.index[0].isRelative())
      return m_b.emit(Op::LoadPatchConstant, {indexValue(o.index[0], 0, depth)}, 0, component);
    if (o.index[0].offset >= kMaxRegister) {
      fail("patch constant out of range");
      return zero();
    }
    return m_b.emit(Op::LoadPatchConstant, {}, o.reg(), component);
  case RegisterType::OutputControlPoint:
    if (o.indexCount != 2 || o.index[1].isRelative() || o.index[1].offset >= kMaxRegister) {
      fail("unsupported index of an output control point");
      return zero();
    }
    return m_b.emit(Op::LoadOutputPoint, {indexValue(o.index[0], 0, depth)}, static_cast<uint32_t>(o.index[1].offset),
                    component);
  default: {
    const ir::SystemValue v = registerSystemValue(o.type);
    if (v != ir::SystemValue::None)
      return loadSystem(v, component);
    fail("register type " + std::to_string(static_cast<unsigned>(o.type)) + " is not translated as a source");
    return zero();
  }
  }
}

/// Lane `lane` of a source after swizzle and modifiers.
ir::Value Translator::load(const Operand& o, unsigned lane, ValueType type) {
  Value v = loadRegister(o, o.isImmediate() && o.componentCount != 4 ? 0 : o.isImmediate() ? lane : o.component(lane), 0);
  const bool isFloat = type == ValueType::Float || type == ValueType::Any;
  if (isFloat) {
    if (o.absolute) v = m_b.emit(Op::FAbs, {v});
    if (o.negate) v = m_b.emit(Op::FNeg, {v});
  } else if (o.negate) {
    v = m_b.emit(Op::INeg, {v});
  }
  return v;
}

/// Double number `pair` of a source: low word, and high word with modifiers.
ir::Value Translator::loadDouble(const Operand& o, unsigned pair, Value& high) {
  const bool imm = o.isImmediate();
  const Value low = loadRegister(o, imm ? 2 * pair : o.component(2 * pair), 0);
  high = loadRegister(o, imm ? 2 * pair + 1 : o.component(2 * pair + 1), 0);
  if (o.absolute) high = m_b.emit(Op::FAbs, {high});
  if (o.negate) high = m_b.emit(Op::FNeg, {high});
  return low;
}

/// Operand of a test: nonzero means true, whatever the instruction's _z or _nz says.
ir::Value Translator::condition(const Operand& o) {
  const Value v = load(o, 0, ValueType::Uint);
  return m_in->testNonZero ? v : static_cast<Value>(m_b.emit(Op::IEq, {v, zero()}));
}

void Translator::store(const Operand& o, unsigned component, Value v) {
  switch (o.type) {
  case RegisterType::Null: return;
  case RegisterType::Temp:
    if (o.index[0].isRelative() || o.index[0].offset >= m_temps)
      fail("temporary register out of range");
    else
      storeVariable({o.reg() * 4 + component}, v);
    return;
  case RegisterType::IndexableTemp:
    if (o.indexCount != 2 || o.index[0].isRelative() || o.reg() >= m_indexableArrays.size() ||
        m_indexableArrays[o.reg()] == ~0u)
      fail("indexable temporary register is not declared");
    else
      m_b.storeArray(m_indexableArrays[o.reg()], component, indexValue(o.index[1], 0, 0), v);
    return;
  case RegisterType::Output: {
    if (o.indexCount != 1) {
      fail("two-dimensional output is not translated yet");
      return;
    }
    if (storesPatchConstants()) {
      storePatchConstant(o, component, v);
      return;
    }
    const int32_t n = rangeOf(o);
    if (n >= 0 && m_ranges[n].dynamic)
      m_b.storeArray(m_ranges[n].array, component, indexValue(o.index[0], m_ranges[n].range.first, 0), v);
    else if (o.index[0].isRelative() || o.index[0].offset >= kMaxRegister)
      fail("output register out of range");
    else
      storeVariable(outputVariable(o.reg(), component), v);
    return;
  }
  case RegisterType::OutputDepth:
  case RegisterType::OutputDepthGreaterEqual:
  case RegisterType::OutputDepthLessEqual:
    if (m_f.depthMode == ir::DepthMode::None) fail("depth output is not declared");
    else storeVariable(m_depth, v);
    return;
  case RegisterType::OutputCoverage:
    if (!m_f.writesCoverage) fail("coverage output is not declared");
    else storeVariable(m_coverage, v);
    return;
  case RegisterType::OutputStencilRef:
    if (!m_f.writesStencilRef) fail("stencil reference output is not declared");
    else storeVariable(m_stencilRef, v);
    return;
  default:
    fail("register type " + std::to_string(static_cast<unsigned>(o.type)) + " is not translated as a destination");
  }
}

void Translator::storePatchConstant(const Operand& o, unsigned component, Value v) {
  if (o.index[0].isRelative())
    m_b.emit(Op::StorePatchConstant, {v, indexValue(o.index[0], 0, 0)}, 0, component);
  else if (o.index[0].offset >= kMaxRegister)
    fail("output register out of range");
  else
    m_b.emit(Op::StorePatchConstant, {v}, o.reg(), component);
}

void Translator::storeSaturated(const Operand& o, unsigned component, Value v) {
  store(o, component, m_in->saturate ? static_cast<Value>(m_b.emit(Op::FSat, {v})) : v);
}

} // namespace monolith::translate
