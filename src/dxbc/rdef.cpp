// SPDX-License-Identifier: MIT
#include "dxbc/rdef.h"

#include "dxbc/bytes.h"
#include "dxbc/container.h"

#include <map>

namespace monolith::dxbc {
namespace {

/// Marks of the extra header of version 5.0 and of 5.1.
constexpr uint32_t kRd11 = fourcc('R', 'D', '1', '1'), kRd51 = 0x25441313;
constexpr uint32_t kMaxTypes = 65536;

/// Sizes of the records of a version.
struct Sizes {
  uint32_t header = 28, constantBuffer = 24, binding = 32, variable = 24, type = 16, member = 12;
};
Sizes sizesOf(uint32_t major, uint32_t minor) {
  Sizes s;
  if (major >= 5) {
    s.header = 60;
    s.variable = 40;
    s.type = 36;
    if (minor >= 1) s.binding = 40;
  }
  return s;
}

class Parser {
public:
  explicit Parser(std::span<const uint8_t> data) : m_in(data) {}

  Result<Rdef> run() {
    uint32_t cbCount = m_in.u32(0), cbAt = m_in.u32(4), bindCount = m_in.u32(8), bindAt = m_in.u32(12);
    m_rdef.minor = m_in.u8(16);
    m_rdef.major = m_in.u8(17);
    m_rdef.program = m_in.u16(18);
    m_rdef.flags = m_in.u32(20);
    m_rdef.creator = m_in.string(m_in.u32(24));
    m_sizes = sizesOf(m_rdef.major, m_rdef.minor);
    if (m_rdef.major >= 5) {
      if (m_in.u32(28) != kRd11 && m_in.u32(28) != kRd51) return fail("header of version 5 is missing");
      m_rdef.interfaceSlots = m_in.u32(56);
    }
    if (!m_in.ok() || !m_in.fits(bindAt, bindCount, m_sizes.binding)) return fail("bindings exceed the chunk");
    for (uint32_t i = 0; i < bindCount; i++) binding(bindAt + size_t(i) * m_sizes.binding);
    if (!m_in.fits(cbAt, cbCount, m_sizes.constantBuffer)) return fail("constant buffers exceed the chunk");
    for (uint32_t i = 0; i < cbCount && m_in.ok(); i++) constantBuffer(cbAt + size_t(i) * m_sizes.constantBuffer);
    if (!m_in.ok()) return fail("data exceeds the chunk");
    return std::move(m_rdef);
  }

private:
  static Result<Rdef> fail(const char* text) {
    return Result<Rdef>::failure(std::string("error: resource definitions: ") + text);
  }

  void binding(size_t at) {
    RdefBinding b;
    b.name = m_in.string(m_in.u32(at));
    b.type = m_in.u32(at + 4);
    b.returnType = m_in.u32(at + 8);
    b.dimension = m_in.u32(at + 12);
    b.sampleCount = m_in.u32(at + 16);
    b.bindPoint = m_in.u32(at + 20);
    b.bindCount = m_in.u32(at + 24);
    b.flags = m_in.u32(at + 28);
    if (m_sizes.binding >= 40) {
      b.space = m_in.u32(at + 32);
      b.id = m_in.u32(at + 36);
    }
    m_rdef.bindings.push_back(std::move(b));
  }

  void constantBuffer(size_t at) {
    RdefConstantBuffer cb;
    cb.name = m_in.string(m_in.u32(at));
    uint32_t count = m_in.u32(at + 4), first = m_in.u32(at + 8);
    cb.size = m_in.u32(at + 12);
    cb.flags = m_in.u32(at + 16);
    cb.type = m_in.u32(at + 20);
    if (count && m_in.fits(first, count, m_sizes.variable))
      for (uint32_t i = 0; i < count && m_in.ok(); i++)
        cb.variables.push_back(variable(first + size_t(i) * m_sizes.variable));
    m_rdef.constantBuffers.push_back(std::move(cb));
  }

  RdefVariable variable(size_t at) {
    RdefVariable v;
    v.name = m_in.string(m_in.u32(at));
    v.offset = m_in.u32(at + 4);
    v.size = m_in.u32(at + 8);
    v.flags = m_in.u32(at + 12);
    v.type = type(m_in.u32(at + 16), 0);
    if (uint32_t value = m_in.u32(at + 20)) {
      v.hasDefault = true;
      v.defaultValue = m_in.bytes(value, v.size);
    }
    if (m_sizes.variable >= 40) {
      v.startTexture = m_in.u32(at + 24);
      v.textureSize = m_in.u32(at + 28);
      v.startSampler = m_in.u32(at + 32);
      v.samplerSize = m_in.u32(at + 36);
    }
    return v;
  }

  /// Index of the type at an offset. Types are shared, and one that contains itself is an error.
  uint32_t type(uint32_t at, uint32_t depth) {
    if (auto it = m_types.find(at); it != m_types.end()) return it->second;
    uint32_t index = uint32_t(m_rdef.types.size());
    if (depth > 32 || index >= kMaxTypes || !m_in.fits(at, 1, m_sizes.type)) {
      m_in.fits(SIZE_MAX, 1, 1);
      return 0;
    }
    m_types[at] = index;
    m_rdef.types.emplace_back();
    RdefType t;
    t.typeClass = m_in.u16(at);
    t.type = m_in.u16(at + 2);
    t.rows = m_in.u16(at + 4);
    t.columns = m_in.u16(at + 6);
    t.elements = m_in.u16(at + 8);
    uint32_t count = m_in.u16(at + 10), first = m_in.u32(at + 12);
    if (m_sizes.type >= 36) {
      if (uint32_t sub = m_in.u32(at + 16)) t.subType = type(sub, depth + 1);
      if (uint32_t base = m_in.u32(at + 20)) t.baseClass = type(base, depth + 1);
      uint32_t interfaces = m_in.u32(at + 24), interfacesAt = m_in.u32(at + 28);
      if (interfaces && m_in.fits(interfacesAt, interfaces, 4))
        for (uint32_t i = 0; i < interfaces && m_in.ok(); i++)
          t.interfaces.push_back(type(m_in.u32(interfacesAt + size_t(i) * 4), depth + 1));
      if (uint32_t name = m_in.u32(at + 32)) t.name = m_in.string(name);
    }
    if (count && m_in.fits(first, count, m_sizes.member)) {
      for (uint32_t i = 0; i < count && m_in.ok(); i++) {
        size_t m = first + size_t(i) * m_sizes.member;
        RdefMember member;
        member.name = m_in.string(m_in.u32(m));
        member.type = type(m_in.u32(m + 4), depth + 1);
        member.offset = m_in.u32(m + 8);
        // A type finished before its members would be one that contains itself.
        if (member.type <= index && !m_done[member.type]) m_in.fits(SIZE_MAX, 1, 1);
        t.members.push_back(std::move(member));
      }
    }
    m_rdef.types[index] = std::move(t);
    m_done[index] = true;
    return index;
  }

  ByteReader m_in;
  Rdef m_rdef;
  Sizes m_sizes;
  std::map<uint32_t, uint32_t> m_types; ///< offset -> index
  std::map<uint32_t, bool> m_done;
};

class Writer {
public:
  explicit Writer(const Rdef& rdef) : m_rdef(rdef), m_sizes(sizesOf(rdef.major, rdef.minor)) {}

  std::vector<uint8_t> run() {
    header();
    size_t bindings = m_out.size();
    for (const RdefBinding& b : m_rdef.bindings) binding(b);
    for (size_t i = 0; i < m_rdef.bindings.size(); i++)
      m_out.patch32(bindings + i * m_sizes.binding, string(m_rdef.bindings[i].name));
    for (const RdefConstantBuffer& cb : m_rdef.constantBuffers) string(cb.name);
    if (!m_rdef.constantBuffers.empty()) constantBuffers();
    m_out.patch32(24, uint32_t(m_out.size()));
    m_out.string(m_rdef.creator);
    m_out.align();
    return m_out.take();
  }

private:
  void header() {
    m_out.u32(uint32_t(m_rdef.constantBuffers.size()));
    m_out.u32(0);
    m_out.u32(uint32_t(m_rdef.bindings.size()));
    m_out.u32(m_sizes.header);
    m_out.u8(m_rdef.minor);
    m_out.u8(m_rdef.major);
    m_out.u16(m_rdef.program);
    m_out.u32(m_rdef.flags);
    m_out.u32(0);
    if (m_rdef.major < 5) return;
    m_out.u32(m_rdef.minor >= 1 ? kRd51 : kRd11);
    m_out.u32(m_sizes.header);
    m_out.u32(m_sizes.constantBuffer);
    m_out.u32(m_sizes.binding);
    m_out.u32(m_sizes.variable);
    m_out.u32(m_sizes.type);
    m_out.u32(m_sizes.member);
    m_out.u32(m_rdef.interfaceSlots);
  }

  /// Offset of a string, written once.
  uint32_t string(const std::string& s) {
    auto [it, added] = m_strings.try_emplace(s, uint32_t(m_out.size()));
    if (added) m_out.string(s);
    return it->second;
  }

  void binding(const RdefBinding& b) {
    m_out.u32(0);
    m_out.u32(b.type);
    m_out.u32(b.returnType);
    m_out.u32(b.dimension);
    m_out.u32(b.sampleCount);
    m_out.u32(b.bindPoint);
    m_out.u32(b.bindCount);
    m_out.u32(b.flags);
    if (m_sizes.binding < 40) return;
    m_out.u32(b.space);
    m_out.u32(b.id);
  }

  void constantBuffers() {
    m_out.align();
    size_t first = m_out.size();
    m_out.patch32(4, uint32_t(first));
    for (const RdefConstantBuffer& cb : m_rdef.constantBuffers) {
      m_out.u32(string(cb.name));
      m_out.u32(uint32_t(cb.variables.size()));
      m_out.u32(0);
      m_out.u32(cb.size);
      m_out.u32(cb.flags);
      m_out.u32(cb.type);
    }
    for (size_t i = 0; i < m_rdef.constantBuffers.size(); i++) {
      const RdefConstantBuffer& cb = m_rdef.constantBuffers[i];
      size_t at = m_out.size();
      m_out.patch32(first + i * m_sizes.constantBuffer + 8, uint32_t(at));
      for (const RdefVariable& v : cb.variables) variable(v);
      for (size_t k = 0; k < cb.variables.size(); k++) variableData(cb.variables[k], at + k * m_sizes.variable);
    }
  }

  void variable(const RdefVariable& v) {
    m_out.u32(0);
    m_out.u32(v.offset);
    m_out.u32(v.size);
    m_out.u32(v.flags);
    m_out.u32(0);
    m_out.u32(0);
    if (m_sizes.variable < 40) return;
    m_out.u32(v.startTexture);
    m_out.u32(v.textureSize);
    m_out.u32(v.startSampler);
    m_out.u32(v.samplerSize);
  }

  void variableData(const RdefVariable& v, size_t at) {
    m_out.patch32(at, string(v.name));
    m_out.patch32(at + 16, type(v.type));
    if (!v.hasDefault) return;
    m_out.patch32(at + 20, uint32_t(m_out.size()));
    m_out.bytes(v.defaultValue);
    m_out.align();
  }

  /// Offset of a type, written once, after everything it refers to.
  uint32_t type(uint32_t index) {
    if (index >= m_rdef.types.size()) return 0;
    if (auto it = m_types.find(index); it != m_types.end()) return it->second;
    m_types[index] = 0; // a type that contains itself is written as none
    const RdefType& t = m_rdef.types[index];
    uint32_t name = m_sizes.type >= 36 && !t.name.empty() ? string(t.name) : 0;
    std::vector<uint32_t> memberNames, memberTypes;
    for (const RdefMember& m : t.members) {
      memberNames.push_back(string(m.name));
      memberTypes.push_back(type(m.type));
    }
    std::vector<uint32_t> interfaces;
    for (uint32_t i : t.interfaces) interfaces.push_back(type(i));
    uint32_t sub = t.subType != UINT32_MAX ? type(t.subType) : 0;
    uint32_t base = t.baseClass != UINT32_MAX ? type(t.baseClass) : 0;
    m_out.align();
    uint32_t membersAt = t.members.empty() ? 0 : uint32_t(m_out.size());
    for (size_t i = 0; i < t.members.size(); i++) {
      m_out.u32(memberNames[i]);
      m_out.u32(memberTypes[i]);
      m_out.u32(t.members[i].offset);
    }
    uint32_t interfacesAt = interfaces.empty() ? 0 : uint32_t(m_out.size());
    for (uint32_t i : interfaces) m_out.u32(i);
    uint32_t at = uint32_t(m_out.size());
    m_out.u16(t.typeClass);
    m_out.u16(t.type);
    m_out.u16(t.rows);
    m_out.u16(t.columns);
    m_out.u16(t.elements);
    m_out.u16(uint16_t(t.members.size()));
    m_out.u32(membersAt);
    if (m_sizes.type >= 36) {
      m_out.u32(sub);
      m_out.u32(base);
      m_out.u32(uint32_t(interfaces.size()));
      m_out.u32(interfacesAt);
      m_out.u32(name);
    }
    m_types[index] = at;
    return at;
  }

  const Rdef& m_rdef;
  Sizes m_sizes;
  ByteWriter m_out;
  std::map<std::string, uint32_t> m_strings;
  std::map<uint32_t, uint32_t> m_types;
};

} // namespace

Result<Rdef> parseRdef(std::span<const uint8_t> data) { return Parser(data).run(); }

std::vector<uint8_t> writeRdef(const Rdef& rdef) { return Writer(rdef).run(); }

} // namespace monolith::dxbc
