// SPDX-License-Identifier: MIT
/// @file
/// Tokens to instructions. Every access goes through Cursor, which never leaves the tokens of the current instruction.
#include "dxbc/bytes.h"
#include "dxbc/declaration_codec.h"
#include "dxbc/shader.h"

namespace monolith::dxbc {
namespace {

constexpr uint32_t kMaxRelativeDepth = 2; ///< a relative index may not itself be relative; one more for the message

/// Reads the tokens of one instruction.
class Cursor {
public:
  Cursor(std::span<const uint32_t> tokens, uint32_t model) : m_tokens(tokens), m_model(model) {}
  bool atEnd() const { return m_at == m_tokens.size(); }
  bool ok() const { return m_error == nullptr; }
  const char* error() const { return m_error; }
  void fail(const char* text) {
    if (!m_error) m_error = text;
  }
  uint32_t next() {
    if (m_at < m_tokens.size()) return m_tokens[m_at++];
    fail("operands exceed the instruction");
    return 0;
  }

  // The interface that declaration_codec.h asks for.
  bool reading() const { return true; }
  uint32_t model() const { return m_model; }
  template <typename T>
  void field(uint32_t shift, uint32_t bits, T& value) {
    value = T((m_tokens[0] >> shift) & ((1u << bits) - 1));
  }
  void word(uint32_t& value) { value = next(); }
  void word(float& value) { value = std::bit_cast<float>(next()); }
  void word(SystemValue& value) { value = SystemValue(next()); }
  void rest(std::vector<uint32_t>& data) {
    data.assign(m_tokens.begin() + ptrdiff_t(m_at), m_tokens.end());
    m_at = m_tokens.size();
  }
  void operand(uint32_t) { m_instruction->operands.push_back(readOperand(0)); }

  void attach(Instruction& instruction) { m_instruction = &instruction; }
  Operand readOperand(uint32_t depth);

private:
  void readIndex(Operand& o, uint32_t dim, IndexType type, uint32_t depth);
  void readExtended(Operand& o);

  std::span<const uint32_t> m_tokens;
  size_t m_at = 0;
  uint32_t m_model;
  const char* m_error = nullptr;
  Instruction* m_instruction = nullptr;
};

void Cursor::readExtended(Operand& o) {
  uint32_t token = next();
  uint32_t type = token & 0x3f;
  if (type > 1 || (token >> 31)) return fail("unknown extended operand token");
  o.extended = true;
  if (type == 0) return;
  uint32_t modifier = (token >> 6) & 0xff;
  if (modifier > 3) return fail("unknown operand modifier");
  o.negate = modifier & 1;
  o.absolute = modifier & 2;
  o.precision = MinPrecision((token >> 14) & 7);
  o.nonUniform = (token >> 17) & 1;
}

void Cursor::readIndex(Operand& o, uint32_t dim, IndexType type, uint32_t depth) {
  OperandIndex& index = o.index[dim];
  index.type = type;
  bool relative = false;
  switch (type) {
  case IndexType::Imm32: index.offset = next(); break;
  case IndexType::Imm64: {
    uint64_t high = next();
    index.offset = high << 32 | next();
    break;
  }
  case IndexType::Relative: relative = true; break;
  case IndexType::Imm32PlusRelative:
    index.offset = next();
    relative = true;
    break;
  case IndexType::Imm64PlusRelative: {
    uint64_t high = next();
    index.offset = high << 32 | next();
    relative = true;
    break;
  }
  default: return fail("unknown kind of register index");
  }
  if (!relative || !ok()) return;
  if (depth + 1 >= kMaxRelativeDepth) return fail("relative index inside a relative index");
  Operand register_ = readOperand(depth + 1);
  index.relative = uint16_t(m_instruction->relatives.size());
  m_instruction->relatives.push_back(register_);
}

Operand Cursor::readOperand(uint32_t depth) {
  Operand o;
  uint32_t token = next();
  if (!ok()) return o;
  uint32_t count = token & 3;
  if (count == 3) {
    fail("operands of N components do not exist");
    return o;
  }
  o.componentCount = count == 2 ? 4 : uint8_t(count);
  if (o.componentCount == 4) {
    uint32_t mode = (token >> 2) & 3;
    if (mode > 2) {
      fail("unknown component selection");
      return o;
    }
    o.selection = SelectionMode(mode);
    switch (o.selection) {
    case SelectionMode::Mask: o.mask = (token >> 4) & 0xf; break;
    case SelectionMode::Swizzle:
      for (uint32_t i = 0; i < 4; i++) o.swizzle[i] = (token >> (4 + 2 * i)) & 3;
      break;
    case SelectionMode::Select1: o.swizzle.fill((token >> 4) & 3); break;
    }
  }
  uint32_t type = (token >> 12) & 0xff;
  if (type >= uint32_t(RegisterType::Count)) {
    fail("unknown register type");
    return o;
  }
  o.type = RegisterType(type);
  o.indexCount = (token >> 20) & 3;
  if (token >> 31) readExtended(o);
  if (o.type == RegisterType::Imm32) {
    if (o.componentCount == 4)
      for (uint32_t& v : o.imm) v = next();
    else if (o.componentCount == 1)
      o.imm.fill(next());
    else
      fail("immediate without components");
  } else if (o.type == RegisterType::Imm64) {
    // A four-component operand of doubles holds two of them, high dword first in neither: low, high.
    if (o.componentCount == 0) fail("immediate without components");
    for (uint32_t i = 0; i < (o.componentCount == 4 ? 4u : 2u); i++) o.imm[i] = next();
    if (o.componentCount == 1) o.imm[2] = o.imm[0], o.imm[3] = o.imm[1];
  }
  for (uint32_t d = 0; d < o.indexCount && ok(); d++) readIndex(o, d, IndexType((token >> (22 + 3 * d)) & 7), depth);
  return o;
}

/// Extended opcode tokens.
void readExtendedOpcode(Cursor& in, Instruction& i) {
  for (bool more = true; more && in.ok();) {
    uint32_t token = in.next();
    more = token >> 31;
    switch (ExtendedOpcode(token & 0x3f)) {
    case ExtendedOpcode::Empty: break;
    case ExtendedOpcode::SampleControls:
      i.hasOffsets = true;
      for (uint32_t k = 0; k < 3; k++) i.offsets[k] = int8_t(((token >> (9 + 4 * k)) & 0xf) ^ 8) - 8;
      break;
    case ExtendedOpcode::ResourceDim:
      i.hasResourceDim = true;
      i.resourceDim = ResourceDimension((token >> 6) & 0x1f);
      i.resourceStride = (token >> 11) & 0xfff;
      break;
    case ExtendedOpcode::ResourceReturnType:
      i.hasReturnType = true;
      for (uint32_t k = 0; k < 4; k++) i.returnTypes[k] = ReturnType((token >> (6 + 4 * k)) & 0xf);
      break;
    default: in.fail("unknown extended opcode token"); break;
    }
  }
}

const char* readInstruction(Cursor& in, Instruction& i) {
  uint32_t token = in.next();
  const OpcodeInfo& info = i.info();
  if (token >> 31) readExtendedOpcode(in, i);
  in.attach(i);
  if (info.role == OpRole::Declaration) {
    codeDeclaration(in, i);
  } else {
    if (info.has(kSat)) i.saturate = (token >> 13) & 1;
    if (info.has(kTest)) i.testNonZero = (token >> 18) & 1;
    if (info.has(kResInfoType)) i.resInfoType = ResInfoType((token >> 11) & 3);
    if (info.has(kUintFlag)) i.uintResult = (token >> 11) & 1;
    if (info.role == OpRole::Sync) i.syncFlags = (token >> 11) & 0xf;
    if (!info.has(kTest)) i.preciseMask = (token >> 19) & 0xf;
    if (i.op == OpCode::InterfaceCall) i.functionIndex = in.next();
    i.operands.reserve(info.operandCount);
    for (uint32_t k = 0; k < info.operandCount && in.ok(); k++) i.operands.push_back(in.readOperand(0));
  }
  // Microsoft's compiler pads this instruction by a word.
  if (in.ok() && i.op == OpCode::SamplePos && !in.atEnd() && in.next() != 0) in.fail("padding is not zero");
  if (in.ok() && !in.atEnd()) in.fail("instruction is longer than its operands");
  return in.error();
}

std::string instructionError(size_t number, const std::string& text) {
  return "error: instruction " + std::to_string(number) + ": " + text;
}

} // namespace

Result<Shader> parseProgram(std::span<const uint8_t> bytes) {
  using R = Result<Shader>;
  if (bytes.size() < 8) return R::failure("error: program is too short");
  std::vector<uint32_t> tokens(bytes.size() / 4);
  std::memcpy(tokens.data(), bytes.data(), tokens.size() * 4);
  Shader s;
  uint32_t stage = tokens[0] >> 16;
  s.major = uint8_t((tokens[0] >> 4) & 0xf);
  s.minor = uint8_t(tokens[0] & 0xf);
  if (stage > 5) return R::failure("error: unknown kind of program");
  s.stage = ShaderStage(stage);
  if (!(s.major == 4 && s.minor <= 1) && !(s.major == 5 && s.minor <= 1))
    return R::failure("error: shader model " + std::to_string(s.major) + "." + std::to_string(s.minor) +
                      " is not supported");
  uint32_t length = tokens[1];
  if (length < 2 || length > tokens.size()) return R::failure("error: program length exceeds its chunk");
  s.instructions.reserve(length / 6);
  for (uint32_t at = 2; at < length;) {
    Instruction i;
    i.offset = at;
    uint32_t number = uint32_t(s.instructions.size());
    uint32_t opcode = tokens[at] & 0x7ff;
    if (opcode >= kOpCodeCount || opcodeInfo(OpCode(opcode)).role == OpRole::Reserved)
      return R::failure(instructionError(number, "unknown opcode " + std::to_string(opcode)));
    i.op = OpCode(opcode);
    if (i.op == OpCode::CustomData) {
      i.customClass = CustomDataClass(tokens[at] >> 11);
      uint32_t size = at + 1 < length ? tokens[at + 1] : 0;
      if (size < 2 || size > length - at)
        return R::failure(instructionError(number, "custom data exceeds the program"));
      i.data.assign(tokens.begin() + at + 2, tokens.begin() + at + size);
      at += size;
    } else {
      uint32_t size = (tokens[at] >> 24) & 0x7f;
      if (size == 0 || size > length - at)
        return R::failure(instructionError(number, "length " + std::to_string(size) + " is not possible"));
      Cursor in{std::span<const uint32_t>(tokens).subspan(at, size), s.model()};
      if (const char* error = readInstruction(in, i))
        return R::failure(instructionError(number, std::string(i.info().mnemonic) + ": " + error));
      at += size;
    }
    s.instructions.push_back(std::move(i));
  }
  summarizeDeclarations(s);
  return s;
}

namespace {

/// Parses the first chunk that has one of the tags into `signature`; empty on success.
std::string readSignature(const Container& c, std::initializer_list<uint32_t> tags, Signature& signature) {
  for (uint32_t tag : tags) {
    const Chunk* chunk = c.find(tag);
    if (!chunk) continue;
    Result<Signature> r = parseSignature(tag, chunk->data);
    if (!r) return r.error();
    signature = std::move(*r);
    return {};
  }
  return {};
}

} // namespace

Result<Shader> parseShader(std::span<const uint8_t> bytes, bool verifyChecksum) {
  using R = Result<Shader>;
  Result<Container> container = parseContainer(bytes, verifyChecksum);
  if (!container) return R::failure(container.error());
  const Chunk* program = container->find(kTagShex);
  if (!program) program = container->find(kTagShdr);
  if (!program) return R::failure("error: the container has no program");
  Result<Shader> shader = parseProgram(program->data);
  if (!shader) return shader;
  shader->checksum = container->checksum;
  shader->programTag = program->tag;
  shader->level9 = container->find(kTagAon9) != nullptr;
  std::string error = readSignature(*container, {kTagIsg1, kTagIsgn}, shader->inputs);
  if (error.empty()) error = readSignature(*container, {kTagOsg1, kTagOsg5, kTagOsgn}, shader->outputs);
  if (error.empty()) error = readSignature(*container, {kTagPsg1, kTagPcsg}, shader->patchConstants);
  if (!error.empty()) return R::failure(error);
  if (const Chunk* features = container->find(kTagSfi0)) {
    ByteReader in(features->data);
    shader->hasFeatures = true;
    shader->featureFlags = in.u32(0) | uint64_t(in.u32(4)) << 32;
    if (!in.ok()) return R::failure("error: feature chunk is too short");
  }
  return shader;
}

} // namespace monolith::dxbc
