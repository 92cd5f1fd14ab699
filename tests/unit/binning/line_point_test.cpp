// SPDX-License-Identifier: MIT
#include "reference_raster.h"

namespace monolith::test {

namespace {

using Random = std::mt19937;
constexpr int kWidth = 90, kHeight = 80;

int32_t between(Random& random, int32_t low, int32_t high)
{
  return std::uniform_int_distribution<int32_t>(low, high)(random);
}

void compareLine(Fixed a, Fixed b, const state::Rect* scissor = nullptr)
{
  Raster raster(kWidth, kHeight);
  Vertices vertices;
  const uint32_t indices[2] = {vertices.add(a), vertices.add(b)};
  tiles::DrawSetup& draw = raster.newDraw();
  if (scissor)
    draw.scissor = *scissor;
  raster.binner().setDraw(&draw);
  raster.binner().lines(vertices.batch(), indices, 1, 0);
  const Canvas& canvas = raster.render();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const bool visible = !scissor || (x >= scissor->left && x < scissor->right && y >= scissor->top && y < scissor->bottom);
      ASSERT_EQ(canvas.at(x, y), uint32_t(visible && lineCovers(a, b, x, y)))
          << "pixel " << x << "," << y << " line " << a.x << "," << a.y << " to " << b.x << "," << b.y;
    }
}

} // namespace

/// Some of the specification's drawn examples (3.4.3).
TEST(Line, DrawnExamples)
{
  // From a pixel centre to the next pixel's interior: only the first pixel.
  EXPECT_TRUE(lineCovers({128, 128}, {256 + 128, 192}, 0, 0));
  EXPECT_FALSE(lineCovers({128, 128}, {256 + 128, 192}, 1, 0));
  // Horizontal through centres between pixel borders.
  EXPECT_TRUE(lineCovers({0, 128}, {256, 128}, 0, 0));
  // Along the lower edges of the diamonds of a row of pixels.
  EXPECT_TRUE(lineCovers({128, 256}, {128 + 512, 256}, 0, 0));
  EXPECT_TRUE(lineCovers({128, 256}, {128 + 512, 256}, 1, 0));
  EXPECT_FALSE(lineCovers({128, 256}, {128 + 512, 256}, 2, 0));
}

TEST(Line, AllOctantsMatchReference)
{
  Random random(11);
  for (int i = 0; i < 600; ++i) {
    const int32_t extent = i % 3 == 0 ? 3 : i % 3 == 1 ? 20 : 90;
    const int32_t unit = i % 4 == 0 ? 128 : i % 4 == 1 ? 64 : 1;
    const auto coordinate = [&](int32_t at) { return (at + between(random, -extent * 256, extent * 256)) / unit * unit; };
    const Fixed centre{between(random, 0, kWidth * 256), between(random, 0, kHeight * 256)};
    compareLine({coordinate(centre.x), coordinate(centre.y)}, {coordinate(centre.x), coordinate(centre.y)});
    if (HasFatalFailure())
      return;
  }
}

/// Every position of two ends on a grid of a quarter pixel within a few pixels.
TEST(Line, ExhaustiveEnds)
{
  const int first = 2, last = 5;
  for (int32_t ax = 0; ax <= 4; ++ax)
    for (int32_t ay = 0; ay <= 4; ++ay)
      for (int32_t bx = -6; bx <= 10; ++bx)
        for (int32_t by = -6; by <= 10; ++by) {
          const Fixed a{3 * 256 + ax * 64, 3 * 256 + ay * 64}, b{3 * 256 + bx * 64, 3 * 256 + by * 64};
          Raster raster(8, 8);
          Vertices vertices;
          const uint32_t indices[2] = {vertices.add(a), vertices.add(b)};
          raster.binner().setDraw(&raster.newDraw());
          raster.binner().lines(vertices.batch(), indices, 1, 0);
          const Canvas& canvas = raster.render();
          for (int y = first - 2; y <= last + 2; ++y)
            for (int x = first - 2; x <= last + 2; ++x)
              ASSERT_EQ(canvas.at(x, y), uint32_t(lineCovers(a, b, x, y)))
                  << x << "," << y << " from " << a.x << "," << a.y << " to " << b.x << "," << b.y;
        }
}

TEST(Line, LongLinesMatchReference)
{
  Random random(12);
  const int32_t limit = 32767 * 256;
  for (int i = 0; i < 60; ++i) {
    const Fixed a{between(random, -limit, limit), between(random, -limit, limit)};
    const Fixed b{kWidth * 256 - a.x + between(random, -4000, 4000), kHeight * 256 - a.y + between(random, -4000, 4000)};
    compareLine(a, b);
    if (HasFatalFailure())
      return;
  }
}

TEST(Line, ScissorMatchesReference)
{
  Random random(13);
  for (int i = 0; i < 100; ++i) {
    state::Rect scissor{between(random, 0, 80), between(random, 0, 70), 0, 0};
    scissor.right = scissor.left + between(random, 1, 50);
    scissor.bottom = scissor.top + between(random, 1, 50);
    compareLine({between(random, -5000, 28000), between(random, -5000, 25000)},
                {between(random, -5000, 28000), between(random, -5000, 25000)}, &scissor);
    if (HasFatalFailure())
      return;
  }
}

/// Straight polylines: each pixel once, no gaps between consecutive pieces.
TEST(Line, PolylineIsContinuous)
{
  Random random(14);
  for (int i = 0; i < 100; ++i) {
    const Fixed a{between(random, 0, kWidth) * 256 + 128, between(random, 0, kHeight) * 256 + 128};
    const Fixed step{between(random, -300, 300), between(random, -300, 300)};
    Raster pieces(kWidth, kHeight), whole(kWidth, kHeight);
    Vertices vertices;
    std::vector<uint32_t> indices;
    const uint32_t count = 20;
    for (uint32_t k = 0; k <= count; ++k)
      vertices.add(a.x + step.x * int32_t(k), a.y + step.y * int32_t(k));
    for (uint32_t k = 0; k < count; ++k)
      indices.insert(indices.end(), {k, k + 1});
    pieces.binner().setDraw(&pieces.newDraw());
    pieces.binner().lines(vertices.batch(), indices.data(), count, 0);
    const uint32_t ends[2] = {0, count};
    whole.binner().setDraw(&whole.newDraw());
    whole.binner().lines(vertices.batch(), ends, 1, 0);
    ASSERT_EQ(pieces.render().count, whole.render().count);
  }
}

TEST(Line, WeightsRunAlong)
{
  Raster raster(64, 64);
  Vertices vertices;
  const uint32_t indices[2] = {vertices.add(10 * 256 + 128, 20 * 256, 0.25f), vertices.add(42 * 256 + 128, 30 * 256, 0.75f)};
  raster.binner().setDraw(&raster.newDraw());
  raster.binner().lines(vertices.batch(), indices, 1, 9);
  const Canvas& canvas = raster.render();
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      if (canvas.at(x, y)) {
        const float t = float(x - 10) / 32;
        EXPECT_NEAR(canvas.l1[canvas.index(x, y)], t, 1e-6);
        EXPECT_EQ(canvas.l2[canvas.index(x, y)], 0.0f);
        EXPECT_NEAR(canvas.z[canvas.index(x, y)], 0.25f + 0.5f * t, 1e-6);
        EXPECT_EQ(canvas.primitive[canvas.index(x, y)], 9u);
        EXPECT_EQ(canvas.flags[canvas.index(x, y)], uint32_t(abi::kFrontFacing));
      }
}

TEST(Point, MatchesReference)
{
  Random random(15);
  for (int i = 0; i < 3000; ++i) {
    Fixed p{between(random, -600, 17 * 256), between(random, -600, 17 * 256)};
    if (i % 2)
      p = {(p.x >> 7) * 128, (p.y >> 7) * 128};
    Raster raster(16, 16);
    Vertices vertices;
    const uint32_t index = vertices.add(p);
    raster.binner().setDraw(&raster.newDraw());
    raster.binner().points(vertices.batch(), &index, 1, 0);
    const Canvas& canvas = raster.render();
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x)
        ASSERT_EQ(canvas.at(x, y), uint32_t(pointCovers(p, x, y))) << p.x << "," << p.y;
  }
}

TEST(Point, IgnoresCullingAndKeepsItsVertex)
{
  Raster raster(16, 16);
  Vertices vertices;
  const uint32_t index = vertices.add(5 * 256 + 10, 6 * 256 + 200, 0.375f);
  tiles::DrawSetup& draw = raster.newDraw();
  draw.raster.cull = state::CullMode::Front;
  draw.raster.depthBias = 1000000; // triangles only
  raster.binner().setDraw(&draw);
  raster.binner().points(vertices.batch(), &index, 1, 3);
  const Canvas& canvas = raster.render();
  ASSERT_EQ(canvas.at(5, 6), 1u);
  EXPECT_EQ(canvas.total(), 1u);
  EXPECT_EQ(canvas.z[canvas.index(5, 6)], 0.375f);
  EXPECT_EQ(canvas.primitive[canvas.index(5, 6)], 3u);
}

} // namespace monolith::test
