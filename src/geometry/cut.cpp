// SPDX-License-Identifier: MIT
#include "geometry/draw.h"
#include "geometry/indices.h"

#include <algorithm>

namespace monolith::geometry {
namespace {

constexpr TopologyShape kShapes[] = {
    {0, 1, 1, false, {0, 0, 0}, {0, 0, 0}}, // Undefined
    {1, 1, 1, false, {0, 0, 0}, {0, 0, 0}}, // PointList
    {2, 2, 2, false, {0, 1, 0}, {0, 1, 0}}, // LineList
    {2, 1, 2, true, {0, 1, 0}, {0, 1, 0}},  // LineStrip
    {3, 3, 3, false, {0, 1, 2}, {0, 1, 2}}, // TriangleList
    {3, 1, 3, true, {0, 1, 2}, {0, 2, 1}},  // TriangleStrip
    {0, 1, 1, false, {0, 0, 0}, {0, 0, 0}}, {0, 1, 1, false, {0, 0, 0}, {0, 0, 0}},
    {0, 1, 1, false, {0, 0, 0}, {0, 0, 0}}, {0, 1, 1, false, {0, 0, 0}, {0, 0, 0}},
    {2, 4, 4, false, {1, 2, 0}, {1, 2, 0}}, // LineListAdj
    {2, 1, 4, true, {1, 2, 0}, {1, 2, 0}},  // LineStripAdj
    {3, 6, 6, false, {0, 2, 4}, {0, 2, 4}}, // TriangleListAdj
    {3, 2, 6, true, {0, 2, 4}, {0, 4, 2}},  // TriangleStripAdj
};

void append(DrawList& list, const DrawRange& range, uint32_t primitives) {
  const uint32_t elements = range.elementCount * range.instanceCount;
  if (list.chunks.empty() || list.chunks.back().elements + elements > kMaxRangeElements ||
      list.chunks.back().primitives + primitives > kMaxRangePrimitives)
    list.chunks.push_back({uint32_t(list.ranges.size()), 0, 0, 0});
  ChunkSpan& chunk = list.chunks.back();
  ++chunk.rangeCount;
  chunk.elements += elements;
  chunk.primitives += primitives;
  list.primitives += primitives;
  list.ranges.push_back(range);
}

} // namespace

const TopologyShape& topologyShape(state::Topology topology) {
  const auto n = size_t(topology);
  return kShapes[n < std::size(kShapes) ? n : 0];
}

bool appendWhole(DrawList& list, const DrawRange& range) {
  const TopologyShape& shape = topologyShape(range.vertex->topology);
  const uint64_t elements = uint64_t(range.elementCount) * range.instanceCount;
  if (elements > kMaxRangeElements || shape.vertices == 0)
    return false;
  const uint32_t primitives = primitiveCount(shape, range.elementCount) * range.instanceCount; // no more than elements
  if (primitives > kMaxRangePrimitives)
    return false;
  if (primitives)
    append(list, range, primitives);
  return true;
}

DrawCutter::DrawCutter(const DrawRange& whole) : m_whole(whole), m_shape(topologyShape(whole.vertex->topology)) {
  // A draw that fits into one window finds its cuts while it is assembled.
  const bool windows = m_shape.vertices != 0 && (whole.elementCount > kMaxRangeElements ||
                                                 primitiveCount(m_shape, whole.elementCount) > kMaxRangePrimitives);
  m_cuts = windows && hasCut(whole.index, whole.firstElement, whole.elementCount);
}

bool DrawCutter::cut(DrawList& list, uint32_t maxRanges) {
  if (m_shape.vertices == 0)
    return false;
  const uint32_t perInstance = primitiveCount(m_shape, m_whole.elementCount);
  if (perInstance == 0)
    return false;
  if (m_whole.elementCount > kMaxRangeElements || perInstance > kMaxRangePrimitives)
    return cutWindows(list, maxRanges);
  const uint32_t together =
      std::max(1u, std::min(kMaxRangeElements / m_whole.elementCount, kMaxRangePrimitives / perInstance));
  while (m_instance < m_whole.instanceCount) {
    if (maxRanges-- == 0)
      return true;
    DrawRange range = m_whole;
    range.firstInstance = m_whole.firstInstance + m_instance;
    range.instanceCount = std::min(together, m_whole.instanceCount - m_instance);
    append(list, range, perInstance * range.instanceCount);
    m_instance += range.instanceCount;
  }
  return false;
}

/// Primitives that lie wholly in the next `window` elements; moves on to the first primitive that starts at least
/// `advance` elements further.
uint32_t DrawCutter::measureStrip(uint32_t window, uint32_t advance) {
  const uint32_t first = m_element, end = first + window, goal = first + advance;
  uint32_t primitives = 0, from = first, nextRun = m_runStart;
  for (uint32_t e = first; e < end; ++e) {
    if (!isCut(m_whole.index, m_whole.firstElement + e))
      continue;
    primitives += primitiveCount(m_shape, e - from);
    from = e + 1;
    if (e < goal)
      nextRun = from;
  }
  primitives += primitiveCount(m_shape, end - from);
  uint32_t next = goal;
  if (nextRun < goal)
    next = nextRun + (goal - nextRun + m_shape.step - 1) / m_shape.step * m_shape.step;
  if (next < goal) // more elements than 32 bits count
    next = m_whole.elementCount;
  for (uint32_t e = goal; e < next && e < m_whole.elementCount; ++e)
    if (isCut(m_whole.index, m_whole.firstElement + e))
      next = nextRun = e + 1;
  m_runStart = nextRun;
  m_element = next;
  return primitives;
}

/// One instance at a time, in windows.
bool DrawCutter::cutWindows(DrawList& list, uint32_t maxRanges) {
  const bool cuts = m_cuts;
  const uint32_t most = std::min(kMaxRangePrimitives, (kMaxRangeElements - m_shape.span) / m_shape.step) & ~1u;
  while (m_instance < m_whole.instanceCount) {
    const uint32_t left = m_whole.elementCount - std::min(m_element, m_whole.elementCount);
    if (left < m_shape.span) {
      m_element = m_runStart = m_primitive = 0;
      ++m_instance;
      continue;
    }
    if (maxRanges-- == 0)
      return true;
    DrawRange range = m_whole;
    range.firstElement = m_whole.firstElement + m_element;
    range.firstInstance = m_whole.firstInstance + m_instance;
    range.instanceCount = 1;
    range.firstPrimitive = m_primitive;
    range.oddStart = ((m_element - m_runStart) / m_shape.step & 1) != 0;
    const uint32_t advance = std::min(left, most * m_shape.step);
    uint32_t primitives;
    if (cuts) {
      range.elementCount = std::min(left, advance + m_shape.span - 1);
      primitives = measureStrip(range.elementCount, advance);
    } else {
      range.elementCount = std::min(left, (most - 1) * m_shape.step + m_shape.span);
      primitives = primitiveCount(m_shape, range.elementCount);
      m_element += advance; // an even number of primitives, so parity stays even
      m_runStart = m_element;
    }
    if (primitives)
      append(list, range, primitives);
    m_primitive += primitives;
  }
  return false;
}

} // namespace monolith::geometry
