// SPDX-License-Identifier: MIT
/// Conservative rasterization: every pixel that shares an area with the triangle.
#include "reference_raster.h"

#include <cmath>

namespace monolith::test {

namespace {

struct Point {
  long double x, y;
};

/// Area of the triangle's part within the pixel, by clipping against the pixel's four sides.
long double commonArea(const Fixed (&v)[3], int px, int py)
{
  std::vector<Point> polygon;
  for (const Fixed& p : v)
    polygon.push_back({(long double)(p.x) / 256 - px, (long double)(p.y) / 256 - py});
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

} // namespace

// REQ: B0639
TEST(Conservative, CoversEveryPixelTouched)
{
  std::mt19937 random(61);
  const auto between = [&](int32_t low, int32_t high) { return std::uniform_int_distribution<int32_t>(low, high)(random); };
  for (int i = 0; i < 400; ++i) {
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
    Raster raster(150, 100);
    Vertices vertices;
    const uint32_t indices[3] = {vertices.add(v[0]), vertices.add(v[1]), vertices.add(v[2])};
    tiles::DrawSetup& draw = raster.newDraw();
    draw.raster.conservative = 1;
    raster.binner().setDraw(&draw);
    raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
    const Canvas& canvas = raster.render();
    const bool degenerate = cross(v[0], v[1], v[2]) == 0;
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 150; ++x) {
        const long double area = commonArea(v, x, y);
        if (area > 0 && area < 1e-10L)
          continue; // cannot be told from rounding
        ASSERT_EQ(canvas.at(x, y), uint32_t(!degenerate && area > 0)) << x << "," << y << " area " << double(area);
      }
  }
}

} // namespace monolith::test
