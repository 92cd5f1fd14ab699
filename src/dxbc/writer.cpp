// SPDX-License-Identifier: MIT
#include "dxbc/writer.h"

#include "dxbc/bytes.h"
#include "dxbc/declaration_codec.h"

namespace monolith::dxbc {
namespace {

/// Appends the tokens of one instruction; the opcode token is patched at the end.
class Emitter {
public:
  Emitter(std::vector<uint32_t>& tokens, const Instruction& instruction, uint32_t model)
      : m_tokens(tokens), m_instruction(instruction), m_start(tokens.size()), m_model(model) {
    tokens.push_back(uint32_t(instruction.op));
  }
  void push(uint32_t token) { m_tokens.push_back(token); }
  void setBits(uint32_t bits) { m_tokens[m_start] |= bits; }
  bool ok() const { return m_ok; }
  /// Writes the length; false if there are too many tokens.
  bool finish() {
    if (m_instruction.op == OpCode::SamplePos) push(0); // as Microsoft's compiler does
    size_t length = m_tokens.size() - m_start;
    if (length > 0x7f) m_ok = false;
    m_tokens[m_start] |= uint32_t(length & 0x7f) << 24;
    return m_ok;
  }

  // The interface that declaration_codec.h asks for.
  bool reading() const { return false; }
  uint32_t model() const { return m_model; }
  template <typename T>
  void field(uint32_t shift, uint32_t bits, T& value) {
    uint32_t v = uint32_t(value);
    if (v >> bits) m_ok = false;
    setBits((v & ((1u << bits) - 1)) << shift);
  }
  void word(uint32_t& value) { push(value); }
  void word(float& value) { push(std::bit_cast<uint32_t>(value)); }
  void word(SystemValue& value) { push(uint32_t(value)); }
  void rest(std::vector<uint32_t>& data) { m_tokens.insert(m_tokens.end(), data.begin(), data.end()); }
  void operand(uint32_t i) {
    if (i < m_instruction.operands.size())
      writeOperand(m_instruction.operands[i], 0);
    else
      m_ok = false;
  }
  void writeOperand(const Operand& o, uint32_t depth);

private:
  std::vector<uint32_t>& m_tokens;
  const Instruction& m_instruction;
  size_t m_start;
  uint32_t m_model;
  bool m_ok = true;
};

void Emitter::writeOperand(const Operand& o, uint32_t depth) {
  uint32_t token = o.componentCount == 4 ? 2u : uint32_t(o.componentCount & 1);
  if (o.componentCount == 4) {
    token |= uint32_t(o.selection) << 2;
    switch (o.selection) {
    case SelectionMode::Mask: token |= uint32_t(o.mask & 0xf) << 4; break;
    case SelectionMode::Swizzle:
      for (uint32_t i = 0; i < 4; i++) token |= uint32_t(o.swizzle[i] & 3) << (4 + 2 * i);
      break;
    case SelectionMode::Select1: token |= uint32_t(o.swizzle[0] & 3) << 4; break;
    }
  }
  token |= uint32_t(o.type) << 12 | uint32_t(o.indexCount & 3) << 20;
  for (uint32_t d = 0; d < o.indexCount && d < 3; d++) token |= uint32_t(o.index[d].type) << (22 + 3 * d);
  bool modified = o.negate || o.absolute || o.nonUniform || o.precision != MinPrecision::None;
  bool extended = o.extended || modified;
  push(token | (extended ? 0x80000000u : 0));
  if (extended)
    push(1u | uint32_t(o.negate) << 6 | uint32_t(o.absolute) << 7 | uint32_t(o.precision) << 14 |
         uint32_t(o.nonUniform) << 17);
  if (o.type == RegisterType::Imm32) {
    for (uint32_t i = 0; i < o.componentCount; i++) push(o.imm[i]);
  } else if (o.type == RegisterType::Imm64) {
    for (uint32_t i = 0; i < (o.componentCount == 4 ? 4u : 2u); i++) push(o.imm[i]);
  }
  for (uint32_t d = 0; d < o.indexCount && d < 3; d++) {
    const OperandIndex& index = o.index[d];
    if (index.type == IndexType::Imm64 || index.type == IndexType::Imm64PlusRelative)
      push(uint32_t(index.offset >> 32));
    if (index.type != IndexType::Relative) push(uint32_t(index.offset));
    if (index.type < IndexType::Relative) continue;
    if (index.relative < m_instruction.relatives.size() && depth < 2)
      writeOperand(m_instruction.relatives[index.relative], depth + 1);
    else
      m_ok = false;
  }
}

void writeExtendedOpcode(Emitter& out, const Instruction& i) {
  uint32_t count = i.hasOffsets + i.hasResourceDim + i.hasReturnType;
  if (count) out.setBits(0x80000000u);
  auto push = [&](ExtendedOpcode kind, uint32_t bits) {
    out.push(uint32_t(kind) | bits | (--count ? 0x80000000u : 0));
  };
  if (i.hasOffsets) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 3; k++) bits |= (uint32_t(i.offsets[k]) & 0xf) << (9 + 4 * k);
    push(ExtendedOpcode::SampleControls, bits);
  }
  if (i.hasResourceDim)
    push(ExtendedOpcode::ResourceDim, uint32_t(i.resourceDim) << 6 | (i.resourceStride & 0xfff) << 11);
  if (i.hasReturnType) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 4; k++) bits |= uint32_t(i.returnTypes[k]) << (6 + 4 * k);
    push(ExtendedOpcode::ResourceReturnType, bits);
  }
}

} // namespace

bool writeInstruction(std::vector<uint32_t>& tokens, const Instruction& instruction, uint32_t model) {
  const OpcodeInfo& info = instruction.info();
  if (info.role == OpRole::Reserved || uint32_t(instruction.op) >= kOpCodeCount) return false;
  if (instruction.op == OpCode::CustomData) {
    tokens.push_back(uint32_t(instruction.op) | uint32_t(instruction.customClass) << 11);
    tokens.push_back(uint32_t(instruction.data.size() + 2));
    tokens.insert(tokens.end(), instruction.data.begin(), instruction.data.end());
    return true;
  }
  Emitter out(tokens, instruction, model);
  writeExtendedOpcode(out, instruction);
  if (info.role == OpRole::Declaration) {
    // The codec takes both directions and so a mutable instruction; writing changes nothing in it.
    codeDeclaration(out, const_cast<Instruction&>(instruction));
    return out.finish();
  }
  if (instruction.saturate && info.has(kSat)) out.setBits(1u << 13);
  if (instruction.testNonZero && info.has(kTest)) out.setBits(1u << 18);
  if (info.has(kResInfoType)) out.setBits(uint32_t(instruction.resInfoType) << 11);
  if (info.has(kUintFlag) && instruction.uintResult) out.setBits(1u << 11);
  if (info.role == OpRole::Sync) out.setBits(uint32_t(instruction.syncFlags & 0xf) << 11);
  if (!info.has(kTest)) out.setBits(uint32_t(instruction.preciseMask & 0xf) << 19);
  if (instruction.op == OpCode::InterfaceCall) out.push(instruction.functionIndex);
  if (instruction.operands.size() != info.operandCount) return false;
  for (uint32_t k = 0; k < info.operandCount; k++) out.operand(k);
  return out.finish();
}

std::vector<uint32_t> writeProgram(ShaderStage stage, uint32_t major, uint32_t minor,
                                   std::span<const Instruction> instructions) {
  std::vector<uint32_t> tokens{uint32_t(stage) << 16 | major << 4 | minor, 0};
  for (const Instruction& i : instructions)
    if (!writeInstruction(tokens, i, major * 10 + minor)) return {};
  tokens[1] = uint32_t(tokens.size());
  return tokens;
}

std::vector<uint8_t> writeShader(const Shader& shader) {
  std::vector<uint32_t> program = writeProgram(shader.stage, shader.major, shader.minor, shader.instructions);
  if (program.empty()) return {};
  ContainerBuilder builder;
  if (shader.inputs.tag) builder.add(shader.inputs.tag, writeSignature(shader.inputs));
  if (shader.outputs.tag) builder.add(shader.outputs.tag, writeSignature(shader.outputs));
  if (shader.patchConstants.tag) builder.add(shader.patchConstants.tag, writeSignature(shader.patchConstants));
  uint32_t tag = shader.programTag ? shader.programTag : shader.major >= 5 ? kTagShex : kTagShdr;
  builder.add(tag, program);
  if (shader.hasFeatures) {
    uint32_t words[2] = {uint32_t(shader.featureFlags), uint32_t(shader.featureFlags >> 32)};
    builder.add(kTagSfi0, words);
  }
  return builder.build();
}

} // namespace monolith::dxbc
