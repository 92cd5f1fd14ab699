// SPDX-License-Identifier: MIT
#include "tiles/coverage.h"

namespace monolith::tiles {

/// One walk for each sample, with the edges moved to it; the blocks found are merged.
uint32_t coverTriangleSampled(const EdgeShape& shape, uint32_t tileX, uint32_t tileY, const SamplePattern& pattern,
                              WalkEdges walk, abi::Block* out, uint64_t* masks)
{
  uint64_t present = 0;
  uint8_t place[kBlocksPerTile];
  uint32_t count = 0;
  abi::Block blocks[kBlocksPerTile];
  EdgeShape moved = shape;
  for (uint32_t s = 0; s < pattern.count; ++s) {
    const int32_t dx = pattern.positions[s].x * 16, dy = pattern.positions[s].y * 16;
    for (int k = 0; k < 3; ++k)
      moved.c[k] = (shape.c[k] + int64_t(shape.a[k]) * dx + int64_t(shape.b[k]) * dy) >> 8;
    const uint32_t found = coverTriangle(moved, tileX, tileY, walk, blocks);
    for (uint32_t i = 0; i < found; ++i) {
      const uint32_t index = (blocks[i].y - tileY) + (blocks[i].x - tileX) / 8;
      if (!(present >> index & 1)) {
        present |= uint64_t(1) << index;
        place[index] = uint8_t(count);
        out[count] = {0, blocks[i].x, blocks[i].y, 0};
        for (uint32_t t = 0; t < pattern.count; ++t)
          masks[count * pattern.count + t] = 0;
        ++count;
      }
      const uint32_t at = place[index];
      out[at].mask |= blocks[i].mask;
      masks[at * pattern.count + s] = blocks[i].mask;
    }
  }
  return count;
}

uint32_t coverSmallSampled(const SampledShape& shape, uint32_t tileX, uint32_t tileY, uint32_t samples,
                           abi::Block* out, uint64_t* masks)
{
  // The window falls into at most four blocks; each sample's mask is split alike.
  const uint64_t* sampleMasks = shape.mask;
  uint32_t count = 0;
  uint64_t parts[4][abi::kMaxSamples] = {}, unions[4] = {};
  abi::Block blocks[kBlocksPerTile];
  for (uint32_t s = 0; s < samples; ++s) {
    const uint32_t found = coverSmall({sampleMasks[s], shape.x, shape.y, 0}, tileX, tileY, blocks);
    for (uint32_t i = 0; i < found; ++i) {
      const uint32_t part = (blocks[i].x != (shape.x & ~7u)) | uint32_t(blocks[i].y != (shape.y & ~7u)) << 1;
      parts[part][s] = blocks[i].mask;
      unions[part] |= blocks[i].mask;
    }
  }
  for (uint32_t p = 0; p < 4; ++p) {
    if (!unions[p])
      continue;
    out[count] = {unions[p], uint16_t((shape.x & ~7u) + (p & 1) * 8), uint16_t((shape.y & ~7u) + (p >> 1) * 8), 0};
    for (uint32_t s = 0; s < samples; ++s)
      masks[count * samples + s] = parts[p][s];
    ++count;
  }
  return count;
}

} // namespace monolith::tiles
