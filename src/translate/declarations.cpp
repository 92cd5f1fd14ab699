// SPDX-License-Identifier: MIT
#include "translate/translator.h"

#include <algorithm>

namespace monolith::translate {

using dxbc::RegisterType;

namespace {

ir::ResourceDim dimensionOf(dxbc::ResourceDimension d) {
  using D = dxbc::ResourceDimension;
  using R = ir::ResourceDim;
  switch (d) {
  case D::Unknown:
  case D::Count: return R::Unknown;
  case D::Buffer: return R::Buffer;
  case D::Texture1D: return R::Texture1D;
  case D::Texture2D: return R::Texture2D;
  case D::Texture2DMS: return R::Texture2DMS;
  case D::Texture3D: return R::Texture3D;
  case D::TextureCube: return R::TextureCube;
  case D::Texture1DArray: return R::Texture1DArray;
  case D::Texture2DArray: return R::Texture2DArray;
  case D::Texture2DMSArray: return R::Texture2DMSArray;
  case D::TextureCubeArray: return R::TextureCubeArray;
  case D::RawBuffer: return R::RawBuffer;
  case D::StructuredBuffer: return R::StructuredBuffer;
  }
  return R::Unknown;
}

ir::SystemValue systemOf(dxbc::SystemValue v) {
  using S = dxbc::SystemValue;
  using R = ir::SystemValue;
  switch (v) {
  case S::None:
  case S::Count: return R::None;
  case S::Position: return R::Position;
  case S::ClipDistance: return R::ClipDistance;
  case S::CullDistance: return R::CullDistance;
  case S::RenderTargetArrayIndex: return R::RenderTargetArrayIndex;
  case S::ViewportArrayIndex: return R::ViewportArrayIndex;
  case S::VertexId: return R::VertexId;
  case S::PrimitiveId: return R::PrimitiveId;
  case S::InstanceId: return R::InstanceId;
  case S::IsFrontFace: return R::IsFrontFace;
  case S::SampleIndex: return R::SampleIndex;
  case S::QuadU0EdgeTessFactor:
  case S::QuadV0EdgeTessFactor:
  case S::QuadU1EdgeTessFactor:
  case S::QuadV1EdgeTessFactor:
  case S::TriUEdgeTessFactor:
  case S::TriVEdgeTessFactor:
  case S::TriWEdgeTessFactor:
  case S::LineDetailTessFactor:
  case S::LineDensityTessFactor: return R::TessFactorEdge;
  case S::QuadUInsideTessFactor:
  case S::QuadVInsideTessFactor:
  case S::TriInsideTessFactor: return R::TessFactorInside;
  }
  return R::None;
}

ir::ReturnType typeOf(dxbc::ReturnType t) { return static_cast<ir::ReturnType>(static_cast<unsigned>(t) & 7); }

bool isSampleMode(dxbc::InterpolationMode m) {
  return m == dxbc::InterpolationMode::LinearSample || m == dxbc::InterpolationMode::LinearNoPerspectiveSample;
}

} // namespace

void Translator::declare() {
  const dxbc::Declarations& d = m_shader.decls;
  m_temps = std::min(m_phase < d.phases.size() ? d.phases[m_phase].temps : d.temps, dxbc::kMaxTemps);
  m_f.variableCount = m_temps * 4;
  uint64_t words = 0;
  for (const dxbc::IndexableTemp& x : d.indexableTemps) {
    if (!inPhase(x.phase))
      continue;
    words += uint64_t(x.count) * 4;
    if (x.reg >= dxbc::kMaxTemps || words > dxbc::kMaxTemps * 4) {
      fail("indexable temporary registers exceed the limit");
      return;
    }
    if (m_indexableArrays.size() <= x.reg)
      m_indexableArrays.resize(x.reg + 1, ~0u);
    m_indexableArrays[x.reg] = static_cast<uint32_t>(m_f.arrays.size());
    m_f.arrays.push_back({x.count, std::clamp(x.components, 1u, 4u)});
  }
  m_f.icb = d.immediateConstants;
  m_f.icb.resize(m_f.icb.size() & ~size_t(3));
  for (unsigned i = 0; i < 3; i++)
    m_f.threadGroup[i] = d.threadGroup[i];
  m_f.forceEarlyDepth = (d.globalFlags & dxbc::kForceEarlyDepthStencil) != 0;
  declareRegisters();
  declareResources();
  if (!failed())
    findDynamicRanges();
}

/// True for what is declared in the phase at hand or in the declaration phase.
bool Translator::inPhase(uint32_t phase) const {
  const dxbc::Declarations& d = m_shader.decls;
  return phase == m_phase || (phase < d.phases.size() && d.phases[phase].kind == dxbc::PhaseKind::Declarations);
}

/// Fork and join phases: o# is a patch constant.
bool Translator::storesPatchConstants() const {
  const dxbc::Declarations& d = m_shader.decls;
  return m_phase < d.phases.size() && (d.phases[m_phase].kind == dxbc::PhaseKind::Fork || d.phases[m_phase].kind == dxbc::PhaseKind::Join);
}

void Translator::declareRegisters() {
  const dxbc::Declarations& d = m_shader.decls;
  for (const dxbc::IoRegister& r : d.inputs) {
    if (!inPhase(r.phase))
      continue;
    ir::InputDecl in;
    in.reg = r.reg;
    in.mask = r.mask;
    in.interpolation = static_cast<ir::Interpolation>(static_cast<unsigned>(r.interpolation) & 7);
    in.system = systemOf(r.systemValue);
    in.vertexCount = r.vertexCount;
    if (isSampleMode(r.interpolation) || r.systemValue == dxbc::SystemValue::SampleIndex)
      m_f.perSample = true;
    if (r.type == RegisterType::Input || r.type == RegisterType::InputControlPoint)
      m_f.inputs.push_back(in);
    else if (r.type == RegisterType::PatchConstant)
      m_f.patchConstants.push_back(in);
  }
  for (const dxbc::IoRegister& r : d.outputs) {
    if (!inPhase(r.phase))
      continue;
    switch (r.type) {
    case RegisterType::Output: {
      ir::OutputDecl out;
      out.reg = r.reg;
      out.mask = r.mask;
      out.stream = static_cast<uint8_t>(r.stream);
      out.system = systemOf(r.systemValue);
      m_f.outputs.push_back(out);
      break;
    }
    case RegisterType::OutputDepth: m_f.depthMode = ir::DepthMode::Any; break;
    case RegisterType::OutputDepthGreaterEqual: m_f.depthMode = ir::DepthMode::GreaterEqual; break;
    case RegisterType::OutputDepthLessEqual: m_f.depthMode = ir::DepthMode::LessEqual; break;
    case RegisterType::OutputCoverage: m_f.writesCoverage = true; break;
    case RegisterType::OutputStencilRef: m_f.writesStencilRef = true; break;
    default: break;
    }
  }
  if (m_f.depthMode != ir::DepthMode::None) m_depth = m_b.newVariable();
  if (m_f.writesCoverage) m_coverage = m_b.newVariable();
  if (m_f.writesStencilRef) m_stencilRef = m_b.newVariable();
}

void Translator::declareResources() {
  const dxbc::Declarations& d = m_shader.decls;
  for (const dxbc::ConstantBufferDecl& c : d.constantBuffers) {
    if (c.id >= dxbc::kMaxConstantBuffers) {
      fail("constant buffer slot out of range");
      return;
    }
    m_f.constantBuffers.push_back({c.id, std::min(c.size ? c.size : dxbc::kMaxConstantBufferSize, dxbc::kMaxConstantBufferSize), 0, false});
  }
  for (const dxbc::SamplerDecl& s : d.samplers)
    m_f.samplers.push_back({s.id, static_cast<ir::SamplerMode>(std::min(2u, static_cast<unsigned>(s.mode)))});
  for (const dxbc::ResourceDecl& r : d.resources) {
    ir::ResourceDecl x;
    x.slot = r.id;
    x.dim = dimensionOf(r.dimension);
    x.sampleCount = r.sampleCount;
    x.stride = r.stride;
    for (unsigned i = 0; i < 4; i++)
      x.type[i] = typeOf(r.returnTypes[i]);
    m_f.resources.push_back(x);
  }
  for (const dxbc::ResourceDecl& r : d.uavs) {
    ir::UavDecl x;
    x.slot = r.id;
    x.dim = dimensionOf(r.dimension);
    x.stride = r.stride;
    for (unsigned i = 0; i < 4; i++)
      x.type[i] = typeOf(r.returnTypes[i]);
    x.globallyCoherent = (r.uavFlags & dxbc::kUavGloballyCoherent) != 0;
    x.counter = (r.uavFlags & dxbc::kUavHasCounter) != 0;
    x.rasterOrdered = (r.uavFlags & dxbc::kUavRasterizerOrdered) != 0;
    m_f.uavs.push_back(x);
  }
  for (const dxbc::GroupMemoryDecl& g : d.groupMemory)
    m_f.shared.push_back({g.id, g.structured ? g.count : g.bytes, g.structured ? g.stride : 0});
}

int32_t Translator::rangeOf(const dxbc::Operand& o) const {
  const bool output = o.type == RegisterType::Output;
  if (!output && o.type != RegisterType::Input)
    return -1;
  if (o.indexCount != 1)
    return -1;
  for (size_t i = 0; i < m_ranges.size(); i++) {
    const Range& r = m_ranges[i];
    if (r.output == output && o.index[0].offset >= r.range.first && o.index[0].offset - r.range.first < r.range.count)
      return static_cast<int32_t>(i);
  }
  return -1;
}

/// Index ranges that some operand really indexes with a value become arrays.
void Translator::findDynamicRanges() {
  const dxbc::Declarations& d = m_shader.decls;
  for (const dxbc::IndexRange& r : m_shader.decls.indexRanges) {
    if ((r.type != RegisterType::Input && r.type != RegisterType::Output) || !inPhase(r.phase))
      continue;
    if (m_shader.stage == dxbc::ShaderStage::Hull && (r.type == RegisterType::Input || storesPatchConstants()))
      continue; // read and written with their index
    if (r.count == 0 || r.count > 128 || r.first > 128) {
      fail("index range out of bounds");
      return;
    }
    m_ranges.push_back({r, r.type == RegisterType::Output, false, 0});
  }
  if (m_ranges.empty())
    return;
  const bool hull = m_shader.stage == dxbc::ShaderStage::Hull;
  for (size_t n = 0; n < m_shader.instructions.size(); n++) {
    const dxbc::Instruction& i = m_shader.instructions[n];
    if (i.isDeclaration() || (hull && (n < d.phases[m_phase].begin || n >= d.phases[m_phase].end)))
      continue;
    for (const dxbc::Operand& o : i.operands) {
      if (o.indexCount != 1 || !o.index[0].isRelative())
        continue;
      const int32_t n = rangeOf(o);
      if (n >= 0)
        m_ranges[n].dynamic = true;
    }
  }
  for (Range& r : m_ranges) {
    if (!r.dynamic)
      continue;
    r.array = static_cast<uint32_t>(m_f.arrays.size());
    m_f.arrays.push_back({r.range.count, 4});
  }
}

void Translator::copyInputsToArrays() {
  for (const Range& r : m_ranges) {
    if (!r.dynamic || r.output)
      continue;
    for (uint32_t n = 0; n < r.range.count; n++)
      for (unsigned c = 0; c < 4; c++)
        if (m_f.findInput(r.range.first + n, c))
          m_b.storeArray(r.array, c, m_b.constant(n), m_b.loadInput(r.range.first + n, c));
  }
}

ir::VarId Translator::outputVariable(uint32_t reg, unsigned component) {
  for (OutputComponent& o : m_outputs)
    if (o.reg == reg && o.component == component) {
      o.written = true;
      return o.variable;
    }
  m_outputs.push_back({reg, static_cast<uint8_t>(component), m_b.newVariable(), true});
  return m_outputs.back().variable;
}

/// At the end (or before a vertex is emitted): variables and arrays to the output registers, in order of registers.
void Translator::storeOutputs() {
  std::vector<OutputComponent> sorted = m_outputs;
  std::sort(sorted.begin(), sorted.end(), [](const OutputComponent& a, const OutputComponent& b) {
    return a.reg * 4 + a.component < b.reg * 4 + b.component;
  });
  for (const OutputComponent& o : sorted)
    if (m_f.findOutput(o.reg, o.component))
      m_b.storeOutput(o.reg, o.component, loadVariable(o.variable));
  for (const Range& r : m_ranges) {
    if (!r.dynamic || !r.output)
      continue;
    for (uint32_t n = 0; n < r.range.count; n++)
      for (unsigned c = 0; c < 4; c++)
        if (m_f.findOutput(r.range.first + n, c))
          m_b.storeOutput(r.range.first + n, c, m_b.loadArray(r.array, c, m_b.constant(n)));
  }
  if (m_f.depthMode != ir::DepthMode::None) m_b.emit(Op::StoreDepth, {loadVariable(m_depth)});
  if (m_f.writesCoverage) m_b.emit(Op::StoreCoverage, {loadVariable(m_coverage)});
  if (m_f.writesStencilRef) m_b.emit(Op::StoreStencilRef, {loadVariable(m_stencilRef)});
}

} // namespace monolith::translate
