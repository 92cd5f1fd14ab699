// SPDX-License-Identifier: MIT
#include "test_file.h"

#include "assembler.h"

#include <bit>
#include <cstdlib>
#include <sstream>

namespace monolith::test {

namespace {

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> tokens;
  std::istringstream s{std::string(line)};
  for (std::string t; s >> t;) tokens.push_back(t);
  return tokens;
}

class Parser {
public:
  explicit Parser(TestFile& file) : m_file(file) {}
  void run(std::string_view text);

private:
  enum class Section { None, Shader, Constants, Buffer, Texture, Table, Expect };
  void fault(const std::string& text) {
    if (m_file.error.empty()) m_file.error = "line " + std::to_string(m_line) + ": " + text;
  }
  void begin(std::vector<std::string> t);
  void beginResource(const std::vector<std::string>& t);
  void beginTable(const std::vector<std::string>& t);
  void line(std::string_view raw, const std::vector<std::string>& t);
  void constant(const std::vector<std::string>& t);
  void tableLine(const std::vector<std::string>& t);
  void header(const std::vector<std::string>& t);
  bool column(const std::string& name, bool output, std::vector<Column>& list);
  static bool stageColumn(const std::string& name, bool output, std::vector<Column>& list);
  bool words(const std::string& token, std::vector<Word>& list);

  TestFile& m_file;
  unsigned m_line = 0;
  Section m_section = Section::None;
  ShaderState m_state;
  TestResource* m_resource = nullptr;
  bool m_hasHeader = false;
};

bool Parser::words(const std::string& token, std::vector<Word>& list) {
  if (token == "*") {
    list.push_back({0, true});
    return true;
  }
  if (token.size() > 1 && token.back() == 'd' && token.find("0x") == std::string::npos) {
    char* end = nullptr;
    const uint64_t w = std::bit_cast<uint64_t>(std::strtod(token.c_str(), &end));
    if (*end == 'd' && end[1] == 0) {
      list.push_back({static_cast<uint32_t>(w), false});
      list.push_back({static_cast<uint32_t>(w >> 32), false});
      return true;
    }
  }
  Word w;
  if (!parseWord(token, w.bits)) {
    fault("bad number '" + token + "'");
    return false;
  }
  list.push_back(w);
  return true;
}

void Parser::beginResource(const std::vector<std::string>& t) {
  if (t.size() < 2 || t[1].size() < 2 || (t[1][0] != 't' && t[1][0] != 'u')) return fault("t# or u# expected");
  const uint32_t slot = static_cast<uint32_t>(std::atoi(t[1].c_str() + 1));
  m_resource = &(t[1][0] == 't' ? m_state.resources : m_state.uavs)[slot];
  *m_resource = {};
  TestResource& r = *m_resource;
  size_t n = 2;
  if (t[0] == "texture") {
    for (unsigned d = 0; d < 13 && t.size() > 2; d++)
      if (t[2] == ir::name(static_cast<ir::ResourceDim>(d))) r.dim = static_cast<ir::ResourceDim>(d);
    if (r.dim == ir::ResourceDim::Unknown) return fault("unknown dimension");
    n = 3;
    uint32_t* sizes[3] = {&r.width, &r.height, &r.depth};
    for (unsigned k = 0; n < t.size() && std::isdigit(static_cast<unsigned char>(t[n][0])) && k < 3; k++)
      *sizes[k] = static_cast<uint32_t>(std::atoi(t[n++].c_str()));
  } else {
    r.dim = ir::ResourceDim::RawBuffer;
  }
  for (; n + 1 < t.size(); n += 2) {
    const uint32_t v = static_cast<uint32_t>(std::atoi(t[n + 1].c_str()));
    if (t[n] == "mips") r.mips = v;
    else if (t[n] == "samples") r.samples = v;
    else if (t[n] == "array") r.depth = v;
    else if (t[n] == "counter") r.counter = v;
    else if (t[n] == "stride") r.stride = v, r.dim = ir::ResourceDim::StructuredBuffer;
    else fault("unknown option");
  }
}

void Parser::beginTable(const std::vector<std::string>& t) {
  if (m_file.shaders.empty()) return fault("table without shader");
  Table table;
  table.line = m_line;
  table.shader = m_file.shaders.size() - 1;
  table.state = m_state;
  for (size_t n = 1; n + 1 < t.size(); n += 2) {
    if (t[n] == "ulp") table.ulp = static_cast<uint32_t>(std::atoi(t[n + 1].c_str()));
    else if (t[n] == "abs") table.absolute = std::strtof(t[n + 1].c_str(), nullptr);
    else fault("unknown option");
  }
  m_file.tables.push_back(std::move(table));
  m_hasHeader = false;
}

void Parser::begin(std::vector<std::string> t) {
  m_section = Section::None;
  if (t.empty()) return fault("empty section name");
  const bool hlsl = t.size() == 2 && t[1] == "shader";
  if (t[0] == "ps" || t[0] == "vs" || t[0] == "ir" || t[0] == "alu" || hlsl) {
    Shader s;
    s.pixel = t[0] == "ps" || t[0] == "pixel" || t[0] == "ir" || t[0] == "alu";
    s.stage = s.pixel ? 'p' : t[0][0];
    s.line = m_line;
    if (t.size() == 2 && !hlsl) s.model = static_cast<unsigned>(std::atoi(t[1].c_str()));
    if (s.model == 0) s.model = 50;
    s.kind = hlsl ? Shader::Kind::Hlsl : t[0] == "ir" ? Shader::Kind::Ir : t[0] == "alu" ? Shader::Kind::Alu : Shader::Kind::Assembly;
    if (s.kind == Shader::Kind::Alu && t.size() > 1) s.text = t[1];
    m_file.shaders.push_back(s);
    m_section = s.kind == Shader::Kind::Alu ? Section::None : Section::Shader;
  } else if (t[0] == "constants") {
    m_section = Section::Constants;
  } else if (t[0] == "buffer" || t[0] == "texture") {
    beginResource(t);
    m_section = t[0] == "buffer" ? Section::Buffer : Section::Texture;
  } else if (t[0] == "table") {
    beginTable(t);
    m_section = Section::Table;
  } else if (t[0] == "dispatch") {
    beginTable({"dispatch"});
    if (m_file.tables.empty()) return;
    m_file.tables.back().dispatch = {1, 1, 1};
    for (size_t k = 1; k < t.size() && k < 4; k++) m_file.tables.back().dispatch[k - 1] = static_cast<uint32_t>(std::atoi(t[k].c_str()));
    m_section = Section::None;
  } else if (t[0] == "expect" && t.size() > 1 && t[1][0] == 'u' && !m_file.tables.empty()) {
    m_file.tables.back().memory.push_back({static_cast<uint32_t>(std::atoi(t[1].c_str() + 1)), {}, m_line});
    m_section = Section::Expect;
  } else {
    fault("unknown section");
  }
}

/// cb0[2] = words.
void Parser::constant(const std::vector<std::string>& t) {
  unsigned slot = 0, index = 0;
  if (t.size() < 3 || std::sscanf(t[0].c_str(), "cb%u[%u]", &slot, &index) != 2 || t[1] != "=" || index > 4095)
    return fault("cb#[#] = words expected");
  std::vector<Word> list;
  for (size_t n = 2; n < t.size(); n++) words(t[n], list);
  std::vector<Vec4>& cb = m_state.constants[slot];
  if (cb.size() <= index) cb.resize(index + 1);
  for (size_t n = 0; n < list.size() && n < 4; n++) cb[index][n] = list[n].bits;
}

/// Columns that only geometry, hull and domain shaders have.
bool Parser::stageColumn(const std::string& name, bool output, std::vector<Column>& list) {
  using Kind = Column::Kind;
  if (output && (name == "emits" || name == "cuts")) {
    list.push_back({name == "emits" ? Kind::Emits : Kind::Cuts});
    return true;
  }
  unsigned index = 0, reg = 0;
  int end = 0;
  Kind kind = Kind::VertexInput;
  if (!output && std::sscanf(name.c_str(), "v[%u][%u]%n", &index, &reg, &end) == 2 && end > 0) {
  } else if (output && std::sscanf(name.c_str(), "e%u.o%u%n", &index, &reg, &end) == 2 && end > 0) {
    kind = Kind::Emitted;
  } else if (output && std::sscanf(name.c_str(), "e%u.stream%n", &index, &end) == 1 && end > 0) {
    list.push_back({Kind::EmittedStream, 0, index});
    return true;
  } else if (output && std::sscanf(name.c_str(), "p%u.o%u%n", &index, &reg, &end) == 2 && end > 0) {
    kind = Kind::Point;
  } else if (std::sscanf(name.c_str(), "c%u%n", &reg, &end) == 1 && end > 0) {
    kind = output ? Kind::PatchOutput : Kind::PatchInput;
  } else {
    return false;
  }
  std::string components = name.substr(static_cast<size_t>(end));
  if (components.empty()) components = ".xyzw";
  for (size_t n = 1; n < components.size(); n++) {
    const size_t c = std::string_view("xyzw").find(components[n]);
    if (components[0] != '.' || c == std::string_view::npos) return false;
    const uint32_t component = static_cast<uint32_t>(c);
    list.push_back({kind, kind == Kind::VertexInput ? vertexKey(index, reg, component) : reg * 4 + component, index});
  }
  return true;
}

bool Parser::column(const std::string& name, bool output, std::vector<Column>& list) {
  using Kind = Column::Kind;
  if (output) {
    const std::pair<const char*, Kind> special[] = {
        {"oDepth", Kind::Depth}, {"oMask", Kind::Coverage}, {"oStencilRef", Kind::StencilRef}, {"discard", Kind::Discard}};
    for (const auto& s : special)
      if (name == s.first) {
        list.push_back({s.second, 0});
        return true;
      }
  }
  if (stageColumn(name, output, list)) return true;
  std::string base = name;
  std::string components = "xyzw";
  const size_t dot = name.find('.');
  if (dot != std::string::npos) base = name.substr(0, dot), components = name.substr(dot + 1);
  uint32_t first = 0;
  Kind kind = output ? Kind::Output : Kind::Input;
  if (base.size() > 1 && base[0] == (output ? 'o' : 'v') && std::isdigit(static_cast<unsigned char>(base[1]))) {
    first = static_cast<uint32_t>(std::atoi(base.c_str() + 1)) * 4;
  } else {
    uint32_t v = 1;
    while (v < static_cast<uint32_t>(ir::SystemValue::Count) && base != ir::name(static_cast<ir::SystemValue>(v))) v++;
    if (output || v == static_cast<uint32_t>(ir::SystemValue::Count)) return false;
    kind = Kind::System;
    first = v * 4;
    if (dot == std::string::npos && v != static_cast<uint32_t>(ir::SystemValue::Position)) components = "x";
  }
  for (char c : components) {
    const size_t n = std::string_view("xyzw").find(c);
    if (n == std::string_view::npos) return false;
    list.push_back({kind, first + static_cast<uint32_t>(n)});
  }
  return true;
}

void Parser::header(const std::vector<std::string>& t) {
  bool output = false;
  Table& table = m_file.tables.back();
  for (const std::string& name : t) {
    if (name == "->") output = true;
    else if (!column(name, output, output ? table.outputs : table.inputs)) return fault("unknown column '" + name + "'");
  }
  m_hasHeader = true;
}

void Parser::tableLine(const std::vector<std::string>& t) {
  if (m_file.tables.empty()) return;
  if (!m_hasHeader) return header(t);
  Table& table = m_file.tables.back();
  Row row;
  row.line = m_line;
  bool output = false;
  for (const std::string& token : t) {
    if (token == "->") output = true;
    else if (!words(token, output ? row.outputs : row.inputs)) return;
  }
  if (row.inputs.size() != table.inputs.size() || row.outputs.size() != table.outputs.size())
    return fault("row does not fit the columns");
  table.rows.push_back(std::move(row));
}

void Parser::line(std::string_view raw, const std::vector<std::string>& t) {
  switch (m_section) {
  case Section::Shader:
    m_file.shaders.back().text += raw;
    m_file.shaders.back().text += '\n';
    return;
  case Section::Constants:
    if (!t.empty()) constant(t);
    return;
  case Section::Buffer: {
    std::vector<Word> list;
    for (const std::string& token : t) words(token, list);
    for (const Word& w : list) m_resource->words.push_back(w.bits);
    return;
  }
  case Section::Texture: {
    std::vector<Word> list;
    for (const std::string& token : t) words(token, list);
    for (size_t n = 0; n + 3 < list.size(); n += 4)
      m_resource->texels.push_back({list[n].bits, list[n + 1].bits, list[n + 2].bits, list[n + 3].bits});
    return;
  }
  case Section::Table:
    if (!t.empty()) tableLine(t);
    return;
  case Section::Expect:
    for (const std::string& token : t) words(token, m_file.tables.back().memory.back().words);
    return;
  case Section::None:
    if (!t.empty()) fault("text outside of a section");
  }
}

void Parser::run(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && m_file.error.empty()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view raw = text.substr(at, end - at);
    at = end + 1;
    m_line++;
    const bool hlsl = m_section == Section::Shader && m_file.shaders.back().kind == Shader::Kind::Hlsl;
    std::string_view code = raw;
    if (!hlsl || (!raw.empty() && raw[0] == '[')) code = raw.substr(0, raw.find(';'));
    std::vector<std::string> tokens = split(code);
    // A section starts in the first column; HLSL attributes such as [unroll] are indented.
    if (!code.empty() && code[0] == '[' && code.find(']') != std::string_view::npos)
      begin(split(code.substr(1, code.find(']') - 1)));
    else
      line(hlsl ? raw : code, tokens);
  }
}

} // namespace

TestFile parseTestFile(std::string_view text) {
  TestFile file;
  Parser(file).run(text);
  return file;
}

} // namespace monolith::test
