// SPDX-License-Identifier: MIT
#include "ir/text.h"

#include "ir/builder.h"

#include <cstdlib>
#include <unordered_map>

namespace monolith::ir {

namespace {

constexpr uint32_t kMaxCount = 1u << 20;

class Reader {
public:
  explicit Reader(std::string_view text) : m_text(text), m_f(std::make_unique<Function>()), m_b(*m_f) {}
  ReadResult run();

private:
  bool fault(const std::string& text) {
    if (m_error.empty()) m_error = "line " + std::to_string(m_line) + ": " + text;
    return false;
  }
  void splitLine(std::string_view line);
  bool done() const { return m_at >= m_tokens.size(); }
  std::string_view peek() const { return done() ? std::string_view() : m_tokens[m_at]; }
  std::string_view next() { return done() ? std::string_view() : m_tokens[m_at++]; }
  bool number(std::string_view t, uint32_t& n);
  bool unsignedToken(uint32_t& n) { return number(next(), n) || fault("number expected"); }
  bool maskToken(uint8_t& mask);
  bool option(std::string_view t, const char* key, int32_t* values, unsigned count);
  template <class E> bool enumToken(std::string_view t, E& e, unsigned count);
  bool declaration();
  bool input(std::vector<InputDecl>& list);
  bool output();
  bool resource();
  bool uav();
  bool instruction();
  bool attribute(std::string_view t, Instruction& i, bool& used);
  bool indexed(std::string_view t, char prefix, uint32_t& n);
  bool component(std::string_view& t, uint32_t& c);
  bool operand(std::string_view t, Value& v);

  std::string_view m_text;
  std::unique_ptr<Function> m_f;
  Builder m_b;
  std::string m_error;
  unsigned m_line = 0;
  std::vector<std::string_view> m_tokens;
  size_t m_at = 0;
  std::unordered_map<std::string_view, Value> m_names;
};

/// Tokens are separated by spaces and commas; parentheses keep what they enclose together.
void Reader::splitLine(std::string_view line) {
  m_tokens.clear();
  m_at = 0;
  size_t i = 0;
  while (i < line.size() && line[i] != ';') {
    if (line[i] == ' ' || line[i] == ',' || line[i] == '\t' || line[i] == '\r') {
      i++;
      continue;
    }
    const size_t start = i;
    bool inside = false;
    for (; i < line.size() && line[i] != ';'; i++) {
      if (line[i] == '(') inside = true;
      if (!inside && (line[i] == ' ' || line[i] == ',' || line[i] == '\t' || line[i] == '\r')) break;
      if (line[i] == ')') inside = false;
    }
    m_tokens.push_back(line.substr(start, i - start));
  }
}

bool Reader::number(std::string_view t, uint32_t& n) {
  if (t.empty() || t.size() > 40) return false;
  const std::string s(t);
  char* end = nullptr;
  const bool hex = s.size() > 2 && (s[1] == 'x' || (s[0] == '-' && s[2] == 'x'));
  if (!hex && (s.find('.') != std::string::npos)) {
    const float f = std::strtof(s.c_str(), &end);
    n = std::bit_cast<uint32_t>(f);
    return *end == 0;
  }
  if (s == "inf") return n = 0x7F800000u, true;
  if (s == "-inf") return n = 0xFF800000u, true;
  if (s == "nan") return n = 0x7FC00000u, true;
  if (s[0] != '-' && (s[0] < '0' || s[0] > '9')) return false;
  n = s[0] == '-' ? static_cast<uint32_t>(std::strtoll(s.c_str(), &end, 0))
                  : static_cast<uint32_t>(std::strtoull(s.c_str(), &end, 0));
  return *end == 0;
}

bool Reader::maskToken(uint8_t& mask) {
  mask = 0;
  for (char c : next()) {
    const size_t n = std::string_view("xyzw").find(c);
    if (n != std::string_view::npos) mask |= static_cast<uint8_t>(1u << n);
    else if (c != '-') return fault("component mask expected");
  }
  return true;
}

/// "key(a b c)".
bool Reader::option(std::string_view t, const char* key, int32_t* values, unsigned count) {
  const std::string_view k(key);
  if (t.size() < k.size() + 2 || t.substr(0, k.size()) != k || t[k.size()] != '(' || t.back() != ')') return false;
  std::string s(t.substr(k.size() + 1, t.size() - k.size() - 2));
  char* p = s.data();
  for (unsigned i = 0; i < count; i++) {
    char* end = p;
    values[i] = static_cast<int32_t>(std::strtoll(p, &end, 0));
    if (end == p) return fault("number expected");
    p = end;
  }
  return true;
}

template <class E> bool Reader::enumToken(std::string_view t, E& e, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (t == name(static_cast<E>(i))) {
      e = static_cast<E>(i);
      return true;
    }
  return fault("unknown name '" + std::string(t) + "'");
}

bool Reader::input(std::vector<InputDecl>& list) {
  InputDecl d;
  if (!unsignedToken(d.reg) || !maskToken(d.mask)) return false;
  if (!done() && !enumToken(next(), d.interpolation, 8)) return false;
  while (!done()) {
    const std::string_view t = next();
    int32_t n;
    if (t.substr(0, 7) == "system(" && t.back() == ')') {
      if (!enumToken(t.substr(7, t.size() - 8), d.system, static_cast<unsigned>(SystemValue::Count))) return false;
    } else if (option(t, "vertices", &n, 1)) {
      d.vertexCount = static_cast<uint32_t>(n);
    } else {
      return fault("unknown option");
    }
  }
  list.push_back(d);
  return true;
}

bool Reader::output() {
  OutputDecl d;
  if (!unsignedToken(d.reg) || !maskToken(d.mask)) return false;
  while (!done()) {
    const std::string_view t = next();
    int32_t n;
    if (t.substr(0, 7) == "system(" && t.back() == ')') {
      if (!enumToken(t.substr(7, t.size() - 8), d.system, static_cast<unsigned>(SystemValue::Count))) return false;
    } else if (option(t, "stream", &n, 1)) {
      d.stream = static_cast<uint8_t>(n);
    } else {
      return fault("unknown option");
    }
  }
  m_f->outputs.push_back(d);
  return true;
}

bool Reader::resource() {
  ResourceDecl d;
  if (!unsignedToken(d.slot) || !enumToken(next(), d.dim, 13)) return false;
  unsigned types = 0;
  while (!done()) {
    const std::string_view t = next();
    int32_t n;
    if (option(t, "samples", &n, 1)) d.sampleCount = static_cast<uint32_t>(n);
    else if (option(t, "stride", &n, 1)) d.stride = static_cast<uint32_t>(n);
    else if (types >= 4 || !enumToken(t, d.type[types++], 8)) return fault("unknown option");
  }
  m_f->resources.push_back(d);
  return true;
}

bool Reader::uav() {
  UavDecl d;
  if (!unsignedToken(d.slot) || !enumToken(next(), d.dim, 13)) return false;
  unsigned types = 0;
  while (!done()) {
    const std::string_view t = next();
    int32_t n;
    if (t == "coherent") d.globallyCoherent = true;
    else if (t == "counter") d.counter = true;
    else if (t == "ordered") d.rasterOrdered = true;
    else if (option(t, "stride", &n, 1)) d.stride = static_cast<uint32_t>(n);
    else if (types >= 4 || !enumToken(t, d.type[types++], 8)) return fault("unknown option");
  }
  m_f->uavs.push_back(d);
  return true;
}

/// A declaration line; false without error if it is none.
bool Reader::declaration() {
  Function& f = *m_f;
  const std::string_view t = next();
  if (t == "shader") return enumToken(next(), f.stage, 6);
  if (t == "input") return input(f.inputs);
  if (t == "patchconstant") return input(f.patchConstants);
  if (t == "output") return output();
  if (t == "resource") return resource();
  if (t == "uav") return uav();
  if (t == "cbuffer") {
    ConstantBufferDecl d;
    if (!unsignedToken(d.slot) || !unsignedToken(d.size)) return false;
    d.usedSize = d.size;
    while (!done()) {
      int32_t n;
      const std::string_view o = next();
      if (option(o, "used", &n, 1)) d.usedSize = static_cast<uint32_t>(n);
      else if (o == "dynamic") d.dynamic = true;
      else return fault("unknown option");
    }
    f.constantBuffers.push_back(d);
    return true;
  }
  if (t == "shared") {
    SharedDecl d;
    if (!unsignedToken(d.slot) || !unsignedToken(d.size) || !unsignedToken(d.stride)) return false;
    f.shared.push_back(d);
    return true;
  }
  if (t == "sampler") {
    SamplerDecl d;
    if (!unsignedToken(d.slot) || !enumToken(next(), d.mode, 3)) return false;
    f.samplers.push_back(d);
    return true;
  }
  if (t == "array") {
    ArrayDecl d;
    if (!unsignedToken(d.size) || !unsignedToken(d.components)) return false;
    if (d.size > 65536 || d.components < 1 || d.components > 4 || f.arrays.size() > 4096)
      return fault("array too large");
    f.arrays.push_back(d);
    return true;
  }
  if (t == "icb") {
    uint32_t w;
    for (unsigned i = 0; i < 4; i++) {
      if (!unsignedToken(w)) return false;
      f.icb.push_back(w);
    }
    return true;
  }
  if (t == "threadgroup")
    return unsignedToken(f.threadGroup[0]) && unsignedToken(f.threadGroup[1]) && unsignedToken(f.threadGroup[2]);
  if (t == "depth") return enumToken(next(), f.depthMode, 4);
  if (t == "discard") return f.usesDiscard = true;
  if (t == "earlydepth") return f.forceEarlyDepth = true;
  if (t == "coverage") return f.writesCoverage = true;
  if (t == "stencilref") return f.writesStencilRef = true;
  if (t == "persample") return f.perSample = true;
  if (t == "variables") {
    if (!unsignedToken(f.variableCount)) return false;
    return f.variableCount <= kMaxCount || fault("too many variables");
  }
  m_at = 0;
  return false;
}

bool Reader::indexed(std::string_view t, char prefix, uint32_t& n) {
  return t.size() > 1 && t[0] == prefix && t[1] >= '0' && t[1] <= '9' && number(t.substr(1), n);
}

/// Strips ".x" from the end.
bool Reader::component(std::string_view& t, uint32_t& c) {
  if (t.size() < 3 || t[t.size() - 2] != '.') return fault("component expected");
  const size_t n = std::string_view("xyzw").find(t.back());
  if (n == std::string_view::npos) return fault("component expected");
  c = static_cast<uint32_t>(n);
  t.remove_suffix(2);
  return true;
}

/// Tries a token as attribute; `used` tells whether it was one.
bool Reader::attribute(std::string_view t, Instruction& i, bool& used) {
  used = true;
  int32_t n[3];
  if (t == "status") return i.flags |= kFlagStatus, true;
  if (t == "clamp") return i.flags |= kFlagClamp, true;
  if (t == "precise") return i.flags |= kFlagPrecise, true;
  if (t == "rasterizer") return i.attr = kRasterizer, true;
  if (option(t, "offset", n, 3)) {
    for (unsigned k = 0; k < 3; k++) i.offset[k] = static_cast<int8_t>(n[k]);
    return true;
  }
  if (option(t, "component", n, 1)) return i.component = static_cast<uint8_t>(n[0]), true;
  if (option(t, "depth", n, 1)) return i.attr2 = static_cast<uint32_t>(n[0]), true;
  if (option(t, "flags", n, 1)) return i.attr = static_cast<uint32_t>(n[0]), true;
  used = false;
  return m_error.empty();
}

bool Reader::operand(std::string_view t, Value& v) {
  if (t.empty()) return fault("operand expected");
  if (t[0] == '%') {
    const auto it = m_names.find(t);
    if (it == m_names.end()) return fault("value " + std::string(t) + " is not defined");
    v = it->second;
    return true;
  }
  uint32_t n;
  if (!number(t, n)) return fault("bad operand '" + std::string(t) + "'");
  v = m_b.constant(n);
  return true;
}

bool Reader::instruction() {
  std::vector<std::string_view> results;
  while (!done() && peek()[0] == '%') results.push_back(next());
  if (!results.empty() && next() != "=") return fault("= expected");
  const std::string_view opName = next();
  Instruction i;
  i.op = opByName(opName.data(), static_cast<unsigned>(opName.size()));
  if (i.op == Op::Count) return fault("unknown operation '" + std::string(opName) + "'");
  const AttrKind kind = opInfo(i.op).attr;
  std::string_view t;
  bool good = true;
  switch (kind) { // leading attributes
  case AttrKind::Variable: good = indexed(next(), '$', i.attr); break;
  case AttrKind::Array: t = next(), good = component(t, i.attr2) && indexed(t, 'x', i.attr); break;
  case AttrKind::Icb: t = next(), good = component(t, i.attr2) && t == "icb"; break;
  case AttrKind::CBuffer:
    t = next(), good = component(t, i.attr2) && t.size() > 2 && t[0] == 'c' && indexed(t.substr(1), 'b', i.attr);
    break;
  case AttrKind::Register: t = next(), good = component(t, i.attr2) && indexed(t, '#', i.attr); break;
  case AttrKind::System: {
    SystemValue s = SystemValue::None;
    t = next(), good = component(t, i.attr2) && enumToken(t, s, static_cast<unsigned>(SystemValue::Count));
    i.attr = static_cast<uint32_t>(s);
    break;
  }
  case AttrKind::Stream: t = next(), good = t.size() == 7 && t.substr(0, 6) == "stream" && number(t.substr(6), i.attr); break;
  case AttrKind::Sample: good = indexed(next(), 't', i.attr) && indexed(next(), 's', i.attr2); break;
  case AttrKind::Resource: good = peek() == "rasterizer" || indexed(next(), 't', i.attr); break;
  case AttrKind::Memory:
    t = next();
    i.attr2 = t.empty() ? 0 : t[0] == 'u' ? 1 : t[0] == 'g' ? 2 : 0;
    good = !t.empty() && indexed(t, "tug"[i.attr2], i.attr);
    break;
  case AttrKind::None:
  case AttrKind::Sync:
  case AttrKind::Marker: break;
  }
  if (!good) return fault("bad attribute");
  std::vector<Value> operands;
  while (!done()) {
    bool used;
    t = next();
    if (!attribute(t, i, used)) return false;
    if (used) continue;
    Value v;
    if (!operand(t, v)) return false;
    operands.push_back(v);
  }
  if (operands.size() > opInfo(i.op).maxOperands) return fault("too many operands");
  ResourceAttributes a;
  a.resource = i.attr, a.sampler = i.attr2, a.component = i.component, a.flags = i.flags;
  for (unsigned k = 0; k < 3; k++) a.offset[k] = i.offset[k];
  const Values r = m_b.emitResource(i.op, operands.data(), static_cast<unsigned>(operands.size()), a);
  if (results.size() != r.count) return fault("wrong number of results");
  for (unsigned k = 0; k < r.count; k++)
    if (!m_names.emplace(results[k], r[k]).second) return fault("value defined twice");
  return true;
}

ReadResult Reader::run() {
  size_t at = 0;
  while (at < m_text.size() && m_error.empty()) {
    const size_t end = std::min(m_text.find('\n', at), m_text.size());
    m_line++;
    splitLine(m_text.substr(at, end - at));
    at = end + 1;
    if (m_tokens.empty()) continue;
    if (!declaration() && m_error.empty()) instruction();
    else if (m_error.empty() && !done()) fault("unexpected '" + std::string(peek()) + "'");
  }
  if (m_error.empty() && !m_b.finish()) m_error = "control flow does not nest";
  ReadResult r;
  r.error = m_error;
  if (m_error.empty()) r.function = std::move(m_f);
  return r;
}

} // namespace

ReadResult read(std::string_view text) { return Reader(text).run(); }

} // namespace monolith::ir
