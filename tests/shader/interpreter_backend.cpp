// SPDX-License-Identifier: MIT
// The interpreter as backend, with a small environment: linear memory for buffers, point sampling with clamping for
// textures (filtering has its own tests elsewhere; here the operands on the way to the sampler matter).
#include "backend.h"
#include "test_environment.h"

#include "ir/interpreter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace monolith::test {

namespace {

using ir::Instruction;
using ir::MemorySpace;
using ir::Op;
using ir::ResourceDim;

float asFloat(uint32_t w) { return std::bit_cast<float>(w); }
uint32_t asWord(float f) { return std::bit_cast<uint32_t>(f); }

class TestEnvironment : public ir::Environment {
public:
  TestEnvironment(const ir::Function& f, ShaderState& s, ShaderOutputs& o) : m_f(f), m_s(s), m_o(o) {}

  void loadInput(uint32_t reg, uint32_t component, uint32_t* out) override { copy(m_s.inputs, reg * 4 + component, out); }
  void loadSystem(ir::SystemValue v, uint32_t component, uint32_t* out) override {
    copy(m_s.system, static_cast<uint32_t>(v) * 4 + component, out);
  }
  void evalInput(Op, uint32_t reg, uint32_t component, const uint32_t*, const uint32_t*, uint32_t* out) override {
    copy(m_s.inputs, reg * 4 + component, out);
  }
  uint32_t loadConstant(uint32_t slot, uint32_t index, uint32_t component) override {
    const auto it = m_s.constants.find(slot);
    return it != m_s.constants.end() && index < it->second.size() ? it->second[index][component] : 0;
  }
  void loadIndexedInput(Op op, uint32_t reg, uint32_t component, const uint32_t* index, uint32_t* out) override {
    for (unsigned l = 0; l < kLanes; l++) {
      const uint32_t n = index ? index[l] : 0;
      const auto& map = op == Op::LoadPatchConstant ? m_s.patchConstants : op == Op::LoadOutputPoint ? m_s.outputPoints : m_s.vertexInputs;
      const auto it = n > 64 ? map.end() : map.find(op == Op::LoadPatchConstant ? (reg + n) * 4 + component : vertexKey(n, reg, component));
      out[l] = it == map.end() ? 0 : it->second[l];
    }
  }
  void emitVertex(Op op, uint32_t stream, uint8_t mask) override {
    for (unsigned l = 0; l < kLanes; l++) {
      if (!(mask >> l & 1)) continue;
      if (op == Op::CutStrip) {
        m_o.cuts[l].push_back(static_cast<uint32_t>(m_o.vertices[l].size()));
        continue;
      }
      EmittedVertex v;
      v.stream = stream;
      for (const auto& [key, lanes] : m_o.outputs) v.outputs[key] = lanes[l];
      m_o.vertices[l].push_back(std::move(v));
    }
  }
  void storeOutput(Op op, uint32_t reg, uint32_t component, const uint32_t* value, const uint32_t* index, uint8_t mask) override {
    if (op == Op::StorePatchConstant) {
      for (unsigned l = 0; l < kLanes; l++)
        if ((mask >> l & 1) && (!index || index[l] < 32)) {
          const uint32_t key = (reg + (index ? index[l] : 0)) * 4 + component;
          m_o.patchConstants[key][l] = value[l];
          m_o.patchConstantMask[key] |= uint8_t(1u << l);
        }
      return;
    }
    LaneArray& a = op == Op::StoreDepth        ? m_o.depth
                   : op == Op::StoreCoverage   ? m_o.coverage
                   : op == Op::StoreStencilRef ? m_o.stencilRef
                                               : m_o.outputs[reg * 4 + component];
    for (unsigned l = 0; l < kLanes; l++)
      if (mask >> l & 1) a[l] = value[l];
  }
  void resource(const ir::Function&, const Instruction& i, const uint32_t* const* in, uint32_t* const* out,
                uint8_t mask) override;
  void sync(uint32_t flags) override {
    if (m_s.barrier) m_s.barrier(flags);
  }

private:
  static void copy(const std::map<uint32_t, LaneArray>& from, uint32_t key, uint32_t* out) {
    const auto it = from.find(key);
    for (unsigned l = 0; l < kLanes; l++) out[l] = it == from.end() ? 0 : it->second[l];
  }
  TestResource* find(const Instruction& i);
  static const Vec4* texel(const TestResource& r, const int64_t* at, int64_t slice, int64_t mip, int64_t sample);
  void load(const Instruction& i, const TestResource* r, const uint32_t* in, uint32_t* out);
  void sample(const Instruction& i, const TestResource* r, const uint32_t* in, uint32_t* out);
  void info(const Instruction& i, const TestResource* r, const uint32_t* in, uint32_t* out);
  void memory(const Instruction& i, TestResource* r, const uint32_t* in, uint32_t* out, bool active);
  static uint32_t atomic(Op op, uint32_t old, uint32_t a, uint32_t b);

  const ir::Function& m_f;
  ShaderState& m_s;
  ShaderOutputs& m_o;
};

TestResource* TestEnvironment::find(const Instruction& i) {
  if (i.attr == ir::kRasterizer) return nullptr;
  const bool memory = ir::opInfo(i.op).attr == ir::AttrKind::Memory;
  if (memory && i.attr2 == static_cast<uint32_t>(MemorySpace::Shared)) {
    if (!m_s.sharedMemory) return nullptr;
    const auto it = m_s.sharedMemory->find(m_f.shared[i.attr].slot);
    return it == m_s.sharedMemory->end() ? nullptr : &it->second;
  }
  // ResInfo and BufInfo name unordered access by their second attribute, too.
  const bool uav = (memory || i.op == Op::ResInfo || i.op == Op::BufInfo) && i.attr2 == static_cast<uint32_t>(MemorySpace::Uav);
  auto& map = uav ? m_s.uavMemory ? *m_s.uavMemory : m_s.uavs : m_s.resources;
  const auto it = map.find(uav ? m_f.uavs[i.attr].slot : m_f.resources[i.attr].slot);
  return it == map.end() ? nullptr : &it->second;
}

/// Null outside.
const Vec4* TestEnvironment::texel(const TestResource& r, const int64_t* at, int64_t slice, int64_t mip, int64_t sample) {
  if (mip < 0 || mip >= r.mips || sample < 0 || sample >= r.samples) return nullptr;
  const bool volume = r.dim == ResourceDim::Texture3D;
  size_t offset = 0;
  int64_t w = r.width, h = r.height, d = r.depth;
  for (int64_t m = 0; m < mip; m++) {
    offset += static_cast<size_t>(w * h * d);
    w = std::max<int64_t>(1, w / 2), h = std::max<int64_t>(1, h / 2);
    if (volume) d = std::max<int64_t>(1, d / 2);
  }
  const int64_t z = volume ? at[2] : slice;
  if (at[0] < 0 || at[0] >= w || at[1] < 0 || at[1] >= h || z < 0 || z >= d) return nullptr;
  offset = (offset + static_cast<size_t>((z * h + at[1]) * w + at[0])) * r.samples + static_cast<size_t>(sample);
  return offset < r.texels.size() ? &r.texels[offset] : nullptr;
}

void TestEnvironment::load(const Instruction& i, const TestResource* r, const uint32_t* in, uint32_t* out) {
  if (!r) return;
  const ResourceDim dim = ir::opInfo(i.op).attr == ir::AttrKind::Memory ? m_f.uavs[i.attr].dim : m_f.resources[i.attr].dim;
  const unsigned axes = ir::spatialCount(dim), count = ir::coordinateCount(dim);
  int64_t at[3] = {0, 0, 0};
  for (unsigned n = 0; n < axes; n++) at[n] = in[n] + static_cast<uint32_t>(int32_t(i.offset[n])); // wraps in 32 bits
  const int64_t slice = ir::isArray(dim) ? in[axes] : 0;
  const bool hasMip = i.op == Op::Ld && dim != ResourceDim::Buffer;
  const Vec4* t = texel(*r, at, slice, hasMip ? in[count] : 0, i.op == Op::LdMs ? in[count] : 0);
  for (unsigned c = 0; c < 4 && t; c++) out[c] = (*t)[c];
}

void TestEnvironment::sample(const Instruction& i, const TestResource* r, const uint32_t* in, uint32_t* out) {
  if (!r) return;
  const ResourceDim dim = m_f.resources[i.attr].dim;
  const unsigned axes = ir::spatialCount(dim), count = ir::coordinateCount(dim);
  const uint32_t sizes[3] = {r->width, r->height, r->depth};
  if (i.op == Op::Lod) return;
  const bool gather = i.op >= Op::Gather4 && i.op <= Op::Gather4PoC;
  int64_t at[3] = {0, 0, 0}, offset[3] = {i.offset[0], i.offset[1], i.offset[2]};
  const bool programmable = i.op == Op::Gather4Po || i.op == Op::Gather4PoC;
  for (unsigned n = 0; n < 2 && programmable; n++) offset[n] = static_cast<int32_t>(in[count + n] << 26) >> 26;
  const int64_t mip = i.op == Op::SampleL ? static_cast<int64_t>(std::lrint(asFloat(in[count]))) : 0;
  for (unsigned n = 0; n < axes; n++) {
    const uint32_t size = std::max(1u, sizes[n] >> mip);
    at[n] = static_cast<int64_t>(std::floor(asFloat(in[n]) * float(size) - (gather ? 0.5f : 0.0f))) + offset[n];
  }
  const int64_t slice = ir::isArray(dim) ? std::clamp<int64_t>(std::lrint(asFloat(in[axes])), 0, r->depth - 1) : 0;
  const auto fetch = [&](int64_t dx, int64_t dy) {
    int64_t p[3] = {at[0] + dx, at[1] + dy, at[2]};
    for (unsigned n = 0; n < axes; n++) p[n] = std::clamp<int64_t>(p[n], 0, std::max(1u, sizes[n] >> mip) - 1);
    const Vec4* t = texel(*r, p, slice, mip, 0);
    return t ? *t : Vec4{};
  };
  const bool compare = i.op == Op::SampleC || i.op == Op::SampleCLz || i.op == Op::Gather4C || i.op == Op::Gather4PoC;
  const float reference = compare ? asFloat(in[count + (programmable ? 2 : 0)]) : 0;
  const auto shade = [&](uint32_t w) { return compare ? asWord(reference <= asFloat(w) ? 1.0f : 0.0f) : w; };
  if (gather) {
    const Vec4 t[4] = {fetch(0, 1), fetch(1, 1), fetch(1, 0), fetch(0, 0)};
    for (unsigned c = 0; c < 4; c++) out[c] = shade(t[c][i.component]);
    return;
  }
  const Vec4 t = fetch(0, 0);
  for (unsigned c = 0; c < 4; c++) out[c] = compare ? shade(t[0]) : t[c];
}

void TestEnvironment::info(const Instruction& i, const TestResource* r, const uint32_t* in, uint32_t* out) {
  switch (i.op) {
  case Op::BufInfo:
    if (!r) return;
    out[0] = r->dim == ResourceDim::RawBuffer          ? static_cast<uint32_t>(r->words.size() * 4)
             : r->dim == ResourceDim::StructuredBuffer ? static_cast<uint32_t>(r->words.size() * 4 / r->stride)
                                                       : r->width;
    return;
  case Op::SampleInfo:
    if (r) out[0] = i.component == 2 ? r->samples : asWord(float(r->samples));
    return;
  case Op::ResInfo: {
    uint32_t size[4] = {0, 0, 0, r ? r->mips : 0};
    const ResourceDim dim = i.attr2 ? m_f.uavs[i.attr].dim : m_f.resources[i.attr].dim;
    const unsigned axes = dim == ResourceDim::TextureCube || dim == ResourceDim::TextureCubeArray ? 2 : ir::spatialCount(dim);
    if (r && in[0] < r->mips) {
      const uint32_t all[3] = {r->width, r->height, r->depth};
      for (unsigned n = 0; n < axes; n++) size[n] = std::max(1u, all[n] >> in[0]);
      if (ir::isArray(dim)) size[axes] = r->depth;
    }
    for (unsigned c = 0; c < 4; c++)
      out[c] = i.component == 2 ? size[c] : i.component == 1 && c < axes ? asWord(1.0f / float(size[c])) : asWord(float(size[c]));
    return;
  }
  default: return; // SamplePos: zero
  }
}

uint32_t TestEnvironment::atomic(Op op, uint32_t old, uint32_t a, uint32_t b) {
  switch (op) {
  case Op::AtomicAnd: return old & a;
  case Op::AtomicOr: return old | a;
  case Op::AtomicXor: return old ^ a;
  case Op::AtomicIAdd: return old + a;
  case Op::AtomicIMin: return static_cast<uint32_t>(std::min(static_cast<int32_t>(old), static_cast<int32_t>(a)));
  case Op::AtomicIMax: return static_cast<uint32_t>(std::max(static_cast<int32_t>(old), static_cast<int32_t>(a)));
  case Op::AtomicUMin: return std::min(old, a);
  case Op::AtomicUMax: return std::max(old, a);
  case Op::AtomicExch: return a;
  default: return old == a ? b : old;
  }
}

void TestEnvironment::memory(const Instruction& i, TestResource* r, const uint32_t* in, uint32_t* out, bool active) {
  if (!r) return;
  if (i.op == Op::CounterAlloc || i.op == Op::CounterConsume) {
    if (active) out[0] = i.op == Op::CounterAlloc ? r->counter++ : --r->counter;
    return;
  }
  uint64_t at = 0;
  unsigned n = 1;
  if (i.op == Op::UavStoreTyped) {
    const ResourceDim dim = m_f.uavs[i.attr].dim;
    int64_t p[3] = {0, 0, 0};
    for (unsigned k = 0; k < ir::spatialCount(dim); k++) p[k] = in[k];
    const Vec4* t = texel(*r, p, ir::isArray(dim) ? in[ir::spatialCount(dim)] : 0, 0, 0);
    if (t && active) std::memcpy(const_cast<Vec4*>(t), in + ir::coordinateCount(dim), sizeof *t);
    return;
  }
  if (r->dim < ResourceDim::RawBuffer) { // an atomic operation on a texel
    const ResourceDim dim = m_f.uavs[i.attr].dim;
    const unsigned count = ir::coordinateCount(dim), axes = ir::spatialCount(dim);
    int64_t p[3] = {0, 0, 0};
    for (unsigned k = 0; k < axes; k++) p[k] = in[k];
    Vec4* t = const_cast<Vec4*>(texel(*r, p, ir::isArray(dim) ? in[axes] : 0, 0, 0));
    if (!t || !active) return;
    out[0] = (*t)[0];
    (*t)[0] = atomic(i.op, out[0], in[count], i.op == Op::AtomicCmpExch ? in[count + 1] : 0);
    return;
  }
  uint64_t limit = r->words.size() * 4;
  if (r->dim == ResourceDim::StructuredBuffer) {
    at = uint64_t(in[0]) * r->stride + in[1];
    limit = std::min<uint64_t>(limit, (uint64_t(in[0]) + 1) * r->stride);
    n = 2;
  } else {
    at = in[0] & ~3u;
  }
  const auto inside = [&](unsigned k) { return at + 4 * k + 4 <= limit; };
  if (i.op == Op::LdRaw || i.op == Op::LdStructured) {
    for (unsigned k = 0; k < 4; k++) out[k] = inside(k) ? r->words[(at >> 2) + k] : 0;
  } else if (i.op == Op::StoreRaw || i.op == Op::StoreStructured) {
    for (unsigned k = 0; n + k < i.operandCount && active; k++)
      if (inside(k)) r->words[(at >> 2) + k] = in[n + k];
  } else if (active && inside(0)) {
    out[0] = r->words[at >> 2];
    r->words[at >> 2] = atomic(i.op, out[0], in[n], i.op == Op::AtomicCmpExch ? in[n + 1] : 0);
  }
}

void TestEnvironment::resource(const ir::Function&, const Instruction& i, const uint32_t* const* in, uint32_t* const* out,
                               uint8_t mask) {
  TestResource* r = find(i);
  for (unsigned l = 0; l < kLanes; l++) {
    uint32_t a[16] = {}, b[8] = {};
    for (unsigned n = 0; n < i.operandCount; n++) a[n] = in[n][l];
    const ir::AttrKind kind = ir::opInfo(i.op).attr;
    if (i.op == Op::ResInfo || i.op == Op::BufInfo || i.op == Op::SampleInfo || i.op == Op::SamplePos) info(i, r, a, b);
    else if (kind == ir::AttrKind::Sample) sample(i, r, a, b);
    else if (i.op == Op::Ld || i.op == Op::LdMs || i.op == Op::UavLoadTyped) load(i, r, a, b);
    else memory(i, r, a, b, (mask >> l & 1) != 0);
    if (i.flags & ir::kFlagStatus) b[i.resultCount - 1] = ~0u;
    for (unsigned n = 0; n < i.resultCount; n++) out[n][l] = b[n];
  }
}

class InterpreterBackend : public Backend {
public:
  const char* name() const override { return "interpreter"; }
  std::string run(const ir::Function& f, ShaderState& state, uint8_t mask, ShaderOutputs& out) override {
    ir::Interpreter interpreter(f);
    TestEnvironment env(f, state, out);
    const ir::RunResult r = interpreter.run(env, kLanes, mask);
    out.discarded = r.discarded;
    return r.status == ir::RunStatus::Done ? "" : "out of budget";
  }
};

} // namespace

std::vector<std::unique_ptr<Backend>>& backends() {
  static std::vector<std::unique_ptr<Backend>> all = [] {
    std::vector<std::unique_ptr<Backend>> list;
    list.push_back(std::make_unique<InterpreterBackend>());
    return list;
  }();
  return all;
}

std::unique_ptr<ir::Environment> makeTestEnvironment(const ir::Function& f, ShaderState& state, ShaderOutputs& out) {
  return std::make_unique<TestEnvironment>(f, state, out);
}

} // namespace monolith::test
