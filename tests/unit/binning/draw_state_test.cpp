// SPDX-License-Identifier: MIT
/// Wireframe, depth bias, state changes, order, memory limits, counters and owed clears.
#include "reference_raster.h"

namespace monolith::test {

namespace {

int32_t between(std::mt19937& random, int32_t low, int32_t high)
{
  return std::uniform_int_distribution<int32_t>(low, high)(random);
}

struct BiasCase {
  formats::Format format;
  int32_t bias;
  float slope, clamp;
  float z[3];
};

/// Depth at a covered pixel minus the plane without bias.
float measuredBias(const BiasCase& c, state::FillMode fill = state::FillMode::Solid)
{
  float result[2];
  for (int biased = 0; biased < 2; ++biased) {
    Raster raster(64, 64);
    Vertices vertices;
    const uint32_t indices[3] = {vertices.add(0, 0, c.z[0]), vertices.add(64 * 256, 0, c.z[1]), vertices.add(0, 64 * 256, c.z[2])};
    tiles::DrawSetup& draw = raster.newDraw();
    draw.depthFormat = c.format;
    draw.raster.fill = fill;
    if (biased) {
      draw.raster.depthBias = c.bias;
      draw.raster.slopeScaledDepthBias = c.slope;
      draw.raster.depthBiasClamp = c.clamp;
    }
    raster.binner().setDraw(&draw);
    raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
    const Canvas& canvas = raster.render();
    size_t at = 0;
    while (at + 1 < canvas.count.size() && canvas.count[at] == 0)
      ++at;
    EXPECT_GT(canvas.count[at], 0u);
    result[biased] = canvas.z[at];
  }
  return result[1] - result[0];
}

} // namespace

// REQ: A0294
TEST(DepthBias, ConstantIsInUnitsOfTheFormat)
{
  using formats::Format;
  // A flat triangle at 0.5: results are exact to half an ulp of 0.5.
  EXPECT_NEAR(measuredBias({Format::D16_UNORM, 3, 0, 0, {0.5f, 0.5f, 0.5f}}), 3.0f / 65535, 6e-8);
  EXPECT_NEAR(measuredBias({Format::D24_UNORM_S8_UINT, 1000, 0, 0, {0.5f, 0.5f, 0.5f}}), 1000.0f / 16777215, 6e-8);
  EXPECT_NEAR(measuredBias({Format{}, -1000, 0, 0, {0.5f, 0.5f, 0.5f}}), -1000.0f / 16777215, 6e-8);
  // Float: exponent of the largest |z| in the primitive, minus 23.
  EXPECT_NEAR(measuredBias({Format::D32_FLOAT, 1 << 10, 0, 0, {0.5f, 0.5f, 0.5f}}), 0.5f / 8192, 6e-8);
  EXPECT_NEAR(measuredBias({Format::D32_FLOAT, 1 << 10, 0, 0, {0.25f, 0.25f, 0.25f}}), 0.25f / 8192, 6e-8);
  EXPECT_NEAR(measuredBias({Format::D32_FLOAT_S8X24_UINT, 1 << 10, 0, 0, {0.25f, 0.75f, 0.25f}}), 0.5f / 8192, 6e-8);
  EXPECT_EQ(measuredBias({Format::D32_FLOAT, 1 << 10, 0, 0, {0.0f, 0.0f, 0.0f}}), 0.0f);
}

// REQ: A0296 B0396
TEST(DepthBias, SlopeUsesTheSteeperGradient)
{
  // dz/dx = 1/128 a pixel, dz/dy = 1/256.
  EXPECT_NEAR(measuredBias({formats::Format::D24_UNORM_S8_UINT, 0, 2.0f, 0, {0.25f, 0.75f, 0.5f}}), 2.0f / 128, 1e-6);
  EXPECT_NEAR(measuredBias({formats::Format::D32_FLOAT, 0, -1.0f, 0, {0.25f, 0.5f, 0.75f}}), -1.0f / 128, 1e-6);
}

// REQ: A0295
TEST(DepthBias, ClampLimitsTheSum)
{
  using formats::Format;
  EXPECT_NEAR(measuredBias({Format::D16_UNORM, 1000, 2.0f, 0.001f, {0.25f, 0.75f, 0.5f}}), 0.001f, 1e-6);
  EXPECT_NEAR(measuredBias({Format::D16_UNORM, -1000, 0, -0.002f, {0.25f, 0.75f, 0.5f}}), -0.002f, 1e-6);
  EXPECT_NEAR(measuredBias({Format::D16_UNORM, -10, 0, 0.002f, {0.5f, 0.5f, 0.5f}}), -10.0f / 65535, 1e-6);
}

TEST(DepthBias, WireframeTakesTheTrianglesBias)
{
  const BiasCase c{formats::Format::D24_UNORM_S8_UINT, 1000, 2.0f, 0, {0.25f, 0.75f, 0.5f}};
  EXPECT_NEAR(measuredBias(c, state::FillMode::Wireframe), 2.0f / 128 + 1000.0f / 16777215, 1e-6);
}

// REQ: A0002 B0719
TEST(Wireframe, DrawsTheEdgesAsLines)
{
  std::mt19937 random(31);
  for (int round = 0; round < 100; ++round) {
    Fixed v[3];
    for (Fixed& p : v)
      p = {between(random, -2000, 27000), between(random, -2000, 25000)};
    if (round % 10 == 0)
      v[2] = v[1]; // no area
    const uint8_t edges = uint8_t(round % 8);
    Raster raster(100, 90);
    Vertices vertices;
    const uint32_t indices[3] = {vertices.add(v[0]), vertices.add(v[1]), vertices.add(v[2])};
    tiles::DrawSetup& draw = raster.newDraw();
    draw.raster.fill = state::FillMode::Wireframe;
    raster.binner().setDraw(&draw);
    raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 5, edges == 7 ? nullptr : &edges);
    const Canvas& canvas = raster.render();
    for (int y = 0; y < 90; ++y)
      for (int x = 0; x < 100; ++x) {
        uint32_t expected = 0;
        for (int k = 0; k < 3; ++k)
          if (edges >> k & 1)
            expected += lineCovers(v[k], v[(k + 1) % 3], x, y);
        ASSERT_EQ(canvas.at(x, y), expected) << x << "," << y;
      }
  }
}

TEST(Wireframe, FacingIsTheTriangles)
{
  for (int clockwise = 0; clockwise < 3; ++clockwise) // 2: no area, which faces back
    for (state::CullMode cull : {state::CullMode::None, state::CullMode::Front, state::CullMode::Back}) {
      Raster raster(64, 64);
      Vertices vertices;
      const uint32_t a = vertices.add(1000, 1000), b = vertices.add(9000, 1000), c = vertices.add(1000, 9000);
      const uint32_t indices[3][3] = {{a, c, b}, {a, b, c}, {a, b, b}};
      tiles::DrawSetup& draw = raster.newDraw();
      draw.raster.fill = state::FillMode::Wireframe;
      draw.raster.cull = cull;
      raster.binner().setDraw(&draw);
      raster.binner().triangles(vertices.batch(), indices[clockwise], 1, nullptr, 0, nullptr);
      const Canvas& canvas = raster.render();
      const bool front = clockwise == 1;
      const bool drawn = cull == state::CullMode::None || (cull == state::CullMode::Front) != front;
      EXPECT_EQ(canvas.total() > 0, drawn);
      for (size_t p = 0; p < canvas.count.size(); ++p)
        ASSERT_EQ(canvas.flags[p], canvas.count[p] && front ? uint32_t(abi::kFrontFacing) : 0u);
    }
}

/// Overlapping primitives of several draws and chunks: the last one drawn is the last one seen, in every tile.
TEST(Order, PrimitivesOfChunksAndDraws)
{
  std::mt19937 random(32);
  for (int round = 0; round < 10; ++round) {
    Raster raster(200, 150);
    Vertices vertices;
    std::vector<uint32_t> expected(200 * 150), counts(200 * 150);
    std::vector<Fixed> positions;
    for (int i = 0; i < 300; ++i) {
      positions.push_back({between(random, -9000, 60000), between(random, -9000, 45000)});
      if (i % 3 && round % 2)
        positions.back() = {positions[size_t(i) - 1].x + between(random, -900, 900), positions[size_t(i) - 1].y + between(random, -900, 900)};
      vertices.add(positions.back());
    }
    std::vector<state::Rect> scissors;
    for (uint32_t i = 0; i < 400; ++i) {
      if (i % 100 == 50)
        raster.nextChunk();
      tiles::DrawSetup* draw = nullptr;
      if (i % 50 == 0 || i % 7 == 0) {
        draw = &raster.newDraw();
        draw->scissor = {between(random, 0, 100), between(random, 0, 80), 0, 0};
        draw->scissor.right = draw->scissor.left + between(random, 1, 150);
        draw->scissor.bottom = draw->scissor.top + between(random, 1, 150);
        scissors.push_back(draw->scissor);
        raster.binner().setDraw(draw);
      }
      const uint32_t base = uint32_t(between(random, 0, 99)) * 3;
      const uint32_t indices[3] = {base, base + 1, base + 2};
      raster.binner().triangles(vertices.batch(), indices, 1, nullptr, i + 1, nullptr);
      const Fixed v[3] = {positions[base], positions[base + 1], positions[base + 2]};
      const state::Rect s = scissors.back();
      for (int y = std::max(0, s.top); y < std::min(150, s.bottom); ++y)
        for (int x = std::max(0, s.left); x < std::min(200, s.right); ++x)
          if (triangleCovers(v, x, y)) {
            expected[size_t(y) * 200 + size_t(x)] = i + 1;
            ++counts[size_t(y) * 200 + size_t(x)];
          }
    }
    const Canvas& canvas = raster.render(round % 2);
    ASSERT_EQ(canvas.count, counts);
    ASSERT_EQ(canvas.primitive, expected);
  }
}

TEST(Binner, SkipsDrawsWithoutEffect)
{
  Raster raster(64, 64);
  Vertices vertices;
  const uint32_t indices[3] = {vertices.add(0, 0), vertices.add(9000, 0), vertices.add(0, 9000)};
  raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr); // before any draw
  tiles::DrawSetup& none = raster.newDraw();
  none.routine = nullptr;
  auto routine = std::make_shared<codegen::PixelRoutine>();
  routine->entry = recordingKernel;
  routine->noEffect = true;
  tiles::DrawSetup& noEffect = raster.newDraw();
  noEffect.routine = routine;
  tiles::DrawSetup& empty = raster.newDraw();
  empty.scissor = {10, 10, 10, 20};
  tiles::DrawSetup& off = raster.newDraw();
  off.scissor = {100, 100, 200, 200};
  for (tiles::DrawSetup* draw : {&none, &noEffect, &empty, &off}) {
    raster.binner().setDraw(draw);
    raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
    raster.binner().lines(vertices.batch(), indices, 1, 0);
    raster.binner().points(vertices.batch(), indices, 3, 0);
  }
  EXPECT_EQ(raster.render().calls, 0u);
  EXPECT_TRUE(tiles::tileEmpty(raster.scene(), 0));
}

TEST(Binner, FailsCleanlyAtItsLimit)
{
  for (uint64_t limit : {uint64_t(0), uint64_t(1000), uint64_t(70000), uint64_t(150000), uint64_t(600000)}) {
    Raster raster(1000, 1000);
    Vertices vertices;
    std::mt19937 random(33);
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < 30000; ++i) {
      vertices.add(between(random, 0, 250000), between(random, 0, 250000));
      indices.push_back(i);
    }
    binning::Binner& binner = raster.binner();
    binner.setMemoryLimit(limit);
    binner.setDraw(&raster.newDraw());
    binner.triangles(vertices.batch(), indices.data(), 10000, nullptr, 0, nullptr);
    binner.lines(vertices.batch(), indices.data(), 15000, 0);
    binner.points(vertices.batch(), indices.data(), 30000, 0);
    EXPECT_FALSE(binner.ok());
    EXPECT_LE(binner.memoryUsed(), limit);
    raster.render(); // whatever was binned is sound
    binner.setMemoryLimit(UINT64_MAX);
    binner.begin(raster.scene());
    EXPECT_TRUE(binner.ok());
    EXPECT_EQ(binner.memoryUsed(), 0u);
  }
}

TEST(Binner, AllocatesAlignedMemory)
{
  Raster raster(64, 64);
  binning::Binner& binner = raster.binner();
  for (uint64_t size : {1u, 63u, 64u, 4096u, 16384u, 16385u, 65536u, 1000000u}) {
    void* p = binner.allocate(size);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
    memset(p, 0xab, size);
  }
  EXPECT_GE(binner.memoryUsed(), 1000000u + 65536u);
  EXPECT_EQ(binner.allocate(UINT64_MAX - 5), nullptr);
  EXPECT_FALSE(binner.ok());
}

TEST(Tiles, CountsIntoTheDrawsSlot)
{
  Raster raster(130, 70);
  Vertices vertices;
  const uint32_t indices[3] = {vertices.add(0, 0), vertices.add(130 * 256, 0), vertices.add(0, 70 * 256)};
  tiles::DrawSetup& first = raster.newDraw();
  first.countSamples = true;
  first.occlusionSlot = 3;
  tiles::DrawSetup& silent = raster.newDraw();
  tiles::DrawSetup& wild = raster.newDraw();
  wild.countSamples = true;
  wild.occlusionSlot = 1000; // out of range: counted nowhere
  for (tiles::DrawSetup* draw : {&first, &silent, &wild}) {
    raster.binner().setDraw(draw);
    raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
  }
  const Canvas& canvas = raster.render();
  EXPECT_EQ(raster.scene().occlusion[0][3] * 3, canvas.total());
  EXPECT_EQ(raster.scene().occlusion[0][0], 0u);
}

TEST(Tiles, StopsWhenAShaderHung)
{
  Raster raster(64, 64);
  Vertices vertices;
  const uint32_t indices[3] = {vertices.add(0, 0), vertices.add(60 * 256, 0), vertices.add(0, 60 * 256)};
  auto routine = std::make_shared<codegen::PixelRoutine>();
  routine->entry = [](const abi::PixelArgs* args) {
    recordingKernel(args);
    args->thread->hung = 1;
  };
  tiles::DrawSetup& draw = raster.newDraw();
  draw.routine = routine;
  raster.binner().setDraw(&draw);
  for (int i = 0; i < 5; ++i)
    raster.binner().triangles(vertices.batch(), indices, 1, nullptr, 0, nullptr);
  EXPECT_EQ(raster.render().calls, 1u);
}

/// Tiles that are drawn receive the owed clear, others keep owing it.
TEST(Tiles, FillsPendingClears)
{
  Raster raster(150, 100);
  auto texture = resources::Texture::create({resources::TextureKind::Texture2D, formats::Format::R8G8B8A8_UNORM, 150, 100, 1, 1, 1, 1});
  ASSERT_NE(texture, nullptr);
  resources::TargetView view;
  ASSERT_TRUE(resources::makeTargetView(texture, formats::Format::R8G8B8A8_UNORM, 0, 0, 1, view));
  raster.scene().targets.color[0] = &view;
  raster.scene().targets.colorCount = 1;
  resources::PendingClear& pending = texture->makePendingClear(0);
  ASSERT_EQ(pending.pending.size(), 6u);
  const uint8_t texel[4] = {1, 2, 3, 4};
  memcpy(pending.texel, texel, 4);
  std::fill(pending.pending.begin(), pending.pending.end(), uint8_t(1));
  pending.pendingCount = 6;
  Vertices vertices;
  const uint32_t index = vertices.add(140 * 256, 10 * 256); // tile 2
  raster.binner().setDraw(&raster.newDraw());
  raster.binner().points(vertices.batch(), &index, 1, 0);
  raster.render();
  EXPECT_EQ(pending.pending, (std::vector<uint8_t>{1, 1, 0, 1, 1, 1}));
  EXPECT_EQ(memcmp(view.base + 128 * 4, texel, 4), 0);
  EXPECT_EQ(memcmp(view.base + 63 * size_t(view.rowPitch) + 149 * 4, texel, 4), 0);
  EXPECT_NE(memcmp(view.base + 127 * 4, texel, 4), 0);
  EXPECT_NE(memcmp(view.base + 64 * size_t(view.rowPitch) + 130 * 4, texel, 4), 0);
}

} // namespace monolith::test
