// SPDX-License-Identifier: MIT
/// @file
/// Reading of indices with the API's rule: beyond the buffer an index is 0.
#pragma once

#include "geometry/draw.h"

#include <cstring>

namespace monolith::geometry {

inline uint32_t readIndex(const IndexStream& s, uint64_t position) {
  if (s.indexBytes == 2) {
    if (position >= s.size / 2)
      return 0;
    uint16_t v;
    std::memcpy(&v, s.base + position * 2, 2);
    return v;
  }
  if (position >= s.size / 4)
    return 0;
  uint32_t v;
  std::memcpy(&v, s.base + position * 4, 4);
  return v;
}

inline uint32_t cutValue(const IndexStream& s) { return s.indexBytes == 2 ? 0xffffu : 0xffffffffu; }
inline bool isCut(const IndexStream& s, uint64_t position) { return readIndex(s, position) == cutValue(s); }

} // namespace monolith::geometry
