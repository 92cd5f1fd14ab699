// SPDX-License-Identifier: MIT
#include "geometry/process.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

namespace monolith::geometry {
namespace {

constexpr uint32_t kSlots = 10; // slot 8: vertex id (constant), slot 9: x again (linear)

/// Writes positions from stream 0 (float4 each), the id in slot 8, x in slot 9; clip codes as the contract says.
void fakeKernel(const abi::VertexArgs* a) {
  for (uint32_t i = 0; i < (a->count + 7) / 8 * 8; ++i) {
    float* packet = a->packets + size_t(i / 8) * (a->packetStride / 4) + i % 8;
    const uint64_t at = uint64_t(a->vertexIds[i] + uint32_t(a->baseVertex)) * a->streams[0].stride;
    ClipVertex v{};
    if (at + 16 <= a->streams[0].size)
      std::memcpy(v.v, a->streams[0].base + at, 16);
    v.v[0] += float(a->instanceIds[i]) * 100;
    project(v, *a->viewport);
    v.v[8] = float(a->vertexIds[i]);
    v.v[9] = v.v[0];
    for (uint32_t s = 0; s < kSlots; ++s)
      packet[s * 8] = v.v[s];
    const float x = v.v[0], y = v.v[1], z = v.v[2], w = v.v[3];
    uint32_t c = 0;
    c |= x < -w ? uint32_t(abi::kClipLeft) : 0u;
    c |= x > w ? uint32_t(abi::kClipRight) : 0u;
    c |= y < -w ? uint32_t(abi::kClipBottom) : 0u;
    c |= y > w ? uint32_t(abi::kClipTop) : 0u;
    c |= z < 0 ? uint32_t(abi::kClipNear) : 0u;
    c |= z > w ? uint32_t(abi::kClipFar) : 0u;
    c |= x < -a->viewport->guardX * w ? uint32_t(abi::kClipGuardLeft) : 0u;
    c |= x > a->viewport->guardX * w ? uint32_t(abi::kClipGuardRight) : 0u;
    c |= w < abi::kMinClipW ? uint32_t(abi::kClipW) : 0u;
    c |= x != x ? uint32_t(abi::kClipReject) : 0u;
    a->clipCodes[i] = c;
  }
}

struct Primitive {
  std::vector<std::vector<float>> v;
  uint32_t id;
  uint8_t edges;
  bool operator==(const Primitive&) const = default;
};

class FakeBinner : public binning::Binner {
public:
  void begin(const tiles::Scene&) override {}
  void setDraw(const tiles::DrawSetup* draw) override { m_draw = draw; }
  void triangles(const binning::VertexBatch& b, const uint32_t* i, uint32_t n, const uint32_t* ids, uint32_t first,
                 const uint8_t* edges) override {
    for (uint32_t t = 0; t < n; ++t)
      add(b, i + t * 3, 3, ids ? ids[t] : first + t, edges ? edges[t] : 7);
  }
  void lines(const binning::VertexBatch& b, const uint32_t* i, uint32_t n, uint32_t first) override {
    for (uint32_t t = 0; t < n; ++t)
      add(b, i + t * 2, 2, first + t, 0);
  }
  void points(const binning::VertexBatch& b, const uint32_t* i, uint32_t n, uint32_t first) override {
    for (uint32_t t = 0; t < n; ++t)
      add(b, i + t, 1, first + t, 0);
  }
  uint64_t memoryUsed() const override { return 0; }
  bool ok() const override { return true; }
  void setMemoryLimit(uint64_t) override {}
  void* allocate(uint64_t bytes) override {
    m_blocks.emplace_back(static_cast<uint8_t*>(std::aligned_alloc(64, (bytes + 63) & ~63ull)), std::free);
    return m_blocks.back().get();
  }
  tiles::ChunkBins* bins() override { return nullptr; }
  std::vector<Primitive> out;
  std::vector<tiles::DrawSetup> draws; ///< Of each primitive.

private:
  void add(const binning::VertexBatch& b, const uint32_t* i, uint32_t n, uint32_t id, uint8_t edges) {
    Primitive p{{}, id, edges};
    for (uint32_t k = 0; k < n; ++k) {
      std::vector<float> v(kSlots);
      for (uint32_t s = 0; s < kSlots; ++s)
        v[s] = b.packets[size_t(i[k] >> 3) * (b.packetStride / 4) + s * 8 + (i[k] & 7)];
      p.v.push_back(v);
    }
    out.push_back(p);
    draws.push_back(m_draw ? *m_draw : tiles::DrawSetup{});
  }
  const tiles::DrawSetup* m_draw = nullptr;
  std::vector<std::unique_ptr<uint8_t, void (*)(void*)>> m_blocks;
};

struct Fixture {
  std::vector<float> positions;
  std::vector<uint8_t> indices;
  abi::VertexStream stream{};
  VertexSetup setup;
  tiles::DrawSetup draw{};
  Statistics statistics[1] = {};

  Fixture() {
    setup.kernel = fakeKernel;
    setup.slotCount = kSlots;
    setup.topology = state::Topology::TriangleList;
    setup.classes.constant[0] = 1 << 8;
    draw.viewport = {32, 32, -32, 32, 1, 0, 100, 100};
  }
  void vertex(float x, float y, float z = 0.5f, float w = 1) { positions.insert(positions.end(), {x, y, z, w}); }
  template <class T> void index(std::initializer_list<T> list) {
    for (T i : list)
      indices.insert(indices.end(), reinterpret_cast<const uint8_t*>(&i), reinterpret_cast<const uint8_t*>(&i) + sizeof i);
  }
  DrawRange whole(uint32_t count, uint32_t indexBytes = 0, uint32_t instances = 1) {
    stream = {reinterpret_cast<const uint8_t*>(positions.data()), uint32_t(positions.size() * 4), 16};
    setup.streams = &stream;
    DrawRange r{};
    r.vertex = &setup;
    r.draw = &draw;
    r.index = {indices.data(), indices.size(), indexBytes};
    r.elementCount = count;
    r.instanceCount = instances;
    return r;
  }
  std::vector<Primitive> run(const DrawRange& whole, size_t* chunks = nullptr) {
    DrawList list;
    DrawCutter cutter(whole);
    while (cutter.cut(list, 7)) {
    }
    FakeBinner binner;
    auto workspace = std::make_unique<Workspace>();
    abi::ThreadContext thread;
    for (const ChunkSpan& c : list.chunks) {
      EXPECT_LE(c.primitives, kMaxRangePrimitives);
      EXPECT_LE(c.elements, kMaxRangeElements);
      processChunk({list.ranges.data() + c.firstRange, c.rangeCount}, binner, *workspace, thread, statistics);
    }
    if (chunks)
      *chunks = list.chunks.size();
    return binner.out;
  }
  /// Vertex ids (slot 8) of each primitive.
  std::vector<std::vector<uint32_t>> ids(const DrawRange& whole) {
    std::vector<std::vector<uint32_t>> result;
    for (const Primitive& p : run(whole)) {
      result.emplace_back();
      for (const auto& v : p.v)
        result.back().push_back(uint32_t(v[8]));
    }
    return result;
  }
};

using Ids = std::vector<std::vector<uint32_t>>;

TEST(Assembly, ListsAndStrips) {
  const struct {
    state::Topology topology;
    uint32_t count;
    Ids expected;
  } rows[] = {
      {state::Topology::PointList, 2, {{0}, {1}}},
      {state::Topology::LineList, 5, {{0, 1}, {2, 3}}},
      {state::Topology::LineStrip, 4, {{0, 1}, {1, 2}, {2, 3}}},
      {state::Topology::TriangleList, 8, {{0, 1, 2}, {3, 4, 5}}},
      {state::Topology::TriangleStrip, 6, {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}}},
      {state::Topology::LineListAdj, 9, {{1, 2}, {5, 6}}},
      {state::Topology::LineStripAdj, 6, {{1, 2}, {2, 3}, {3, 4}}},
      {state::Topology::TriangleListAdj, 13, {{0, 2, 4}, {6, 8, 10}}},
      {state::Topology::TriangleStripAdj, 10, {{0, 2, 4}, {2, 6, 4}, {4, 6, 8}}},
      {state::Topology::TriangleList, 2, {}},
      {state::Topology::Undefined, 6, {}},
      {state::Topology::Patch1, 6, {}},
  };
  for (const auto& row : rows) { // REQ: A0003
    Fixture f;
    for (int i = 0; i < 16; ++i)
      f.vertex(0.01f * float(i), 0.02f * float(i * i));
    f.setup.topology = row.topology;
    EXPECT_EQ(f.ids(f.whole(row.count)), row.expected) << int(row.topology);
    f.indices.clear();
    f.index<uint16_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    EXPECT_EQ(f.ids(f.whole(row.count, 2)), row.expected) << int(row.topology);
  }
}

TEST(Assembly, IndicesBeyondTheBufferAreZero) {
  Fixture f;
  for (int i = 0; i < 8; ++i)
    f.vertex(0.01f * float(i), 0.02f * float(i * i));
  f.index<uint32_t>({3, 4, 5, 6});
  EXPECT_EQ(f.ids(f.whole(6, 4)), (Ids{{3, 4, 5}, {6, 0, 0}}));
  DrawRange far = f.whole(3, 4);
  far.firstElement = 0xfffffff0u;
  EXPECT_EQ(f.ids(far), (Ids{{0, 0, 0}}));
  DrawRange none = f.whole(3, 2);
  none.index = {nullptr, 0, 2};
  EXPECT_EQ(f.ids(none), (Ids{{0, 0, 0}}));
}

TEST(Assembly, StripCutsRestartParityButNotPrimitiveIds) {
  Fixture f;
  for (int i = 0; i < 12; ++i)
    f.vertex(0.01f * float(i), 0.005f * float(i * i));
  f.setup.topology = state::Topology::TriangleStrip;
  f.index<uint16_t>({0, 1, 2, 3, 0xffff, 4, 5, 0xffff, 0xffff, 6, 7, 8, 9});
  EXPECT_EQ(f.ids(f.whole(13, 2)), (Ids{{0, 1, 2}, {1, 3, 2}, {6, 7, 8}, {7, 9, 8}}));
  const auto out = f.run(f.whole(13, 2));
  EXPECT_EQ(out[2].id, 2u);
  EXPECT_EQ(out[3].id, 3u);
}

/// Draws of any size, cut into windows or not, give the same primitives as a plain walk. Cuts work in lists, too (8.12).
TEST(Cut, EveryTopologyEqualsASerialWalk) {
  using enum state::Topology;
  for (auto topology : {PointList, LineList, LineStrip, TriangleList, TriangleStrip, LineListAdj, LineStripAdj, TriangleListAdj, TriangleStripAdj}) {
    for (const auto& [cutEvery, count, indexBytes] : {std::tuple{0u, 40001u, 4u}, {7u, 40001u, 4u}, {100u, 40001u, 2u}, {4097u, 40001u, 4u},
                                                      {9001u, 40001u, 2u}, {5u, 200u, 2u}, {11u, 200u, 4u}, {1u, 50u, 4u}}) {
      Fixture f;
      for (int i = 0; i < 256; ++i)
        f.vertex(0.003f * float(i), 0.00001f * float(i * i));
      f.setup.topology = topology;
      const TopologyShape& shape = topologyShape(topology);
      std::vector<uint32_t> list(count);
      for (uint32_t i = 0; i < list.size(); ++i)
        list[i] = cutEvery && i % cutEvery == cutEvery - 1 ? 0xffffffffu : i * 31 % 256;
      for (uint32_t i : list)
        f.indices.insert(f.indices.end(), reinterpret_cast<uint8_t*>(&i), reinterpret_cast<uint8_t*>(&i) + indexBytes);
      Ids expected;
      std::vector<uint32_t> run;
      const auto flush = [&] {
        for (uint32_t p = 0; p < primitiveCount(shape, uint32_t(run.size())); ++p) {
          expected.emplace_back();
          for (uint32_t v = 0; v < shape.vertices; ++v)
            expected.back().push_back(run[p * shape.step + (shape.strip && p & 1 ? shape.odd : shape.even)[v]]);
        }
        run.clear();
      };
      for (uint32_t i : list)
        if (i == 0xffffffffu)
          flush();
        else
          run.push_back(i);
      flush();
      const auto out = f.run(f.whole(uint32_t(list.size()), indexBytes));
      ASSERT_EQ(out.size(), expected.size()) << int(topology) << " " << cutEvery;
      for (size_t p = 0; p < out.size(); ++p) {
        ASSERT_EQ(out[p].id, p);
        for (size_t v = 0; v < out[p].v.size(); ++v)
          ASSERT_EQ(uint32_t(out[p].v[v][8]), expected[p][v]) << int(topology) << " " << cutEvery << " " << p;
      }
    }
  }
}

TEST(Cut, SmallInstancesShareChunks) {
  Fixture f;
  for (int i = 0; i < 3; ++i)
    f.vertex(0.1f * float(i), 0.1f * float(i * i));
  f.draw.viewport.guardX = 1e9f;
  f.index<uint16_t>({0, 1, 2});
  size_t chunks = 0;
  auto out = f.run(f.whole(3, 2, 1000), &chunks);
  EXPECT_EQ(chunks, 1u);
  EXPECT_EQ(out.size(), 1u); // the others lie to the right of the view
  EXPECT_EQ(f.statistics[0].vsInvocations, 3000u);
  EXPECT_EQ(f.statistics[0].iaVertices, 3000u);
  EXPECT_EQ(f.statistics[0].iaPrimitives, 1000u);
  EXPECT_EQ(f.statistics[0].clipperInvocations, 1000u);
  EXPECT_EQ(f.statistics[0].clipperPrimitives, 1u);
}

TEST(Cut, HostileCountsArePieces) {
  Fixture f;
  DrawRange r = f.whole(0xffffffffu, 0, 0xffffffffu);
  DrawCutter cutter(r);
  DrawList list;
  EXPECT_TRUE(cutter.cut(list, 100));
  EXPECT_EQ(list.ranges.size(), 100u);
}

TEST(Reuse, SharedVerticesAreShadedOnce) {
  Fixture f;
  for (int i = 0; i < 4; ++i)
    f.vertex(0.1f * float(i), 0.1f * float(i * i));
  f.index<uint16_t>({0, 1, 2, 2, 1, 3});
  f.run(f.whole(6, 2));
  EXPECT_EQ(f.statistics[0].vsInvocations, 4u);
}

TEST(Clip, RejectsOutsideAndNan) {
  Fixture f;
  f.vertex(2, 0), f.vertex(3, 0), f.vertex(2, 1);       // right of the view
  f.vertex(0, 0, 2), f.vertex(1, 0, 2), f.vertex(0, 1, 2); // behind far
  f.vertex(NAN, 0), f.vertex(0.5f, 0), f.vertex(0, 0.5f);
  f.vertex(0, 0), f.vertex(0.5f, 0), f.vertex(0, 0.5f);
  EXPECT_EQ(f.ids(f.whole(12)), (Ids{{9, 10, 11}}));
  f.setup.depthClip = false;
  EXPECT_EQ(f.ids(f.whole(12)), (Ids{{3, 4, 5}, {9, 10, 11}}));
}

TEST(Clip, NearPlaneMakesAQuadWithLeadingConstants) {
  Fixture f;
  f.vertex(0, 0.9f, -0.5f), f.vertex(0.5f, 0, 0.5f), f.vertex(-0.5f, 0, 0.5f);
  const auto out = f.run(f.whole(3));
  ASSERT_EQ(out.size(), 2u);
  float area = 0;
  for (const Primitive& p : out) {
    EXPECT_EQ(p.id, 0u);
    for (const auto& v : p.v) {
      EXPECT_GE(v[2], 0.0f);
      EXPECT_EQ(v[8], 0.0f);
      EXPECT_EQ(v[9], v[0]);
      EXPECT_EQ(std::bit_cast<int32_t>(v[4]), std::lrint((v[0] * 32 + 32) * 256));
    }
    area += (p.v[1][0] - p.v[0][0]) * (p.v[2][1] - p.v[0][1]) - (p.v[2][0] - p.v[0][0]) * (p.v[1][1] - p.v[0][1]);
  }
  EXPECT_NEAR(area, -0.9f * 0.75f, 1e-5f); // three quarters remain, winding kept
  // Edges: the cut edge is not drawn, the three old ones are, the fan's diagonal is not.
  int drawn = 0;
  for (const Primitive& p : out)
    drawn += std::popcount(p.edges);
  EXPECT_EQ(drawn, 3);
}

TEST(Clip, BehindTheEyeAndGuardBand) {
  Fixture f;
  f.vertex(0, 0, 0.5f, 1), f.vertex(500, 0, 0.5f, 1), f.vertex(0, 0.5f, 0.5f, -1);
  const auto out = f.run(f.whole(3));
  ASSERT_FALSE(out.empty());
  for (const Primitive& p : out)
    for (const auto& v : p.v) {
      EXPECT_GE(v[3], abi::kMinClipW);
      EXPECT_LE(std::abs(v[0]), 100.001f * v[3]);
    }
}

TEST(Clip, SharedEdgesAgree) {
  Fixture f;
  f.vertex(0.1f, 0.3f, -0.7f), f.vertex(0.37f, -0.21f, 0.91f), f.vertex(-0.5f, 0, 0.5f), f.vertex(0.9f, 0.9f, 0.4f);
  f.index<uint16_t>({0, 1, 2, 1, 0, 3});
  const auto out = f.run(f.whole(6, 2));
  // The crossing of edge 0-1 must appear in both triangles with the same bits.
  std::map<std::pair<float, float>, std::vector<uint32_t>> seen;
  for (const Primitive& p : out)
    for (const auto& v : p.v)
      seen[{v[0], v[1]}].push_back(p.id);
  int shared = 0;
  for (const auto& [position, prims] : seen)
    shared += std::count(prims.begin(), prims.end(), 0u) > 0 && std::count(prims.begin(), prims.end(), 1u) > 0;
  EXPECT_EQ(shared, 2); // vertex 1 and the crossing
}

TEST(Clip, LinesAndPoints) {
  Fixture f;
  f.vertex(0, 0, -1), f.vertex(0, 0, 1);
  f.setup.topology = state::Topology::LineList;
  auto out = f.run(f.whole(2));
  ASSERT_EQ(out.size(), 1u);
  EXPECT_FLOAT_EQ(out[0].v[0][2], 0.0f);
  EXPECT_FLOAT_EQ(out[0].v[1][2], 1.0f);
  EXPECT_EQ(out[0].v[1][8], 0.0f);
  f.setup.topology = state::Topology::PointList;
  EXPECT_EQ(f.ids(f.whole(2)), (Ids{{1}}));
}

TEST(Project, RoundsToNearestEvenAndClamps) {
  ClipVertex v{};
  v.v[3] = 1;
  v.v[0] = 0.5f / 256;
  v.v[1] = 1e30f;
  project(v, {1, 0, 1, 0, 2, 3, 1, 1});
  EXPECT_EQ(std::bit_cast<int32_t>(v.v[4]), 0);
  EXPECT_EQ(std::bit_cast<int32_t>(v.v[5]), 1 << 30);
  EXPECT_EQ(v.v[6], 3.0f);
  v.v[0] = 1.5f / 256;
  project(v, {1, 0, 1, 0, 2, 3, 1, 1});
  EXPECT_EQ(std::bit_cast<int32_t>(v.v[4]), 2);
}

// ---- slices and viewports chosen by the leading vertex

/// Position from stream 0; slot 8 viewport index, slot 9 slice, both from the stream's numbers 4 and 5.
void choosingKernel(const abi::VertexArgs* a) {
  for (uint32_t i = 0; i < (a->count + 7) / 8 * 8; ++i) {
    float* packet = a->packets + size_t(i / 8) * (a->packetStride / 4) + i % 8;
    const uint8_t* from = a->streams[0].base + uint64_t(a->vertexIds[i]) * a->streams[0].stride;
    ClipVertex v{};
    std::memcpy(v.v, from, 16);
    std::memcpy(v.v + 8, from + 16, 8);
    const uint32_t index = std::bit_cast<uint32_t>(v.v[8]);
    const abi::ViewportTransform& vp = a->viewport[index < 16 ? index : 0];
    project(v, vp);
    for (uint32_t s = 0; s < kSlots; ++s)
      packet[s * 8] = v.v[s];
    a->clipCodes[i] = (v.v[2] < 0 ? uint32_t(abi::kClipNear) : 0u) | (v.v[0] > vp.guardX ? uint32_t(abi::kClipGuardRight) : 0u);
  }
}

struct ChoosingVertex {
  float x, y, z, w;
  uint32_t viewport, slice;
};

class Choosing : public ::testing::Test {
protected:
  Choosing() {
    setup.kernel = choosingKernel;
    setup.slotCount = kSlots;
    setup.viewportIndexSlot = 8;
    setup.targetIndexSlot = 9;
    for (uint32_t i = 0; i < 16; ++i) {
      const float f = float(i + 1);
      arrays.transform[i] = {8 * f, 100 * f, -4 * f, 50 * f, 1 / f, 0, 100, 100};
      arrays.window[i] = {{int32_t(i), int32_t(i) * 2, 1000 + int32_t(i), 2000}, 0, 1 / f};
    }
    arrays.layers = 5;
    for (uint64_t i = 0; i < 8; ++i)
      arrays.colorPitch[i] = 100 + i;
    arrays.depthPitch = 1000;
    draw.arrays = &arrays;
    draw.context.color[0].base = memory;
    draw.context.color[3].base = memory;
    draw.context.depth.base = memory;
  }
  FakeBinner run(state::Topology topology, const std::vector<ChoosingVertex>& v) {
    stream = {reinterpret_cast<const uint8_t*>(v.data()), uint32_t(v.size() * sizeof(ChoosingVertex)), sizeof(ChoosingVertex)};
    setup.streams = &stream;
    setup.topology = topology;
    DrawRange r{};
    r.vertex = &setup;
    r.draw = &draw;
    r.elementCount = uint32_t(v.size());
    r.instanceCount = 1;
    DrawList list;
    DrawCutter cutter(r);
    while (cutter.cut(list, 7)) {
    }
    FakeBinner binner;
    auto workspace = std::make_unique<Workspace>();
    abi::ThreadContext thread;
    for (const ChunkSpan& c : list.chunks)
      processChunk({list.ranges.data() + c.firstRange, c.rangeCount}, binner, *workspace, thread, nullptr);
    return binner;
  }

  VertexSetup setup;
  tiles::DrawSetup draw{};
  tiles::ArraySetup arrays{};
  abi::VertexStream stream{};
  uint8_t memory[16] = {};
};

TEST_F(Choosing, TheLeadingVertexDecides) {
  uint32_t seed = 12345;
  const auto random = [&] { return (seed = seed * 1664525 + 1013904223) >> 8; };
  for (auto topology : {state::Topology::TriangleList, state::Topology::TriangleStrip, state::Topology::LineStrip, state::Topology::PointList})
    for (bool agree : {false, true}) {
      std::vector<ChoosingVertex> v;
      for (int i = 0; i < 600; ++i) {
        ChoosingVertex c = {float(int(random() % 200) - 100) / 100, float(int(random() % 200) - 100) / 100, 0.5f, 1, random() % 20, random() % 7};
        if (c.viewport == 19)
          c.viewport = 0xffffffffu;
        if (agree && i % 30)
          c.viewport = v.back().viewport, c.slice = v.back().slice;
        v.push_back(c);
      }
      const FakeBinner got = run(topology, v);
      const TopologyShape& shape = topologyShape(topology);
      const uint32_t count = primitiveCount(shape, uint32_t(v.size()));
      ASSERT_EQ(got.out.size(), count);
      std::vector<bool> seen(count);
      std::map<uint32_t, uint32_t> last; // newest primitive of each slice
      for (size_t n = 0; n < got.out.size(); ++n) {
        const Primitive& p = got.out[n];
        ASSERT_LT(p.id, count);
        EXPECT_FALSE(seen[p.id]);
        seen[p.id] = true;
        const uint8_t* offsets = topology == state::Topology::TriangleStrip && p.id % 2 ? shape.odd : shape.even;
        const ChoosingVertex& lead = v[p.id * shape.step + offsets[0]];
        const uint32_t viewport = lead.viewport < 16 ? lead.viewport : 0, slice = lead.slice < 5 ? lead.slice : 0;
        if (last.contains(slice)) {
          EXPECT_LT(last[slice], p.id);
        }
        last[slice] = p.id;
        const tiles::DrawSetup& d = got.draws[n];
        EXPECT_EQ(d.context.color[0].base - memory, slice * 100);
        EXPECT_EQ(d.context.color[1].base, nullptr);
        EXPECT_EQ(d.context.color[3].base - memory, slice * 103);
        EXPECT_EQ(d.context.depth.base - memory, slice * 1000);
        EXPECT_EQ(d.scissor.left, int32_t(viewport));
        EXPECT_EQ(d.maxDepth, 1 / float(viewport + 1));
        for (uint32_t k = 0; k < shape.vertices; ++k) {
          const ChoosingVertex& c = v[p.id * shape.step + offsets[k]];
          const float f = float(viewport + 1);
          EXPECT_EQ(std::bit_cast<int32_t>(p.v[k][4]), int32_t(std::nearbyint((c.x * 8 * f + 100 * f) * 256)));
          EXPECT_EQ(std::bit_cast<int32_t>(p.v[k][5]), int32_t(std::nearbyint((50 * f - c.y * 4 * f) * 256)));
          EXPECT_EQ(std::bit_cast<uint32_t>(p.v[k][8]), c.viewport);
          EXPECT_EQ(std::bit_cast<uint32_t>(p.v[k][9]), c.slice);
        }
      }
    }
}

TEST_F(Choosing, ClippingUsesTheChosenViewport) {
  // The first two vertices name viewport 3, the last one viewport 1; z crosses the near plane.
  const FakeBinner got = run(state::Topology::TriangleList, {{-1, -1, 0.5f, 1, 3, 2}, {0, 1, 0.5f, 1, 3, 0}, {1, -1, -0.5f, 1, 1, 0}});
  ASSERT_EQ(got.out.size(), 2u);
  for (size_t n = 0; n < 2; ++n) {
    EXPECT_EQ(got.draws[n].context.depth.base - memory, 2000);
    for (const auto& v : got.out[n].v)
      EXPECT_EQ(std::bit_cast<int32_t>(v[4]), int32_t(std::nearbyint((v[0] * 32 + 400) * 256)));
  }
}

} // namespace
} // namespace monolith::geometry
