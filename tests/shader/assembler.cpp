// SPDX-License-Identifier: MIT
#include "assembler.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace monolith::test {

using namespace dxbc;

bool parseWord(std::string_view text, uint32_t& word) {
  const std::string s(text);
  if (s.empty()) return false;
  if (s == "inf") return word = 0x7F800000u, true;
  if (s == "-inf") return word = 0xFF800000u, true;
  if (s == "nan") return word = 0x7FC00000u, true;
  const bool hex = s.find("0x") != std::string::npos && s.find('p') == std::string::npos;
  char* end = nullptr;
  if (!hex && s.find_first_of(".p") != std::string::npos) {
    word = std::bit_cast<uint32_t>(std::strtof(s.c_str(), &end));
    return *end == 0;
  }
  if (s[0] != '-' && !std::isdigit(static_cast<unsigned char>(s[0]))) return false;
  word = s[0] == '-' ? static_cast<uint32_t>(std::strtoll(s.c_str(), &end, 0))
                     : static_cast<uint32_t>(std::strtoull(s.c_str(), &end, 0));
  return *end == 0;
}

namespace {

struct RegisterName {
  const char* name;
  RegisterType type;
  uint8_t components; ///< 0, 1 or 4
  bool numbered;
};

constexpr RegisterName kRegisters[] = {
    {"cb", RegisterType::ConstantBuffer, 4, true},  {"icb", RegisterType::ImmediateConstantBuffer, 4, false},
    {"r", RegisterType::Temp, 4, true},             {"v", RegisterType::Input, 4, true},
    {"o", RegisterType::Output, 4, true},           {"x", RegisterType::IndexableTemp, 4, true},
    {"t", RegisterType::Resource, 4, true},         {"s", RegisterType::Sampler, 0, true},
    {"u", RegisterType::Uav, 4, true},              {"g", RegisterType::GroupSharedMemory, 4, true},
    {"l", RegisterType::Label, 0, true},            {"m", RegisterType::Stream, 0, true},
    {"null", RegisterType::Null, 0, false},         {"oDepth", RegisterType::OutputDepth, 1, false},
    {"oDepthGE", RegisterType::OutputDepthGreaterEqual, 1, false},
    {"oDepthLE", RegisterType::OutputDepthLessEqual, 1, false},
    {"oMask", RegisterType::OutputCoverage, 1, false}, {"oStencilRef", RegisterType::OutputStencilRef, 1, false},
    {"vPrim", RegisterType::PrimitiveId, 1, false}, {"vCoverage", RegisterType::InputCoverage, 1, false},
    {"vInnerCoverage", RegisterType::InnerCoverage, 1, false}, {"rasterizer", RegisterType::Rasterizer, 4, false},
    {"vThreadID", RegisterType::ThreadId, 4, false}, {"vGSInstanceID", RegisterType::GsInstanceId, 1, false},
};

class Assembler {
public:
  Assembler(ShaderStage stage, unsigned model) {
    m_shader.stage = stage;
    m_shader.major = static_cast<uint8_t>(model / 10);
    m_shader.minor = static_cast<uint8_t>(model % 10);
  }
  Result<Shader> run(std::string_view text);

private:
  bool fault(const std::string& text) {
    if (m_error.empty()) m_error = "line " + std::to_string(m_line) + ": " + text;
    return false;
  }
  void skip() {
    while (m_at < m_text.size() && (std::isspace(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == ',')) m_at++;
  }
  bool end() {
    skip();
    return m_at >= m_text.size();
  }
  bool take(char c) {
    skip();
    if (m_at >= m_text.size() || m_text[m_at] != c) return false;
    m_at++;
    return true;
  }
  std::string_view word(const char* extra = "") {
    skip();
    const size_t start = m_at;
    while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_' ||
                                    std::string_view(extra).find(m_text[m_at]) != std::string_view::npos))
      m_at++;
    return m_text.substr(start, m_at - start);
  }
  bool number(uint32_t& n) { return parseWord(word("-.+"), n) || fault("number expected"); }
  bool line();
  bool instruction(std::string_view mnemonic);
  bool declaration(std::string_view keyword);
  bool ioDeclaration(Instruction& i, bool input);
  bool resourceDeclaration(Instruction& i, bool uav);
  bool operand(Instruction& i, Operand& o, bool destination);
  bool registerOperand(Instruction& i, Operand& o, bool destination);
  bool immediate(Operand& o, bool doubles);
  bool index(Instruction& i, Operand& o, unsigned dim);
  bool components(Operand& o, bool destination);
  bool declared(RegisterType type, uint32_t reg) const;
  void declareMissing();
  void use(const Operand& o);

  Shader m_shader;
  std::vector<Instruction> m_declarations, m_code;
  std::vector<Operand> m_used;
  std::string_view m_text;
  size_t m_at = 0;
  unsigned m_line = 0;
  std::string m_error;
};

bool Assembler::immediate(Operand& o, bool doubles) {
  o.type = doubles ? RegisterType::Imm64 : RegisterType::Imm32;
  unsigned n = 0;
  while (!take(')')) {
    if (end() || n >= 4) return fault("bad immediate");
    if (doubles) {
      const double d = std::strtod(std::string(word("-.+")).c_str(), nullptr);
      const uint64_t w = std::bit_cast<uint64_t>(d);
      o.imm[n++] = static_cast<uint32_t>(w);
      o.imm[n++] = static_cast<uint32_t>(w >> 32);
      continue;
    }
    if (!number(o.imm[n])) return false;
    n++;
  }
  o.componentCount = n == 1 ? 1 : 4;
  if (n == 1) o.imm.fill(o.imm[0]);
  return true;
}

bool Assembler::index(Instruction& i, Operand& o, unsigned dim) {
  skip();
  uint32_t n = 0;
  const size_t start = m_at;
  if (parseWord(word(), n)) {
    o.index[dim].offset = n;
  } else {
    m_at = start;
    Operand relative;
    if (!registerOperand(i, relative, false)) return false;
    if (take('+') && !number(n)) return false;
    o.index[dim].offset = n;
    addRelative(i, o, dim, relative);
  }
  return take(']') || fault("] expected");
}

bool Assembler::components(Operand& o, bool destination) {
  std::array<uint8_t, 4> list{};
  unsigned n = 0;
  if (m_at < m_text.size() && m_text[m_at] == '.') {
    m_at++;
    for (char c : word()) {
      const size_t k = std::string_view("xyzw").find(c);
      if (k == std::string_view::npos || n >= 4) return fault("bad components");
      list[n++] = static_cast<uint8_t>(k);
    }
  }
  if (o.type == RegisterType::Sampler && n) o.componentCount = 4; // the component that a gather takes
  if (o.componentCount != 4) return true;
  if (destination) {
    o.selection = SelectionMode::Mask;
    o.mask = n == 0 ? 15 : 0;
    for (unsigned k = 0; k < n; k++) o.mask |= static_cast<uint8_t>(1u << list[k]);
    return true;
  }
  o.selection = n == 1 ? SelectionMode::Select1 : SelectionMode::Swizzle;
  for (unsigned k = 0; k < 4; k++)
    o.swizzle[k] = n == 0 ? static_cast<uint8_t>(k) : list[std::min(k, n - 1)];
  return true;
}

bool Assembler::registerOperand(Instruction& i, Operand& o, bool destination) {
  skip();
  const size_t start = m_at;
  while (m_at < m_text.size() && std::isalpha(static_cast<unsigned char>(m_text[m_at]))) m_at++;
  const std::string_view name = m_text.substr(start, m_at - start);
  const RegisterName* row = std::find_if(std::begin(kRegisters), std::end(kRegisters),
                                         [&](const RegisterName& r) { return name == r.name; });
  if (row == std::end(kRegisters)) return fault("unknown register '" + std::string(name) + "'");
  o.type = row->type;
  o.componentCount = row->components;
  if (row->numbered && m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at]))) {
    uint32_t n = 0;
    while (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at])))
      n = n * 10 + static_cast<uint32_t>(m_text[m_at++] - '0');
    o.index[o.indexCount++].offset = n;
  }
  while (m_at < m_text.size() && m_text[m_at] == '[') {
    m_at++;
    if (o.indexCount >= 3 || !index(i, o, o.indexCount)) return fault("bad index");
    o.indexCount++;
  }
  if (!components(o, destination)) return false;
  use(o);
  return true;
}

bool Assembler::operand(Instruction& i, Operand& o, bool destination) {
  o.negate = take('-');
  o.absolute = take('|');
  skip();
  const std::string_view rest = m_text.substr(m_at, 2);
  if (rest == "l(" || rest == "d(") {
    m_at += 2;
    return immediate(o, rest == "d(");
  }
  if (!registerOperand(i, o, destination)) return false;
  if (o.absolute && !take('|')) return fault("| expected");
  return true;
}

void Assembler::use(const Operand& o) { m_used.push_back(o); }

bool Assembler::ioDeclaration(Instruction& i, bool input) {
  Operand o;
  if (!registerOperand(i, o, true)) return false;
  i.operands.push_back(o);
  i.op = input ? (m_shader.stage == ShaderStage::Pixel ? OpCode::DclInputPs : OpCode::DclInput) : OpCode::DclOutput;
  if (o.type != RegisterType::Input && input) i.op = OpCode::DclInput;
  std::string interpolation;
  while (!end()) {
    const std::string_view w = word();
    bool known = false;
    for (uint32_t s = 1; s < uint32_t(SystemValue::Count); s++)
      if (w == systemValueName(SystemValue(s))) {
        i.decl.systemValue = SystemValue(s);
        const bool generated = s >= 6;
        if (!input) i.op = OpCode::DclOutputSiv;
        else if (m_shader.stage == ShaderStage::Pixel) i.op = generated ? OpCode::DclInputPsSgv : OpCode::DclInputPsSiv;
        else i.op = generated ? OpCode::DclInputSgv : OpCode::DclInputSiv;
        known = true;
      }
    if (!known) interpolation += (interpolation.empty() ? "" : " ") + std::string(w);
  }
  if (m_shader.stage == ShaderStage::Pixel && input && o.type == RegisterType::Input) {
    if (interpolation.empty()) interpolation = i.op == OpCode::DclInputPsSgv ? "constant" : "linear";
    for (unsigned m = 1; m < 8; m++)
      if (interpolation == interpolationName(InterpolationMode(m))) i.decl.interpolation = InterpolationMode(m);
    if (i.decl.interpolation == InterpolationMode::Undefined) return fault("bad interpolation");
  }
  return true;
}

bool Assembler::resourceDeclaration(Instruction& i, bool uav) {
  const std::string kind(word());
  Operand o;
  if (!registerOperand(i, o, false)) return false;
  i.decl.registerIndex = i.decl.rangeLower = i.decl.rangeUpper = o.reg();
  if (kind == "raw") {
    i.op = uav ? OpCode::DclUavRaw : OpCode::DclResourceRaw;
    i.decl.dimension = ResourceDimension::RawBuffer;
  } else if (kind == "structured") {
    i.op = uav ? OpCode::DclUavStructured : OpCode::DclResourceStructured;
    i.decl.dimension = ResourceDimension::StructuredBuffer;
    if (!number(i.decl.stride)) return false;
  } else {
    i.op = uav ? OpCode::DclUavTyped : OpCode::DclResource;
    for (unsigned d = 1; d < unsigned(ResourceDimension::Count); d++)
      if (kind == dimensionName(ResourceDimension(d))) i.decl.dimension = ResourceDimension(d);
    if (i.decl.dimension == ResourceDimension::Unknown) return fault("unknown dimension");
    i.decl.returnTypes.fill(ReturnType::Float);
  }
  while (!end()) {
    const std::string w(word());
    if (w == "samples") {
      if (!number(i.decl.sampleCount)) return false;
      continue;
    }
    for (unsigned t = 1; t < 8; t++)
      if (w == returnTypeName(ReturnType(t))) i.decl.returnTypes.fill(ReturnType(t));
  }
  i.operands.push_back(plainOperand(uav ? RegisterType::Uav : RegisterType::Resource, o.reg()));
  return true;
}

bool Assembler::declaration(std::string_view keyword) {
  Instruction i;
  Operand o;
  bool good = true;
  if (keyword == "dcl_input" || keyword == "dcl_output") {
    good = ioDeclaration(i, keyword == "dcl_input");
  } else if (keyword == "dcl_constantbuffer") {
    i.op = OpCode::DclConstantBuffer;
    good = registerOperand(i, o, false);
    i.decl.registerIndex = i.decl.rangeLower = i.decl.rangeUpper = o.reg();
    i.decl.size = static_cast<uint32_t>(o.index[1].offset);
    i.decl.dynamicIndexed = word() == "dynamic";
    i.operands.push_back(o);
  } else if (keyword == "dcl_temps") {
    i.op = OpCode::DclTemps;
    good = number(i.decl.count);
  } else if (keyword == "dcl_indexableTemp") {
    i.op = OpCode::DclIndexableTemp;
    good = registerOperand(i, o, false);
    i.decl.registerIndex = o.reg();
    i.decl.count = static_cast<uint32_t>(o.index[1].offset);
    i.decl.components = 4;
    if (!end()) good = good && number(i.decl.components);
  } else if (keyword == "dcl_resource" || keyword == "dcl_uav") {
    good = resourceDeclaration(i, keyword == "dcl_uav");
  } else if (keyword == "dcl_sampler") {
    i.op = OpCode::DclSampler;
    good = registerOperand(i, o, false);
    i.decl.registerIndex = i.decl.rangeLower = i.decl.rangeUpper = o.reg();
    i.decl.samplerMode = word() == "comparison" ? SamplerMode::Comparison : SamplerMode::Default;
    i.operands.push_back(o);
  } else if (keyword == "dcl_indexrange") {
    i.op = OpCode::DclIndexRange;
    good = registerOperand(i, o, true) && number(i.decl.count);
    i.operands.push_back(o);
  } else if (keyword == "dcl_icb") {
    i.op = OpCode::CustomData;
    i.customClass = CustomDataClass::ImmediateConstantBuffer;
    while (good && !end()) {
      uint32_t w;
      if ((good = number(w))) i.data.push_back(w);
    }
  } else if (keyword == "dcl_globalFlags") {
    i.op = OpCode::DclGlobalFlags;
    good = number(i.decl.globalFlags);
  } else {
    return fault("unknown declaration");
  }
  m_declarations.push_back(std::move(i));
  return good;
}

bool Assembler::instruction(std::string_view mnemonic) {
  Instruction i;
  std::string name(mnemonic);
  i.op = findOpcode(name);
  const auto strip = [&](std::string_view suffix) {
    if (i.op != OpCode::Count || name.size() <= suffix.size() || std::string_view(name).substr(name.size() - suffix.size()) != suffix)
      return false;
    name.resize(name.size() - suffix.size());
    i.op = findOpcode(name);
    return true;
  };
  if (strip("_sat")) i.saturate = true;
  else if (strip("_nz")) i.testNonZero = true;
  else if (strip("_z")) i.testNonZero = false;
  else if (strip("_uint")) i.resInfoType = ResInfoType::Uint, i.uintResult = true;
  else if (strip("_rcpFloat")) i.resInfoType = ResInfoType::RcpFloat;
  if (i.op == OpCode::Count) return fault("unknown instruction '" + std::string(mnemonic) + "'");
  if (m_at < m_text.size() && m_text[m_at] == '(') {
    m_at++;
    i.hasOffsets = true;
    for (unsigned k = 0; !take(')') && k < 3; k++) {
      uint32_t w;
      if (!number(w)) return false;
      i.offsets[k] = static_cast<int8_t>(w);
    }
    take(')');
  }
  const OpcodeInfo& info = i.info();
  for (unsigned n = 0; n < info.operandCount; n++) {
    const OperandKind kind = info.operands[n].kind;
    Operand o;
    if (!operand(i, o, kind == OperandKind::Dst || kind == OperandKind::NullableDst || kind == OperandKind::WriteMemory ||
                           (kind == OperandKind::Uav && info.role == OpRole::Store)))
      return false;
    i.operands.push_back(o);
  }
  m_code.push_back(std::move(i));
  return true;
}

bool Assembler::line() {
  if (end()) return true;
  const std::string_view w = word();
  const bool good = w.substr(0, 4) == "dcl_" ? declaration(w) : instruction(w);
  return good && (end() || fault("unexpected text at the end"));
}

bool Assembler::declared(RegisterType type, uint32_t reg) const {
  for (const Instruction& i : m_declarations) {
    if (i.op == OpCode::DclTemps && type == RegisterType::Temp) return true;
    if (!i.operands.empty() && i.op != OpCode::DclIndexRange && i.operands[0].type == type &&
        (i.operands[0].indexCount == 0 || i.operands[0].reg() == reg))
      return true;
  }
  return false;
}

void Assembler::declareMissing() {
  uint32_t temps = 0;
  for (const Operand& o : m_used) {
    if (o.type == RegisterType::Temp) temps = std::max(temps, o.reg() + 1);
    Instruction i;
    i.operands.push_back(o);
    Operand& d = i.operands[0];
    d.selection = SelectionMode::Mask;
    d.mask = d.componentCount == 4 ? 15 : 0;
    switch (o.type) {
    case RegisterType::Input:
      i.op = m_shader.stage == ShaderStage::Pixel ? OpCode::DclInputPs : OpCode::DclInput;
      if (m_shader.stage == ShaderStage::Pixel) i.decl.interpolation = InterpolationMode::Linear;
      break;
    case RegisterType::Output:
    case RegisterType::OutputDepth:
    case RegisterType::OutputDepthGreaterEqual:
    case RegisterType::OutputDepthLessEqual:
    case RegisterType::OutputCoverage:
    case RegisterType::OutputStencilRef: i.op = OpCode::DclOutput; break;
    case RegisterType::PrimitiveId:
    case RegisterType::InputCoverage:
    case RegisterType::InnerCoverage: i.op = OpCode::DclInput; break;
    case RegisterType::ConstantBuffer:
      i.op = OpCode::DclConstantBuffer;
      i.decl.registerIndex = i.decl.rangeLower = i.decl.rangeUpper = o.reg();
      i.decl.size = 16;
      d = constantOperand(o.reg(), 16);
      break;
    default: continue;
    }
    for (OperandIndex& x : d.index) x.relative = kNoRelative, x.type = IndexType::Imm32;
    if (!declared(o.type, o.reg()) && !(o.index[0].isRelative() && o.type != RegisterType::ConstantBuffer))
      m_declarations.push_back(std::move(i));
  }
  if (temps && !declared(RegisterType::Temp, 0)) {
    Instruction i;
    i.op = OpCode::DclTemps;
    i.decl.count = temps;
    m_declarations.push_back(std::move(i));
  }
}

Result<Shader> Assembler::run(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && m_error.empty()) {
    const size_t stop = std::min(text.find('\n', at), text.size());
    m_text = text.substr(at, stop - at);
    m_text = m_text.substr(0, m_text.find(';'));
    m_at = 0;
    m_line++;
    line();
    at = stop + 1;
  }
  if (!m_error.empty()) return Result<Shader>::failure(m_error);
  if (m_code.empty() || m_code.back().op != OpCode::Ret) {
    Instruction ret;
    ret.op = OpCode::Ret;
    m_code.push_back(ret);
  }
  declareMissing();
  m_shader.instructions = std::move(m_declarations);
  m_shader.instructions.insert(m_shader.instructions.end(), m_code.begin(), m_code.end());
  summarizeDeclarations(m_shader);
  return std::move(m_shader);
}

} // namespace

Result<Shader> assemble(std::string_view text, ShaderStage stage, unsigned model) {
  return Assembler(stage, model).run(text);
}

} // namespace monolith::test
