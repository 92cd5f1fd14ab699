// SPDX-License-Identifier: MIT
#include "dxbc/shader.h"

#include <algorithm>

namespace monolith::dxbc {
namespace {

template <typename T>
const T* findById(const std::vector<T>& list, uint32_t id) {
  for (const T& d : list)
    if (d.id == id) return &d;
  return nullptr;
}

/// Walks the instructions once and fills Declarations.
class Summary {
public:
  explicit Summary(Shader& shader) : m_shader(shader), m_d(shader.decls) {}

  void run() {
    m_d = {};
    m_d.phases.push_back({});
    const std::vector<Instruction>& list = m_shader.instructions;
    for (uint32_t n = 0; n < list.size(); n++) {
      const Instruction& i = list[n];
      if (i.info().role == OpRole::Phase)
        beginPhase(i.op, n);
      else if (i.isDeclaration())
        declaration(i);
    }
    m_d.phases.back().end = uint32_t(list.size());
    for (const Phase& p : m_d.phases) m_d.temps = std::max(m_d.temps, p.temps);
    if (!m_d.streamMask) m_d.streamMask = 1;
    m_d.outputTopology = m_d.streamTopology[0];
  }

private:
  uint32_t phase() const { return uint32_t(m_d.phases.size() - 1); }

  void beginPhase(OpCode op, uint32_t number) {
    m_d.phases.back().end = number;
    Phase p;
    p.begin = number;
    p.kind = op == OpCode::HsDecls               ? PhaseKind::Declarations
             : op == OpCode::HsControlPointPhase ? PhaseKind::ControlPoint
             : op == OpCode::HsForkPhase         ? PhaseKind::Fork
                                                 : PhaseKind::Join;
    // Nothing stands before the first phase of a hull shader.
    if (number == 0)
      m_d.phases.back() = p;
    else
      m_d.phases.push_back(p);
  }

  void io(const Instruction& i, std::vector<IoRegister>& list) {
    if (i.operands.empty()) return;
    const Operand& o = i.operands[0];
    IoRegister r;
    r.type = o.type;
    r.mask = o.writeMask();
    if (o.indexCount >= 2) {
      r.vertexCount = uint32_t(o.index[0].offset);
      r.reg = uint32_t(o.index[1].offset);
    } else if (o.indexCount == 1) {
      r.reg = uint32_t(o.index[0].offset);
    }
    r.systemValue = i.decl.systemValue;
    r.generated = i.op == OpCode::DclInputSgv || i.op == OpCode::DclInputPsSgv || i.op == OpCode::DclOutputSgv;
    r.interpolation = i.decl.interpolation;
    r.precision = o.precision;
    r.stream = &list == &m_d.outputs ? m_stream : 0;
    r.phase = phase();
    list.push_back(r);
  }

  void resource(const Instruction& i, std::vector<ResourceDecl>& list) {
    const Declaration& d = i.decl;
    ResourceDecl r;
    r.id = d.registerIndex;
    r.lower = d.rangeLower;
    r.upper = d.rangeUpper;
    r.space = d.space;
    r.dimension = d.dimension;
    r.sampleCount = d.sampleCount;
    r.stride = d.stride;
    r.uavFlags = d.uavFlags;
    r.returnTypes = d.returnTypes;
    list.push_back(r);
  }

  void groupMemory(const Instruction& i, bool structured) {
    if (i.operands.empty()) return;
    const Declaration& d = i.decl;
    GroupMemoryDecl g{i.operands[0].reg(), structured, d.stride, d.count, d.bytes};
    if (structured) g.bytes = uint32_t(std::min<uint64_t>(uint64_t(d.stride) * d.count, UINT32_MAX));
    m_d.groupMemory.push_back(g);
  }

  void stream(const Instruction& i) {
    if (i.operands.empty()) return;
    m_stream = i.operands[0].reg() & 3;
    m_d.streamMask |= 1u << m_stream;
  }

  void declaration(const Instruction& i) {
    const Declaration& d = i.decl;
    switch (i.op) {
    case OpCode::DclGlobalFlags: m_d.globalFlags |= d.globalFlags; break;
    case OpCode::DclTemps: m_d.phases.back().temps = d.count; break;
    case OpCode::DclIndexableTemp:
      m_d.indexableTemps.push_back({d.registerIndex, d.count, d.components, phase()});
      break;
    case OpCode::DclInput:
    case OpCode::DclInputSgv:
    case OpCode::DclInputSiv:
    case OpCode::DclInputPs:
    case OpCode::DclInputPsSgv:
    case OpCode::DclInputPsSiv: io(i, m_d.inputs); break;
    case OpCode::DclOutput:
    case OpCode::DclOutputSgv:
    case OpCode::DclOutputSiv: io(i, m_d.outputs); break;
    case OpCode::DclConstantBuffer:
      m_d.constantBuffers.push_back({d.registerIndex, d.rangeLower, d.rangeUpper, d.space, d.size, d.dynamicIndexed});
      break;
    case OpCode::DclSampler:
      m_d.samplers.push_back({d.registerIndex, d.rangeLower, d.rangeUpper, d.space, d.samplerMode});
      break;
    case OpCode::DclResource:
    case OpCode::DclResourceRaw:
    case OpCode::DclResourceStructured: resource(i, m_d.resources); break;
    case OpCode::DclUavTyped:
    case OpCode::DclUavRaw:
    case OpCode::DclUavStructured: resource(i, m_d.uavs); break;
    case OpCode::DclThreadGroupSharedMemoryRaw: groupMemory(i, false); break;
    case OpCode::DclThreadGroupSharedMemoryStructured: groupMemory(i, true); break;
    case OpCode::DclIndexRange:
      if (!i.operands.empty()) {
        const Operand& o = i.operands[0];
        uint32_t reg = uint32_t(o.index[o.indexCount >= 2 ? o.indexCount - 1 : 0].offset);
        m_d.indexRanges.push_back({o.type, reg, d.count, o.writeMask(), phase()});
      }
      break;
    case OpCode::CustomData:
      if (i.customClass == CustomDataClass::ImmediateConstantBuffer) m_d.immediateConstants = i.data;
      break;
    default: stageDeclaration(i); break;
    }
  }

  void stageDeclaration(const Instruction& i) {
    const Declaration& d = i.decl;
    switch (i.op) {
    case OpCode::DclGsInputPrimitive: m_d.inputPrimitive = d.primitive; break;
    case OpCode::DclGsOutputPrimitiveTopology: m_d.streamTopology[m_stream] = d.topology; break;
    case OpCode::DclMaxOutputVertexCount: m_d.maxVertices = d.count; break;
    case OpCode::DclGsInstanceCount: m_d.gsInstances = d.count; break;
    case OpCode::DclStream: stream(i); break;
    case OpCode::DclInputControlPointCount: m_d.inputControlPoints = d.count; break;
    case OpCode::DclOutputControlPointCount: m_d.outputControlPoints = d.count; break;
    case OpCode::DclTessDomain: m_d.domain = d.tessDomain; break;
    case OpCode::DclTessPartitioning: m_d.partitioning = d.tessPartitioning; break;
    case OpCode::DclTessOutputPrimitive: m_d.tessOutput = d.tessOutput; break;
    case OpCode::DclHsMaxTessFactor: m_d.maxTessFactor = d.maxTessFactor; break;
    case OpCode::DclHsForkPhaseInstanceCount:
    case OpCode::DclHsJoinPhaseInstanceCount: m_d.phases.back().instances = d.count; break;
    case OpCode::DclThreadGroup: m_d.threadGroup = d.threads; break;
    case OpCode::DclFunctionBody:
    case OpCode::DclFunctionTable:
    case OpCode::DclInterface: m_d.usesInterfaces = true; break;
    default: break;
    }
  }

  Shader& m_shader;
  Declarations& m_d;
  uint32_t m_stream = 0;
};

} // namespace

void summarizeDeclarations(Shader& shader) { Summary(shader).run(); }

const ResourceDecl* Declarations::findResource(uint32_t id) const { return findById(resources, id); }
const ResourceDecl* Declarations::findUav(uint32_t id) const { return findById(uavs, id); }
const ConstantBufferDecl* Declarations::findConstantBuffer(uint32_t id) const { return findById(constantBuffers, id); }
const SamplerDecl* Declarations::findSampler(uint32_t id) const { return findById(samplers, id); }
const GroupMemoryDecl* Declarations::findGroupMemory(uint32_t id) const { return findById(groupMemory, id); }
const IndexableTemp* Declarations::findIndexableTemp(uint32_t reg, uint32_t phase) const {
  for (const IndexableTemp& t : indexableTemps)
    if (t.reg == reg && t.phase == phase) return &t;
  return nullptr;
}

} // namespace monolith::dxbc
