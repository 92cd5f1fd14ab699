// SPDX-License-Identifier: MIT
/// @file
/// The program of feature level 9 that a container may carry beside that of version 4: register mappings and the
/// assembly of version 2.
#include "dxbc/bytes.h"
#include "dxbc/printer.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace monolith::dxbc {
namespace {

/// Kinds of operands in the order of an instruction's tokens; a definition has values instead.
enum class Form : uint8_t { Plain, Declaration, FloatDefinition, IntDefinition, BoolDefinition };
struct Opcode9 {
  uint16_t number;
  const char* name;
  uint8_t slots; ///< instruction slots it costs
  bool hasResult;
  Form form = Form::Plain;
};
constexpr Opcode9 kOpcodes9[] = {
    {0, "nop", 1, false},       {1, "mov", 1, true},        {2, "add", 1, true},      {3, "sub", 1, true},
    {4, "mad", 1, true},        {5, "mul", 1, true},        {6, "rcp", 1, true},      {7, "rsq", 1, true},
    {8, "dp3", 1, true},        {9, "dp4", 1, true},        {10, "min", 1, true},     {11, "max", 1, true},
    {12, "slt", 1, true},       {13, "sge", 1, true},       {14, "exp", 1, true},     {15, "log", 1, true},
    {16, "lit", 3, true},       {17, "dst", 1, true},       {18, "lrp", 2, true},     {19, "frc", 1, true},
    {20, "m4x4", 4, true},      {21, "m4x3", 3, true},      {22, "m3x4", 4, true},    {23, "m3x3", 3, true},
    {24, "m3x2", 2, true},      {25, "call", 2, false},     {26, "callnz", 3, false}, {27, "loop", 3, false},
    {28, "ret", 1, false},      {29, "endloop", 2, false},  {30, "label", 0, false},  {31, "dcl", 0, true, Form::Declaration},
    {32, "pow", 3, true},       {33, "crs", 2, true},       {34, "sgn", 3, true},     {35, "abs", 1, true},
    {36, "nrm", 3, true},       {37, "sincos", 8, true},    {38, "rep", 3, false},    {39, "endrep", 2, false},
    {40, "if", 3, false},       {41, "if", 3, false},       {42, "else", 1, false},   {43, "endif", 1, false},
    {44, "break", 1, false},    {45, "break", 3, false},    {46, "mova", 1, true},    {47, "defb", 0, true, Form::BoolDefinition},
    {48, "defi", 0, true, Form::IntDefinition},             {65, "texkill", 1, true}, {66, "texld", 1, true},
    {78, "expp", 1, true},      {79, "logp", 1, true},      {80, "cnd", 1, true},     {81, "def", 0, true, Form::FloatDefinition},
    {88, "cmp", 1, true},       {90, "dp2add", 2, true},    {91, "dsx", 2, true},     {92, "dsy", 2, true},
    {93, "texldd", 3, true},    {94, "setp", 1, true},      {95, "texldl", 2, true},  {96, "break", 3, false}};

constexpr const char* kUsages[] = {"position", "blendweight", "blendindices", "normal",    "psize", "texcoord",   "tangent",
                                   "binormal", "tessfactor",  "positiont",    "color",     "fog",   "depth",      "sample"};
constexpr const char* kComparisons[] = {"", "_gt", "_eq", "_ge", "_lt", "_ne", "_le", ""};
constexpr uint32_t kCommentOpcode = 0xfffe, kEndOpcode = 0xffff;
constexpr uint32_t kTexld = 66;

class Level9Printer {
public:
  Level9Printer(std::string& out, std::span<const uint8_t> chunk) : m_out(out), m_in(chunk) {}

  void run() {
    constexpr size_t kFirstTable = 16;
    for (uint32_t k = 0; k < 5; k++) m_tables[k] = {m_in.u16(kFirstTable + 4 * k), m_in.u16(kFirstTable + 4 * k + 2)};
    const uint32_t bytes = m_in.u32(8), start = m_in.u32(12);
    if (!m_in.ok() || !m_in.fits(start, bytes, 1)) return;
    constants();
    generated();
    samplers();
    m_out += "//\n// Level9 shader bytecode:\n//\n";
    program(start, bytes / 4);
  }

private:
  struct Table {
    uint32_t count = 0, at = 0;
  };

  void constants() {
    constexpr const char* kConversions[] = {"FLT", "INT", "UINT", "BOOL"};
    constexpr const char* kFiles[] = {"c", "i", "b"};
    bool first = true;
    for (uint32_t k = 0; k < 3; k++)
      for (uint32_t i = 0; i < m_tables[k].count; i++) {
        const size_t at = m_tables[k].at + size_t(i) * 12;
        if (!m_in.fits(at, 12, 1)) return;
        if (first)
          m_out += "//\n// Constant buffer to DX9 shader constant mappings:\n//\n"
                   "// Target Reg Buffer  Start Reg # of Regs        Data Conversion\n"
                   "// ---------- ------- --------- --------- ----------------------\n";
        first = false;
        const std::string target = kFiles[k] + std::to_string(m_in.u16(at + 6)), buffer = "cb" + std::to_string(m_in.u16(at));
        appendFormat(m_out, "// %-10s %-7s %9u %9u  (", target.c_str(), buffer.c_str(), m_in.u16(at + 2), m_in.u16(at + 4));
        for (uint32_t c = 0; c < 4; c++) {
          const uint8_t conversion = m_in.u8(at + 8 + c);
          appendFormat(m_out, "%s%4s", c ? "," : "", conversion < 4 ? kConversions[conversion] : "?");
        }
        m_out += ")\n";
      }
    if (!first) m_out += "//\n";
  }

  void generated() {
    const Table& t = m_tables[4];
    if (!t.count || !m_in.fits(t.at, t.count, 4)) return;
    m_out += "//\n// Runtime generated constant mappings:\n//\n"
             "// Target Reg                               Constant Description\n"
             "// ---------- --------------------------------------------------\n";
    for (uint32_t i = 0; i < t.count; i++) {
      const std::string target = "c" + std::to_string(m_in.u16(t.at + 4 * i + 2));
      appendFormat(m_out, "// %-10s %50s\n", target.c_str(),
                   m_in.u16(t.at + 4 * i) == 0 ? "Vertex Shader position offset" : "Unknown");
    }
    m_out += "//\n";
  }

  void samplers() {
    const Table& t = m_tables[3];
    if (!t.count || !m_in.fits(t.at, t.count, 4)) return;
    m_out += "//\n// Sampler/Resource to DX9 shader sampler mappings:\n//\n"
             "// Target Sampler Source Sampler  Source Resource\n"
             "// -------------- --------------- ----------------\n";
    for (uint32_t i = 0; i < t.count; i++) {
      const size_t at = t.at + 4 * size_t(i);
      const std::string target = "s" + std::to_string(m_in.u8(at + 2)), sampler = "s" + std::to_string(m_in.u8(at + 1)),
                        resource = "t" + std::to_string(m_in.u8(at));
      appendFormat(m_out, "// %-14s %-15s %-16s \n", target.c_str(), sampler.c_str(), resource.c_str());
    }
    m_out += "//\n";
  }

  static const Opcode9* find(uint32_t number) {
    for (const Opcode9& o : kOpcodes9)
      if (o.number == number) return &o;
    return nullptr;
  }

  void program(size_t start, size_t words) {
    auto word = [&](size_t i) { return i < words ? m_in.u32(start + 4 * i) : uint32_t(kEndOpcode); };
    const uint32_t version = word(0);
    m_vertex = version >> 16 == 0xfffe;
    const uint32_t minor = version & 0xff;
    appendFormat(m_out, "    %s_%u_%s\n", m_vertex ? "vs" : "ps", version >> 8 & 0xff,
                 minor == 1 ? "x" : minor == 255 ? "sw" : std::to_string(minor).c_str());
    uint32_t depth = 0, textures = 0, slots = 0;
    for (size_t i = 1; i < words;) {
      const uint32_t token = word(i), number = token & 0xffff;
      if (number == kEndOpcode) break;
      if (number == kCommentOpcode) {
        i += 1 + (token >> 16 & 0x7fff);
        continue;
      }
      const size_t length = token >> 24 & 15;
      std::vector<uint32_t> operands;
      for (size_t k = 1; k <= length && i + k < words; k++) operands.push_back(word(i + k));
      i += 1 + length;
      const Opcode9* op = find(number);
      if (!op) {
        appendFormat(m_out, "    // unknown opcode %u\n", number);
        continue;
      }
      const bool closes = number == 42 || number == 43 || number == 39 || number == 29;
      if (closes && depth) depth--;
      m_out.append(4 + depth * 2, ' ');
      instruction(*op, token, operands);
      m_out += '\n';
      if (number == 42 || number == 40 || number == 41 || number == 38 || number == 27) depth = std::min(depth + 1, 64u);
      slots += op->slots;
      if (!m_vertex && (number == 65 || number == kTexld || number == 93 || number == 95)) textures += op->slots;
    }
    appendFormat(m_out, "\n// approximately %u instruction slot%s used", slots, slots == 1 ? "" : "s");
    if (textures) appendFormat(m_out, " (%u texture, %u arithmetic)", textures, slots - textures);
    m_out += '\n';
  }

  void instruction(const Opcode9& op, uint32_t token, const std::vector<uint32_t>& operands) {
    const uint32_t control = token >> 16 & 0xff;
    if (op.form == Form::Declaration) return declaration(operands);
    m_out += op.name;
    if (op.number == kTexld) m_out += control == 1 ? "p" : control == 2 ? "b" : "";
    if (op.number == 41 || op.number == 45 || op.number == 94) m_out += kComparisons[control & 7];
    if (op.hasResult && !operands.empty()) resultModifiers(operands[0]);
    size_t k = 0;
    const bool predicated = token >> 28 & 1;
    if (op.hasResult && !operands.empty()) {
      m_out += ' ';
      registerName(operands[0]);
      mask(operands[0]);
      k = 1;
    }
    if (op.form != Form::Plain) return definition(op.form, operands);
    if (predicated && k < operands.size()) k++; // the predicate stands behind the result
    bool first = !op.hasResult;
    while (k < operands.size()) {
      m_out += first ? " " : ", ";
      first = false;
      const uint32_t s = operands[k++];
      const bool relative = s >> 13 & 1;
      source(s, relative && k < operands.size() ? operands[k] : 0, relative);
      k += relative;
    }
  }

  void definition(Form form, const std::vector<uint32_t>& operands) {
    for (size_t k = 1; k < operands.size(); k++) {
      if (form == Form::FloatDefinition)
        appendFormat(m_out, ", %.9g", double(std::bit_cast<float>(operands[k])));
      else if (form == Form::IntDefinition)
        appendFormat(m_out, ", %d", int32_t(operands[k]));
      else
        m_out += operands[k] ? ", true" : ", false";
    }
  }

  void declaration(const std::vector<uint32_t>& operands) {
    m_out += "dcl";
    if (operands.size() < 2) return;
    const uint32_t usage = operands[0], reg = operands[1];
    if (file(reg) == 10) {
      constexpr const char* kTextures[] = {"", "", "_2d", "_cube", "_volume"};
      const uint32_t kind = usage >> 27 & 15;
      m_out += kind < 5 ? kTextures[kind] : "";
    } else if (m_vertex) {
      const uint32_t name = usage & 31, index = usage >> 16 & 15;
      appendFormat(m_out, "_%s", name < std::size(kUsages) ? kUsages[name] : "unknown");
      if (index) appendFormat(m_out, "%u", index);
    }
    resultModifiers(reg);
    m_out += ' ';
    registerName(reg);
    if (file(reg) != 10) mask(reg);
  }

  static uint32_t file(uint32_t token) { return (token >> 28 & 7) | (token >> 8 & 0x18); }

  void resultModifiers(uint32_t token) {
    if (token >> 20 & 1) m_out += "_sat";
    if (token >> 21 & 1) m_out += "_pp";
    if (token >> 22 & 1) m_out += "_centroid";
  }

  void registerName(uint32_t token) {
    constexpr const char* kFiles[] = {"r", "v", "c", "a", "", "oD", "oT", "i", "oC", "oDepth", "s", "c", "c", "c", "b", "aL", "h", "", "l", "p"};
    const uint32_t f = file(token), number = token & 0x7ff;
    if (f == 4) {
      constexpr const char* kRaster[] = {"oPos", "oFog", "oPts"};
      m_out += number < 3 ? kRaster[number] : "o?";
      return;
    }
    if (f == 17) {
      m_out += number ? "vFace" : "vPos";
      return;
    }
    const char* name = f == 3 && !m_vertex ? "t" : f < std::size(kFiles) ? kFiles[f] : "?";
    m_out += name;
    if (f != 9 && f != 15) m_out += std::to_string(number + (f >= 11 && f <= 13 ? (f - 10) * 2048 : 0));
  }

  void mask(uint32_t token) {
    const uint32_t m = token >> 16 & 15;
    if (m != 15 && m) m_out += "." + maskText(uint8_t(m));
  }

  void source(uint32_t token, uint32_t index, bool relative) {
    const uint32_t modifier = token >> 24 & 15;
    if (modifier == 13) m_out += '!';
    if (modifier == 1 || modifier == 12) m_out += '-';
    registerName(token);
    if (relative) {
      m_out += '[';
      registerName(index);
      swizzle(index);
      m_out += ']';
    }
    if (modifier == 11 || modifier == 12) m_out += "_abs";
    const uint32_t f = file(token);
    if (f != 10 && f != 7 && f != 14 && f != 18) swizzle(token);
  }

  void swizzle(uint32_t token) {
    char s[5] = {};
    for (uint32_t k = 0; k < 4; k++) s[k] = "xyzw"[token >> (16 + 2 * k) & 3];
    if (!std::strcmp(s, "xyzw")) return;
    m_out += '.';
    if (s[0] == s[1] && s[1] == s[2] && s[2] == s[3])
      m_out += s[0];
    else
      m_out += s;
  }

  std::string& m_out;
  ByteReader m_in;
  Table m_tables[5];
  bool m_vertex = false;
};

} // namespace

void level9Text(std::string& out, std::span<const uint8_t> chunk) { Level9Printer(out, chunk).run(); }

} // namespace monolith::dxbc
