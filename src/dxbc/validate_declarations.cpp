// SPDX-License-Identifier: MIT
#include "dxbc/validator.h"

#include <algorithm>

namespace monolith::dxbc {
namespace {

constexpr uint32_t kMaxVertices = 32;          ///< of a two-dimensional input
constexpr uint32_t kMaxIndexableTempWords = 4096 * 4;
constexpr uint32_t kMaxStride = 2048;
constexpr uint32_t kMaxGsVertices = 1024;
constexpr uint32_t kMaxGsInstances = 32;
constexpr uint32_t kMaxPhaseInstances = 128;

bool isIoDeclaration(OpCode op) {
  switch (op) {
  case OpCode::DclInput:
  case OpCode::DclInputSgv:
  case OpCode::DclInputSiv:
  case OpCode::DclInputPs:
  case OpCode::DclInputPsSgv:
  case OpCode::DclInputPsSiv:
  case OpCode::DclOutput:
  case OpCode::DclOutputSgv:
  case OpCode::DclOutputSiv: return true;
  default: return false;
  }
}
bool isOutputDeclaration(OpCode op) { return op >= OpCode::DclOutput && op <= OpCode::DclOutputSiv; }

bool needsOperand(OpCode op) {
  if (isIoDeclaration(op) || op == OpCode::DclIndexRange || op == OpCode::DclStream) return true;
  if (op >= OpCode::DclResource && op <= OpCode::DclSampler) return true;
  return op >= OpCode::DclUavTyped && op <= OpCode::DclResourceStructured;
}

/// Registers of the stage's interface that only some stages have.
bool allowedInStage(RegisterType type, ShaderStage s) {
  switch (type) {
  case RegisterType::Input: return s != ShaderStage::Compute;
  case RegisterType::Output: return s != ShaderStage::Compute;
  case RegisterType::PrimitiveId: return s == ShaderStage::Geometry || s == ShaderStage::Hull || s == ShaderStage::Domain;
  case RegisterType::OutputDepth:
  case RegisterType::OutputCoverage:
  case RegisterType::OutputDepthGreaterEqual:
  case RegisterType::OutputDepthLessEqual:
  case RegisterType::OutputStencilRef:
  case RegisterType::InputCoverage:
  case RegisterType::InnerCoverage: return s == ShaderStage::Pixel;
  case RegisterType::OutputControlPointId:
  case RegisterType::ForkInstanceId:
  case RegisterType::JoinInstanceId:
  case RegisterType::OutputControlPoint: return s == ShaderStage::Hull;
  case RegisterType::InputControlPoint:
  case RegisterType::PatchConstant: return s == ShaderStage::Hull || s == ShaderStage::Domain;
  case RegisterType::DomainPoint: return s == ShaderStage::Domain;
  case RegisterType::ThreadId:
  case RegisterType::ThreadGroupId:
  case RegisterType::ThreadIdInGroup:
  case RegisterType::ThreadIndexInGroup: return s == ShaderStage::Compute;
  case RegisterType::GsInstanceId: return s == ShaderStage::Geometry;
  case RegisterType::CycleCounter: return true;
  default: return false;
  }
}

class DeclarationCheck {
public:
  explicit DeclarationCheck(const Shader& shader) : m_shader(shader), m_d(shader.decls) {}

  Finding run() {
    const auto& list = m_shader.instructions;
    for (uint32_t n = 0; n < list.size(); n++) {
      if (!list[n].isDeclaration()) continue;
      if (const char* error = check(list[n])) return {std::string(list[n].info().mnemonic) + ": " + error, n};
    }
    if (const char* error = checkWhole()) return {error};
    return {};
  }

private:
  const char* check(const Instruction& i) {
    for (const Operand& o : i.operands)
      for (uint32_t d = 0; d < o.indexCount; d++)
        if (o.index[d].isRelative() || o.index[d].offset > UINT32_MAX) return "index is not a 32-bit immediate";
    if (needsOperand(i.op) && i.operands.empty()) return "operand is missing";
    if (isIoDeclaration(i.op)) return checkIo(i);
    switch (i.op) {
    case OpCode::CustomData: return checkCustomData(i);
    case OpCode::DclTemps: return i.decl.count > kMaxTemps ? "too many temporaries" : nullptr;
    case OpCode::DclIndexableTemp: return checkIndexableTemp(i.decl);
    case OpCode::DclIndexRange: return checkIndexRange(i);
    case OpCode::DclStream:
      return i.operands[0].type != RegisterType::Stream || i.operands[0].indexCount != 1 || i.operands[0].reg() > 3
                 ? "stream does not exist"
                 : nullptr;
    default: break;
    }
    const char* error = checkBinding(i);
    return error ? error : checkStageDeclaration(i);
  }

  const char* checkIo(const Instruction& i) {
    const Operand& o = i.operands[0];
    bool output = isOutputDeclaration(i.op);
    if (output ? !isOutputRegister(o.type) : !isInputRegister(o.type)) return "operand is not such a register";
    if (!allowedInStage(o.type, m_shader.stage)) return "register is not allowed in this stage";
    if (o.componentCount == 4 && o.selection != SelectionMode::Mask) return "operand has no component mask";
    if (o.componentCount == 4 && o.mask == 0) return "component mask is empty";
    if (i.decl.systemValue >= SystemValue::Count) return "unknown system value";
    if (i.decl.interpolation > InterpolationMode::LinearNoPerspectiveSample) return "unknown interpolation mode";
    bool indexed = o.type == RegisterType::Input || o.type == RegisterType::Output ||
                   o.type == RegisterType::InputControlPoint || o.type == RegisterType::OutputControlPoint ||
                   o.type == RegisterType::PatchConstant;
    if (!indexed) return o.indexCount ? "register has no index" : nullptr;
    uint32_t dimensions = hasVertices(o.type) ? 2 : 1;
    if (o.indexCount != dimensions || o.componentCount != 4) return "operand has the wrong shape";
    if (o.index[dimensions - 1].offset >= kMaxIoRegisters) return "register number is too high";
    if (dimensions == 2 && (o.index[0].offset == 0 || o.index[0].offset > kMaxVertices))
      return "number of vertices is not possible";
    if (m_shader.stage == ShaderStage::Pixel && output && o.index[0].offset >= 8) return "register number is too high";
    return nullptr;
  }

  bool hasVertices(RegisterType type) const {
    if (type == RegisterType::InputControlPoint || type == RegisterType::OutputControlPoint) return true;
    return type == RegisterType::Input &&
           (m_shader.stage == ShaderStage::Geometry || m_shader.stage == ShaderStage::Hull);
  }

  const char* checkIndexableTemp(const Declaration& d) {
    if (d.registerIndex >= kMaxTemps) return "register number is too high";
    if (d.count == 0 || d.components == 0 || d.components > 4) return "size is not possible";
    m_indexableWords += uint64_t(d.count) * 4;
    return d.count > kMaxTemps || m_indexableWords > kMaxIndexableTempWords ? "too many temporaries" : nullptr;
  }

  const char* checkIndexRange(const Instruction& i) {
    const Operand& o = i.operands[0];
    if (!isInputRegister(o.type) && !isOutputRegister(o.type)) return "operand is no input or output";
    if (o.indexCount == 0 || o.indexCount > 2 || o.componentCount != 4) return "operand has the wrong shape";
    uint64_t first = o.index[o.indexCount - 1].offset;
    if (i.decl.count == 0 || first + i.decl.count > kMaxIoRegisters) return "range is not possible";
    return nullptr;
  }

  const char* checkCustomData(const Instruction& i) {
    if (i.customClass != CustomDataClass::ImmediateConstantBuffer) return nullptr;
    if (m_immediateSeen) return "second immediate constant buffer";
    m_immediateSeen = true;
    if (i.data.empty() || i.data.size() % 4) return "size is not a multiple of four components";
    if (i.data.size() / 4 > kMaxImmediateConstants) return "immediate constant buffer is too large";
    return nullptr;
  }

  /// Everything bound by the application: kind of the operand, its range, no duplicates.
  const char* checkBinding(const Instruction& i) {
    RegisterType type;
    uint32_t limit;
    switch (i.op) {
    case OpCode::DclConstantBuffer: type = RegisterType::ConstantBuffer, limit = kMaxConstantBuffers; break;
    case OpCode::DclSampler: type = RegisterType::Sampler, limit = kMaxSamplers; break;
    case OpCode::DclResource:
    case OpCode::DclResourceRaw:
    case OpCode::DclResourceStructured: type = RegisterType::Resource, limit = kMaxResources; break;
    case OpCode::DclUavTyped:
    case OpCode::DclUavRaw:
    case OpCode::DclUavStructured: type = RegisterType::Uav, limit = kMaxUavs; break;
    case OpCode::DclThreadGroupSharedMemoryRaw:
    case OpCode::DclThreadGroupSharedMemoryStructured: type = RegisterType::GroupSharedMemory, limit = 1024; break;
    default: return nullptr;
    }
    const Operand& o = i.operands[0];
    if (o.type != type) return "operand is not such a register";
    bool ranged = m_shader.model() >= 51 && type != RegisterType::GroupSharedMemory;
    uint32_t dimensions = ranged ? 3 : type == RegisterType::ConstantBuffer ? 2 : 1;
    if (o.indexCount != dimensions) return "operand has the wrong shape";
    if (ranged) {
      if (i.decl.space) return "register spaces are not supported";
      if (i.decl.rangeUpper < i.decl.rangeLower || i.decl.rangeUpper >= limit) return "register range is not possible";
      if (o.reg() >= 4096) return "register number is too high";
    } else if (o.reg() >= limit) {
      return "register number is too high";
    }
    return checkResource(i);
  }

  const char* checkResource(const Instruction& i) {
    const Declaration& d = i.decl;
    switch (i.op) {
    case OpCode::DclConstantBuffer: return d.size > kMaxConstantBufferSize ? "buffer is too large" : nullptr;
    case OpCode::DclSampler: return d.samplerMode > SamplerMode::Mono ? "unknown sampler mode" : nullptr;
    case OpCode::DclResource:
    case OpCode::DclUavTyped: {
      if (d.dimension == ResourceDimension::Unknown || d.dimension >= ResourceDimension::RawBuffer)
        return "unknown resource dimension";
      bool uav = i.op == OpCode::DclUavTyped;
      if (uav && (isMultisampled(d.dimension) || dimensionAxes(d.dimension) == 3) &&
          d.dimension != ResourceDimension::Texture3D)
        return "dimension is not possible for an unordered access view";
      for (ReturnType t : d.returnTypes)
        if (t == ReturnType::None || t > ReturnType::Unused) return "unknown return type";
      return nullptr;
    }
    case OpCode::DclResourceStructured:
    case OpCode::DclUavStructured: return strideError(d.stride);
    case OpCode::DclThreadGroupSharedMemoryRaw:
      return d.bytes == 0 || d.bytes % 4 ? "size is not a multiple of four" : addGroupBytes(d.bytes);
    case OpCode::DclThreadGroupSharedMemoryStructured:
      if (const char* error = strideError(d.stride)) return error;
      return d.count == 0 ? "size is not possible" : addGroupBytes(uint64_t(d.stride) * d.count);
    default: return nullptr;
    }
  }

  static const char* strideError(uint32_t stride) {
    return stride == 0 || stride % 4 || stride > kMaxStride ? "stride is not possible" : nullptr;
  }
  const char* addGroupBytes(uint64_t bytes) {
    m_groupBytes += bytes;
    return m_groupBytes > kMaxGroupSharedBytes ? "too much group shared memory" : nullptr;
  }

  const char* checkStageDeclaration(const Instruction& i) {
    const Declaration& d = i.decl;
    switch (i.op) {
    case OpCode::DclGsInputPrimitive: {
      uint32_t p = uint32_t(d.primitive);
      bool known = (p >= 1 && p <= 3) || p == 6 || p == 7 || (p >= 8 && p <= 39);
      return known ? nullptr : "unknown primitive";
    }
    case OpCode::DclGsOutputPrimitiveTopology:
      return d.topology == PrimitiveTopology::PointList || d.topology == PrimitiveTopology::LineStrip ||
                     d.topology == PrimitiveTopology::TriangleStrip
                 ? nullptr
                 : "topology is not possible";
    case OpCode::DclMaxOutputVertexCount:
      return d.count == 0 || d.count > kMaxGsVertices ? "number of vertices is not possible" : nullptr;
    case OpCode::DclGsInstanceCount:
      return d.count == 0 || d.count > kMaxGsInstances ? "number of instances is not possible" : nullptr;
    case OpCode::DclHsForkPhaseInstanceCount:
    case OpCode::DclHsJoinPhaseInstanceCount:
      return d.count == 0 || d.count > kMaxPhaseInstances ? "number of instances is not possible" : nullptr;
    case OpCode::DclInputControlPointCount:
    case OpCode::DclOutputControlPointCount:
      return d.count > 32 ? "number of control points is not possible" : nullptr;
    case OpCode::DclTessDomain:
      return d.tessDomain == TessDomain::Undefined ? "unknown domain" : nullptr;
    case OpCode::DclTessPartitioning:
      return d.tessPartitioning == TessPartitioning::Undefined || d.tessPartitioning > TessPartitioning::FractionalEven
                 ? "unknown partitioning"
                 : nullptr;
    case OpCode::DclTessOutputPrimitive:
      return d.tessOutput == TessOutputPrimitive::Undefined || d.tessOutput > TessOutputPrimitive::TriangleCcw
                 ? "unknown primitive"
                 : nullptr;
    case OpCode::DclHsMaxTessFactor:
      return d.maxTessFactor >= 1.0f && d.maxTessFactor <= 64.0f ? nullptr : "factor is not possible";
    case OpCode::DclThreadGroup: return checkThreadGroup(d);
    default: return nullptr;
    }
  }

  const char* checkThreadGroup(const Declaration& d) {
    bool model5 = m_shader.major >= 5;
    uint64_t total = 1;
    const uint32_t limits[3] = {model5 ? 1024u : 768u, model5 ? 1024u : 768u, model5 ? 64u : 1u};
    for (uint32_t k = 0; k < 3; k++) {
      if (d.threads[k] == 0 || d.threads[k] > limits[k]) return "number of threads is not possible";
      total *= d.threads[k];
    }
    return total > limits[0] ? "number of threads is not possible" : nullptr;
  }

  const char* checkWhole() {
    if (const char* error = checkDuplicates()) return error;
    switch (m_shader.stage) {
    case ShaderStage::Compute: return m_d.threadGroup[0] ? nullptr : "thread group size is not declared";
    case ShaderStage::Geometry:
      if (m_d.inputPrimitive == Primitive::Undefined) return "input primitive is not declared";
      if (m_d.maxVertices == 0) return "number of output vertices is not declared";
      for (uint32_t k = 0; k < 4; k++)
        if ((m_d.streamMask >> k & 1) && m_d.streamTopology[k] == PrimitiveTopology::Undefined)
          return "output topology is not declared";
      return nullptr;
    case ShaderStage::Hull:
      if (m_d.domain == TessDomain::Undefined || m_d.partitioning == TessPartitioning::Undefined ||
          m_d.tessOutput == TessOutputPrimitive::Undefined)
        return "tessellator state is not declared";
      return nullptr;
    case ShaderStage::Domain: return m_d.domain == TessDomain::Undefined ? "domain is not declared" : nullptr;
    default: return nullptr;
    }
  }

  template <typename T>
  static bool hasDuplicates(const std::vector<T>& list) {
    std::vector<uint32_t> ids;
    for (const T& d : list) ids.push_back(d.id);
    std::sort(ids.begin(), ids.end());
    return std::adjacent_find(ids.begin(), ids.end()) != ids.end();
  }

  const char* checkDuplicates() {
    if (hasDuplicates(m_d.constantBuffers)) return "constant buffer is declared twice";
    if (hasDuplicates(m_d.samplers)) return "sampler is declared twice";
    if (hasDuplicates(m_d.resources)) return "resource is declared twice";
    if (hasDuplicates(m_d.uavs)) return "unordered access view is declared twice";
    if (hasDuplicates(m_d.groupMemory)) return "group shared memory is declared twice";
    std::vector<uint64_t> temps;
    for (const IndexableTemp& t : m_d.indexableTemps) temps.push_back(uint64_t(t.phase) << 32 | t.reg);
    std::sort(temps.begin(), temps.end());
    if (std::adjacent_find(temps.begin(), temps.end()) != temps.end()) return "indexable temporary is declared twice";
    return nullptr;
  }

  const Shader& m_shader;
  const Declarations& m_d;
  uint64_t m_indexableWords = 0, m_groupBytes = 0;
  bool m_immediateSeen = false;
};

} // namespace

Finding checkDeclarations(const Shader& shader) { return DeclarationCheck(shader).run(); }

} // namespace monolith::dxbc
