// SPDX-License-Identifier: MIT
#include "geometry/process.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace monolith::geometry {
namespace {

constexpr uint32_t kSideBits = abi::kClipLeft | abi::kClipRight | abi::kClipBottom | abi::kClipTop;
constexpr uint32_t kGuardBits = abi::kClipGuardLeft | abi::kClipGuardRight | abi::kClipGuardBottom | abi::kClipGuardTop;
constexpr uint32_t kDepthBits = abi::kClipNear | abi::kClipFar;
constexpr uint32_t kDistanceBits = 0xffu << 16;
constexpr uint32_t kCullBits = 0xffu << 24;
constexpr uint32_t kExtraPackets = 16; ///< Room for clipped vertices is taken in such pieces.

/// Guard-band bits of a clip code, as the vertex kernel has them.
uint32_t guardCodes(const ClipVertex& p, const abi::ViewportTransform& vp) {
  const float x = p.v[0], y = p.v[1], guardX = vp.guardX * p.v[3], guardY = vp.guardY * p.v[3];
  return (x < -guardX ? uint32_t(abi::kClipGuardLeft) : 0u) | (x > guardX ? uint32_t(abi::kClipGuardRight) : 0u) |
         (y < -guardY ? uint32_t(abi::kClipGuardBottom) : 0u) | (y > guardY ? uint32_t(abi::kClipGuardTop) : 0u);
}

/// Processes the ranges of one chunk.
class Processor {
public:
  Processor(binning::Binner& binner, Workspace& workspace, abi::ThreadContext& thread)
      : m_binner(binner), m_space(workspace), m_thread(thread) {}

  /// False when memory ran out or a shader hung.
  bool range(const DrawRange& range, Statistics* statistics);

private:
  bool shade(const DrawRange& range);
  void bin(const DrawRange& range);
  template <uint32_t kVertices> void classify(const DrawRange& range);
  template <uint32_t kVertices> void classifyChosen(const DrawRange& range);
  template <uint32_t kVertices>
  void placeChosen(const DrawRange& range, uint32_t viewport, const uint32_t* indices, uint32_t primitiveId);
  const tiles::DrawSetup* choose(const tiles::DrawSetup& draw, uint32_t slice, uint32_t viewport);
  uint32_t outputOf(uint32_t vertex, uint32_t slot) const {
    return slot == 255 ? 0 : std::bit_cast<uint32_t>(m_packets[size_t(vertex >> 3) * (m_packetStride / 4) + slot * 8 + (vertex & 7)]);
  }
  uint32_t viewportOf(const DrawRange& range, uint32_t vertex) const {
    const uint32_t index = outputOf(vertex, range.vertex->viewportIndexSlot);
    return index < uint32_t(state::kMaxViewports) ? index : 0;
  }
  void emit(uint32_t vertices, const uint32_t* indices, uint32_t count, const uint32_t* primitiveIds);
  void emitRun(uint32_t vertices);
  void clipPrimitive(const DrawRange& range, const abi::ViewportTransform& viewport, const binning::VertexBatch& batch,
                     uint32_t vertices, const uint32_t* indices, uint32_t codes, uint32_t primitiveId);
  bool placeClipped(const DrawRange& range, const ClipPolygon& polygon);

  binning::Binner& m_binner;
  Workspace& m_space;
  abi::ThreadContext& m_thread;
  const tiles::DrawSetup* m_draw = nullptr;
  const DrawRange* m_assembled = nullptr; ///< Whose assembly the workspace holds.
  // The batch.
  float* m_packets = nullptr;
  uint32_t m_packetStride = 0;
  uint64_t m_packetBytes = 0; ///< Of the block at m_packets.
  bool m_packetsUsed = true;  ///< Something binned refers to the block.
  // Primitives that wait to be handed over.
  uint32_t m_run = 0;
  // Setups for other slices and viewports than the draw's own, of the draw whose choices were last asked for.
  struct Choice {
    uint64_t key = 0;
    const tiles::DrawSetup* setup = nullptr;
  };
  static constexpr uint32_t kChoices = 64;
  Choice m_choices[kChoices];
  const tiles::DrawSetup* m_choicesOf = nullptr;
  // Clipped vertices.
  float* m_extra = nullptr;
  uint32_t m_extraUsed = 0, m_extraStride = 0, m_extraFirst = 0;
  uint64_t m_primitivesOut = 0;
};

bool Processor::shade(const DrawRange& range) {
  const Assembly& a = m_space.assembly;
  const VertexSetup& setup = *range.vertex;
  m_packetStride = 32 * setup.slotCount;
  const uint64_t bytes = uint64_t((a.vertexCount + 7) / 8) * m_packetStride;
  if (m_packetsUsed || bytes > m_packetBytes) {
    m_packets = static_cast<float*>(m_binner.allocate(bytes));
    if (!m_packets)
      return false;
    m_packetBytes = bytes;
    m_packetsUsed = false;
  }
  abi::VertexArgs args;
  args.bindings = &range.bindings;
  args.streams = setup.streams;
  args.vertexIds = a.vertexIds;
  args.instanceIds = a.instanceIds;
  args.count = a.vertexCount;
  args.baseVertex = range.baseVertex;
  args.startInstance = range.startInstance;
  args.packetStride = m_packetStride;
  args.packets = m_packets;
  args.clipCodes = m_space.codes;
  args.viewport = range.draw->arrays ? range.draw->arrays->transform : &range.draw->viewport;
  args.thread = &m_thread;
  args.routine = setup.routine;
  setup.kernel(&args);
  return m_thread.hung == 0;
}

/// Many small draws of one mesh differ in constants only: what assemble() made of the last one holds for the next.
/// Indices do not change within a scene.
bool assemblesAlike(const DrawRange& a, const DrawRange& b) {
  return a.index.base == b.index.base && a.index.size == b.index.size && a.index.indexBytes == b.index.indexBytes &&
         a.firstElement == b.firstElement && a.elementCount == b.elementCount && a.firstInstance == b.firstInstance &&
         a.instanceCount == b.instanceCount && a.firstPrimitive == b.firstPrimitive && a.oddStart == b.oddStart &&
         a.vertex->topology == b.vertex->topology;
}

bool Processor::range(const DrawRange& range, Statistics* statistics) {
  Assembly& a = m_space.assembly;
  if (!m_assembled || !assemblesAlike(*m_assembled, range))
    assemble(range, a);
  m_assembled = &range;
  if (statistics) {
    statistics->iaVertices += uint64_t(range.elementCount) * range.instanceCount;
    statistics->iaPrimitives += a.primitiveCount;
    statistics->vsInvocations += a.vertexCount;
    statistics->clipperInvocations += a.primitiveCount;
  }
  if (a.primitiveCount == 0)
    return true;
  if (!shade(range))
    return false;
  const uint64_t before = m_primitivesOut;
  bin(range);
  if (statistics)
    statistics->clipperPrimitives += m_primitivesOut - before;
  return m_binner.ok();
}

void Processor::bin(const DrawRange& range) {
  const uint32_t vertices = topologyShape(range.vertex->topology).vertices;
  if (range.draw->arrays) [[unlikely]] {
    switch (vertices) {
    case 1: classifyChosen<1>(range); break;
    case 2: classifyChosen<2>(range); break;
    case 3: classifyChosen<3>(range); break;
    }
    return;
  }
  switch (vertices) {
  case 1: classify<1>(range); break;
  case 2: classify<2>(range); break;
  case 3: classify<3>(range); break;
  }
}

void Processor::emit(uint32_t vertices, const uint32_t* indices, uint32_t count, const uint32_t* primitiveIds) {
  const binning::VertexBatch batch = {m_packets, m_packetStride};
  m_packetsUsed = true;
  m_primitivesOut += count;
  if (vertices == 3) {
    m_binner.triangles(batch, indices, count, primitiveIds, 0, nullptr);
    return;
  }
  for (uint32_t from = 0, to; from < count; from = to) { // runs of consecutive numbers
    for (to = from + 1; to < count && primitiveIds[to] == primitiveIds[to - 1] + 1; ++to) {
    }
    if (vertices == 2)
      m_binner.lines(batch, indices + from * 2, to - from, primitiveIds[from]);
    else
      m_binner.points(batch, indices + from, to - from, primitiveIds[from]);
  }
}

/// Hands over what classify() has gathered.
void Processor::emitRun(uint32_t vertices) {
  if (m_run == 0)
    return;
  emit(vertices, m_space.indices, m_run, m_space.primitiveIds);
  m_run = 0;
}

template <uint32_t kVertices> void Processor::classify(const DrawRange& range) {
  const Assembly& a = m_space.assembly;
  const uint32_t depth = range.vertex->depthClip ? kDepthBits : 0;
  const uint32_t rejectAll = kSideBits | depth | abi::kClipW | kDistanceBits | kCullBits;
  const uint32_t clipAny = kGuardBits | depth | abi::kClipW | kDistanceBits;
  uint32_t orAll = 0, andAll = ~0u;
  for (uint32_t i = 0; i < a.vertexCount; ++i) {
    orAll |= m_space.codes[i];
    andAll &= m_space.codes[i];
  }
  if (andAll & rejectAll)
    return;
  if (m_draw != range.draw)
    m_binner.setDraw(m_draw = range.draw);
  // A single vertex can only be inside or outside, so for points everything that would clip rejects.
  const uint32_t reject = kVertices == 1 ? clipAny | kCullBits : rejectAll;
  if (!(orAll & (reject | clipAny | abi::kClipReject))) {
    emit(kVertices, a.indices, a.primitiveCount, a.primitiveIds);
    return;
  }
  const uint32_t* codes = m_space.codes;
  for (uint32_t p = 0; p < a.primitiveCount; ++p) {
    const uint32_t* v = a.indices + p * kVertices;
    uint32_t any = codes[v[0]], all = any;
    for (uint32_t k = 1; k < kVertices; ++k) {
      any |= codes[v[k]];
      all &= codes[v[k]];
    }
    if ((all & reject) || (any & abi::kClipReject))
      continue;
    if (kVertices > 1 && (any & clipAny)) {
      emitRun(kVertices);
      clipPrimitive(range, range.draw->viewport, {m_packets, m_packetStride}, kVertices, v, any & clipAny, a.primitiveIds[p]);
      continue;
    }
    for (uint32_t k = 0; k < kVertices; ++k)
      m_space.indices[m_run * kVertices + k] = v[k];
    m_space.primitiveIds[m_run++] = a.primitiveIds[p];
  }
  emitRun(kVertices);
}

/// The draw with the surfaces of one slice and the window of one viewport; null when out of memory.
const tiles::DrawSetup* Processor::choose(const tiles::DrawSetup& draw, uint32_t slice, uint32_t viewport) {
  if (m_choicesOf != &draw) {
    m_choicesOf = &draw;
    for (Choice& c : m_choices)
      c.setup = nullptr;
  }
  const uint64_t key = uint64_t(slice) << 4 | viewport;
  Choice& choice = m_choices[(slice * 7 + viewport) % kChoices];
  if (choice.setup && choice.key == key)
    return choice.setup;
  // Lives with the bins. Its routine is held by the scene, so it needs no destructor.
  void* memory = m_binner.allocate(sizeof(tiles::DrawSetup));
  if (!memory)
    return nullptr;
  auto* setup = new (memory) tiles::DrawSetup(draw);
  const tiles::ArraySetup& a = *draw.arrays;
  for (uint32_t i = 0; i < 8; ++i)
    if (setup->context.color[i].base)
      setup->context.color[i].base += slice * a.colorPitch[i];
  if (setup->context.depth.base)
    setup->context.depth.base += slice * a.depthPitch;
  setup->scissor = a.window[viewport].scissor;
  setup->minDepth = a.window[viewport].minDepth;
  setup->maxDepth = a.window[viewport].maxDepth;
  setup->viewport = a.transform[viewport];
  choice = {key, setup};
  return setup;
}

/// Primitives that choose their slice and viewport: the leading vertex decides (15.8.1, 15.15). They are taken slice by
/// slice, which keeps the order within each, so that setups change rarely.
template <uint32_t kVertices> void Processor::classifyChosen(const DrawRange& range) {
  const Assembly& a = m_space.assembly;
  const tiles::ArraySetup& arrays = *range.draw->arrays;
  const uint32_t depth = range.vertex->depthClip ? kDepthBits : 0;
  const uint32_t clipAny = kGuardBits | depth | abi::kClipW | kDistanceBits;
  const uint32_t reject = kVertices == 1 ? clipAny | kCullBits : kSideBits | depth | abi::kClipW | kDistanceBits | kCullBits;
  bool sorted = true;
  for (uint32_t p = 0; p < a.primitiveCount; ++p) {
    const uint32_t index = outputOf(a.indices[p * kVertices], range.vertex->targetIndexSlot);
    m_space.order[p] = uint64_t(index < arrays.layers ? index : 0) << 32 | p;
    sorted = sorted && (p == 0 || m_space.order[p - 1] < m_space.order[p]);
  }
  if (!sorted)
    std::sort(m_space.order, m_space.order + a.primitiveCount);
  const uint32_t* codes = m_space.codes;
  const tiles::DrawSetup* current = nullptr;
  uint64_t currentKey = ~uint64_t(0);
  for (uint32_t n = 0; n < a.primitiveCount; ++n) {
    const uint32_t p = uint32_t(m_space.order[n]), slice = uint32_t(m_space.order[n] >> 32);
    const uint32_t* v = a.indices + p * kVertices;
    uint32_t any = 0, all = ~0u;
    for (uint32_t k = 0; k < kVertices; ++k) {
      any |= codes[v[k]];
      all &= codes[v[k]];
    }
    if ((all & reject) || (any & abi::kClipReject))
      continue;
    const uint32_t viewport = viewportOf(range, v[0]);
    const uint64_t key = uint64_t(slice) << 4 | viewport;
    if (key != currentKey) {
      emitRun(kVertices);
      current = choose(*range.draw, slice, viewport);
      if (!current)
        return;
      currentKey = key;
      if (m_draw != current)
        m_binner.setDraw(m_draw = current);
    }
    bool own = true; // every vertex was projected with this viewport
    for (uint32_t k = 1; k < kVertices; ++k)
      own = own && viewportOf(range, v[k]) == viewport;
    if constexpr (kVertices > 1) {
      if (!own) {
        emitRun(kVertices);
        placeChosen<kVertices>(range, viewport, v, a.primitiveIds[p]);
        continue;
      }
    }
    if (kVertices > 1 && (any & clipAny)) {
      emitRun(kVertices);
      clipPrimitive(range, current->viewport, {m_packets, m_packetStride}, kVertices, v, any & clipAny, a.primitiveIds[p]);
      continue;
    }
    for (uint32_t k = 0; k < kVertices; ++k)
      m_space.indices[m_run * kVertices + k] = v[k];
    m_space.primitiveIds[m_run++] = a.primitiveIds[p];
  }
  emitRun(kVertices);
}

/// One primitive whose vertices name different viewports: they are projected again, with the leading vertex's.
template <uint32_t kVertices>
void Processor::placeChosen(const DrawRange& range, uint32_t viewport, const uint32_t* indices, uint32_t primitiveId) {
  const abi::ViewportTransform& vp = range.draw->arrays->transform[viewport];
  ClipVertex vertices[kVertices];
  ClipPolygon polygon;
  polygon.count = kVertices;
  uint32_t codes = 0;
  for (uint32_t k = 0; k < kVertices; ++k) {
    ClipVertex& to = vertices[k];
    const float* from = m_packets + size_t(indices[k] >> 3) * (m_packetStride / 4) + (indices[k] & 7);
    for (uint32_t s = 0; s < range.vertex->slotCount; ++s)
      to.v[s] = from[s * 8];
    project(to, vp);
    codes |= (m_space.codes[indices[k]] & ~kGuardBits) | guardCodes(to, vp);
    polygon.vertex[k] = &to;
  }
  if (!placeClipped(range, polygon))
    return;
  const binning::VertexBatch batch = {m_extra, m_extraStride};
  uint32_t placed[kVertices];
  for (uint32_t k = 0; k < kVertices; ++k)
    placed[k] = m_extraFirst + k;
  const uint32_t clipAny = kGuardBits | (range.vertex->depthClip ? kDepthBits : 0) | abi::kClipW | kDistanceBits;
  if (codes & clipAny) {
    clipPrimitive(range, vp, batch, kVertices, placed, codes & clipAny, primitiveId);
    return;
  }
  ++m_primitivesOut;
  if (kVertices == 3)
    m_binner.triangles(batch, placed, 1, &primitiveId, 0, nullptr);
  else
    m_binner.lines(batch, placed, 1, primitiveId);
}

/// Copies a polygon's vertices into packets of their own.
bool Processor::placeClipped(const DrawRange& range, const ClipPolygon& polygon) {
  const uint32_t slots = range.vertex->slotCount;
  const bool fits = m_extra && m_extraStride == slots * 32 && m_extraUsed + polygon.count <= kExtraPackets * 8;
  if (!fits) {
    m_extraStride = slots * 32;
    m_extra = static_cast<float*>(m_binner.allocate(uint64_t(kExtraPackets) * m_extraStride));
    m_extraUsed = 0;
    if (!m_extra)
      return false;
  }
  m_extraFirst = m_extraUsed;
  for (uint32_t i = 0; i < polygon.count; ++i, ++m_extraUsed) {
    float* packet = m_extra + size_t(m_extraUsed >> 3) * (m_extraStride / 4) + (m_extraUsed & 7);
    for (uint32_t s = 0; s < slots; ++s)
      packet[s * 8] = polygon.vertex[i]->v[s];
  }
  return true;
}

void Processor::clipPrimitive(const DrawRange& range, const abi::ViewportTransform& viewport, const binning::VertexBatch& from,
                              uint32_t vertices, const uint32_t* indices, uint32_t codes, uint32_t primitiveId) {
  const ClipPolygon* polygon =
      clip(*range.vertex, viewport, from.packets, from.packetStride, indices, vertices, codes, m_space.clip);
  if (!polygon || !placeClipped(range, *polygon))
    return;
  const binning::VertexBatch batch = {m_extra, m_extraStride};
  uint32_t fan[3 * kMaxPolygon], ids[kMaxPolygon];
  uint8_t edges[kMaxPolygon];
  if (vertices == 2) {
    fan[0] = m_extraFirst;
    fan[1] = m_extraFirst + 1;
    m_binner.lines(batch, fan, 1, primitiveId);
    ++m_primitivesOut;
    return;
  }
  const uint32_t triangles = polygon->count - 2;
  for (uint32_t t = 0; t < triangles; ++t) {
    fan[t * 3] = m_extraFirst;
    fan[t * 3 + 1] = m_extraFirst + t + 1;
    fan[t * 3 + 2] = m_extraFirst + t + 2;
    ids[t] = primitiveId;
    edges[t] = uint8_t((t == 0 && polygon->drawnEdge[0] ? 1 : 0) | (polygon->drawnEdge[t + 1] ? 2 : 0) |
                       (t + 1 == triangles && polygon->drawnEdge[t + 2] ? 4 : 0));
  }
  m_binner.triangles(batch, fan, triangles, ids, 0, edges);
  m_primitivesOut += triangles;
}

} // namespace

void processChunk(std::span<const DrawRange> ranges, binning::Binner& binner, Workspace& workspace, abi::ThreadContext& thread,
                  Statistics* statistics) {
  Processor processor(binner, workspace, thread);
  for (const DrawRange& r : ranges)
    if (!processor.range(r, statistics ? &statistics[r.statisticsSlot] : nullptr))
      return;
}

} // namespace monolith::geometry
