// SPDX-License-Identifier: MIT
/// @file
/// Instructions and operands as text. The rules for literals imitate Microsoft's disassembler: floats with six digits,
/// integers in decimal up to 10000 and then hexadecimal, and for operands without a type a guess from the bits.
#include "dxbc/disassemble.h"

#include "dxbc/debug_info.h"
#include "dxbc/library.h"
#include "dxbc/printer.h"
#include "dxbc/spdb.h"
#include "dxbc/stat.h"
#include "dxbc/validator.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace monolith::dxbc {
namespace {

constexpr char kComponents[] = "xyzw";
constexpr int32_t kLargestDecimal = 10000;
constexpr int32_t kSmallestFloatBits = 0x00700000; ///< of unknown type: below this an integer is meant

std::string floatText(float v) {
  if (std::isnan(v)) return std::signbit(v) ? "-1.#IND00" : "1.#QNAN0";
  if (std::isinf(v)) return v < 0 ? "-1.#INF00" : "1.#INF00";
  std::string s;
  appendFormat(s, "%f", double(v));
  return s;
}

std::string integerText(uint32_t bits, bool isSigned) {
  std::string s;
  bool smallNegative = isSigned ? int32_t(bits) < 0 && int32_t(bits) >= -kLargestDecimal : bits > 0xfffffff0u;
  if (smallNegative)
    appendFormat(s, "%d", int32_t(bits));
  else if (bits > uint32_t(kLargestDecimal))
    appendFormat(s, "0x%08x", bits);
  else
    appendFormat(s, "%u", bits);
  return s;
}

/// True for opcodes whose operands have no type: their literals stand without spaces.
bool isUntyped(ValueType type) { return type == ValueType::Any || type == ValueType::None; }

std::string suffixes(const Instruction& i) {
  std::string s;
  const OpcodeInfo& info = i.info();
  if (info.role == OpRole::Sync) {
    if (i.syncFlags & kSyncUavMemoryGlobal) s += "_uglobal";
    if (i.syncFlags & kSyncUavMemoryGroup) s += "_ugroup";
    if (i.syncFlags & kSyncGroupSharedMemory) s += "_g";
    if (i.syncFlags & kSyncThreadsInGroup) s += "_t";
  }
  if (i.hasOffsets) s += "_aoffimmi";
  if (i.hasResourceDim) s += "_indexable";
  if (i.hasOffsets) appendFormat(s, "(%d,%d,%d)", i.offsets[0], i.offsets[1], i.offsets[2]);
  if (i.hasResourceDim) {
    appendFormat(s, "(%s", dimensionName(i.resourceDim));
    if (i.resourceDim == ResourceDimension::StructuredBuffer) appendFormat(s, ", stride=%u", i.resourceStride);
    s += ')';
  }
  if (i.hasReturnType) {
    s += '(';
    for (uint32_t k = 0; k < 4; k++) appendFormat(s, "%s%s", k ? "," : "", returnTypeName(i.returnTypes[k]));
    s += ')';
  }
  if (info.has(kResInfoType)) {
    if (i.resInfoType == ResInfoType::RcpFloat) s += "_rcpFloat";
    if (i.resInfoType == ResInfoType::Uint) s += "_uint";
  }
  if (info.has(kUintFlag) && i.uintResult) s += "_uint";
  if (info.has(kTest)) s += i.testNonZero ? "_nz" : "_z";
  if (i.saturate) s += "_sat";
  if (i.preciseMask == kMaskAll)
    s += " [precise]";
  else if (i.preciseMask)
    s += " [precise(" + maskText(i.preciseMask) + ")]";
  return s;
}

/// Precision that sources are converted to: that of the result, where result and sources have one type.
const char* conversionOf(const Instruction& i, uint32_t operand) {
  const OpcodeInfo& info = i.info();
  if (operand == 0 || i.operands.empty() || info.operands[0].kind != OperandKind::Dst) return nullptr;
  if (info.operands[0].type != info.operands[operand].type) return nullptr;
  if (i.operands[0].precision == i.operands[operand].precision) return nullptr;
  return minPrecisionName(i.operands[0].precision);
}

void printOperands(std::string& out, const Instruction& i, const Shader& shader, bool hex) {
  OperandPrinter printer(i, shader, hex);
  const OpcodeInfo& info = i.info();
  bool forceInteger = i.op == OpCode::Gather4Po || i.op == OpCode::Gather4PoC;
  for (uint32_t k = 0; k < i.operands.size() && k < info.operandCount; k++) {
    const Operand& o = i.operands[k];
    out += k ? ", " : " ";
    if (i.op == OpCode::InterfaceCall) {
      appendFormat(out, "fp%u[%u][%u]", o.reg(), uint32_t(o.index[1].offset), i.functionIndex);
      continue;
    }
    printer.print(out, o, forceInteger ? ValueType::Uint : info.operands[k].type);
    const char* to = conversionOf(i, k);
    bool source = info.operands[k].kind == OperandKind::Src;
    if (source && to)
      appendFormat(out, " {%s as %s}", minPrecisionName(o.precision), to);
    else if (o.precision != MinPrecision::None)
      appendFormat(out, " {%s}", minPrecisionName(o.precision));
  }
  if (info.operandCount == 0) out += ' ';
}

} // namespace

void appendFormat(std::string& out, const char* format, ...) {
  char buffer[512];
  va_list args;
  va_start(args, format);
  int n = std::vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  if (n > 0) out.append(buffer, std::min(size_t(n), sizeof buffer - 1));
}

std::string maskText(uint8_t mask) {
  std::string s;
  for (uint32_t i = 0; i < 4; i++)
    if (mask >> i & 1) s += kComponents[i];
  return s;
}

const char* minPrecisionName(MinPrecision precision) {
  switch (precision) {
  case MinPrecision::None: return "def32";
  case MinPrecision::Float16: return "min16f";
  case MinPrecision::Float10: return "min2_8f";
  case MinPrecision::Sint16: return "min16i";
  case MinPrecision::Uint16: return "min16u";
  }
  return "unknown";
}

std::string literalText(uint32_t bits, ValueType type, bool hex) {
  if (hex) {
    std::string s;
    appendFormat(s, "0x%08x", bits);
    return s;
  }
  switch (type) {
  case ValueType::Float: return floatText(std::bit_cast<float>(bits));
  case ValueType::Int: return integerText(bits, true);
  case ValueType::Uint: return integerText(bits, false);
  default: break;
  }
  if (int32_t(bits) > -kSmallestFloatBits && int32_t(bits) < kSmallestFloatBits) return integerText(bits, true);
  return floatText(std::bit_cast<float>(bits));
}

void OperandPrinter::printIndex(std::string& out, const OperandIndex& index) const {
  if (!index.isRelative()) {
    appendFormat(out, "%u", uint32_t(index.offset));
    return;
  }
  if (index.relative < m_instruction.relatives.size())
    print(out, m_instruction.relatives[index.relative], ValueType::Uint);
  appendFormat(out, " + %u", uint32_t(index.offset));
}

void OperandPrinter::printRegister(std::string& out, const Operand& o, bool upper) const {
  bool ranged = m_shader.model() >= 51 &&
                (o.type == RegisterType::ConstantBuffer || o.type == RegisterType::Sampler ||
                 o.type == RegisterType::Resource || o.type == RegisterType::Uav);
  std::string prefix = registerPrefix(o.type);
  if (ranged || upper)
    for (char& c : prefix) c = char(c >= 'a' && c <= 'z' ? c - 32 : c);
  out += prefix;
  // Registers of vertices have all indices in brackets, and so does whatever is indexed dynamically.
  bool bracketFirst = o.type == RegisterType::ImmediateConstantBuffer || o.type == RegisterType::InputControlPoint ||
                      o.type == RegisterType::OutputControlPoint || o.type == RegisterType::This ||
                      (o.type == RegisterType::Input && o.indexCount >= 2) || o.index[0].isRelative();
  for (uint32_t d = 0; d < o.indexCount; d++) {
    bool bracket = d > 0 || bracketFirst;
    if (bracket) out += '[';
    printIndex(out, o.index[d]);
    if (bracket) out += ']';
  }
}

void OperandPrinter::printComponents(std::string& out, const Operand& o) const {
  if (o.componentCount != 4) return;
  switch (o.selection) {
  case SelectionMode::Mask:
    if (o.mask) out += '.' + maskText(o.mask);
    break;
  case SelectionMode::Swizzle:
    out += '.';
    for (uint8_t c : o.swizzle) out += kComponents[c & 3];
    break;
  case SelectionMode::Select1:
    out += '.';
    out += kComponents[o.swizzle[0] & 3];
    break;
  }
}

void OperandPrinter::printImmediate(std::string& out, const Operand& o, ValueType type) const {
  if (o.type == RegisterType::Imm64) {
    out += "d(";
    for (uint32_t k = 0; k < (o.componentCount == 4 ? 2u : 1u); k++)
      appendFormat(out, "%s%fl", k ? ", " : "", std::bit_cast<double>(o.imm64(k)));
    out += ')';
    return;
  }
  out += "l(";
  const char* separator = isUntyped(type) ? "," : ", ";
  for (uint32_t k = 0; k < (o.componentCount == 4 ? 4u : 1u); k++) {
    if (k) out += separator;
    out += literalText(o.imm[k], type, m_hex);
  }
  out += ')';
}

void OperandPrinter::print(std::string& out, const Operand& o, ValueType type) const {
  if (o.negate) out += '-';
  if (o.absolute) out += '|';
  if (o.isImmediate()) {
    printImmediate(out, o, type);
  } else {
    printRegister(out, o, false);
    printComponents(out, o);
  }
  if (o.absolute) out += '|';
}

std::string disassembleInstruction(const Instruction& instruction, const Shader& shader, bool hexLiterals) {
  if (instruction.isDeclaration()) return declarationText(instruction, shader);
  std::string out = instruction.info().mnemonic;
  out += suffixes(instruction);
  printOperands(out, instruction, shader, hexLiterals);
  return out;
}

namespace {

/// "#line" in front of the first instruction of another line or file.
class LineMarks {
public:
  explicit LineMarks(const DebugInfo* info) : m_info(info) {}
  void next(std::string& out, uint32_t number) {
    if (!m_info || number >= m_info->lines.size()) return;
    const DebugLine& line = m_info->lines[number];
    if (line.file >= m_info->files.size() || (line.file == m_file && line.line == m_line)) return;
    if (m_file != UINT32_MAX) out += '\n';
    appendFormat(out, "#line %u", line.line);
    if (line.file != m_file) out += " \"" + m_info->files[line.file].name + '"';
    out += '\n';
    m_file = line.file;
    m_line = line.line;
  }

private:
  const DebugInfo* m_info;
  uint32_t m_file = UINT32_MAX, m_line = 0;
};

/// The caller's lines, as comments.
std::string commentLines(const std::string& comments) {
  std::string out;
  for (size_t at = 0; at < comments.size();) {
    const size_t end = std::min(comments.find('\n', at), comments.size());
    const std::string line = comments.substr(at, end - at);
    out += (line.compare(0, 2, "//") == 0 ? line : "// " + line) + '\n';
    at = end + 1;
  }
  return out;
}

/// The text as a page: comments, declarations and the names of instructions have colours.
std::string page(const std::string& text) {
  auto escaped = [](const std::string& s) {
    std::string out;
    for (char c : s) {
      if (c == '&') out += "&amp;";
      else if (c == '<') out += "&lt;";
      else if (c == '>') out += "&gt;";
      else out += c;
    }
    return out;
  };
  auto coloured = [&](const char* colour, const std::string& s) {
    return std::string("<font color=\"") + colour + "\">" + escaped(s) + "</font>";
  };
  std::string out = "<html>\n<body bgcolor=\"#ffffff\">\n<pre>\n";
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const size_t first = std::min(line.find_first_not_of(' '), line.size());
    const size_t word = std::min(line.find(' ', first), line.size());
    if (line.compare(first, 2, "//") == 0)
      out += coloured("#008000", line);
    else if (line.compare(first, 1, "#") == 0)
      out += coloured("#808080", line);
    else if (line.compare(first, 4, "dcl_") == 0)
      out += coloured("#800080", line);
    else
      out += line.substr(0, first) + coloured("#0000ff", line.substr(first, word - first)) + escaped(line.substr(word));
    out += '\n';
  }
  return out + "</pre>\n</body>\n</html>\n";
}

} // namespace

std::string disassembleProgram(const Shader& shader, const DisassembleOptions& options, const DebugInfo* lines) {
  std::string out;
  appendFormat(out, "%s_%u_%u\n", stagePrefix(shader.stage), shader.major, shader.minor);
  uint32_t depth = 0, number = 0;
  LineMarks marks(lines);
  for (const Instruction& i : shader.instructions) {
    OpRole role = i.info().role;
    bool closes = role == OpRole::Else || role == OpRole::EndIf || role == OpRole::EndLoop || role == OpRole::EndSwitch;
    bool opens = role == OpRole::Else || role == OpRole::If || role == OpRole::Loop || role == OpRole::Switch;
    std::string text = disassembleInstruction(i, shader, options.hexLiterals);
    if (text.empty()) continue;
    if (closes && depth) depth--;
    const bool counted = i.isNumbered();
    if (counted) marks.next(out, number);
    if (options.byteOffsets) appendFormat(out, "%08x ", i.offset * 4);
    if (options.instructionNumbers) {
      if (counted)
        appendFormat(out, "%4u: ", number);
      else
        out += "      ";
    }
    number += counted;
    out.append(depth * 2, ' ');
    out += text;
    out += '\n';
    if (opens) depth++;
  }
  return out;
}

Result<std::string> disassemble(std::span<const uint8_t> bytes, const DisassembleOptions& options) {
  using R = Result<std::string>;
  Result<Container> container = parseContainer(bytes, false);
  if (!container) return R::failure(container.error());
  if (container->find(kTagLibh)) {
    Result<std::string> text = disassembleLibrary(bytes, options);
    if (text) *text = commentLines(options.comments) + *text;
    return text && options.html ? page(*text) : text;
  }
  Result<Shader> shader = parseShader(bytes, false);
  if (!shader) return R::failure(shader.error());
  std::string out;
  const std::string comments = commentLines(options.comments);
  out += options.header ? headerText(*container, *shader, comments, options) : comments;
  DebugInfo info;
  if (const Chunk* chunk = container->find(kTagSdbg); chunk && options.debugInfo)
    if (Result<DebugInfo> parsed = parseDebugInfo(chunk->data)) info = std::move(*parsed);
  if (const Chunk* chunk = container->find(kTagSpdb); chunk && options.debugInfo)
    if (Result<DebugInfo> parsed = parseSpdb(chunk->data, *shader)) info = std::move(*parsed);
  out += disassembleProgram(*shader, options, &info);
  if (options.instructionCount) {
    uint32_t count = 0;
    if (const Chunk* chunk = container->find(kTagStat))
      if (Result<Stat> stat = parseStat(chunk->data)) count = stat->instructionCount;
    appendFormat(out, "// Approximately %u instruction slot%s used\n", count, count == 1 ? "" : "s");
  }
  return options.html ? page(out) : out;
}

} // namespace monolith::dxbc
