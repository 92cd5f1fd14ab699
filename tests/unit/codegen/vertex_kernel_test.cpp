// SPDX-License-Identifier: MIT
#include "codegen/code_cache.h"
#include "codegen/routines.h"
#include "formats/reference.h"
#include "ir/builder.h"
#include "simd/cpu.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace monolith {

using codegen::SystemValue;
using formats::Format;

namespace {

codegen::SignatureElement element(const char* semantic, uint8_t reg, uint8_t mask, SystemValue system = SystemValue::None) {
  codegen::SignatureElement e;
  e.semantic = semantic;
  e.reg = reg;
  e.mask = e.usedMask = mask;
  e.system = system;
  return e;
}

/// o0 = position from v0, o1 = v1 (all four components).
std::unique_ptr<codegen::Program> passThrough() {
  auto p = std::make_unique<codegen::Program>();
  static uint64_t nextId = 1;
  p->id = nextId++;
  p->function = std::make_unique<ir::Function>();
  p->function->stage = ir::Stage::Vertex;
  ir::Builder b(*p->function);
  for (uint32_t r = 0; r < 2; ++r)
    for (uint32_t c = 0; c < 4; ++c)
      b.storeOutput(r, c, b.loadInput(r, c));
  b.finish();
  p->inputs = {element("POSITION", 0, 15), element("DATA", 1, 15)};
  p->outputs = {element("SV_POSITION", 0, 15, SystemValue::Position), element("DATA", 1, 15)};
  return p;
}

struct Packets {
  std::vector<float> packets;
  std::vector<uint32_t> codes;
  uint32_t slots = 0;
  float at(uint32_t vertex, uint32_t slot) const { return packets[(vertex / 8 * slots + slot) * 8 + vertex % 8]; }
  uint32_t bits(uint32_t vertex, uint32_t slot) const { return std::bit_cast<uint32_t>(at(vertex, slot)); }
};

/// Streams with 64 readable bytes behind.
struct Stream {
  std::vector<uint8_t> bytes;
  uint32_t size = 0, stride = 0;
  abi::VertexStream view() {
    size = uint32_t(bytes.size());
    bytes.resize(bytes.size() + 64, 0xcd);
    return {bytes.data(), size, stride};
  }
};

Packets runWith(codegen::Routines& routines, const codegen::VertexState& state, const std::vector<abi::VertexStream>& streams, std::vector<uint32_t> vertexIds,
        std::vector<uint32_t> instanceIds, int32_t baseVertex, uint32_t startInstance, const abi::ViewportTransform& viewport) {
  const auto routine = routines.vertex(state);
  EXPECT_TRUE(routine && routine->entry);
  Packets r;
  r.slots = state.outputs->slotCount;
  const uint32_t count = uint32_t(vertexIds.size()), padded = (count + 7) / 8 * 8;
  instanceIds.resize(count, instanceIds.empty() ? 0 : instanceIds.back());
  vertexIds.resize(padded, vertexIds.back());
  instanceIds.resize(padded, instanceIds.back());
  void* memory = aligned_alloc(32, padded * r.slots * 4);
  memset(memory, 0xee, padded * r.slots * 4);
  r.codes.resize(padded);
  abi::ThreadContext thread;
  static const uint8_t zeros[16] = {};
  abi::ConstantBuffer buffers[16];
  for (abi::ConstantBuffer& b : buffers)
    b = {zeros, 0, 0};
  const abi::StageBindings bindings{buffers, nullptr, nullptr};
  const abi::VertexArgs args{&bindings, streams.data(), vertexIds.data(), instanceIds.data(), count, baseVertex,
                             startInstance, r.slots * 32, static_cast<float*>(memory), r.codes.data(), &viewport, &thread, routine.get()};
  {
    const simd::FloatEnvironment environment;
    routine->entry(&args);
  }
  r.packets.assign(static_cast<float*>(memory), static_cast<float*>(memory) + padded * r.slots);
  free(memory);
  return r;
}

/// By generated code, which must equal the interpreter.
Packets run(const codegen::VertexState& state, const std::vector<abi::VertexStream>& streams, const std::vector<uint32_t>& vertexIds,
            const std::vector<uint32_t>& instanceIds = {}, int32_t baseVertex = 0, uint32_t startInstance = 0,
            const abi::ViewportTransform& viewport = {1, 0, 1, 0, 1, 0, 2, 2}) {
  static auto generated = codegen::Routines::create(1 << 20), interpreted = codegen::Routines::create(1 << 20, true);
  const Packets r = runWith(*generated, state, streams, vertexIds, instanceIds, baseVertex, startInstance, viewport);
  const Packets other = runWith(*interpreted, state, streams, vertexIds, instanceIds, baseVertex, startInstance, viewport);
  for (uint32_t v = 0; v < vertexIds.size(); ++v) {
    for (uint32_t slot = 0; slot < r.slots; ++slot) {
      const size_t at = (v / 8 * r.slots + slot) * 8 + v % 8;
      if (state.viewportTransform || slot < 4 || slot >= 8) {
        EXPECT_EQ(memcmp(&r.packets[at], &other.packets[at], 4), 0) << "vertex " << v << " slot " << slot;
      }
    }
    if (state.viewportTransform) {
      EXPECT_EQ(r.codes[v], other.codes[v]) << "vertex " << v;
    }
  }
  return r;
}

constexpr state::InputElement kPosition = {0, 0, Format::R32G32B32A32_FLOAT, 0, 0, 0};

TEST(VertexKernel, EveryFormatFetchesAsTheReference) {
  const auto program = passThrough();
  const auto outputs = codegen::layoutOutputs(*program);
  unsigned formatsSeen = 0;
  for (uint32_t n = 1; n < formats::kFormatCount; ++n) {
    const formats::FormatInfo& info = formats::info(Format(n));
    const uint64_t vertexBuffer = uint64_t(1) << unsigned(formats::Use::VertexBuffer);
    if (!info.isPlain() || info.isTypeless() ||
        !((info.support[6].required | info.support[6].optional) & vertexBuffer))
      continue;
    ++formatsSeen;
    Stream position, data;
    position.bytes.resize(16);
    data.stride = info.bytesPerBlock + 3;
    const uint32_t vertices = 37;
    uint32_t h = n;
    for (uint32_t b = 0; b < vertices * data.stride; ++b) {
      h = h * 1664525 + 1013904223;
      data.bytes.push_back(uint8_t(h >> 24));
    }
    const state::InputElement elements[] = {kPosition, {1, 1, Format(n), 0, 2, 0}};
    const codegen::VertexState state{program.get(), &outputs, elements, true, {}, {}};
    std::vector<uint32_t> ids;
    for (uint32_t v = 0; v < vertices + 4; ++v)
      ids.push_back(v);
    const std::vector<abi::VertexStream> streams = {position.view(), data.view()};
    const Packets r = run(state, streams, ids);
    for (uint32_t v = 0; v < vertices + 4; ++v) {
      uint32_t want[4] = {};
      if (uint64_t(v) * data.stride + 2 + info.bytesPerBlock <= data.size) {
        formats::Texel t;
        formats::unpack(Format(n), data.bytes.data() + v * data.stride + 2, t);
        memcpy(want, &t, sizeof want);
      }
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t got = r.bits(v, 8 + c);
        const bool nan = (want[c] & 0x7fffffff) > 0x7f800000 && (got & 0x7fffffff) > 0x7f800000;
        ASSERT_TRUE(got == want[c] || nan) << info.name << " vertex " << v << " component " << c << std::hex << ": " << got
                                           << ", expected " << want[c];
      }
    }
  }
  EXPECT_GT(formatsSeen, 40u);
}

TEST(VertexKernel, BaseVertexInstancesAndStepRates) {
  const auto program = passThrough();
  const auto outputs = codegen::layoutOutputs(*program);
  Stream position, data;
  position.stride = 16;
  for (uint32_t v = 0; v < 32; ++v)
    for (float f : {float(v), 0.f, 0.f, 1.f})
      for (int b = 0; b < 4; ++b)
        position.bytes.push_back(uint8_t(std::bit_cast<uint32_t>(f) >> (8 * b)));
  data.stride = 4;
  for (uint32_t v = 0; v < 16; ++v)
    for (uint8_t b : {uint8_t(v), uint8_t(0), uint8_t(0), uint8_t(0)})
      data.bytes.push_back(b);
  const std::vector<abi::VertexStream> streams = {position.view(), data.view()};
  for (uint32_t rate : {0u, 1u, 3u}) {
    const state::InputElement elements[] = {kPosition, {1, 1, Format::R32_UINT, 1, 0, rate}};
    const codegen::VertexState state{program.get(), &outputs, elements, true, {}, {}};
    const Packets r = run(state, streams, {0, 1, 2, 5, 6, 7, 8, 9, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 10, 2);
    for (uint32_t v = 0; v < 10; ++v) {
      const uint32_t ids[] = {0, 1, 2, 5, 6, 7, 8, 9, 3, 3};
      EXPECT_EQ(r.at(v, 0), float(ids[v] + 10));
      EXPECT_EQ(r.bits(v, 8), 2 + (rate ? v / rate : 0));
    }
  }
  // an index that goes below the buffer wraps far outside and reads zeros
  const state::InputElement elements[] = {kPosition};
  const codegen::VertexState state{program.get(), &outputs, elements, true, {}, {}};
  const Packets r = run(state, streams, {0, 4, ~0u, 31}, {}, -4);
  EXPECT_EQ(r.at(0, 3), 0.0f);
  EXPECT_EQ(r.at(1, 3), 1.0f);
  EXPECT_EQ(r.at(2, 3), 0.0f);
  EXPECT_EQ(r.at(3, 0), 27.0f);
}

TEST(VertexKernel, PositionsAndClipCodes) {
  const auto program = passThrough();
  const auto outputs = codegen::layoutOutputs(*program);
  const float nan = NAN, inf = INFINITY;
  const float positions[][4] = {{0, 0, 0.5f, 1},   {-2, 0, 0, 1},  {1.5f, 0, 0, 1}, {0, -9, 0, 2}, {0, 3, 0, 2},
                                {0, 0, -0.1f, 1},  {0, 0, 1.1f, 1}, {5, 5, 0, 1},   {0, 0, 0, 0},  {0, 0, 0, -1},
                                {nan, 0, 0, 1},    {0, 0, 0, nan}, {inf, 0, 0, 1},  {0.3f, 0.7f, 0.9f, 3.0f}};
  Stream position;
  position.stride = 16;
  position.bytes.resize(sizeof positions);
  memcpy(position.bytes.data(), positions, sizeof positions);
  const state::InputElement elements[] = {kPosition};
  const codegen::VertexState state{program.get(), &outputs, elements, true, {}, {}};
  std::vector<uint32_t> ids;
  for (uint32_t v = 0; v < std::size(positions); ++v)
    ids.push_back(v);
  const abi::ViewportTransform vp = {320, 320.5f, -240, 240, 0.5f, 0.25f, 4, 3};
  const Packets r = run(state, {position.view()}, ids, {}, 0, 0, vp);
  for (uint32_t v = 0; v < std::size(positions); ++v) {
    const float x = positions[v][0], y = positions[v][1], z = positions[v][2], w = positions[v][3];
    uint32_t code = 0;
    code |= x < -w ? abi::kClipLeft : 0u;
    code |= x > w ? abi::kClipRight : 0u;
    code |= y < -w ? abi::kClipBottom : 0u;
    code |= y > w ? abi::kClipTop : 0u;
    code |= z < 0 ? abi::kClipNear : 0u;
    code |= z > w ? abi::kClipFar : 0u;
    code |= x < -4 * w ? abi::kClipGuardLeft : 0u;
    code |= x > 4 * w ? abi::kClipGuardRight : 0u;
    code |= y < -3 * w ? abi::kClipGuardBottom : 0u;
    code |= y > 3 * w ? abi::kClipGuardTop : 0u;
    code |= w < abi::kMinClipW ? abi::kClipW : 0u;
    code |= std::isnan(x) || std::isnan(w) ? abi::kClipReject : 0u;
    EXPECT_EQ(r.codes[v], code) << v;
    if (code & (abi::kClipReject | abi::kClipW))
      continue;
    const float rw = 1 / w;
    const float sx = std::fma(x * rw, vp.scaleX, vp.offsetX) * 256;
    EXPECT_EQ(int32_t(r.bits(v, 4)), sx > 0x1p30f ? 1 << 30 : int32_t(std::nearbyint(sx))) << v;
    EXPECT_EQ(int32_t(r.bits(v, 5)), int32_t(std::nearbyint(std::fma(y * rw, vp.scaleY, vp.offsetY) * 256))) << v;
    EXPECT_EQ(r.at(v, 6), std::fma(z * rw, vp.scaleZ, vp.offsetZ));
    EXPECT_EQ(r.at(v, 7), rw);
  }
}

TEST(VertexKernel, DistancesAndUnwrittenOutputs) {
  auto program = passThrough();
  // o1.x: clip distance, o1.y: cull distance, o2: declared, never written
  program->outputs[1] = element("SV_ClipDistance", 1, 1, SystemValue::ClipDistance);
  program->outputs.push_back(element("SV_CullDistance", 1, 2, SystemValue::CullDistance));
  program->outputs.push_back(element("COLOR", 2, 15));
  const auto outputs = codegen::layoutOutputs(*program);
  Stream data;
  const float values[] = {1, 1, -1, 1, 1, -1, NAN, 1, 0, 0};
  data.stride = 8;
  data.bytes.resize(sizeof values);
  memcpy(data.bytes.data(), values, sizeof values);
  Stream position;
  position.bytes.resize(16);
  const float one[4] = {0, 0, 0, 1};
  memcpy(position.bytes.data(), one, 16);
  const state::InputElement elements[] = {kPosition, {1, 1, Format::R32G32_FLOAT, 0, 0, 0}};
  const codegen::VertexState state{program.get(), &outputs, elements, true, {}, {}};
  const Packets r = run(state, {position.view(), data.view()}, {0, 1, 2, 3, 4});
  EXPECT_EQ(r.codes[0], 0u);
  EXPECT_EQ(r.codes[1], uint32_t(abi::kClipDistance0));
  EXPECT_EQ(r.codes[2], uint32_t(abi::kCullDistance0));
  EXPECT_EQ(r.codes[3], uint32_t(abi::kClipDistance0 | abi::kClipReject));
  EXPECT_EQ(r.codes[4], 0u);
  for (uint32_t c = 0; c < 4; ++c)
    EXPECT_EQ(r.at(2, outputs.slot[2][c]), 0.0f);
}

struct FakeRoutine {
  int number;
  size_t codeBytes() const { return 100; }
};

TEST(CodeCache, DropsWhatWasUsedLongestAgo) {
  codegen::CodeCache<FakeRoutine> cache(250);
  int made = 0;
  const auto get = [&](uint8_t k) {
    return cache.get({k, 1, 2}, [&] { return std::make_shared<const FakeRoutine>(FakeRoutine{made++}); })->number;
  };
  EXPECT_EQ(get(1), 0);
  EXPECT_EQ(get(2), 1);
  EXPECT_EQ(get(1), 0);
  EXPECT_EQ(get(3), 2); // drops 2
  EXPECT_EQ(get(1), 0);
  EXPECT_EQ(get(2), 3);
  const codegen::CacheCounters c = cache.counters();
  EXPECT_EQ(c.hits, 2u);
  EXPECT_EQ(c.misses, 4u);
  EXPECT_EQ(c.dropped, 2u);
  EXPECT_EQ(c.bytes, 200u);
}

} // namespace
} // namespace monolith
