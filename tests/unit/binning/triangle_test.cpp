// SPDX-License-Identifier: MIT
#include "reference_raster.h"

namespace monolith::test {

namespace {

using Random = std::mt19937;

int32_t between(Random& random, int32_t low, int32_t high)
{
  return std::uniform_int_distribution<int32_t>(low, high)(random);
}

/// Draws one triangle and compares every pixel with the reference.
void compareTriangle(const Fixed (&v)[3], int width, int height, const state::Rect* scissor = nullptr)
{
  Raster raster(width, height);
  Vertices vertices;
  const uint32_t indices[3] = {vertices.add(v[0]), vertices.add(v[1]), vertices.add(v[2])};
  tiles::DrawSetup& draw = raster.newDraw();
  if (scissor)
    draw.scissor = *scissor;
  raster.binner().setDraw(&draw);
  raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
  ASSERT_TRUE(raster.binner().ok());
  const Canvas& canvas = raster.render();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const bool visible = !scissor || (x >= scissor->left && x < scissor->right && y >= scissor->top && y < scissor->bottom);
      ASSERT_EQ(canvas.at(x, y), uint32_t(visible && triangleCovers(v, x, y)))
          << "pixel " << x << "," << y << " triangle " << v[0].x << "," << v[0].y << " " << v[1].x << "," << v[1].y << " "
          << v[2].x << "," << v[2].y;
    }
}

Fixed randomVertex(Random& random, int32_t extent, bool snapped)
{
  Fixed v{between(random, -extent / 4, extent * 5 / 4), between(random, -extent / 4, extent * 5 / 4)};
  if (snapped) // onto pixel centres and corners, where the top-left rule decides
    v = {(v.x >> 7) * 128, (v.y >> 7) * 128};
  return v;
}

} // namespace

TEST(Triangle, RandomMatchesReference)
{
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    const int32_t extent = i % 4 == 0 ? 200 * 256 : i % 4 == 1 ? 40 * 256 : i % 4 == 2 ? 6 * 256 : 2 * 256;
    const Fixed at{between(random, 0, 120 * 256), between(random, 0, 90 * 256)};
    Fixed v[3];
    for (Fixed& p : v) {
      p = randomVertex(random, extent, i % 3 == 0);
      if (extent < 200 * 256) {
        p.x += at.x & ~127;
        p.y += at.y & ~127;
      }
    }
    compareTriangle(v, 150, 100);
    if (HasFatalFailure())
      return;
  }
}

TEST(Triangle, SliversMatchReference)
{
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Fixed a{between(random, -3000, 40000), between(random, -3000, 26000)};
    const Fixed b{between(random, -3000, 40000), between(random, -3000, 26000)};
    const Fixed v[3] = {a, b, {(a.x + b.x) / 2 + between(random, -3, 3), (a.y + b.y) / 2 + between(random, -3, 3)}};
    compareTriangle(v, 150, 100);
    if (HasFatalFailure())
      return;
  }
}

TEST(Triangle, GuardBandSizedMatchReference)
{
  Random random(3);
  const int32_t limit = 32768 * 256;
  for (int i = 0; i < 100; ++i) {
    Fixed v[3];
    for (Fixed& p : v)
      p = {between(random, -limit, limit), between(random, -limit, limit)};
    if (i % 2) // an edge through the target
      v[1] = {9000 - v[0].x + between(random, -5000, 5000), 6000 - v[0].y + between(random, -5000, 5000)};
    compareTriangle(v, 150, 100);
    if (HasFatalFailure())
      return;
  }
  // The far corners of the range.
  compareTriangle({{-limit, -limit}, {limit, -limit}, {-limit, limit}}, 150, 100);
  compareTriangle({{limit, limit}, {-limit, limit}, {limit, -limit}}, 150, 100);
  compareTriangle({{-2 * limit, -2 * limit}, {2 * limit, -2 * limit}, {0, 2 * limit}}, 150, 100);
}

TEST(Triangle, OutOfRangePositionsDrawNothing)
{
  const int32_t far = 1 << 30;
  for (Fixed bad : {Fixed{far, 0}, Fixed{0, -far}, Fixed{INT32_MIN, INT32_MAX}}) {
    Raster raster(64, 64);
    Vertices vertices;
    const uint32_t indices[3] = {vertices.add(0, 0), vertices.add(64 * 256, 0), vertices.add(bad)};
    raster.binner().setDraw(&raster.newDraw());
    raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
    raster.binner().lines(vertices.batch(), indices + 1, 1, 0);
    raster.binner().points(vertices.batch(), indices + 2, 1, 0);
    EXPECT_EQ(raster.render().total(), 0u);
  }
}

// REQ: A0299 B0398
TEST(Triangle, ScissorMatchesReference)
{
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    state::Rect scissor;
    scissor.left = between(random, -10, 150);
    scissor.top = between(random, -10, 100);
    scissor.right = scissor.left + between(random, 0, i % 2 ? 150 : 9);
    scissor.bottom = scissor.top + between(random, 0, i % 2 ? 150 : 9);
    const int32_t extent = i % 3 == 0 ? 3 * 256 : 150 * 256;
    Fixed v[3];
    for (Fixed& p : v) {
      p = randomVertex(random, extent, i % 4 == 0);
      if (i % 3 == 0) {
        p.x += scissor.left * 256;
        p.y += scissor.top * 256;
      }
    }
    if (i % 5 == 0)
      v[0] = {-100 * 256, -100 * 256}, v[1] = {500 * 256, -100 * 256}, v[2] = {-100 * 256, 500 * 256};
    compareTriangle(v, 150, 100, &scissor);
    if (HasFatalFailure())
      return;
  }
}

/// Every pixel of a triangulated area is drawn exactly once, whatever the windings.
TEST(Triangle, MeshIsWatertight)
{
  Random random(5);
  for (int round = 0; round < 6; ++round) {
    const int n = round < 3 ? 12 : 60, width = 200, height = 170;
    std::vector<Fixed> grid;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) {
        Fixed p{width * 256 * i / n, height * 256 * j / n};
        const int32_t jitterX = width * 256 / n / 5, jitterY = height * 256 / n / 5;
        if (i > 0 && i < n)
          p.x += between(random, -jitterX, jitterX);
        if (j > 0 && j < n)
          p.y += between(random, -jitterY, jitterY);
        if (round % 3 == 1)
          p = {(p.x + 64) & ~127, (p.y + 64) & ~127};
        grid.push_back(p);
      }
    Raster raster(width, height);
    Vertices vertices(11);
    for (Fixed p : grid)
      vertices.add(p);
    std::vector<uint32_t> indices;
    for (uint32_t j = 0; j < uint32_t(n); ++j)
      for (uint32_t i = 0; i < uint32_t(n); ++i) {
        const uint32_t a = j * uint32_t(n + 1) + i, b = a + 1, c = a + uint32_t(n + 1), d = c + 1;
        if (random() & 1)
          indices.insert(indices.end(), {a, b, c, b, c, d});
        else
          indices.insert(indices.end(), {a, b, d, c, a, d});
      }
    raster.binner().setDraw(&raster.newDraw());
    raster.binner().triangles(vertices.batch(), indices.data(), uint32_t(indices.size() / 3), nullptr, 0, nullptr);
    const Canvas& canvas = raster.render(round % 2 == 1);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        ASSERT_EQ(canvas.at(x, y), 1u) << x << "," << y << " round " << round;
  }
}

// REQ: A0004 A0288 B0395 B0720
TEST(Triangle, CullingByFacing)
{
  for (int shape = 0; shape < 2; ++shape)
    for (int clockwise = 0; clockwise < 2; ++clockwise)
      for (int ccwIsFront = 0; ccwIsFront < 2; ++ccwIsFront)
        for (state::CullMode cull : {state::CullMode::None, state::CullMode::Front, state::CullMode::Back}) {
          Raster raster(64, 64);
          Vertices vertices;
          const int32_t size = shape ? 3 * 256 : 50 * 256;
          const uint32_t a = vertices.add(0, 0), b = vertices.add(size, 0), c = vertices.add(0, size);
          // Right, then down: clockwise on a screen whose y grows downwards.
          const uint32_t cw[3] = {a, b, c}, ccw[3] = {a, c, b};
          tiles::DrawSetup& draw = raster.newDraw();
          draw.raster.cull = cull;
          draw.raster.frontCounterClockwise = uint8_t(ccwIsFront);
          raster.binner().setDraw(&draw);
          raster.binner().triangles(vertices.batch(), clockwise ? cw : ccw, 1, nullptr, 0, nullptr);
          const Canvas& canvas = raster.render();
          const bool front = bool(clockwise) != bool(ccwIsFront);
          const bool drawn = cull == state::CullMode::None || (cull == state::CullMode::Front) != front;
          EXPECT_EQ(canvas.total() > 0, drawn);
          EXPECT_EQ(canvas.flags[canvas.index(0, 0)], drawn && front ? uint32_t(abi::kFrontFacing) : 0u);
        }
}

TEST(Triangle, ZeroAreaIsNotDrawn)
{
  Raster raster(64, 64);
  Vertices vertices;
  const uint32_t a = vertices.add(128, 128), b = vertices.add(128 + 256 * 20, 128), c = vertices.add(128 + 256 * 40, 128);
  const uint32_t indices[9] = {a, b, c, a, a, a, a, b, b};
  raster.binner().setDraw(&raster.newDraw());
  raster.binner().triangles(vertices.batch(), indices, 3, nullptr, 0, nullptr);
  EXPECT_EQ(raster.render().total(), 0u);
}

/// Weights and depth are planes through the snapped vertices.
TEST(Triangle, PlanesInterpolate)
{
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    Raster raster(128, 128);
    Vertices vertices;
    const int32_t extent = i % 2 ? 128 * 256 : 3 * 256;
    Fixed v[3];
    float z[3];
    uint32_t indices[3];
    for (int k = 0; k < 3; ++k) {
      v[k] = {between(random, 0, extent), between(random, 0, extent)};
      z[k] = float(between(random, 0, 1000)) / 1000;
      indices[k] = vertices.add(v[k].x, v[k].y, z[k]);
    }
    const double area = double(cross(v[0], v[1], v[2]));
    if (std::abs(area) < 256 * 256)
      continue;
    tiles::DrawSetup& draw = raster.newDraw();
    raster.binner().setDraw(&draw);
    const uint32_t id = 77;
    raster.binner().triangles(vertices.batch(), indices, 1, &id, 0, nullptr);
    const Canvas& canvas = raster.render();
    for (int y = 0; y < 128; ++y)
      for (int x = 0; x < 128; ++x) {
        if (!canvas.at(x, y))
          continue;
        const Fixed p{x * 256 + 128, y * 256 + 128};
        const double l1 = double(cross(v[2], v[0], p)) / area, l2 = double(cross(v[0], v[1], p)) / area;
        const size_t at = canvas.index(x, y);
        ASSERT_NEAR(canvas.l1[at], l1, 1e-5);
        ASSERT_NEAR(canvas.l2[at], l2, 1e-5);
        ASSERT_NEAR(canvas.z[at], z[0] + l1 * (z[1] - z[0]) + l2 * (z[2] - z[0]), 1e-5);
        ASSERT_EQ(canvas.primitive[at], 77u);
      }
  }
}

} // namespace monolith::test
