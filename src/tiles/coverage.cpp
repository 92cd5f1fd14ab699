// SPDX-License-Identifier: MIT
#include "tiles/coverage.h"

namespace monolith::tiles {

namespace {

constexpr uint64_t kEveryByte = 0x0101010101010101u;
/// Edges up to this |a| + |b| stay within 2^30 over a tile.
constexpr int64_t kMaxTileStep = 1 << 24;
constexpr int64_t kClamp = 1 << 30;

int32_t clampEdge(int64_t e)
{
  // Beyond the clamp the sign cannot change within the tile (or block).
  return int32_t(e > kClamp ? kClamp : e < -kClamp ? -kClamp : e);
}
int32_t negativePart(int32_t v) { return v < 0 ? v : 0; }
int32_t positivePart(int32_t v) { return v > 0 ? v : 0; }

/// Pixels of an 8x8 block in columns x0..x1 and rows y0..y1, each 0..7.
uint64_t rectMask(int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
  const uint64_t columns = (0xffu >> (7 - x1)) & (0xffu << x0) & 0xffu;
  const uint64_t rows = (~uint64_t(0) >> ((7 - y1) * 8)) & (~uint64_t(0) << (y0 * 8));
  return columns * kEveryByte & rows;
}

uint64_t blockMask(int32_t e, int32_t a, int32_t b)
{
  uint64_t mask = 0;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      mask |= uint64_t(e + a * x + b * y >= 0) << (y * 8 + x);
  return mask;
}

void put(abi::Block& block, uint64_t mask, uint32_t x, uint32_t y) { block = {mask, uint16_t(x), uint16_t(y), 0}; }

/// Edge values need 64 bits between blocks; within a block 32 bits hold every difference.
uint32_t walkWide(const EdgeShape& shape, uint32_t tileX, uint32_t tileY, const TileEdges& range, abi::Block* out)
{
  uint32_t count = 0;
  for (int32_t by = range.by0; by <= range.by1; ++by)
    for (int32_t bx = range.bx0; bx <= range.bx1; ++bx) {
      const uint32_t x = tileX + uint32_t(bx) * 8, y = tileY + uint32_t(by) * 8;
      uint64_t mask = ~uint64_t(0);
      for (int k = 0; k < 3 && mask; ++k)
        mask &= blockMask(clampEdge(shape.c[k] + int64_t(shape.a[k]) * x + int64_t(shape.b[k]) * y), shape.a[k],
                          shape.b[k]);
      if (mask)
        put(out[count++], mask, x, y);
    }
  return count;
}

} // namespace

uint32_t walkEdgesScalar(const TileEdges& edges, abi::Block* out)
{
  uint32_t count = 0;
  for (int32_t by = edges.by0; by <= edges.by1; ++by)
    for (int32_t bx = edges.bx0; bx <= edges.bx1; ++bx) {
      uint64_t mask = ~uint64_t(0);
      for (uint32_t k = 0; k < edges.count && mask; ++k) {
        const int32_t a = edges.a[k], b = edges.b[k];
        const int32_t e = edges.e[k] + a * (bx * 8) + b * (by * 8);
        if (e + 7 * (positivePart(a) + positivePart(b)) < 0)
          mask = 0;
        else if (e + 7 * (negativePart(a) + negativePart(b)) < 0)
          mask &= blockMask(e, a, b);
      }
      if (mask)
        put(out[count++], mask, edges.tileX + uint32_t(bx) * 8, edges.tileY + uint32_t(by) * 8);
    }
  return count;
}

uint32_t coverTriangle(const EdgeShape& shape, uint32_t tileX, uint32_t tileY, WalkEdges walk, abi::Block* out)
{
  TileEdges edges;
  edges.tileX = tileX;
  edges.tileY = tileY;
  const int32_t x0 = int32_t(shape.x0) - int32_t(tileX), y0 = int32_t(shape.y0) - int32_t(tileY);
  const int32_t x1 = int32_t(shape.x1) - int32_t(tileX), y1 = int32_t(shape.y1) - int32_t(tileY);
  edges.bx0 = x0 < 0 ? 0 : x0 >> 3;
  edges.by0 = y0 < 0 ? 0 : y0 >> 3;
  edges.bx1 = x1 > 63 ? 7 : x1 >> 3;
  edges.by1 = y1 > 63 ? 7 : y1 >> 3;
  edges.count = 0;
  for (int k = 0; k < 3; ++k) {
    const int32_t a = shape.a[k], b = shape.b[k];
    const int64_t reach = int64_t(a < 0 ? -int64_t(a) : a) + (b < 0 ? -int64_t(b) : b);
    if (reach > kMaxTileStep)
      return walkWide(shape, tileX, tileY, edges, out);
    const int64_t e = shape.c[k] + int64_t(a) * tileX + int64_t(b) * tileY;
    if (e + 63 * (int64_t(negativePart(a)) + negativePart(b)) >= 0)
      continue;
    const uint32_t n = edges.count++;
    edges.e[n] = clampEdge(e);
    edges.a[n] = a;
    edges.b[n] = b;
  }
  return walk(edges, out);
}

uint32_t coverSmall(const SmallShape& shape, uint32_t tileX, uint32_t tileY, abi::Block* out)
{
  const uint32_t bx = shape.x & ~7u, by = shape.y & ~7u;
  const uint32_t sx = shape.x & 7u, sy = shape.y & 7u;
  // The 8x8 window falls into four blocks; shifts by 64 are written as two.
  const uint64_t left = (shape.mask << sx) & (((0xffu << sx) & 0xffu) * kEveryByte);
  const uint64_t right = (shape.mask >> (8 - sx)) & (((1u << sx) - 1) * kEveryByte);
  const uint32_t up = sy * 8, down = 63 - up;
  const uint64_t parts[4] = {left << up, right << up, left >> 1 >> down, right >> 1 >> down};
  uint32_t count = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t x = bx + (i & 1u) * 8, y = by + (i >> 1) * 8;
    put(out[count], parts[i], x, y);
    count += uint32_t(parts[i] != 0) & uint32_t(x - tileX < 64u) & uint32_t(y - tileY < 64u);
  }
  return count;
}

uint32_t coverShifted(const SmallShape& shape, const WindowLimits& limits, abi::Block* out)
{
  const auto place = [&](uint32_t at, uint32_t low, uint32_t high) {
    const uint32_t v = at < low ? low : at > high ? high : at;
    return v & ~(limits.align - 1);
  };
  const uint32_t x = place(shape.x, limits.x0, limits.x1), y = place(shape.y, limits.y0, limits.y1);
  // Pixels that the block does not reach: those of the next tile are not asked for, others take more than one block.
  uint64_t mask = shape.mask, lost = 0;
  if (x > shape.x) {
    const uint32_t d = x - shape.x;
    mask = d < 8 ? (mask >> d) & ((0xffu >> d) * kEveryByte) : 0;
  } else if (x < shape.x) {
    const uint32_t d = shape.x - x;
    const uint64_t over = ((0xffu << (8 - d)) & 0xffu) * kEveryByte;
    lost |= x < limits.x1 ? mask & over : 0;
    mask = (mask & ~over) << d;
  }
  if (y > shape.y) {
    const uint32_t d = y - shape.y;
    mask = d < 8 ? mask >> (d * 8) : 0;
  } else if (y < shape.y) {
    const uint32_t d = shape.y - y;
    lost |= y < limits.y1 ? mask >> ((8 - d) * 8) : 0;
    mask <<= d * 8;
  }
  if (lost)
    return coverSmall(shape, limits.x0, limits.y0, out);
  put(*out, mask, x, y);
  return mask != 0;
}

uint32_t coverLine(const LineShape& shape, uint32_t tileX, uint32_t tileY, const TileRect& clip, abi::Block* out)
{
  uint64_t masks[kBlocksPerTile] = {};
  const int32_t majorOrigin = int32_t(shape.yMajor ? tileY : tileX);
  const int32_t minorOrigin = int32_t(shape.yMajor ? tileX : tileY);
  int32_t first = majorOrigin + (shape.yMajor ? clip.y0 : clip.x0);
  int32_t last = majorOrigin + (shape.yMajor ? clip.y1 : clip.x1);
  const int32_t minor0 = shape.yMajor ? clip.x0 : clip.y0, minor1 = shape.yMajor ? clip.x1 : clip.y1;
  first = first > shape.first ? first : shape.first;
  last = last < shape.last ? last : shape.last;
  if (first > last)
    return 0;
  // Exact: quotient and remainder advance by those of one step.
  const int64_t n = shape.n0 + shape.step * first;
  int64_t quotient = n / shape.divisor, remainder = n % shape.divisor;
  if (remainder < 0)
    remainder += shape.divisor, --quotient;
  int64_t stepQuotient = shape.step / shape.divisor, stepRemainder = shape.step % shape.divisor;
  if (stepRemainder < 0)
    stepRemainder += shape.divisor, --stepQuotient;
  for (int32_t major = first; major <= last; ++major) {
    const int64_t minor = quotient - minorOrigin;
    if (minor >= minor0 && minor <= minor1) {
      const uint32_t x = shape.yMajor ? uint32_t(minor) : uint32_t(major - majorOrigin);
      const uint32_t y = shape.yMajor ? uint32_t(major - majorOrigin) : uint32_t(minor);
      masks[(y >> 3) * 8 + (x >> 3)] |= uint64_t(1) << ((y & 7) * 8 + (x & 7));
    }
    quotient += stepQuotient;
    remainder += stepRemainder;
    if (remainder >= shape.divisor)
      remainder -= shape.divisor, ++quotient;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < kBlocksPerTile; ++i)
    if (masks[i])
      put(out[count++], masks[i], tileX + (i & 7) * 8, tileY + (i >> 3) * 8);
  return count;
}

uint32_t coverRect(uint32_t tileX, uint32_t tileY, const TileRect& clip, abi::Block* out)
{
  uint32_t count = 0;
  for (int32_t y = clip.y0 & ~7; y <= clip.y1; y += 8)
    for (int32_t x = clip.x0 & ~7; x <= clip.x1; x += 8) {
      const int32_t x0 = clip.x0 > x ? clip.x0 - x : 0, y0 = clip.y0 > y ? clip.y0 - y : 0;
      const int32_t x1 = clip.x1 < x + 7 ? clip.x1 - x : 7, y1 = clip.y1 < y + 7 ? clip.y1 - y : 7;
      put(out[count++], rectMask(x0, y0, x1, y1), tileX + uint32_t(x), tileY + uint32_t(y));
    }
  return count;
}

uint32_t clipBlocks(abi::Block* blocks, uint32_t count, uint32_t tileX, uint32_t tileY, const TileRect& clip)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const int32_t x = int32_t(blocks[i].x - tileX), y = int32_t(blocks[i].y - tileY);
    const int32_t x0 = clip.x0 > x ? clip.x0 - x : 0, y0 = clip.y0 > y ? clip.y0 - y : 0;
    const int32_t x1 = clip.x1 < x + 7 ? clip.x1 - x : 7, y1 = clip.y1 < y + 7 ? clip.y1 - y : 7;
    if (x0 > 7 || y0 > 7 || x1 < 0 || y1 < 0)
      continue;
    const uint64_t mask = blocks[i].mask & rectMask(x0, y0, x1, y1);
    if (mask) {
      blocks[kept] = blocks[i];
      blocks[kept++].mask = mask;
    }
  }
  return kept;
}

} // namespace monolith::tiles
