// SPDX-License-Identifier: MIT
#include "dxbc/stat.h"

#include "dxbc/bytes.h"

namespace monolith::dxbc {
namespace {

/// The fields in the order of the chunk.
constexpr uint32_t Stat::* kFields[] = {
    &Stat::instructionCount,          &Stat::tempRegisterCount,       &Stat::defCount,
    &Stat::dclCount,                  &Stat::floatInstructionCount,   &Stat::intInstructionCount,
    &Stat::uintInstructionCount,      &Stat::staticFlowControlCount,  &Stat::dynamicFlowControlCount,
    &Stat::macroInstructionCount,     &Stat::tempArrayCount,          &Stat::arrayInstructionCount,
    &Stat::cutInstructionCount,       &Stat::emitInstructionCount,    &Stat::textureNormalInstructions,
    &Stat::textureLoadInstructions,   &Stat::textureCompInstructions, &Stat::textureBiasInstructions,
    &Stat::textureGradientInstructions, &Stat::movInstructionCount,   &Stat::movcInstructionCount,
    &Stat::conversionInstructionCount, &Stat::bitwiseInstructionCount, &Stat::inputPrimitive,
    &Stat::gsOutputTopology,          &Stat::gsMaxOutputVertexCount,  &Stat::unknown26,
    &Stat::unknown27,                 &Stat::sampleFrequency,         &Stat::gsInstanceCount,
    &Stat::controlPoints,             &Stat::hsOutputPrimitive,       &Stat::hsPartitioning,
    &Stat::tessellatorDomain,         &Stat::barrierInstructions,     &Stat::interlockedInstructions,
    &Stat::textureStoreInstructions};
static_assert(std::size(kFields) == kStatWords5);

/// Column of the chunk that an opcode without a special role counts in: the type it computes in.
uint32_t Stat::* arithmeticField(const OpcodeInfo& info) {
  // Comparisons give a mask, so the first source tells the type; conversions have a column of their own.
  ValueType type = ValueType::None;
  for (uint32_t k = 0; k < info.operandCount && type == ValueType::None; k++)
    if (info.operands[k].kind == OperandKind::Src) type = info.operands[k].type;
  switch (type) {
  case ValueType::Float:
  case ValueType::Double: return &Stat::floatInstructionCount;
  case ValueType::Int: return &Stat::intInstructionCount;
  case ValueType::Uint: return &Stat::uintInstructionCount;
  default: return nullptr;
  }
}

bool isConversion(OpCode op) {
  switch (op) {
  case OpCode::FtoI:
  case OpCode::FtoU:
  case OpCode::ItoF:
  case OpCode::UtoF:
  case OpCode::F16toF32:
  case OpCode::F32toF16:
  case OpCode::DtoF:
  case OpCode::FtoD:
  case OpCode::DtoI:
  case OpCode::DtoU:
  case OpCode::ItoD:
  case OpCode::UtoD: return true;
  default: return false;
  }
}
/// These count both as conversions and as arithmetic.
bool isHalfConversion(OpCode op) {
  return (op >= OpCode::RoundNe && op <= OpCode::RoundZ) || (op >= OpCode::DerivRtxCoarse && op <= OpCode::DerivRtyFine);
}
/// A number made a truth value: zero is unequal to it, in this order (comparisons in the source have it the other way).
bool isTruth(const Instruction& i) {
  if ((i.op != OpCode::Ne && i.op != OpCode::INe) || i.operands.size() < 3 || i.operands[1].type != RegisterType::Imm32) return false;
  for (uint32_t k = 0; k < (i.operands[1].componentCount == 4 ? 4u : 1u); k++)
    if (i.operands[1].imm[k]) return false;
  return true;
}

uint32_t Stat::* sampleField(const OpcodeInfo& info, OpCode op) {
  if (info.has(kCompare)) return &Stat::textureCompInstructions;
  if (op == OpCode::SampleB || op == OpCode::SampleBClampS) return &Stat::textureBiasInstructions;
  if (op == OpCode::SampleD || op == OpCode::SampleDClampS) return &Stat::textureGradientInstructions;
  return &Stat::textureNormalInstructions;
}

/// True if the instruction touches an indexable temporary.
bool usesArray(const Instruction& i) {
  for (const Operand& o : i.operands)
    if (o.type == RegisterType::IndexableTemp) return true;
  return false;
}

void countAlu(Stat& stat, const Instruction& i) {
  if (usesArray(i)) {
    stat.arrayInstructionCount++;
    return;
  }
  if (i.op == OpCode::Mov || i.op == OpCode::DMov) {
    // Copies of a vertex's input do not count.
    bool vertexInput = i.operands.size() > 1 && i.operands[1].type == RegisterType::Input && i.operands[1].indexCount > 1;
    stat.movInstructionCount += !vertexInput;
    return;
  }
  if (i.op == OpCode::Movc || i.op == OpCode::DMovc) {
    stat.movcInstructionCount++;
    return;
  }
  if (isConversion(i.op) || isTruth(i)) {
    stat.conversionInstructionCount++;
    return;
  }
  if (isHalfConversion(i.op)) stat.conversionInstructionCount++;
  if (i.op == OpCode::IBfe)
    stat.intInstructionCount++; // though its first sources are numbers of bits
  else if (uint32_t Stat::* field = arithmeticField(i.info()))
    stat.*field += 1;
}

void countDeclaration(Stat& stat, const Instruction& i) {
  if (i.op == OpCode::CustomData && i.customClass == CustomDataClass::ImmediateConstantBuffer)
    stat.defCount += uint32_t(i.data.size() / 4);
  const bool tessellation = i.op >= OpCode::DclInputControlPointCount && i.op <= OpCode::DclTessOutputPrimitive;
  if ((i.op >= OpCode::DclInput && i.op <= OpCode::DclOutputSiv) || tessellation) stat.dclCount++;
  if (i.op == OpCode::DclIndexableTemp) stat.tempArrayCount += i.decl.count;
}

void countInstruction(Stat& stat, const Instruction& i) {
  const OpcodeInfo& info = i.info();
  if (i.isDeclaration()) return countDeclaration(stat, i);
  if (info.role == OpRole::Phase || info.role == OpRole::Label) return;
  stat.instructionCount++;
  switch (info.role) {
  case OpRole::Alu: countAlu(stat, i); break;
  case OpRole::Sample: stat.*sampleField(info, i.op) += 1; break;
  case OpRole::Fetch: stat.textureLoadInstructions++; break;
  case OpRole::Store: stat.textureStoreInstructions++; break;
  case OpRole::Atomic: stat.interlockedInstructions++; break;
  case OpRole::Sync: stat.barrierInstructions++; break;
  case OpRole::Else:
  case OpRole::Ret:
  case OpRole::Call: stat.staticFlowControlCount++; break;
  case OpRole::If:
  case OpRole::Loop:
  case OpRole::Switch: stat.dynamicFlowControlCount++; break;
  case OpRole::Emit:
    if (i.op != OpCode::Cut && i.op != OpCode::CutStream) stat.emitInstructionCount++;
    if (i.op != OpCode::Emit && i.op != OpCode::EmitStream) stat.cutInstructionCount++;
    break;
  default: break;
  }
}

} // namespace

Result<Stat> parseStat(std::span<const uint8_t> data) {
  if (data.size() < kStatWords4 * 4) return Result<Stat>::failure("error: statistics chunk is too short");
  Stat stat;
  ByteReader in(data);
  for (size_t i = 0; i < std::size(kFields) && (i + 1) * 4 <= data.size(); i++) stat.*kFields[i] = in.u32(i * 4);
  return stat;
}

std::vector<uint8_t> writeStat(const Stat& stat, uint32_t major) {
  ByteWriter out;
  for (size_t i = 0; i < (major >= 5 ? kStatWords5 : kStatWords4); i++) out.u32(stat.*kFields[i]);
  return out.take();
}

Stat computeStat(const Shader& shader) {
  Stat stat;
  // Of fork and join phases only the number of instructions counts.
  bool inner = false;
  Stat ignored;
  for (const Instruction& i : shader.instructions) {
    inner = inner || i.op == OpCode::HsForkPhase || i.op == OpCode::HsJoinPhase;
    countInstruction(inner ? ignored : stat, i);
  }
  stat.instructionCount += ignored.instructionCount;
  const Declarations& d = shader.decls;
  stat.tempRegisterCount = d.temps;
  stat.inputPrimitive = uint32_t(d.inputPrimitive);
  if (shader.stage == ShaderStage::Hull) stat.inputPrimitive = uint32_t(Primitive::Patch1) + d.inputControlPoints - 1;
  stat.gsOutputTopology = uint32_t(d.outputTopology);
  stat.gsMaxOutputVertexCount = d.maxVertices;
  if (shader.stage == ShaderStage::Pixel)
    for (const IoRegister& r : d.inputs)
      if (r.systemValue == SystemValue::SampleIndex || r.interpolation == InterpolationMode::LinearSample ||
          r.interpolation == InterpolationMode::LinearNoPerspectiveSample)
        stat.sampleFrequency = 1;
  if (shader.stage == ShaderStage::Geometry) stat.gsInstanceCount = d.gsInstances;
  if (shader.stage == ShaderStage::Hull || shader.stage == ShaderStage::Domain) {
    stat.controlPoints = shader.stage == ShaderStage::Hull ? d.outputControlPoints : d.inputControlPoints;
    stat.hsOutputPrimitive = uint32_t(d.tessOutput);
    stat.hsPartitioning = uint32_t(d.partitioning);
    stat.tessellatorDomain = uint32_t(d.domain);
  }
  return stat;
}

} // namespace monolith::dxbc
