// SPDX-License-Identifier: MIT
/// @file
/// What the geometry phase works on: draws cut into ranges, ranges gathered into chunks.
///
/// A *range* is a window of one draw's elements (vertices or indices) for one or more instances, small enough that all its
/// vertices are shaded as one batch. A *chunk* is a run of ranges that one thread takes: many small draws, or a piece
/// of a big one. Windows of strips overlap, and carry the parity and the number of their first primitive, so that every
/// range can be processed without looking at another.
#pragma once

#include "abi/vertex_args.h"
#include "state/pipeline_state.h"
#include "tiles/scene.h"

#include <cstdint>
#include <vector>

namespace monolith::geometry {

inline constexpr uint32_t kMaxRangeElements = 12288; ///< Also the most vertices of a batch.
inline constexpr uint32_t kMaxRangePrimitives = 4096;
inline constexpr uint32_t kMaxSlots = 136;

/// How packet slots are interpolated; matters where a clipped primitive gets new vertices. Bit sets by slot.
struct SlotClasses {
  uint64_t constant[3] = {};     ///< Leading vertex's value everywhere.
  uint64_t screenLinear[3] = {}; ///< Linear in screen space (no perspective).
};

struct IndexStream {
  const uint8_t* base = nullptr;
  uint64_t size = 0;       ///< Bytes; indices beyond give 0.
  uint32_t indexBytes = 0; ///< 0: not indexed.
};

/// Shared by draws with the same vertex side.
struct VertexSetup {
  abi::VertexKernel kernel = nullptr;
  const void* routine = nullptr; ///< For VertexArgs.
  const abi::VertexStream* streams = nullptr;
  SlotClasses classes;
  uint32_t slotCount = 8;
  state::Topology topology{};
  bool depthClip = true;
  uint8_t clipDistances = 0;
  uint8_t clipDistanceSlot[8] = {};
  uint8_t targetIndexSlot = 255, viewportIndexSlot = 255; ///< Of the leading vertex; matter if DrawSetup::arrays is set.
};

struct DrawRange {
  const VertexSetup* vertex;
  const tiles::DrawSetup* draw;
  abi::StageBindings bindings;
  IndexStream index;
  uint32_t firstElement;   ///< First vertex id, or position in the index stream.
  uint32_t elementCount;
  int32_t baseVertex;
  uint32_t startInstance;
  uint32_t firstInstance, instanceCount;
  uint32_t firstPrimitive; ///< SV_PrimitiveID of the window's first primitive.
  uint32_t statisticsSlot;
  bool oddStart;           ///< Strips: the window's first primitive has odd parity.
};

struct ChunkSpan {
  uint32_t firstRange, rangeCount;
  uint32_t elements, primitives;
};

/// Draws as they arrive, cut up. Executing thread.
struct DrawList {
  std::vector<DrawRange> ranges;
  std::vector<ChunkSpan> chunks;
  uint64_t primitives = 0;
  void clear() {
    ranges.clear();
    chunks.clear();
    primitives = 0;
  }
};

/// Counters of one thread for one statistics slot.
struct Statistics {
  uint64_t iaVertices = 0, iaPrimitives = 0, vsInvocations = 0, clipperInvocations = 0, clipperPrimitives = 0;
};

/// The shape of a topology: primitive n has its vertices at elements n * step + offsets.
struct TopologyShape {
  uint8_t vertices; ///< 1 points, 2 lines, 3 triangles; 0 = not drawable.
  uint8_t step;
  uint8_t span;     ///< Elements of one primitive.
  bool strip;
  uint8_t even[3], odd[3];
};
const TopologyShape& topologyShape(state::Topology topology);
inline uint32_t primitiveCount(const TopologyShape& s, uint32_t elements) {
  return elements < s.span ? 0 : (elements - s.span) / s.step + 1;
}

/// Appends a draw that fits into one range whole; false if it must be cut.
bool appendWhole(DrawList& list, const DrawRange& range);

/// A draw that is being cut up. Hostile counts make more ranges than memory holds, so it is done piece by piece:
/// cut() appends up to `maxRanges` ranges and says whether more is to come.
class DrawCutter {
public:
  /// `whole` describes the draw as one range: all elements, all instances.
  explicit DrawCutter(const DrawRange& whole);
  bool cut(DrawList& list, uint32_t maxRanges);

private:
  bool cutWindows(DrawList& list, uint32_t maxRanges);
  uint32_t measureStrip(uint32_t window, uint32_t advance);

  const DrawRange m_whole;
  const TopologyShape& m_shape;
  uint32_t m_instance = 0;
  uint32_t m_element = 0;   ///< Of the present instance.
  uint32_t m_runStart = 0;  ///< Where the strip that m_element lies in began.
  uint32_t m_primitive = 0;
  bool m_cuts = false; ///< The index stream cuts somewhere, so windows depend on its contents.
};

} // namespace monolith::geometry
