// SPDX-License-Identifier: MIT
#include "ir/verifier.h"

namespace monolith::ir {

namespace {

ResourceDim dimension(const Function& f, const Instruction& i) {
  if (opInfo(i.op).attr != AttrKind::Memory)
    return f.resources[i.attr].dim;
  switch (static_cast<MemorySpace>(i.attr2)) {
  case MemorySpace::Resource: return f.resources[i.attr].dim;
  case MemorySpace::Uav: return f.uavs[i.attr].dim;
  case MemorySpace::Shared: return f.shared[i.attr].stride ? ResourceDim::StructuredBuffer : ResourceDim::RawBuffer;
  }
  return ResourceDim::Unknown;
}

/// Words of an address into memory.
unsigned addressCount(ResourceDim d) {
  return d == ResourceDim::StructuredBuffer ? 2 : d == ResourceDim::RawBuffer ? 1 : coordinateCount(d);
}

class Verifier {
public:
  explicit Verifier(const Function& f) : m_f(f) {}
  std::string run();

private:
  bool fault(const char* text) {
    m_error = "instruction " + std::to_string(m_at) + " (" + (m_known ? opInfo(m_f.instructions[m_at].op).name : "?") + "): " + text;
    return false;
  }
  bool check(const Instruction& i);
  bool attributes(const Instruction& i);
  bool operands(const Instruction& i);
  bool flow(const Instruction& i);
  void closeScope(uint32_t start);

  struct Scope {
    uint32_t open, last;
    uint32_t definitions; ///< size of m_defined at its start
  };
  const Function& m_f;
  std::string m_error;
  uint32_t m_at = 0;
  bool m_known = true;
  std::vector<uint8_t> m_state; ///< per value: 0 undefined, 1 visible, 2 out of scope
  std::vector<uint32_t> m_defined;
  std::vector<Scope> m_scopes;
};

bool Verifier::attributes(const Instruction& i) {
  const auto below = [](uint64_t n, uint64_t limit) { return n < limit; };
  bool good = true;
  switch (opInfo(i.op).attr) {
  case AttrKind::None:
  case AttrKind::Marker: break;
  case AttrKind::Variable: good = below(i.attr, m_f.variableCount); break;
  case AttrKind::Array: good = below(i.attr, m_f.arrays.size()) && i.attr2 < 4; break;
  case AttrKind::Icb: good = i.attr2 < 4; break;
  case AttrKind::CBuffer: {
    good = false;
    for (const ConstantBufferDecl& c : m_f.constantBuffers)
      good |= c.slot == i.attr && i.attr2 < 4;
    break;
  }
  case AttrKind::Register: good = i.attr < 128 && i.attr2 < 4; break;
  case AttrKind::System: good = below(i.attr, static_cast<unsigned>(SystemValue::Count)) && i.attr2 < 4; break;
  case AttrKind::Stream: good = i.attr < 4; break;
  case AttrKind::Sample: good = below(i.attr, m_f.resources.size()) && below(i.attr2, m_f.samplers.size()); break;
  case AttrKind::Resource:
    good = below(i.attr, m_f.resources.size()) ||
           (i.attr == kRasterizer && (i.op == Op::SampleInfo || i.op == Op::SamplePos));
    break;
  case AttrKind::Memory:
    good = i.attr2 == 0   ? below(i.attr, m_f.resources.size())
           : i.attr2 == 1 ? below(i.attr, m_f.uavs.size())
                          : i.attr2 == 2 && below(i.attr, m_f.shared.size());
    break;
  case AttrKind::Sync: good = i.attr < 16; break;
  }
  return good || fault("attribute out of range");
}

bool Verifier::operands(const Instruction& i) {
  const OpInfo& info = opInfo(i.op);
  if (i.resultCount != info.results + (i.flags & kFlagStatus ? 1 : 0))
    return fault("wrong number of results");
  if (i.operandCount < info.minOperands || i.operandCount > info.maxOperands)
    return fault("wrong number of operands");
  const unsigned expected = expectedOperands(m_f, i);
  if (i.operandCount != expected)
    return fault("wrong number of operands for the resource");
  if (uint64_t(i.firstOperand) + i.operandCount > m_f.operands.size())
    return fault("operand list out of range");
  for (unsigned n = 0; n < i.operandCount; n++) {
    const Value v = m_f.operand(i, n);
    if (!v.valid())
      return fault("invalid operand");
    if (v.isConstant()) {
      if (v.constantIndex() >= m_f.constants.size())
        return fault("constant out of range");
    } else if (v.id >= m_f.valueCount || m_state[v.id] == 0) {
      return fault("operand used before its definition");
    } else if (m_state[v.id] == 2) {
      return fault("operand defined in a region that is closed");
    }
  }
  for (unsigned n = 0; n < i.resultCount; n++) {
    const uint64_t id = uint64_t(i.firstResult) + n;
    if (id >= m_f.valueCount || m_state[id] != 0)
      return fault("result out of range or defined twice");
    m_state[id] = 1;
    m_defined.push_back(static_cast<uint32_t>(id));
  }
  return true;
}

void Verifier::closeScope(uint32_t start) {
  while (m_defined.size() > start) {
    m_state[m_defined.back()] = 2;
    m_defined.pop_back();
  }
}

bool Verifier::flow(const Instruction& i) {
  const std::vector<Instruction>& code = m_f.instructions;
  switch (i.op) {
  case Op::If:
  case Op::Loop:
  case Op::Block:
    m_scopes.push_back({m_at, m_at, static_cast<uint32_t>(m_defined.size())});
    return true;
  case Op::Else: {
    if (m_scopes.empty() || m_scopes.back().last != m_scopes.back().open || code[m_scopes.back().open].op != Op::If)
      return fault("no If is open");
    Scope& s = m_scopes.back();
    if (code[s.last].attr != m_at)
      return fault("not linked");
    s.last = m_at;
    closeScope(s.definitions);
    return true;
  }
  case Op::EndIf:
  case Op::EndLoop:
  case Op::EndBlock: {
    const Op open = i.op == Op::EndIf ? Op::If : i.op == Op::EndLoop ? Op::Loop : Op::Block;
    if (m_scopes.empty() || code[m_scopes.back().open].op != open)
      return fault("its region is not open");
    const Scope s = m_scopes.back();
    if (code[s.last].attr != m_at || i.attr != s.open)
      return fault("not linked");
    m_scopes.pop_back();
    closeScope(s.definitions);
    return true;
  }
  default: { // Break, Continue
    uint32_t depth = i.op == Op::Break ? i.attr2 : 0;
    for (size_t s = m_scopes.size(); s-- > 0;) {
      const Op open = code[m_scopes[s].open].op;
      if (open == Op::If || (i.op == Op::Continue && open == Op::Block))
        continue;
      if (depth-- == 0)
        return i.attr == m_scopes[s].open || fault("not linked");
    }
    return fault("no region to leave");
  }
  }
}

bool Verifier::check(const Instruction& i) {
  m_known = i.op < Op::Count;
  if (!m_known)
    return fault("unknown operation");
  if (!attributes(i) || !operands(i))
    return false;
  const OpInfo& info = opInfo(i.op);
  if ((info.flags & kOpQuad) && m_f.stage != Stage::Pixel)
    return fault("needs a pixel shader");
  return !(info.flags & kOpFlow) || flow(i);
}

std::string Verifier::run() {
  m_state.assign(m_f.valueCount, 0);
  for (m_at = 0; m_at < m_f.instructions.size(); m_at++)
    if (!check(m_f.instructions[m_at]))
      return m_error;
  if (!m_scopes.empty())
    return "a region is not closed";
  return {};
}

} // namespace

unsigned expectedOperands(const Function& f, const Instruction& i) {
  const unsigned clamp = i.flags & kFlagClamp ? 1 : 0;
  const AttrKind kind = opInfo(i.op).attr;
  if (kind == AttrKind::Sample) {
    const ResourceDim d = dimension(f, i);
    const unsigned coordinates = coordinateCount(d) + clamp;
    switch (i.op) {
    case Op::Sample:
    case Op::Gather4: return coordinates;
    case Op::SampleD: return coordinates + 2 * spatialCount(d);
    case Op::Gather4Po: return coordinates + 2;
    case Op::Gather4PoC: return coordinates + 3;
    case Op::Lod: return spatialCount(d) + clamp;
    default: return coordinates + 1;
    }
  }
  if (i.op == Op::Ld)
    return coordinateCount(dimension(f, i)) + (dimension(f, i) == ResourceDim::Buffer ? 0 : 1);
  if (i.op == Op::LdMs)
    return coordinateCount(dimension(f, i)) + 1;
  if (i.op == Op::UavLoadTyped)
    return coordinateCount(dimension(f, i));
  if (i.op == Op::UavStoreTyped)
    return coordinateCount(dimension(f, i)) + 4;
  if (i.op >= Op::AtomicAnd && i.op <= Op::AtomicExch)
    return addressCount(dimension(f, i)) + 1;
  if (i.op == Op::AtomicCmpExch)
    return addressCount(dimension(f, i)) + 2;
  return i.operandCount;
}

std::string verify(const Function& f) { return Verifier(f).run(); }

} // namespace monolith::ir
