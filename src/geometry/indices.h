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

/// Whether any of `count` numbers at `from` has all bits set. Blocks of constant size become vector instructions.
template <class Index> bool anyCut(const uint8_t* from, uint64_t count) {
  constexpr uint64_t kBlock = 128 / sizeof(Index);
  Index block[kBlock];
  for (; count >= kBlock; count -= kBlock, from += sizeof block) {
    std::memcpy(block, from, sizeof block);
    Index found = 0;
    for (uint64_t i = 0; i < kBlock; ++i)
      found |= Index(block[i] == Index(~Index(0)) ? 1 : 0);
    if (found)
      return true;
  }
  for (; count; --count, from += sizeof(Index)) {
    std::memcpy(block, from, sizeof(Index));
    if (block[0] == Index(~Index(0)))
      return true;
  }
  return false;
}

/// Whether the stream cuts anywhere in a range. Beyond the buffer indices are 0, which never cuts.
inline bool hasCut(const IndexStream& s, uint64_t first, uint64_t count) {
  if (s.indexBytes == 0)
    return false;
  const uint64_t available = s.size / s.indexBytes;
  if (first >= available)
    return false;
  count = count < available - first ? count : available - first;
  return s.indexBytes == 2 ? anyCut<uint16_t>(s.base + first * 2, count) : anyCut<uint32_t>(s.base + first * 4, count);
}

} // namespace monolith::geometry
