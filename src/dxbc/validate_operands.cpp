// SPDX-License-Identifier: MIT
/// @file
/// Operands of executable instructions: the kind that the opcode table asks for, declared registers, index ranges,
/// resources that fit the instruction.
#include "dxbc/validator.h"

namespace monolith::dxbc {
namespace {

class OperandCheck {
public:
  explicit OperandCheck(const Shader& shader) : m_shader(shader), m_d(shader.decls) {
    m_temps = m_d.phases[0].temps;
  }

  Finding run() {
    const auto& list = m_shader.instructions;
    for (uint32_t n = 0; n < list.size(); n++) {
      const Instruction& i = list[n];
      while (m_phase + 1 < m_d.phases.size() && n >= m_d.phases[m_phase + 1].begin)
        m_temps = m_d.phases[++m_phase].temps;
      if (i.isDeclaration()) continue;
      m_instruction = &i;
      std::string error = check();
      if (!error.empty()) return {std::string(i.info().mnemonic) + ": " + error, n};
    }
    return {};
  }

private:
  std::string check() {
    const Instruction& i = *m_instruction;
    const OpcodeInfo& info = i.info();
    if (i.operands.size() != info.operandCount) return "wrong number of operands";
    for (uint32_t k = 0; k < info.operandCount; k++) {
      const Operand& o = i.operands[k];
      const char* error = checkKind(o, info.operands[k]);
      if (!error) error = checkIndices(o);
      if (error) return "operand " + std::to_string(k) + ": " + error;
    }
    if (const char* error = checkResourceUse()) return error;
    if (info.role == OpRole::Sync && i.syncFlags == 0) return "no kind of synchronisation";
    if (info.role == OpRole::Sync && m_shader.stage != ShaderStage::Compute && i.syncFlags != kSyncUavMemoryGlobal)
      return "kind of synchronisation is not allowed in this stage";
    if (i.resInfoType > ResInfoType::Uint) return "unknown return type";
    return {};
  }

  // ---- kinds ----

  const char* checkKind(const Operand& o, OperandSpec spec) {
    if (o.index[0].offset > UINT32_MAX || o.index[1].offset > UINT32_MAX || o.index[2].offset > UINT32_MAX)
      return "index is too large";
    switch (spec.kind) {
    case OperandKind::Dst: return checkDst(o, spec.type);
    case OperandKind::NullableDst: return o.isNull() ? nullptr : checkDst(o, spec.type);
    case OperandKind::Src: return checkSrc(o, spec.type);
    case OperandKind::Resource:
      return o.type == RegisterType::Resource ? checkBound(o, m_d.findResource(o.reg())) : "not a resource";
    case OperandKind::Uav:
      if (o.type != RegisterType::Uav) return "not an unordered access view";
      if (m_instruction->info().role == OpRole::Store) return checkStoreMask(o, m_d.findUav(o.reg()), true);
      return checkBound(o, m_d.findUav(o.reg()));
    case OperandKind::Sampler:
      return o.type == RegisterType::Sampler ? checkBound(o, m_d.findSampler(o.reg())) : "not a sampler";
    case OperandKind::WriteMemory:
      if (o.type == RegisterType::GroupSharedMemory) return checkStoreMask(o, m_d.findGroupMemory(o.reg()), false);
      if (o.type == RegisterType::Uav) return checkStoreMask(o, m_d.findUav(o.reg()), false);
      return "not writable memory";
    case OperandKind::ReadMemory:
      if (o.type == RegisterType::Resource) return checkBound(o, m_d.findResource(o.reg()));
      if (o.type == RegisterType::Uav) return checkBound(o, m_d.findUav(o.reg()));
      if (o.type == RegisterType::GroupSharedMemory) return checkBound(o, m_d.findGroupMemory(o.reg()));
      return "not readable memory";
    case OperandKind::ResourceOrRasterizer:
      if (o.type == RegisterType::Rasterizer) return o.indexCount ? "register has no index" : nullptr;
      return o.type == RegisterType::Resource ? checkBound(o, m_d.findResource(o.reg())) : "not a resource";
    case OperandKind::EvalInput:
      if (o.type != RegisterType::Input) return "not an input";
      return checkSrc(o, spec.type);
    case OperandKind::Stream:
      if (o.type != RegisterType::Stream || o.indexCount != 1 || o.reg() > 3) return "not a stream";
      return (m_d.streamMask >> o.reg()) & 1 ? nullptr : "stream is not declared";
    case OperandKind::Label:
      if (o.indexCount != 1) return "operand has the wrong shape";
      return o.type == RegisterType::Label || o.type == RegisterType::FunctionBody ? nullptr : "not a label";
    case OperandKind::Interface: return o.type == RegisterType::Interface ? nullptr : "not an interface";
    case OperandKind::None: break;
    }
    return "unexpected";
  }

  const char* checkDst(const Operand& o, ValueType type) {
    if (o.negate || o.absolute) return "destination has a modifier";
    switch (o.type) {
    case RegisterType::Temp:
    case RegisterType::IndexableTemp:
      if (o.componentCount != 4) return "operand has the wrong shape";
      break;
    default:
      if (!isOutputRegister(o.type)) return "not a destination";
      if (!declaredIo(o, m_d.outputs)) return "output is not declared";
    }
    if (o.componentCount == 4 && o.selection != SelectionMode::Mask) return "destination has no component mask";
    uint8_t mask = o.writeMask();
    if (mask == 0) return "component mask is empty";
    if (type == ValueType::Double && mask != 0x3 && mask != 0xc && mask != 0xf)
      return "component mask does not fit doubles";
    return nullptr;
  }

  const char* checkSrc(const Operand& o, ValueType type) {
    switch (o.type) {
    case RegisterType::Imm32:
      return type == ValueType::Double ? "32-bit immediate for a double" : nullptr;
    case RegisterType::Imm64: return type == ValueType::Double ? nullptr : "64-bit immediate for 32-bit data";
    case RegisterType::Temp:
    case RegisterType::IndexableTemp:
    case RegisterType::ConstantBuffer:
    case RegisterType::ImmediateConstantBuffer:
      if (o.componentCount != 4) return "operand has the wrong shape";
      break;
    default:
      if (!isInputRegister(o.type)) return "not a source";
      if (!declaredIo(o, m_d.inputs)) return "input is not declared";
    }
    if (o.componentCount == 4 && type == ValueType::Double) {
      for (uint32_t k = 0; k < 4; k += 2)
        if ((o.swizzle[k] & 1) || o.swizzle[k + 1] != o.swizzle[k] + 1) return "swizzle does not fit doubles";
    }
    return nullptr;
  }

  /// A resource-like register and its declaration (null: not declared).
  template <typename Declared>
  const char* checkBound(const Operand& o, const Declared* declared) {
    bool ranged = m_shader.model() >= 51 && o.type != RegisterType::GroupSharedMemory;
    if (o.indexCount != (ranged ? 2 : 1)) return "operand has the wrong shape";
    if (o.index[0].isRelative()) return "register number is not an immediate";
    if (!declared) return "register is not declared";
    if (!ranged || o.index[1].isRelative()) return nullptr;
    return inRange(o.index[1].offset, declared) ? nullptr : "index exceeds the declared range";
  }
  static bool inRange(uint64_t, const GroupMemoryDecl*) { return true; }
  template <typename Declared>
  static bool inRange(uint64_t slot, const Declared* d) {
    return slot >= d->lower && slot <= d->upper;
  }

  template <typename Declared>
  const char* checkStoreMask(const Operand& o, const Declared* declared, bool all) {
    if (const char* error = checkBound(o, declared)) return error;
    if (m_instruction->info().role != OpRole::Store) return nullptr;
    if (o.componentCount != 4 || o.selection != SelectionMode::Mask) return "destination has no component mask";
    if (all ? o.mask != kMaskAll : o.mask == 0 || (o.mask & (o.mask + 1)) != 0) return "component mask is not possible";
    return nullptr;
  }

  // ---- declared registers and index ranges ----

  bool declaredIo(const Operand& o, const std::vector<IoRegister>& list) const {
    uint32_t last = o.indexCount ? o.indexCount - 1u : 0;
    for (const IoRegister& r : list) {
      if (r.type != o.type || (r.phase != m_phase && !isSharedInput(r))) continue;
      if ((r.vertexCount ? 2u : isIndexed(r.type) ? 1u : 0u) != o.indexCount) continue;
      if (o.indexCount == 2 && !o.index[0].isRelative() && o.index[0].offset >= r.vertexCount) continue;
      if (o.indexCount && o.index[last].isRelative()) return true; // checkIndices() looks at the range
      if (o.indexCount && r.reg != o.index[last].offset) continue;
      if (r.mask && &list == &m_d.outputs && (o.writeMask() & ~writtenMask(r))) continue;
      return true;
    }
    return false;
  }
  /// All components that declarations of the register give; one register may be declared in pieces.
  uint8_t writtenMask(const IoRegister& r) const {
    uint8_t mask = 0;
    for (const IoRegister& other : m_d.outputs)
      if (other.type == r.type && other.reg == r.reg && other.phase == r.phase) mask |= other.mask;
    return mask;
  }
  /// Registers declared in the declaration phase of a hull shader hold in every phase.
  bool isSharedInput(const IoRegister& r) const { return m_d.phases[r.phase].kind == PhaseKind::Declarations; }
  static bool isIndexed(RegisterType t) {
    return t == RegisterType::Input || t == RegisterType::Output || t == RegisterType::PatchConstant ||
           t == RegisterType::InputControlPoint || t == RegisterType::OutputControlPoint;
  }

  const char* checkIndices(const Operand& o) {
    for (uint32_t d = 0; d < o.indexCount; d++)
      if (o.index[d].isRelative())
        if (const char* error = checkRelative(o, d)) return error;
    switch (o.type) {
    case RegisterType::Temp:
      if (o.indexCount != 1 || o.index[0].isRelative()) return "operand has the wrong shape";
      return o.reg() < m_temps ? nullptr : "temporary is not declared";
    case RegisterType::IndexableTemp: {
      if (o.indexCount != 2 || o.index[0].isRelative()) return "operand has the wrong shape";
      const IndexableTemp* t = m_d.findIndexableTemp(o.reg(), m_phase);
      if (!t) return "indexable temporary is not declared";
      return o.index[1].isRelative() || o.index[1].offset < t->count ? nullptr : "index exceeds the declared size";
    }
    case RegisterType::ConstantBuffer: return checkConstantBuffer(o);
    case RegisterType::ImmediateConstantBuffer:
      if (o.indexCount != 1) return "operand has the wrong shape";
      if (m_d.immediateConstants.empty()) return "immediate constant buffer is not declared";
      return o.index[0].isRelative() || o.index[0].offset < m_d.immediateConstants.size() / 4
                 ? nullptr
                 : "index exceeds the declared size";
    default: break;
    }
    uint32_t last = o.indexCount ? o.indexCount - 1u : 0;
    if (isIndexed(o.type) && o.indexCount && o.index[last].isRelative()) return checkIndexRange(o, last);
    return nullptr;
  }

  const char* checkConstantBuffer(const Operand& o) {
    bool ranged = m_shader.model() >= 51;
    if (o.indexCount != (ranged ? 3 : 2) || o.index[0].isRelative()) return "operand has the wrong shape";
    const ConstantBufferDecl* cb = m_d.findConstantBuffer(o.reg());
    if (!cb) return "constant buffer is not declared";
    if (ranged && !o.index[1].isRelative() && !inRange(o.index[1].offset, cb))
      return "index exceeds the declared range";
    const OperandIndex& offset = o.index[o.indexCount - 1];
    if (offset.isRelative()) return nullptr;
    return offset.offset < (cb->size ? cb->size : kMaxConstantBufferSize) ? nullptr : "index exceeds the declared size";
  }

  const char* checkIndexRange(const Operand& o, uint32_t dim) {
    for (const IndexRange& r : m_d.indexRanges)
      if (r.type == o.type && r.phase == m_phase && o.index[dim].offset >= r.first &&
          o.index[dim].offset < uint64_t(r.first) + r.count)
        return nullptr;
    return "relative index without a declared range";
  }

  /// The register of a relative index: one readable component, itself indexed by immediates only.
  const char* checkRelative(const Operand& o, uint32_t dim) {
    const OperandIndex& index = o.index[dim];
    if (index.relative >= m_instruction->relatives.size()) return "relative index is broken";
    const Operand& r = m_instruction->relatives[index.relative];
    if (r.isImmediate() || r.negate || r.absolute) return "relative index is no plain register";
    if (r.componentCount == 4 && r.selection != SelectionMode::Select1) return "relative index has no single component";
    for (uint32_t d = 0; d < r.indexCount; d++)
      if (r.index[d].isRelative()) return "relative index inside a relative index";
    if (const char* error = checkSrc(r, ValueType::Uint)) return error;
    return checkIndices(r);
  }

  // ---- resources that fit the instruction ----

  const char* checkResourceUse() {
    const Instruction& i = *m_instruction;
    const OpcodeInfo& info = i.info();
    const char* error = nullptr;
    for (uint32_t k = 0; k < info.operandCount && !error; k++) {
      const Operand& o = i.operands[k];
      if (o.type == RegisterType::Resource)
        error = checkDimension(m_d.findResource(o.reg())->dimension, false);
      else if (o.type == RegisterType::Uav)
        error = checkUav(*m_d.findUav(o.reg()));
      else if (o.type == RegisterType::GroupSharedMemory)
        error = checkGroupMemory(*m_d.findGroupMemory(o.reg()));
      else if (o.type == RegisterType::Sampler)
        error = checkSampler(*m_d.findSampler(o.reg()));
    }
    return error;
  }

  const char* checkSampler(const SamplerDecl& s) {
    bool compare = m_instruction->info().has(kCompare);
    if (compare && s.mode != SamplerMode::Comparison) return "sampler is not declared for comparison";
    return nullptr;
  }

  const char* checkUav(const ResourceDecl& u) {
    OpCode op = m_instruction->op;
    if ((op == OpCode::ImmAtomicAlloc || op == OpCode::ImmAtomicConsume) &&
        u.dimension != ResourceDimension::StructuredBuffer)
      return "unordered access view has no counter"; // without the flag it is one of an append buffer (22.3.44)
    return checkDimension(u.dimension, true);
  }

  const char* checkGroupMemory(const GroupMemoryDecl& g) {
    ResourceDimension d = g.structured ? ResourceDimension::StructuredBuffer : ResourceDimension::RawBuffer;
    if (m_instruction->op == OpCode::ResInfo || m_instruction->op == OpCode::BufInfo) return "not a resource";
    return checkDimension(d, true);
  }

  const char* checkDimension(ResourceDimension d, bool uav) {
    const Instruction& i = *m_instruction;
    if (i.hasResourceDim && i.resourceDim != d && i.resourceDim != ResourceDimension::Unknown)
      return "resource dimension differs from the declaration";
    bool raw = d == ResourceDimension::RawBuffer, structured = d == ResourceDimension::StructuredBuffer;
    bool buffer = d == ResourceDimension::Buffer, typed = !raw && !structured;
    bool fits = true;
    switch (i.op) {
    case OpCode::Ld:
    case OpCode::LdS:
      fits = typed && !isMultisampled(d) && d != ResourceDimension::TextureCube &&
             d != ResourceDimension::TextureCubeArray;
      break;
    case OpCode::LdMs:
    case OpCode::LdMsS:
    case OpCode::SamplePos:
    case OpCode::SampleInfo: fits = isMultisampled(d); break;
    case OpCode::ResInfo: fits = typed && !buffer; break;
    case OpCode::BufInfo: fits = raw || structured || buffer; break;
    case OpCode::LdUavTyped:
    case OpCode::LdUavTypedS:
    case OpCode::StoreUavTyped: fits = typed && uav; break;
    case OpCode::LdRaw:
    case OpCode::LdRawS:
    case OpCode::StoreRaw: fits = raw; break;
    case OpCode::LdStructured:
    case OpCode::LdStructuredS:
    case OpCode::StoreStructured: fits = structured; break;
    default:
      if (i.info().role == OpRole::Sample) fits = fitsSampling(d);
      break;
    }
    return fits ? nullptr : "resource does not fit the instruction";
  }

  bool fitsSampling(ResourceDimension d) const {
    const OpcodeInfo& info = m_instruction->info();
    if (d == ResourceDimension::Buffer || d >= ResourceDimension::RawBuffer || isMultisampled(d)) return false;
    bool oneAxis = dimensionAxes(d) == 1, volume = d == ResourceDimension::Texture3D;
    if (info.has(kGather)) return !oneAxis && !volume;
    if (info.has(kCompare)) return !volume;
    return true;
  }

  const Shader& m_shader;
  const Declarations& m_d;
  const Instruction* m_instruction = nullptr;
  uint32_t m_phase = 0;
  uint32_t m_temps = 0;
};

} // namespace

Finding checkOperands(const Shader& shader) {
  if (shader.decls.phases.empty()) return {"declarations are not summarised"};
  return OperandCheck(shader).run();
}

} // namespace monolith::dxbc
