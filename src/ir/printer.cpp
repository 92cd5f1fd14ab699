// SPDX-License-Identifier: MIT
#include "ir/text.h"

#include <cstdarg>
#include <cstdio>

namespace monolith::ir {

namespace {

constexpr char kComponents[] = "xyzw";

class Printer {
public:
  explicit Printer(const Function& f) : m_f(f) {}
  std::string run();

private:
  void line(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void add(const char* format, ...) __attribute__((format(printf, 2, 3)));
  static std::string maskText(uint8_t mask);
  void declarations();
  void attributes(const Instruction& i);
  void item() {
    m_text += m_first ? " " : ", ";
    m_first = false;
  }
  void instruction(const Instruction& i);

  const Function& m_f;
  std::string m_text;
  std::vector<uint32_t> m_numbers;
  uint32_t m_next = 0;
  unsigned m_indent = 0;
  bool m_first = true;
};

void Printer::add(const char* format, ...) {
  char buffer[256];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  m_text += buffer;
}

void Printer::line(const char* format, ...) {
  char buffer[256];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  m_text += buffer;
  m_text += '\n';
}

std::string Printer::maskText(uint8_t mask) {
  std::string s;
  for (unsigned c = 0; c < 4; c++)
    if (mask >> c & 1)
      s += kComponents[c];
  return s.empty() ? "-" : s;
}

void Printer::declarations() {
  line("shader %s", name(m_f.stage));
  const auto input = [&](const char* kind, const InputDecl& d) {
    add("%s %u %s %s", kind, d.reg, maskText(d.mask).c_str(), name(d.interpolation));
    if (d.system != SystemValue::None) add(" system(%s)", name(d.system));
    if (d.vertexCount) add(" vertices(%u)", d.vertexCount);
    m_text += '\n';
  };
  for (const InputDecl& d : m_f.inputs)
    input("input", d);
  for (const InputDecl& d : m_f.patchConstants)
    input("patchconstant", d);
  for (const OutputDecl& d : m_f.outputs) {
    add("output %u %s", d.reg, maskText(d.mask).c_str());
    if (d.system != SystemValue::None) add(" system(%s)", name(d.system));
    if (d.stream) add(" stream(%u)", d.stream);
    m_text += '\n';
  }
  for (const ConstantBufferDecl& d : m_f.constantBuffers)
    line("cbuffer %u %u used(%u)%s", d.slot, d.size, d.usedSize, d.dynamic ? " dynamic" : "");
  for (const ResourceDecl& d : m_f.resources) {
    add("resource %u %s", d.slot, name(d.dim));
    for (ReturnType t : d.type) add(" %s", name(t));
    if (d.sampleCount) add(" samples(%u)", d.sampleCount);
    if (d.stride) add(" stride(%u)", d.stride);
    m_text += '\n';
  }
  for (const UavDecl& d : m_f.uavs) {
    add("uav %u %s", d.slot, name(d.dim));
    for (ReturnType t : d.type) add(" %s", name(t));
    if (d.stride) add(" stride(%u)", d.stride);
    if (d.globallyCoherent) add(" coherent");
    if (d.counter) add(" counter");
    if (d.rasterOrdered) add(" ordered");
    m_text += '\n';
  }
  for (const SharedDecl& d : m_f.shared)
    line("shared %u %u %u", d.slot, d.size, d.stride);
  for (const SamplerDecl& d : m_f.samplers)
    line("sampler %u %s", d.slot, name(d.mode));
  for (const ArrayDecl& d : m_f.arrays)
    line("array %u %u", d.size, d.components);
  for (size_t i = 0; i + 3 < m_f.icb.size(); i += 4)
    line("icb 0x%x 0x%x 0x%x 0x%x", m_f.icb[i], m_f.icb[i + 1], m_f.icb[i + 2], m_f.icb[i + 3]);
  if (m_f.threadGroup[0]) line("threadgroup %u %u %u", m_f.threadGroup[0], m_f.threadGroup[1], m_f.threadGroup[2]);
  if (m_f.depthMode != DepthMode::None) line("depth %s", name(m_f.depthMode));
  if (m_f.usesDiscard) line("discard");
  if (m_f.forceEarlyDepth) line("earlydepth");
  if (m_f.writesCoverage) line("coverage");
  if (m_f.writesStencilRef) line("stencilref");
  if (m_f.perSample) line("persample");
  if (m_f.variableCount) line("variables %u", m_f.variableCount);
  m_text += '\n';
}

void Printer::attributes(const Instruction& i) {
  const AttrKind kind = opInfo(i.op).attr;
  const char component = kComponents[i.attr2 & 3];
  switch (kind) {
  case AttrKind::None: break;
  case AttrKind::Variable: item(), add("$%u", i.attr); break;
  case AttrKind::Array: item(), add("x%u.%c", i.attr, component); break;
  case AttrKind::Icb: item(), add("icb.%c", component); break;
  case AttrKind::CBuffer: item(), add("cb%u.%c", i.attr, component); break;
  case AttrKind::Register: item(), add("#%u.%c", i.attr, component); break;
  case AttrKind::System: item(), add("%s.%c", name(static_cast<SystemValue>(i.attr)), component); break;
  case AttrKind::Stream: item(), add("stream%u", i.attr); break;
  case AttrKind::Sample:
    item(), add("t%u", i.attr);
    item(), add("s%u", i.attr2);
    break;
  case AttrKind::Resource:
    item();
    if (i.attr == kRasterizer) add("rasterizer");
    else add("t%u", i.attr);
    break;
  case AttrKind::Memory: item(), add("%c%u", "tug"[i.attr2 % 3], i.attr); break;
  case AttrKind::Sync: item(), add("flags(%u)", i.attr); break;
  case AttrKind::Marker:
    if (i.op == Op::Break && i.attr2) item(), add("depth(%u)", i.attr2);
    break;
  }
  if (i.offset[0] || i.offset[1] || i.offset[2])
    item(), add("offset(%d %d %d)", i.offset[0], i.offset[1], i.offset[2]);
  if (i.component) item(), add("component(%u)", i.component);
  if (i.flags & kFlagStatus) item(), add("status");
  if (i.flags & kFlagClamp) item(), add("clamp");
  if (i.flags & kFlagPrecise) item(), add("precise");
}

void Printer::instruction(const Instruction& i) {
  if (i.op >= Op::Count)
    return;
  if (i.op == Op::EndIf || i.op == Op::EndLoop || i.op == Op::EndBlock || i.op == Op::Else)
    m_indent -= m_indent ? 1 : 0;
  m_text.append(2 * size_t(m_indent), ' ');
  for (unsigned n = 0; n < i.resultCount; n++) {
    if (i.firstResult + n < m_numbers.size()) m_numbers[i.firstResult + n] = m_next;
    add("%%%u ", m_next++);
  }
  if (i.resultCount) m_text += "= ";
  m_text += opInfo(i.op).name;
  m_first = true;
  attributes(i);
  for (unsigned n = 0; n < i.operandCount; n++) {
    const Value v = m_f.operand(i, n);
    item();
    if (v.isConstant()) add("0x%x", m_f.constant(v));
    else add("%%%u", v.id < m_numbers.size() ? m_numbers[v.id] : 0xFFFFFFFFu);
  }
  m_text += '\n';
  if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Block || i.op == Op::Else)
    m_indent++;
}

std::string Printer::run() {
  m_numbers.assign(m_f.valueCount, 0xFFFFFFFFu);
  declarations();
  for (const Instruction& i : m_f.instructions)
    instruction(i);
  return std::move(m_text);
}

} // namespace

std::string print(const Function& f) { return Printer(f).run(); }

} // namespace monolith::ir
