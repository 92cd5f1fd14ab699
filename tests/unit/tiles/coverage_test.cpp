// SPDX-License-Identifier: MIT
#include "tiles/coverage.h"
#include "base/cpu.h"

#include <gtest/gtest.h>

#include <random>

namespace monolith::tiles {

namespace {

int32_t between(std::mt19937& random, int32_t low, int32_t high)
{
  return std::uniform_int_distribution<int32_t>(low, high)(random);
}

/// Coverage of a tile as 64 rows of 64 bits; fails on blocks that repeat or lie outside.
struct Picture {
  uint64_t rows[64] = {};
  Picture(const abi::Block* blocks, uint32_t count, uint32_t tileX, uint32_t tileY, uint32_t align = 8)
  {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t x = blocks[i].x - tileX, y = blocks[i].y - tileY;
      EXPECT_TRUE(x <= 56 && y <= 56 && x % align == 0 && y % align == 0);
      EXPECT_NE(blocks[i].mask, 0u);
      for (uint32_t r = 0; r < 8; ++r) {
        const uint64_t bits = ((blocks[i].mask >> (r * 8)) & 0xff) << x;
        EXPECT_EQ(rows[y + r] & bits, 0u);
        rows[y + r] |= bits;
      }
    }
  }
  bool at(uint32_t x, uint32_t y) const { return (rows[y] >> x) & 1; }
};

} // namespace

TEST(Coverage, TwinsAgree)
{
  if (!monolith::base::hasAvx2())
    GTEST_SKIP() << "needs AVX2";
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    TileEdges edges;
    edges.tileX = uint32_t(between(random, 0, 200)) * 64;
    edges.tileY = uint32_t(between(random, 0, 200)) * 64;
    edges.count = uint32_t(round % 4);
    const int32_t size = round % 3 == 0 ? 300 : round % 3 == 1 ? 30000 : 1 << 23;
    for (uint32_t k = 0; k < 3; ++k) {
      edges.a[k] = between(random, -size, size);
      edges.b[k] = between(random, -size, size);
      edges.e[k] = between(random, -size * 40, size * 40);
    }
    edges.bx0 = between(random, 0, 7);
    edges.by0 = between(random, 0, 7);
    edges.bx1 = between(random, edges.bx0, 7);
    edges.by1 = between(random, edges.by0, 7);
    abi::Block scalar[kBlocksPerTile], simd[kBlocksPerTile + 1];
    const uint32_t count = walkEdgesScalar(edges, scalar);
    ASSERT_EQ(walkEdgesAvx2(edges, simd), count);
    for (uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(scalar[i].mask, simd[i].mask);
      ASSERT_EQ(scalar[i].x, simd[i].x);
      ASSERT_EQ(scalar[i].y, simd[i].y);
    }
  }
}

TEST(Coverage, TrianglesFollowTheirEdges)
{
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    EdgeShape shape;
    const uint32_t tileX = uint32_t(between(random, 0, 255)) * 64, tileY = uint32_t(between(random, 0, 255)) * 64;
    // Up to edges that overflow 32 bits within a tile.
    const int32_t size = round % 3 == 0 ? 2000 : round % 3 == 1 ? 1 << 20 : 1 << 25;
    for (int k = 0; k < 3; ++k) {
      shape.a[k] = between(random, -size, size);
      shape.b[k] = between(random, -size, size);
      shape.c[k] = -(int64_t(shape.a[k]) * (tileX + uint32_t(between(random, -30, 90))) +
                     int64_t(shape.b[k]) * (tileY + uint32_t(between(random, -30, 90))));
    }
    if (tileX < 64 || tileY < 64)
      continue;
    shape.x0 = shape.y0 = 0;
    shape.x1 = shape.y1 = 16383;
    abi::Block blocks[kBlocksPerTile + 1];
    for (WalkEdges walk : {&walkEdgesScalar, bestWalk()}) {
      const Picture picture(blocks, coverTriangle(shape, tileX, tileY, walk, blocks), tileX, tileY);
      for (uint32_t y = 0; y < 64; ++y)
        for (uint32_t x = 0; x < 64; ++x) {
          bool inside = true;
          for (int k = 0; k < 3; ++k)
            inside = inside && shape.c[k] + int64_t(shape.a[k]) * (tileX + x) + int64_t(shape.b[k]) * (tileY + y) >= 0;
          ASSERT_EQ(picture.at(x, y), inside) << x << "," << y << " round " << round;
        }
    }
  }
}

TEST(Coverage, SmallMasksAtEveryPlace)
{
  std::mt19937 random(3);
  abi::Block blocks[kBlocksPerTile];
  for (uint32_t y = 60; y < 132; ++y)
    for (uint32_t x = 60; x < 132; ++x) {
      const uint64_t mask = uint64_t(random()) << 32 | random();
      const SmallShape shape{mask, uint16_t(x), uint16_t(y), 0};
      const Picture picture(blocks, coverSmall(shape, 64, 64, blocks), 64, 64);
      for (uint32_t py = 0; py < 64; ++py)
        for (uint32_t px = 0; px < 64; ++px) {
          const uint32_t i = px + 64 - x, j = py + 64 - y;
          ASSERT_EQ(picture.at(px, py), i < 8 && j < 8 && (mask >> (j * 8 + i) & 1));
        }
    }
}

/// One block wherever the shape begins gives the pixels that aligned blocks give, within tile and padded target.
TEST(Coverage, WindowsCoverWhatBlocksCover)
{
  std::mt19937 random(7);
  uint32_t single = 0, several = 0;
  for (int round = 0; round < 50000; ++round) {
    const uint32_t align = 1u << (round & 1), tileX = uint32_t(between(random, 1, 3)) * 64, tileY = uint32_t(between(random, 1, 3)) * 64;
    const uint32_t width = tileX + uint32_t(between(random, 1, 100)), height = tileY + uint32_t(between(random, 1, 100));
    const auto limit = [](uint32_t tile, uint32_t size) { return std::min(tile + 64, (size + 7) & ~7u) - 8; };
    const WindowLimits limits = {tileX, tileY, limit(tileX, width), limit(tileY, height), align};
    SmallShape shape = {uint64_t(random()) << 32 | random(), uint16_t(between(random, int32_t(tileX) - 7, int32_t(std::min(width, tileX + 64)) - 1)),
                        uint16_t(between(random, int32_t(tileY) - 7, int32_t(std::min(height, tileY + 64)) - 1)), 0};
    if (round % 3)
      shape.mask &= 0x0000070f0f0f0f07u;
    for (uint32_t y = 0; y < 8; ++y)
      for (uint32_t x = 0; x < 8; ++x)
        if (shape.x + x >= width || shape.y + y >= height)
          shape.mask &= ~(uint64_t(1) << (y * 8 + x));
    if (shape.mask == 0)
      continue;
    abi::Block expected[kBlocksPerTile], got[kBlocksPerTile];
    const uint32_t count = coverSmall(shape, tileX, tileY, expected), windows = coverWindow(shape, limits, got);
    (windows == 1 ? single : several) += windows != 0;
    for (uint32_t i = 0; i < windows; ++i)
      ASSERT_TRUE(windows > 1 || (got[i].x <= limits.x1 && got[i].y <= limits.y1));
    const Picture a(expected, count, tileX, tileY), b(got, windows, tileX, tileY, align);
    for (uint32_t y = 0; y < 64; ++y)
      ASSERT_EQ(a.rows[y], b.rows[y]) << round;
  }
  EXPECT_GT(single, several * 3);
  EXPECT_GT(several, 1000u);
}

TEST(Coverage, RectanglesAndClipping)
{
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    TileRect rect{between(random, 0, 63), between(random, 0, 63), 0, 0};
    rect.x1 = between(random, rect.x0, 63);
    rect.y1 = between(random, rect.y0, 63);
    abi::Block blocks[kBlocksPerTile], whole[kBlocksPerTile];
    const Picture picture(blocks, coverRect(128, 192, rect, blocks), 128, 192);
    ASSERT_EQ(coverRect(128, 192, {0, 0, 63, 63}, whole), kBlocksPerTile);
    const Picture clipped(whole, clipBlocks(whole, kBlocksPerTile, 128, 192, rect), 128, 192);
    for (int32_t y = 0; y < 64; ++y)
      for (int32_t x = 0; x < 64; ++x) {
        const bool inside = x >= rect.x0 && x <= rect.x1 && y >= rect.y0 && y <= rect.y1;
        ASSERT_EQ(picture.at(uint32_t(x), uint32_t(y)), inside);
        ASSERT_EQ(clipped.at(uint32_t(x), uint32_t(y)), inside);
      }
  }
}

} // namespace monolith::tiles
