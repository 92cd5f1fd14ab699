// SPDX-License-Identifier: MIT
#include "geometry/assembly.h"

#include "geometry/indices.h"

#include <algorithm>

namespace monolith::geometry {
namespace {

constexpr uint32_t kCutSlot = 0xffffffffu;

/// Slots of a window of indices. Returns whether a cut was seen.
template <class Index> bool reuseIndices(const DrawRange& range, Assembly& out) {
  const uint64_t available = range.index.size / sizeof(Index);
  const uint32_t count = range.elementCount;
  const uint64_t first = range.firstElement;
  const auto inside = uint32_t(first >= available ? 0 : std::min<uint64_t>(count, available - first));
  const uint8_t* source = inside ? range.index.base + first * sizeof(Index) : nullptr;
  constexpr auto kCut = Index(~Index(0));
  uint32_t next = 0;
  bool cuts = false;
  out.reuse.nextBatch();
  for (uint32_t i = 0; i < inside; ++i) {
    Index index;
    std::memcpy(&index, source + size_t(i) * sizeof(Index), sizeof(Index));
    if (index == kCut) [[unlikely]] {
      out.slots[i] = kCutSlot;
      cuts = true;
      continue;
    }
    out.slots[i] = out.reuse.slot(index, next, out.vertexIds);
  }
  if (inside < count) {
    const uint32_t zero = out.reuse.slot(0, next, out.vertexIds);
    std::fill(out.slots + inside, out.slots + count, zero);
  }
  out.vertexCount = next;
  return cuts;
}

struct Writer {
  const TopologyShape& shape;
  Assembly& out;
  uint32_t at = 0;        ///< In indices.
  uint32_t primitive = 0; ///< In primitiveIds.
  uint32_t id;

  /// Primitives of one uncut run of elements.
  template <class SlotOf> void run(uint32_t begin, uint32_t end, bool odd, SlotOf&& slotOf) {
    const uint32_t count = primitiveCount(shape, end - begin);
    for (uint32_t p = 0, e = begin; p < count && primitive < kMaxRangePrimitives; ++p, e += shape.step, odd = !odd) {
      const uint8_t* offsets = odd ? shape.odd : shape.even;
      for (uint32_t v = 0; v < shape.vertices; ++v)
        out.indices[at++] = slotOf(e + offsets[v]);
      out.primitiveIds[primitive++] = id++;
    }
  }
};

/// Repeats the pattern of instance 0 for the others.
void replicate(const DrawRange& range, const TopologyShape& shape, Assembly& out) {
  const uint32_t vertices = out.vertexCount, primitives = out.primitiveCount;
  std::fill(out.instanceIds, out.instanceIds + vertices, range.firstInstance);
  const uint32_t indexCount = primitives * shape.vertices;
  for (uint32_t i = 1; i < range.instanceCount; ++i) {
    std::copy_n(out.vertexIds, vertices, out.vertexIds + size_t(i) * vertices);
    std::fill_n(out.instanceIds + size_t(i) * vertices, vertices, range.firstInstance + i);
    std::copy_n(out.primitiveIds, primitives, out.primitiveIds + size_t(i) * primitives);
    const uint32_t base = i * vertices;
    uint32_t* to = out.indices + size_t(i) * indexCount;
    for (uint32_t k = 0; k < indexCount; ++k)
      to[k] = out.indices[k] + base;
  }
  out.vertexCount *= range.instanceCount;
  out.primitiveCount *= range.instanceCount;
}

} // namespace

void assemble(const DrawRange& range, Assembly& out) {
  const TopologyShape& shape = topologyShape(range.vertex->topology);
  const uint32_t count = range.elementCount;
  Writer writer{shape, out, 0, 0, range.firstPrimitive};
  if (range.index.indexBytes == 0) {
    for (uint32_t i = 0; i < count; ++i)
      out.vertexIds[i] = range.firstElement + i;
    out.vertexCount = count;
    writer.run(0, count, range.oddStart, [](uint32_t e) { return e; });
  } else {
    const bool cuts = range.index.indexBytes == 2 ? reuseIndices<uint16_t>(range, out) : reuseIndices<uint32_t>(range, out);
    const auto slotOf = [&](uint32_t e) { return out.slots[e]; };
    if (range.vertex->topology == state::Topology::TriangleList && !cuts) {
      const uint32_t triangles = std::min(count / 3, kMaxRangePrimitives);
      std::memcpy(out.indices, out.slots, size_t(triangles) * 12);
      for (uint32_t i = 0; i < triangles; ++i)
        out.primitiveIds[i] = range.firstPrimitive + i;
      writer.primitive = triangles;
    } else if (!cuts) {
      writer.run(0, count, range.oddStart, slotOf);
    } else {
      bool odd = range.oddStart;
      for (uint32_t begin = 0, e = 0; e <= count; ++e) {
        if (e < count && out.slots[e] != kCutSlot)
          continue;
        writer.run(begin, e, odd, slotOf);
        begin = e + 1;
        odd = false;
      }
    }
  }
  out.primitiveCount = writer.primitive;
  replicate(range, shape, out);
  const uint32_t padded = (out.vertexCount + 7) & ~7u;
  for (uint32_t i = out.vertexCount; out.vertexCount && i < padded; ++i) {
    out.vertexIds[i] = out.vertexIds[out.vertexCount - 1];
    out.instanceIds[i] = out.instanceIds[out.vertexCount - 1];
  }
}

} // namespace monolith::geometry
