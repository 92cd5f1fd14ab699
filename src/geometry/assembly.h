// SPDX-License-Identifier: MIT
/// @file
/// Input assembly of one range: which vertices to shade, and which of them make each primitive.
#pragma once

#include "geometry/draw.h"

#include <memory>

namespace monolith::geometry {

/// Finds vertices that a batch already has. Direct-mapped by index; an entry counts only when its generation matches,
/// so that starting a new batch costs nothing. A collision means that a vertex is shaded twice, nothing worse.
class VertexReuse {
public:
  void nextBatch() {
    if (++m_generation == 0) {
      for (auto& k : m_keys)
        k = 0;
      m_generation = 1;
    }
  }
  /// Slot of `index`; a new one when `next` came back increased.
  uint32_t slot(uint32_t index, uint32_t& next, uint32_t* ids) {
    const uint64_t key = uint64_t(m_generation) << 32 | index;
    const uint32_t at = index & (kEntries - 1);
    if (m_keys[at] == key)
      return m_slots[at];
    m_keys[at] = key;
    m_slots[at] = uint16_t(next);
    ids[next] = index;
    return next++;
  }

private:
  static constexpr uint32_t kEntries = 8192;
  uint32_t m_generation = 0;
  uint64_t m_keys[kEntries] = {};
  uint16_t m_slots[kEntries] = {};
};

/// Working space of one thread for assembly; what assemble() leaves.
struct Assembly {
  uint32_t vertexCount = 0, primitiveCount = 0;
  alignas(64) uint32_t vertexIds[kMaxRangeElements + 8];
  alignas(64) uint32_t instanceIds[kMaxRangeElements + 8];
  uint32_t indices[kMaxRangePrimitives * 3 + 8]; ///< `vertices` of the topology's shape for each primitive.
  uint32_t primitiveIds[kMaxRangePrimitives + 8];
  uint32_t slots[kMaxRangeElements + 8];
  VertexReuse reuse;
};

/// Fills `out` from one range. Its counts stay within the limits of draw.h.
void assemble(const DrawRange& range, Assembly& out);

} // namespace monolith::geometry
