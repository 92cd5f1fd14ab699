// SPDX-License-Identifier: MIT
/// Conservative rasterization: every pixel that shares an area with the triangle as it may have been before positions
/// were rounded, and which of them lie wholly inside.
#include "reference_raster.h"

#include <algorithm>
#include <cmath>

namespace monolith::test {

namespace {

constexpr int kWidth = 150, kHeight = 100;

struct Point {
  long double x, y;
};

/// The triangle with a square of 1/128 pixel swept along it: the convex hull of the squares at its corners.
std::vector<Point> swept(const Fixed (&v)[3])
{
  std::vector<Point> points;
  for (const Fixed& p : v)
    for (int k = 0; k < 4; ++k)
      points.push_back({(long double)(p.x + (k & 1 ? 1 : -1)) / 256, (long double)(p.y + (k & 2 ? 1 : -1)) / 256});
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  const auto turn = [](const Point& a, const Point& b, const Point& c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); };
  std::vector<Point> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const size_t first = hull.size();
    for (const Point& p : points) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

/// Area of a convex polygon's part within the pixel, by clipping against the pixel's four sides.
long double commonArea(std::vector<Point> polygon, int px, int py)
{
  for (Point& p : polygon)
    p = {p.x - px, p.y - py};
  for (int side = 0; side < 4; ++side) {
    const auto inside = [&](const Point& p) {
      return side == 0 ? p.x : side == 1 ? 1 - p.x : side == 2 ? p.y : 1 - p.y;
    };
    std::vector<Point> kept;
    for (size_t i = 0; i < polygon.size(); ++i) {
      const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
      const long double da = inside(a), db = inside(b);
      if (da >= 0)
        kept.push_back(a);
      if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
        const long double t = da / (da - db);
        kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
      }
    }
    polygon = kept;
  }
  long double area = 0;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    area += a.x * b.y - b.x * a.y;
  }
  return std::fabs(area) / 2;
}

/// Whether the pixel's square, grown by `by` 1/256 pixel, lies inside all edges (on them counts).
bool insideAll(const Fixed (&v)[3], int px, int py, int by)
{
  const int64_t whole = cross(v[0], v[1], v[2]);
  if (whole == 0)
    return false;
  for (int k = 0; k < 3; ++k)
    for (int corner = 0; corner < 4; ++corner) {
      const Fixed p{px * 256 + (corner & 1 ? 256 + by : -by), py * 256 + (corner & 2 ? 256 + by : -by)};
      const int64_t side = cross(v[k], v[(k + 1) % 3], p);
      if (whole > 0 ? side < 0 : side > 0)
        return false;
    }
  return true;
}

struct InnerCanvas {
  std::vector<uint8_t> covered = std::vector<uint8_t>(kWidth * kHeight), inner = covered;
  uint64_t wrong = 0;
  uint32_t samples = 1;
};

void innerKernel(const abi::PixelArgs* args)
{
  InnerCanvas& canvas = *reinterpret_cast<InnerCanvas*>(args->draw->color[0].base);
  for (uint32_t i = 0; i < args->blockCount; ++i) {
    for (uint64_t m = args->blocks[i].mask; m; m &= m - 1) {
      const int bit = std::countr_zero(m), x = args->blocks[i].x + (bit & 7), y = args->blocks[i].y + (bit >> 3);
      ++canvas.covered[size_t(y * kWidth + x)];
      canvas.inner[size_t(y * kWidth + x)] = args->innerMasks[i] >> bit & 1;
    }
    for (uint32_t s = 0; canvas.samples > 1 && s < canvas.samples; ++s)
      canvas.wrong += args->sampleMasks[i * canvas.samples + s] != args->blocks[i].mask;
  }
}

} // namespace

// REQ: B0639
TEST(Conservative, CoversEveryPixelTouched)
{
  std::mt19937 random(61);
  const auto between = [&](int32_t low, int32_t high) { return std::uniform_int_distribution<int32_t>(low, high)(random); };
  uint64_t inner = 0, degenerate = 0;
  for (int i = 0; i < 240; ++i) {
    const int32_t extent = i % 4 == 0 ? 300 : i % 4 == 1 ? 1100 : i % 4 == 2 ? 8000 : 40000;
    const Fixed at{between(0, 150 * 256), between(0, 100 * 256)};
    Fixed v[3];
    for (Fixed& p : v) {
      p = {at.x + between(-extent, extent), at.y + between(-extent, extent)};
      if (i % 3 == 0)
        p = {p.x & ~255, p.y & ~255};
    }
    if (i % 5 == 0)
      v[2] = {(v[0].x + v[1].x) / 2 + 1, (v[0].y + v[1].y) / 2};
    if (i % 7 == 0) // a line
      v[1] = {v[0].x + 2 * (v[1].x & 1023), v[0].y + 2 * (v[1].y & 1023)}, v[2] = {(v[0].x + v[1].x) / 2, (v[0].y + v[1].y) / 2};
    if (i % 14 == 0) // a point, on a corner of a pixel now and then
      v[1] = v[2] = v[0];
    InnerCanvas canvas;
    canvas.samples = i % 2 ? 4 : 1;
    Raster raster(kWidth, kHeight);
    Vertices vertices;
    const uint32_t indices[3] = {vertices.add(v[0]), vertices.add(v[1]), vertices.add(v[2])};
    auto routine = std::make_shared<codegen::PixelRoutine>();
    routine->entry = innerKernel;
    routine->readsInnerCoverage = i % 11 < 8;
    tiles::DrawSetup& draw = raster.newDraw();
    draw.routine = routine;
    draw.context.color[0].base = reinterpret_cast<uint8_t*>(&canvas);
    draw.context.sampleCount = canvas.samples;
    draw.raster.conservative = 1;
    if (!routine->readsInnerCoverage) {
      static const uint64_t kNone[64] = {};
      routine->entry = [](const abi::PixelArgs* args) {
        abi::PixelArgs copy = *args;
        copy.innerMasks = kNone;
        innerKernel(&copy);
      };
    }
    raster.binner().setDraw(&draw);
    raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
    raster.render();
    EXPECT_EQ(canvas.wrong, 0u);
    degenerate += cross(v[0], v[1], v[2]) == 0;
    const std::vector<Point> polygon = swept(v);
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const size_t pixel = size_t(y * kWidth + x);
        const long double area = commonArea(polygon, x, y);
        if (area > 0 && area < 1e-10L)
          continue; // cannot be told from rounding
        ASSERT_EQ(canvas.covered[pixel], uint8_t(area > 0)) << i << ": " << x << "," << y << " area " << double(area);
        if (!routine->readsInnerCoverage)
          continue;
        // No pixel may be taken for inner that any rounding of positions could cut; within 1/256 pixel it is free.
        if (canvas.inner[pixel]) {
          ASSERT_TRUE(insideAll(v, x, y, 1)) << i << ": " << x << "," << y;
          ++inner;
        } else {
          ASSERT_FALSE(insideAll(v, x, y, 2)) << i << ": " << x << "," << y;
        }
      }
  }
  EXPECT_GT(inner, 3000u);
  EXPECT_GT(degenerate, 30u);
}

TEST(Conservative, TrianglesWithoutAreaFaceBackAndTakeTheFirstVertex)
{
  for (int cull = 0; cull < 3; ++cull)
    for (int counterClockwise = 0; counterClockwise < 2; ++counterClockwise) {
      Raster raster(64, 64);
      Vertices vertices;
      const uint32_t indices[3] = {vertices.add(1000, 1000, 0.25f), vertices.add(3000, 1000, 0.5f), vertices.add(2000, 1000, 0.75f)};
      tiles::DrawSetup& draw = raster.newDraw();
      draw.raster.conservative = 1;
      draw.raster.frontCounterClockwise = uint8_t(counterClockwise);
      draw.raster.cull = cull == 0 ? state::CullMode::None : cull == 1 ? state::CullMode::Front : state::CullMode::Back;
      raster.binner().setDraw(&draw);
      raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
      const Canvas& canvas = raster.render();
      EXPECT_EQ(canvas.total(), cull == 2 ? 0u : 9u);
      if (cull == 2)
        continue;
      EXPECT_EQ(canvas.flags[canvas.index(8, 3)] & abi::kFrontFacing, 0u);
      EXPECT_EQ(canvas.z[canvas.index(8, 3)], 0.25f);
      EXPECT_EQ(canvas.l1[canvas.index(8, 3)], 0.0f);
      EXPECT_EQ(canvas.l2[canvas.index(8, 3)], 0.0f);
    }
}

} // namespace monolith::test
