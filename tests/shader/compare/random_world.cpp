// SPDX-License-Identifier: MIT
#include "random_world.h"

#include <bit>
#include <cctype>

namespace monolith::test {

namespace {

constexpr uint16_t kTypeBool = 1, kTypeInt = 2, kTypeUint = 19; // D3D_SVT_*
constexpr uint32_t kExtent = 8, kMips = 3, kSlices = 6, kWords = 512, kControlPoints = 32;

uint64_t mix(uint64_t h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

void markWords(const dxbc::Rdef& rdef, uint32_t type, uint32_t byte, std::map<uint32_t, uint16_t>& words) {
  const dxbc::RdefType& t = rdef.types[type];
  const uint32_t elements = t.elements ? t.elements : 1;
  if (!t.members.empty()) {
    uint32_t size = 0; // the distance of elements is not stored: members from the last one's end to a whole register
    const dxbc::RdefMember& last = t.members.back();
    const dxbc::RdefType& lastType = rdef.types[last.type];
    const uint32_t lastElements = lastType.elements ? lastType.elements : 1;
    size = (last.offset + 16 * lastElements * (lastType.rows ? lastType.rows : 1) + 15) & ~15u;
    for (uint32_t e = 0; e < elements; e++)
      for (const dxbc::RdefMember& m : t.members) markWords(rdef, m.type, byte + e * size + m.offset, words);
    return;
  }
  const uint32_t vectors = elements * (t.rows > 1 ? t.rows : 1);
  for (uint32_t v = 0; v < vectors && v < 4096; v++)
    for (uint32_t c = 0; c < t.columns && c < 4; c++) words[(byte + v * 16) / 4 + c] = t.type;
}

} // namespace

ConstantTypes constantTypes(const dxbc::Rdef& rdef) {
  ConstantTypes types;
  for (const dxbc::RdefBinding& b : rdef.bindings)
    for (const dxbc::RdefConstantBuffer& cb : rdef.constantBuffers)
      if (b.type == 0 && b.name == cb.name)
        for (const dxbc::RdefVariable& v : cb.variables)
          if (v.type < rdef.types.size()) markWords(rdef, v.type, v.offset, types[b.bindPoint]);
  return types;
}

uint64_t RandomWorld::hash(std::string_view name, uint64_t a, uint64_t b) const {
  uint64_t h = mix(m_seed + 0x9e3779b97f4a7c15u);
  for (const char c : name) h = mix(h ^ static_cast<uint64_t>(std::tolower(static_cast<unsigned char>(c))));
  return mix(mix(h ^ a) + b);
}

/// Mostly of moderate size, now and then the values at which programs branch.
uint32_t RandomWorld::floatWord(uint64_t h) const {
  const float unit = static_cast<float>(h >> 40) / 16777216.0f;
  static constexpr float kSpecial[] = {0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 3.0f};
  switch (h & 7) {
  case 0: return std::bit_cast<uint32_t>(kSpecial[(h >> 8) % std::size(kSpecial)]);
  case 1:
  case 2: return std::bit_cast<uint32_t>(unit * 2.0f - 1.0f);
  case 3: return std::bit_cast<uint32_t>(unit * 8.0f - 4.0f);
  default: return std::bit_cast<uint32_t>(unit);
  }
}

uint32_t RandomWorld::wordOf(dxbc::ComponentType type, uint64_t h) const {
  switch (type) {
  case dxbc::ComponentType::Uint: return static_cast<uint32_t>(h >> 32) % 7;
  case dxbc::ComponentType::Sint: return static_cast<uint32_t>(static_cast<int32_t>((h >> 32) % 9) - 2);
  default: return floatWord(h);
  }
}

TestResource RandomWorld::resource(ir::ResourceDim dim, const ir::ReturnType type[4], uint32_t stride, uint32_t samples, uint64_t key) const {
  TestResource r;
  r.dim = dim;
  r.stride = stride;
  if (dim == ir::ResourceDim::RawBuffer || dim == ir::ResourceDim::StructuredBuffer) {
    r.words.resize(kWords);
    for (uint32_t n = 0; n < kWords; n++) r.words[n] = floatWord(hash("word", key, n));
    return r;
  }
  const bool buffer = dim == ir::ResourceDim::Buffer, flat = dim == ir::ResourceDim::Texture1D || dim == ir::ResourceDim::Texture1DArray;
  const bool ms = dim == ir::ResourceDim::Texture2DMS || dim == ir::ResourceDim::Texture2DMSArray;
  r.width = buffer ? 64 : kExtent;
  r.height = buffer || flat ? 1 : kExtent;
  r.depth = dim == ir::ResourceDim::Texture3D ? kExtent : ir::isArray(dim) ? kSlices : 1;
  r.mips = buffer || ms ? 1 : kMips;
  r.samples = ms ? (samples ? samples : 4) : 1;
  size_t count = 0;
  for (uint32_t m = 0; m < r.mips; m++)
    count += size_t(std::max(1u, r.width >> m)) * std::max(1u, r.height >> m) *
             (dim == ir::ResourceDim::Texture3D ? std::max(1u, r.depth >> m) : r.depth) * r.samples;
  r.texels.resize(count);
  for (size_t n = 0; n < count; n++)
    for (uint32_t c = 0; c < 4; c++) {
      const uint64_t h = hash("texel", key, n * 4 + c);
      const bool integer = type[c] == ir::ReturnType::UInt || type[c] == ir::ReturnType::SInt;
      r.texels[n][c] = integer ? static_cast<uint32_t>(h >> 32) % 9 : std::bit_cast<uint32_t>(static_cast<float>(h >> 40) / 16777216.0f);
    }
  return r;
}

void RandomWorld::fillSignature(const dxbc::Signature& signature, uint32_t vertices, bool patch, ShaderState& state) const {
  for (const dxbc::SignatureElement& e : signature.elements)
    for (uint32_t c = 0; c < 4; c++) {
      if (!(e.mask >> c & 1) || e.reg >= kRegistersPerVertex) continue;
      const unsigned first = static_cast<unsigned>(std::countr_zero(e.mask)); // a semantic may lie at other components
      for (uint32_t v = 0; v < std::max(1u, vertices); v++) {
        LaneArray& lanes = patch ? state.patchConstants[e.reg * 4 + c] : vertices ? state.vertexInputs[vertexKey(v, e.reg, c)] : state.inputs[e.reg * 4 + c];
        for (unsigned l = 0; l < kLanes; l++)
          lanes[l] = wordOf(e.componentType, hash(e.semantic, e.semanticIndex * 4 + c - first + (patch ? 1000 : 0), v * kLanes + l));
      }
    }
}

void RandomWorld::fillSystem(ShaderState& state) const {
  using ir::SystemValue;
  const auto set = [&](SystemValue v, uint32_t component, auto value) {
    for (unsigned l = 0; l < kLanes; l++) state.system[static_cast<uint32_t>(v) * 4 + component][l] = value(l);
  };
  const auto number = [](float f) { return std::bit_cast<uint32_t>(f); };
  set(SystemValue::Position, 0, [&](unsigned l) { return number(static_cast<float>(l & 1) + 2.5f + 2.0f * static_cast<float>(l / 4)); });
  set(SystemValue::Position, 1, [&](unsigned l) { return number(static_cast<float>(l >> 1 & 1) + 4.5f); });
  set(SystemValue::Position, 2, [&](unsigned l) { return number(static_cast<float>(hash("depth", l) >> 40) / 16777216.0f); });
  set(SystemValue::Position, 3, [&](unsigned) { return number(1.0f); });
  for (const SystemValue v : {SystemValue::VertexId, SystemValue::PrimitiveId, SystemValue::InstanceId, SystemValue::SampleIndex, SystemValue::GsInstanceId,
                              SystemValue::RenderTargetArrayIndex, SystemValue::ViewportArrayIndex, SystemValue::OutputControlPointId})
    set(v, 0, [&](unsigned l) { return static_cast<uint32_t>(hash("system", static_cast<uint64_t>(v), l) % 4); });
  set(SystemValue::IsFrontFace, 0, [&](unsigned l) { return hash("face", l) & 1 ? ~0u : 0u; });
  set(SystemValue::Coverage, 0, [&](unsigned l) { return static_cast<uint32_t>(hash("coverage", l) & 15); });
  for (uint32_t c = 0; c < 3; c++)
    set(SystemValue::DomainLocation, c, [&](unsigned l) { return number(static_cast<float>(hash("domain", c, l) >> 40) / 16777216.0f); });
}

ShaderState RandomWorld::stateFor(const dxbc::Shader& shader, const ir::Function& f) const {
  ShaderState state;
  const bool arrays = shader.stage == dxbc::ShaderStage::Geometry || shader.stage == dxbc::ShaderStage::Domain;
  fillSignature(shader.inputs, arrays ? kControlPoints : 0, false, state);
  fillSignature(shader.patchConstants, 0, true, state);
  fillSystem(state);
  // Position and the like may also be read as plain inputs.
  for (const ir::InputDecl& d : f.inputs)
    if (d.system != ir::SystemValue::None)
      for (uint32_t c = 0; c < 4; c++)
        if (const auto it = state.system.find(static_cast<uint32_t>(d.system) * 4 + c); it != state.system.end() && d.mask >> c & 1)
          state.inputs[d.reg * 4 + c] = it->second;
  for (const ir::ConstantBufferDecl& d : f.constantBuffers) {
    std::vector<Vec4>& rows = state.constants[d.slot];
    rows.resize(4096);
    const auto types = m_types.find(d.slot);
    for (uint32_t n = 0; n < rows.size() * 4; n++) {
      uint16_t type = 3;
      if (types != m_types.end())
        if (const auto it = types->second.find(n); it != types->second.end()) type = it->second;
      const dxbc::ComponentType kind = type == kTypeBool || type == kTypeUint ? dxbc::ComponentType::Uint
                                       : type == kTypeInt                     ? dxbc::ComponentType::Sint
                                                                              : dxbc::ComponentType::Float;
      rows[n / 4][n & 3] = wordOf(kind, hash("constant", d.slot, n));
    }
  }
  for (const ir::ResourceDecl& d : f.resources) state.resources[d.slot] = resource(d.dim, d.type, d.stride, d.sampleCount, d.slot);
  for (const ir::UavDecl& d : f.uavs) state.uavs[d.slot] = resource(d.dim, d.type, d.stride, 0, 256 + d.slot);
  return state;
}

} // namespace monolith::test
