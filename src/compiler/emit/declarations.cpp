// SPDX-License-Identifier: MIT
// Declarations in front of the program.
#include "compiler/emit/codegen.h"

#include <algorithm>
#include <tuple>

namespace monolith::compiler {

using dxbc::OpCode;
using dxbc::RegisterType;

dxbc::ResourceDimension resourceDimension(ObjectKind k) {
  using D = dxbc::ResourceDimension;
  switch (k) {
  case ObjectKind::Buffer:
  case ObjectKind::RwBuffer:
    return D::Buffer;
  case ObjectKind::Texture1D:
  case ObjectKind::RwTexture1D:
    return D::Texture1D;
  case ObjectKind::Texture1DArray:
  case ObjectKind::RwTexture1DArray:
    return D::Texture1DArray;
  case ObjectKind::Texture2DArray:
  case ObjectKind::RwTexture2DArray:
    return D::Texture2DArray;
  case ObjectKind::StructuredBuffer:
  case ObjectKind::RwStructuredBuffer:
  case ObjectKind::AppendStructuredBuffer:
  case ObjectKind::ConsumeStructuredBuffer:
    return D::StructuredBuffer;
  case ObjectKind::ByteAddressBuffer:
  case ObjectKind::RwByteAddressBuffer:
    return D::RawBuffer;
  case ObjectKind::Texture2DMS:
    return D::Texture2DMS;
  case ObjectKind::Texture2DMSArray:
    return D::Texture2DMSArray;
  case ObjectKind::Texture3D:
  case ObjectKind::RwTexture3D:
    return D::Texture3D;
  case ObjectKind::TextureCube:
    return D::TextureCube;
  case ObjectKind::TextureCubeArray:
    return D::TextureCubeArray;
  default:
    return D::Texture2D;
  }
}

const Type* elementTypeOf(const ResourceUse& r) {
  const Type* t = r.var ? r.var->type : nullptr;
  while (t && t->isArray())
    t = t->element;
  return t;
}

ObjectKind kindOf(const ResourceUse& r) {
  if (r.buffer)
    return ObjectKind::Buffer;
  if (r.old)
    return r.oldDim == 1 ? ObjectKind::Texture1D : r.oldDim == 3 ? ObjectKind::Texture3D : r.oldDim == 4 ? ObjectKind::TextureCube : ObjectKind::Texture2D;
  const Type* t = elementTypeOf(r);
  return t ? t->object : ObjectKind::Texture2D;
}

dxbc::ReturnType returnTypeOf(const ResourceUse& r) {
  const Type* t = elementTypeOf(r);
  if (!r.old && t && t->isObject() && t->object >= ObjectKind::StructuredBuffer && t->object <= ObjectKind::RwByteAddressBuffer)
    return dxbc::ReturnType::Mixed;
  if (r.buffer) // the variables of a tbuffer are of any type
    return dxbc::ReturnType::Mixed;
  if (r.old || !t || !t->element)
    return dxbc::ReturnType::Float;
  const Type* e = t->element;
  Base base = e->base;
  while (e->isStruct() && !e->structure->fields.empty()) {
    e = e->structure->fields[0].type;
    base = e->base;
  }
  if (t->normalized)
    return t->snorm ? dxbc::ReturnType::Snorm : dxbc::ReturnType::Unorm;
  return isFloatBase(base) ? dxbc::ReturnType::Float : isUnsignedBase(base) || base == Base::Bool ? dxbc::ReturnType::Uint : dxbc::ReturnType::Sint;
}

/// Samplers, then views, then unordered access, then group memory.
int resourceOrder(const ResourceUse& r) {
  const Type* t = elementTypeOf(r);
  return r.sampler ? 0 : r.shared ? 3 : !r.buffer && !r.old && t && t->isUav() ? 2 : 1;
}

void Codegen::declareResources(std::vector<dxbc::Instruction>& out) {
  std::vector<size_t> order;
  for (size_t i = 0; i < m_module.resources.size(); i++)
    if (resourceUsed[i])
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const ResourceUse &x = m_module.resources[a], &y = m_module.resources[b];
    const int a1 = resourceOrder(x), b1 = resourceOrder(y);
    return a1 != b1 ? a1 < b1 : x.slot < y.slot;
  });
  for (size_t i : order) {
    const ResourceUse& r = m_module.resources[i];
    dxbc::Instruction in;
    if (r.shared)
      continue;
    if (declareMemory(r, in)) {
    } else if (r.sampler) {
      in.op = OpCode::DclSampler;
      const Type* t = elementTypeOf(r);
      in.decl.samplerMode = t && t->object == ObjectKind::ComparisonSampler ? dxbc::SamplerMode::Comparison : dxbc::SamplerMode::Default;
      in.operands.push_back(dxbc::plainOperand(RegisterType::Sampler, r.slot));
    } else {
      in.op = OpCode::DclResource;
      in.decl.dimension = resourceDimension(kindOf(r));
      in.decl.returnTypes.fill(returnTypeOf(r));
      const Type* t = elementTypeOf(r);
      if (t && (t->object == ObjectKind::Texture2DMS || t->object == ObjectKind::Texture2DMSArray))
        in.decl.sampleCount = t->count;
      in.operands.push_back(dxbc::plainOperand(RegisterType::Resource, r.slot));
    }
    in.decl.rangeLower = in.decl.rangeUpper = r.slot;
    out.push_back(std::move(in));
  }
}

/// Plain inputs in the order of their registers, the others where they stand among them.
static std::vector<const IoElement*> inputsByPlace(const std::vector<IoElement>& list) {
  std::vector<const IoElement*> all, plain;
  for (const IoElement& e : list) {
    all.push_back(&e);
    if (e.registerType == RegisterType::Input)
      plain.push_back(&e);
  }
  std::stable_sort(plain.begin(), plain.end(), [](const IoElement* a, const IoElement* b) { return std::tuple(a->reg, a->firstComponent) < std::tuple(b->reg, b->firstComponent); });
  auto next = plain.begin();
  for (const IoElement*& e : all)
    if (e->registerType == RegisterType::Input)
      e = *next++;
  return all;
}

void Codegen::declareIo(std::vector<dxbc::Instruction>& out) {
  const bool pixel = m_module.target.stage == Stage::Pixel && !m_module.target.library;
  using V = dxbc::SignatureSystemValue;
  for (const IoElement* element : inputsByPlace(m_module.inputs)) {
    const IoElement& e = *element;
    if (!e.usedMask || e.duplicateOf >= 0)
      continue;
    dxbc::Instruction in;
    if (e.vertices || e.registerType == RegisterType::PatchConstant || e.registerType == RegisterType::DomainPoint) {
      dxbc::Operand o = dxbc::dstOperand(e.registerType, e.reg, e.usedMask);
      o.precision = e.precision;
      if (e.vertices) {
        o.indexCount = 2;
        o.index[0].offset = e.vertices;
        o.index[1].offset = e.reg;
      } else if (e.registerType == RegisterType::DomainPoint) {
        o.indexCount = 0;
        o.index[0].offset = 0;
      }
      in.op = e.systemValue != V::None ? OpCode::DclInputSiv : OpCode::DclInput;
      in.decl.systemValue = e.tokenValue != dxbc::SystemValue::None ? e.tokenValue : dxbc::SystemValue(uint32_t(e.systemValue));
      in.operands.push_back(o);
      out.push_back(std::move(in));
      continue;
    }
    if (e.registerType == RegisterType::ThreadId || e.registerType == RegisterType::ThreadGroupId || e.registerType == RegisterType::ThreadIdInGroup) {
      in.op = OpCode::DclInput;
      dxbc::Operand o = dxbc::dstOperand(e.registerType, 0, e.usedMask);
      o.indexCount = 0;
      in.operands.push_back(o);
      out.push_back(std::move(in));
      continue;
    }
    if (e.registerType != RegisterType::Input) {
      in.op = OpCode::DclInput;
      dxbc::Operand o;
      o.type = e.registerType;
      in.operands.push_back(o);
      out.push_back(std::move(in));
      continue;
    }
    in.operands.push_back(dxbc::dstOperand(RegisterType::Input, e.reg, e.usedMask));
    in.operands[0].precision = e.precision;
    if (e.systemValue != V::None) {
      in.decl.systemValue = dxbc::SystemValue(uint32_t(e.systemValue));
      in.op = pixel ? (e.generated ? OpCode::DclInputPsSgv : OpCode::DclInputPsSiv) : e.generated ? OpCode::DclInputSgv : OpCode::DclInputSiv;
    } else {
      in.op = pixel ? OpCode::DclInputPs : OpCode::DclInput;
    }
    if (pixel)
      in.decl.interpolation = e.generated ? dxbc::InterpolationMode::Constant : e.interpolation;
    out.push_back(std::move(in));
  }
  if (m_module.target.stage == Stage::Geometry)
    declareVertices(out);
  uint32_t stream = ~0u;
  for (const IoElement& e : m_module.outputs) {
    dxbc::Instruction in;
    if (m_module.target.stage == Stage::Geometry && e.stream != stream) {
      stream = e.stream;
      if (m_module.target.model >= 50) {
        in.op = OpCode::DclStream;
        in.operands.push_back(dxbc::plainOperand(RegisterType::Stream, stream));
        out.push_back(std::move(in));
        in = {};
      }
      const ObjectKind kind = m_module.geometry.streams[stream]->type->object;
      in.op = OpCode::DclGsOutputPrimitiveTopology;
      using T = dxbc::PrimitiveTopology;
      in.decl.topology = kind == ObjectKind::PointStream ? T::PointList : kind == ObjectKind::LineStream ? T::LineStrip : T::TriangleStrip;
      out.push_back(std::move(in));
      in = {};
    }
    in.op = OpCode::DclOutput;
    if (e.registerType != RegisterType::Output) {
      dxbc::Operand o;
      o.type = e.registerType;
      o.componentCount = 1;
      in.operands.push_back(o);
      out.push_back(std::move(in));
      continue;
    }
    in.operands.push_back(dxbc::dstOperand(RegisterType::Output, e.reg, uint8_t(((1u << e.count) - 1) << e.firstComponent)));
    in.operands[0].precision = e.precision;
    if (!pixel && e.systemValue != V::None) {
      in.op = e.generated ? OpCode::DclOutputSgv : OpCode::DclOutputSiv;
      in.decl.systemValue = e.tokenValue != dxbc::SystemValue::None ? e.tokenValue : dxbc::SystemValue(uint32_t(e.systemValue));
    }
    out.push_back(std::move(in));
  }
  if (m_module.target.stage == Stage::Geometry) {
    dxbc::Instruction in;
    in.op = OpCode::DclMaxOutputVertexCount;
    in.decl.count = m_module.geometry.maxVertices;
    out.push_back(std::move(in));
  }
}

void Codegen::declareVertices(std::vector<dxbc::Instruction>& out) {
  dxbc::Instruction in;
  in.op = OpCode::DclGsInputPrimitive;
  in.decl.primitive = m_module.geometry.primitive;
  out.push_back(in);
  if (m_module.geometry.instances) {
    in = {};
    in.op = OpCode::DclGsInstanceCount;
    in.decl.count = m_module.geometry.instances;
    out.push_back(in);
  }
}

void Codegen::mergeUses(const Codegen& other) {
  buffers.resize(std::max(buffers.size(), other.buffers.size()));
  for (size_t i = 0; i < other.buffers.size(); i++) {
    const BufferUse& from = other.buffers[i];
    BufferUse& to = buffers[i];
    to.used = to.used || from.used;
    to.dynamic = to.dynamic || from.dynamic;
    to.highest = std::max(to.highest, from.highest);
    to.ranges.insert(to.ranges.end(), from.ranges.begin(), from.ranges.end());
  }
  resourceUsed.resize(std::max(resourceUsed.size(), other.resourceUsed.size()));
  for (size_t i = 0; i < other.resourceUsed.size(); i++)
    resourceUsed[i] = resourceUsed[i] || other.resourceUsed[i];
}

void Codegen::globalDeclarations(std::vector<dxbc::Instruction>& out) {
  dxbc::Instruction in;
  if (m_module.target.stage == Stage::Domain) {
    in.op = OpCode::DclInputControlPointCount;
    in.decl.count = m_module.tessellation.inputPoints;
    out.push_back(in);
    in = {};
    in.op = OpCode::DclTessDomain;
    in.decl.tessDomain = m_module.tessellation.domain;
    out.push_back(in);
    in = {};
  }
  // Model 4.0 says nothing about refactoring, except in compute shaders.
  const bool tells = m_module.target.model >= 41 || m_module.target.stage == Stage::Compute;
  uint32_t flags = m_module.precise || !tells ? 0u : uint32_t(dxbc::kRefactoringAllowed);
  if (m_module.skipOptimization && m_module.target.model >= 50)
    flags |= dxbc::kSkipOptimization;
  if (m_module.earlyDepthStencil)
    flags |= dxbc::kForceEarlyDepthStencil;
  if (usesDoubles)
    flags |= dxbc::kEnableDoublePrecision;
  if (usesDoubleExtensions)
    flags |= dxbc::kEnableDoubleExtensions;
  if (usesShaderExtensions)
    flags |= dxbc::kEnableShaderExtensions;
  if (m_module.minPrecision)
    flags |= dxbc::kEnableMinimumPrecision;
  if (m_module.target.model < 50 && m_module.target.stage != Stage::Compute && usesRawAndStructured())
    flags |= dxbc::kEnableRawAndStructured;
  if (flags) {
    in.op = OpCode::DclGlobalFlags;
    in.decl.globalFlags = flags;
    out.push_back(in);
  }
  if (!m_f.icb.empty()) {
    in = {};
    in.op = OpCode::CustomData;
    in.customClass = dxbc::CustomDataClass::ImmediateConstantBuffer;
    in.data = m_f.icb;
    out.push_back(in);
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < buffers.size(); i++)
    if (buffers[i].used)
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return m_module.program->buffers[a]->slot < m_module.program->buffers[b]->slot; });
  for (size_t i : order) {
    const ConstantBuffer* cb = m_module.program->buffers[i];
    in = {};
    in.op = OpCode::DclConstantBuffer;
    in.decl.dynamicIndexed = buffers[i].dynamic;
    uint32_t size = buffers[i].dynamic ? (cb->size + 15) / 16 : buffers[i].highest + 1;
    in.decl.size = size;
    in.decl.rangeLower = in.decl.rangeUpper = cb->slot;
    in.operands.push_back(dxbc::constantOperand(cb->slot, size));
    out.push_back(in);
  }
  declareResources(out);
}

/// Registers of a range are declared with the same components.
void Codegen::settleInputRanges() {
  for (const auto& [first, count] : inputRanges) {
    uint8_t mask = 0;
    for (int pass = 0; pass < 2; pass++)
      for (IoElement& e : m_module.inputs)
        if (e.registerType == RegisterType::Input && e.reg >= first && e.reg < first + count) {
          const uint8_t own = uint8_t(((1u << e.count) - 1) << e.firstComponent);
          if (pass == 0)
            mask |= e.usedMask;
          else if (e.usedMask)
            e.usedMask = mask & own;
        }
  }
}

void Codegen::declareInputRanges(std::vector<dxbc::Instruction>& out) {
  for (const auto& [first, count] : inputRanges) {
    uint8_t mask = 0;
    for (const IoElement& e : m_module.inputs)
      if (e.registerType == RegisterType::Input && e.reg == first)
        mask |= e.usedMask;
    dxbc::Instruction in;
    in.op = OpCode::DclIndexRange;
    in.operands.push_back(dxbc::dstOperand(RegisterType::Input, first, mask));
    in.decl.count = count;
    out.push_back(std::move(in));
  }
}

void Codegen::phaseDeclarations(std::vector<dxbc::Instruction>& out) {
  dxbc::Instruction in;
  settleInputRanges();
  declareIo(out);
  if (m_registers.count()) {
    in = {};
    in.op = OpCode::DclTemps;
    in.decl.count = m_registers.count();
    out.push_back(in);
  }
  declareInputRanges(out);
  for (size_t i = 0; i < m_f.indexableTemps.size(); i++) {
    if (!m_f.indexableTemps[i].registers)
      continue;
    in = {};
    in.op = OpCode::DclIndexableTemp;
    in.decl.registerIndex = uint32_t(i);
    in.decl.count = m_f.indexableTemps[i].registers;
    in.decl.components = 4;
    out.push_back(in);
  }
  for (size_t i = 0; i < m_module.resources.size(); i++)
    if (m_module.resources[i].shared && resourceUsed[i]) {
      in = {};
      declareMemory(m_module.resources[i], in);
      out.push_back(in);
    }
  declareGroup(out);
}

} // namespace monolith::compiler
