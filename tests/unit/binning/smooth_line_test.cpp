// SPDX-License-Identifier: MIT
/// Line modes (15.14.1) and the region and planes of alpha-antialiased lines.
#include "reference_raster.h"

#include <cmath>

namespace monolith::test {

namespace {

int32_t between(std::mt19937& random, int32_t low, int32_t high)
{
  return std::uniform_int_distribution<int32_t>(low, high)(random);
}

} // namespace

TEST(SmoothLine, CoversWhatTheFilterReachesWithDistances)
{
  std::mt19937 random(8);
  for (int i = 0; i < 200; ++i) {
    const int32_t extent = i % 3 == 0 ? 200 : i % 3 == 1 ? 3000 : 40000;
    const Fixed a{between(random, 0, 100 * 256), between(random, 0, 100 * 256)};
    const Fixed b{a.x + between(random, -extent, extent), a.y + between(random, -extent, extent)};
    if (a == b)
      continue;
    Raster raster(130, 90);
    Vertices vertices;
    const uint32_t indices[2] = {vertices.add(a), vertices.add(b)};
    tiles::DrawSetup& draw = raster.newDraw();
    draw.smoothLines = true;
    raster.binner().setDraw(&draw);
    raster.binner().lines(vertices.batch(), indices, 1, 7);
    const Canvas& canvas = raster.render();
    const double dx = double(b.x - a.x) / 256, dy = double(b.y - a.y) / 256, length = std::hypot(dx, dy);
    for (int y = 0; y < 90; ++y)
      for (int x = 0; x < 130; ++x) {
        const double px = x + 0.5 - double(a.x) / 256, py = y + 0.5 - double(a.y) / 256;
        const double along = (px * dx + py * dy) / length, across = (py * dx - px * dy) / length;
        const double outside = std::max({-0.5 - along, along - length - 0.5, std::fabs(across) - 1});
        const size_t p = canvas.index(x, y);
        if (std::fabs(outside) > 0.006) { // corners are rounded to 1/256
          ASSERT_EQ(canvas.count[p], uint32_t(outside < 0)) << i << ": " << x << "," << y << " " << outside;
        }
        if (!canvas.count[p])
          continue;
        ASSERT_EQ(canvas.count[p], 1u);
        ASSERT_NEAR(canvas.l1[p] * length, along, 1e-3);
        ASSERT_NEAR(canvas.l2[p], across, 1e-3);
        ASSERT_EQ(canvas.primitive[p], 7u);
      }
  }
}

TEST(SmoothLine, StatesChooseTheAlgorithm)
{
  // A horizontal line of 40 pixels through pixel centres.
  const auto covered = [](bool multisample, bool smooth) {
    Raster raster(64, 64);
    Vertices vertices;
    const uint32_t indices[2] = {vertices.add(10 * 256, 20 * 256 + 128), vertices.add(50 * 256, 20 * 256 + 128)};
    tiles::DrawSetup& draw = raster.newDraw();
    draw.raster.multisample = multisample;
    draw.raster.antialiasedLine = smooth;
    draw.smoothLines = smooth && !multisample;
    raster.binner().setDraw(&draw);
    raster.binner().lines(vertices.batch(), indices, 1, 0);
    return raster.render().total();
  };
  // REQ: A0291 B0393
  EXPECT_EQ(covered(false, false), 40u);
  EXPECT_EQ(covered(false, true), 82u); // half a pixel more at both ends, two rows
  EXPECT_EQ(covered(true, false), 40u);
  EXPECT_EQ(covered(true, true), 40u);
}

} // namespace monolith::test
