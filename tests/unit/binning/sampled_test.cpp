// SPDX-License-Identifier: MIT
/// Several samples a pixel.
#include "reference_raster.h"

#include "abi/sample_positions.h"

#include <cmath>

namespace monolith::test {

namespace {

constexpr int kWidth = 100, kHeight = 80;

int32_t between(std::mt19937& random, int32_t low, int32_t high)
{
  return std::uniform_int_distribution<int32_t>(low, high)(random);
}

/// Times that each sample of each pixel was covered.
struct SampleCanvas {
  uint32_t samples;
  std::vector<uint8_t> count;
  uint64_t wrong = 0; ///< Masks that disagree with their union, or bits outside the target.
  explicit SampleCanvas(uint32_t n) : samples(n), count(size_t(kWidth) * kHeight * n) {}
  uint8_t& at(int x, int y, uint32_t s) { return count[(size_t(y) * kWidth + size_t(x)) * samples + s]; }
};

void sampledKernel(const abi::PixelArgs* args)
{
  SampleCanvas& canvas = *reinterpret_cast<SampleCanvas*>(args->draw->color[0].base);
  const uint32_t samples = canvas.samples;
  for (uint32_t i = 0; i < args->blockCount; ++i) {
    uint64_t all = 0;
    for (uint32_t s = 0; s < samples; ++s) {
      const uint64_t mask = args->sampleMasks[i * samples + s];
      all |= mask;
      for (uint64_t m = mask; m; m &= m - 1) {
        const int bit = std::countr_zero(m), x = args->blocks[i].x + (bit & 7), y = args->blocks[i].y + (bit >> 3);
        if (x < kWidth && y < kHeight)
          ++canvas.at(x, y, s);
        else
          ++canvas.wrong;
      }
    }
    canvas.wrong += all != args->blocks[i].mask || all == 0;
  }
}

/// A scene with one sampled draw.
struct Sampled {
  Raster raster{kWidth, kHeight};
  SampleCanvas canvas;
  Vertices vertices;
  tiles::DrawSetup& draw = raster.newDraw();
  const abi::SamplePosition* positions;

  Sampled(uint32_t samples, bool centred = false) : canvas(samples), positions(abi::samplePositions(samples, centred))
  {
    auto routine = std::make_shared<codegen::PixelRoutine>();
    routine->entry = sampledKernel;
    draw.routine = routine;
    draw.context.color[0].base = reinterpret_cast<uint8_t*>(&canvas);
    draw.context.sampleCount = samples;
    draw.context.centredSamples = centred;
  }
  void render()
  {
    raster.render();
    EXPECT_EQ(canvas.wrong, 0u);
  }
  Fixed place(int x, int y, uint32_t s) const
  {
    return {x * 256 + 128 + positions[s].x * 16, y * 256 + 128 + positions[s].y * 16};
  }
};

void compareTriangle(const Fixed (&v)[3], uint32_t samples, bool centred, const state::Rect& scissor)
{
  Sampled scene(samples, centred);
  scene.draw.scissor = scissor;
  const uint32_t indices[3] = {scene.vertices.add(v[0]), scene.vertices.add(v[1]), scene.vertices.add(v[2])};
  scene.raster.binner().setDraw(&scene.draw);
  scene.raster.binner().triangles(scene.vertices.batch(), indices, 1, nullptr, 0, nullptr);
  scene.render();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (uint32_t s = 0; s < samples; ++s) {
        const bool visible = x >= scissor.left && x < scissor.right && y >= scissor.top && y < scissor.bottom;
        ASSERT_EQ(scene.canvas.at(x, y, s), uint8_t(visible && triangleCoversAt(v, scene.place(x, y, s))))
            << x << "," << y << " sample " << s << " of " << samples << " triangle " << v[0].x << "," << v[0].y << " "
            << v[1].x << "," << v[1].y << " " << v[2].x << "," << v[2].y;
      }
}

} // namespace

// REQ: A0151 A0154
TEST(Sampled, TrianglesMatchReference)
{
  std::mt19937 random(51);
  const uint32_t counts[] = {2, 4, 8, 16};
  for (int i = 0; i < 400; ++i) {
    const int32_t extent = i % 3 == 0 ? 900 : i % 3 == 1 ? 5000 : 40000;
    const Fixed at{between(random, -500, kWidth * 256), between(random, -500, kHeight * 256)};
    Fixed v[3];
    for (Fixed& p : v) {
      p = {at.x + between(random, -extent, extent), at.y + between(random, -extent, extent)};
      if (i % 4 == 0)
        p = {p.x & ~15, p.y & ~15};
    }
    state::Rect scissor{0, 0, kWidth, kHeight};
    if (i % 5 == 0)
      scissor = {between(random, 0, 50), between(random, 0, 40), between(random, 50, 100), between(random, 40, 80)};
    compareTriangle(v, counts[(i / 3) % 4], i % 7 == 0, scissor);
    if (HasFatalFailure())
      return;
  }
  const int32_t limit = 32768 * 256;
  compareTriangle({{-limit, -limit}, {limit, -limit}, {5000, limit}}, 4, false, {0, 0, kWidth, kHeight});
  compareTriangle({{-limit, -limit}, {limit, limit}, {-limit, limit}}, 8, false, {0, 0, kWidth, kHeight});
}

TEST(Sampled, PointsMatchReference)
{
  std::mt19937 random(52);
  for (int i = 0; i < 500; ++i) {
    const uint32_t samples = 2u << (i % 4);
    Sampled scene(samples);
    Fixed p{between(random, -600, kWidth * 256 + 600), between(random, -600, kHeight * 256 + 600)};
    if (i % 2)
      p = {p.x & ~15, p.y & ~15};
    const uint32_t index = scene.vertices.add(p);
    scene.raster.binner().setDraw(&scene.draw);
    scene.raster.binner().points(scene.vertices.batch(), &index, 1, 0);
    scene.render();
    const Fixed a{p.x - 128, p.y - 128}, b{p.x + 128, p.y - 128}, c{p.x - 128, p.y + 128}, d{p.x + 128, p.y + 128};
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        for (uint32_t s = 0; s < samples; ++s) {
          const Fixed at = scene.place(x, y, s);
          ASSERT_EQ(scene.canvas.at(x, y, s), uint8_t(triangleCoversAt({a, b, c}, at) || triangleCoversAt({b, d, c}, at)))
              << p.x << "," << p.y << " pixel " << x << "," << y << " sample " << s;
        }
  }
}

TEST(Sampled, AliasedLinesCoverAllSamples)
{
  Sampled scene(4);
  const Fixed a{1000, 700}, b{20000, 15000};
  const uint32_t indices[2] = {scene.vertices.add(a), scene.vertices.add(b)};
  scene.raster.binner().setDraw(&scene.draw);
  scene.raster.binner().lines(scene.vertices.batch(), indices, 1, 0);
  scene.render();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (uint32_t s = 0; s < 4; ++s)
        ASSERT_EQ(scene.canvas.at(x, y, s), uint8_t(lineCovers(a, b, x, y)));
}

/// Every sample closer than 0.7 pixels to the line and between its ends, each once; snapping blurs the border.
// REQ: A0291
TEST(Sampled, QuadrilateralLinesAreRectangles)
{
  std::mt19937 random(53);
  for (int i = 0; i < 200; ++i) {
    Sampled scene(8);
    scene.draw.raster.multisample = 1;
    scene.draw.raster.antialiasedLine = uint8_t(i & 1);
    const Fixed a{between(random, 0, kWidth * 256), between(random, 0, kHeight * 256)};
    const Fixed b{a.x + between(random, -6000, 6000), a.y + between(random, -6000, 6000)};
    const uint32_t indices[2] = {scene.vertices.add(a), scene.vertices.add(b)};
    scene.raster.binner().setDraw(&scene.draw);
    scene.raster.binner().lines(scene.vertices.batch(), indices, 1, 0);
    scene.render();
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
    if (length == 0)
      continue;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        for (uint32_t s = 0; s < 8; ++s) {
          const Fixed at = scene.place(x, y, s);
          const double along = ((at.x - a.x) * dx + (at.y - a.y) * dy) / length;
          const double across = std::abs((at.x - a.x) * dy - (at.y - a.y) * dx) / length;
          const double inside = std::min({0.7 * 256 - across, along, length - along});
          if (std::abs(inside) < 2)
            continue;
          ASSERT_EQ(scene.canvas.at(x, y, s), uint8_t(inside > 0)) << x << "," << y << " sample " << s;
        }
  }
}

TEST(Sampled, MeshIsWatertight)
{
  std::mt19937 random(54);
  const uint32_t n = 40;
  Sampled scene(4);
  for (uint32_t j = 0; j <= n; ++j)
    for (uint32_t i = 0; i <= n; ++i) {
      Fixed p{int32_t(kWidth * 256 * i / n), int32_t(kHeight * 256 * j / n)};
      if (i > 0 && i < n && j > 0 && j < n)
        p = {p.x + between(random, -90, 90), p.y + between(random, -90, 90)};
      scene.vertices.add(p);
    }
  std::vector<uint32_t> indices;
  for (uint32_t j = 0; j < n; ++j)
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      indices.insert(indices.end(), {a, b, c, b, c, d});
    }
  scene.raster.binner().setDraw(&scene.draw);
  scene.raster.binner().triangles(scene.vertices.batch(), indices.data(), uint32_t(indices.size() / 3), nullptr, 0, nullptr);
  scene.render();
  for (uint8_t count : scene.canvas.count)
    ASSERT_EQ(count, 1);
}

} // namespace monolith::test
