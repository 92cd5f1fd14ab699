// SPDX-License-Identifier: MIT
/// @file
/// From shapes to 8x8 block masks within one tile. Scalar and AVX2 twins of the triangle walk give the same blocks in
/// the same order (rows of blocks from the top, each from the left), so results do not depend on the machine.
#pragma once

#include "abi/sample_positions.h"
#include "tiles/chunk_bins.h"

#include <cstdint>

namespace monolith::tiles {

/// Conservative rasterization: from a pixel's centre, in 1/256 pixel, to the sides of its square widened by the rounding
/// error of positions.
inline constexpr int64_t kConservativeReach = 129;

inline constexpr uint32_t kTilePixels = 64, kBlocksPerRow = 8, kBlocksPerTile = 64;

/// Inclusive pixel rectangle relative to the tile's first pixel.
struct TileRect {
  int32_t x0, y0, x1, y1;
  bool whole() const { return x0 <= 0 && y0 <= 0 && x1 >= 63 && y1 >= 63; }
  bool empty() const { return x0 > x1 || y0 > y1; }
};

/// The edges of a triangle that cut a tile, relative to the tile: e[k] + a[k]*x + b[k]*y >= 0 is inside,
/// for x, y in 0..63, free of overflow in 32 bits.
struct TileEdges {
  int32_t e[3], a[3], b[3];
  uint32_t count;                ///< 0..3.
  int32_t bx0, by0, bx1, by1;    ///< Blocks that may be covered, inclusive, 0..7.
  uint32_t tileX, tileY;         ///< First pixel of the tile.
};

/// Writes the covered blocks and returns their number.
using WalkEdges = uint32_t (*)(const TileEdges& edges, abi::Block* out);
uint32_t walkEdgesScalar(const TileEdges& edges, abi::Block* out);
uint32_t walkEdgesAvx2(const TileEdges& edges, abi::Block* out);
WalkEdges bestWalk();

struct WindowLimits;
/// coverWindow's less common cases.
uint32_t coverShifted(const SmallShape& shape, const WindowLimits& limits, abi::Block* out);

/// Covered blocks of a triangle of any size (edges beyond 32 bits take a slower way).
uint32_t coverTriangle(const EdgeShape& shape, uint32_t tileX, uint32_t tileY, WalkEdges walk, abi::Block* out);
uint32_t coverSmall(const SmallShape& shape, uint32_t tileX, uint32_t tileY, abi::Block* out);

/// Where blocks may begin in a tile: not before (x0, y0), not behind (x1, y1), at multiples of `align` (1, or 2 for quads).
struct WindowLimits {
  uint32_t x0, y0, x1, y1, align;
};
/// The same as coverSmall, by one block that begins where the shape does, if there is one that holds all of it.
inline uint32_t coverWindow(const SmallShape& shape, const WindowLimits& limits, abi::Block* out)
{
  const uint32_t inside = limits.align - 1;
  if (shape.x >= limits.x0 && shape.y >= limits.y0 && shape.x <= limits.x1 && shape.y <= limits.y1 &&
      ((shape.x | shape.y) & inside) == 0) [[likely]] {
    *out = {shape.mask, shape.x, shape.y, 0};
    return 1;
  }
  return coverShifted(shape, limits, out);
}
/// Only pixels within `clip` (which lies within the tile).
uint32_t coverLine(const LineShape& shape, uint32_t tileX, uint32_t tileY, const TileRect& clip, abi::Block* out);
/// All pixels within `clip`.
uint32_t coverRect(uint32_t tileX, uint32_t tileY, const TileRect& clip, abi::Block* out);
/// Removes pixels outside `clip`, and blocks that become empty. Returns the new count.
uint32_t clipBlocks(abi::Block* blocks, uint32_t count, uint32_t tileX, uint32_t tileY, const TileRect& clip);

/// A draw's sample pattern.
struct SamplePattern {
  uint32_t count;
  const abi::SamplePosition* positions;
};
/// The pattern that a draw is rasterized with; one sample if the context names none that exists.
inline SamplePattern patternOf(const abi::DrawContext& context)
{
  const abi::SamplePosition* positions = abi::samplePositions(context.sampleCount, context.centredSamples != 0);
  return positions ? SamplePattern{context.sampleCount, positions} : SamplePattern{1, abi::kSamplePositions1};
}

/// For several samples: also writes each block's masks, pattern.count of them, to `masks`. Blocks are in no
/// particular order; equal on every machine.
uint32_t coverTriangleSampled(const EdgeShape& shape, uint32_t tileX, uint32_t tileY, const SamplePattern& pattern,
                              WalkEdges walk, abi::Block* out, uint64_t* masks);
uint32_t coverSmallSampled(const SampledShape& shape, uint32_t tileX, uint32_t tileY, uint32_t samples,
                           abi::Block* out, uint64_t* masks);

} // namespace monolith::tiles
