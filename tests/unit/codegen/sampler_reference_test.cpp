// SPDX-License-Identifier: MIT
#include "codegen/cube_face.h"
#include "codegen/sampler_reference.h"
#include "unit/codegen/test_texture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mabi = monolith::abi;
namespace formats = monolith::formats;
namespace mstate = monolith::state;
using namespace monolith::codegen;
using formats::Format;
using formats::Texel;
using mabi::ViewDimension;
using mstate::AddressMode;
using mstate::FilterMode;
using testing_texture::TestTexture;

namespace {

struct Sampler {
  mstate::SamplerState fixed;
  mabi::Sampler dynamic;
  Sampler() { dynamic.maxLod = 100.0f; }
  SamplerPair pair() const { return {&fixed, &dynamic}; }
  void filter(FilterMode f) { fixed.min = fixed.mag = fixed.mip = f; }
  void address(AddressMode m) { fixed.u = fixed.v = fixed.w = m; }
};

/// 4x4 R32_FLOAT, value 10 * y + x.
TestTexture ramp()
{
  TestTexture t(Format::R32_FLOAT, ViewDimension::Texture2D, 4, 4, 1, 1, 1);
  for (uint32_t y = 0; y < 4; y++)
    for (uint32_t x = 0; x < 4; x++) {
      const float v = float(10 * y + x);
      std::memcpy(t.texel(x, y), &v, 4);
    }
  return t;
}

float sampleAt(const TestTexture& t, const Sampler& s, float u, float v, int offsetX = 0)
{
  SampleInput in;
  in.source = LodSource::Zero;
  in.coord[0] = u;
  in.coord[1] = v;
  in.offset[0] = offsetX;
  Texel out;
  sampleTexture(t.view, s.pair(), in, out);
  return out.f[0];
}

} // namespace

TEST(SamplerReference, PointAndLinear)
{
  const TestTexture t = ramp();
  Sampler s;
  s.filter(FilterMode::Point);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++)
      EXPECT_EQ(sampleAt(t, s, (float(x) + 0.5f) / 4, (float(y) + 0.5f) / 4), float(10 * y + x));
  s.filter(FilterMode::Linear);
  EXPECT_EQ(sampleAt(t, s, 0.25f, 0.5f), 15.5f);
  EXPECT_EQ(sampleAt(t, s, 1.5f / 4, 2.5f / 4), 21.0f); // on a texel centre: that texel exactly
}

TEST(SamplerReference, AddressModes)
{
  const TestTexture t = ramp();
  Sampler s;
  s.filter(FilterMode::Point);
  const float v = 0.125f;
  const auto at = [&](AddressMode m, float texel) {
    s.address(m);
    return sampleAt(t, s, (texel + 0.5f) / 4, v);
  };
  s.dynamic.border[0] = 77.0f;
  EXPECT_EQ(at(AddressMode::Wrap, -1), 3.0f);
  EXPECT_EQ(at(AddressMode::Wrap, 9), 1.0f);
  EXPECT_EQ(at(AddressMode::Mirror, -1), 0.0f);
  EXPECT_EQ(at(AddressMode::Mirror, 4), 3.0f);
  EXPECT_EQ(at(AddressMode::Mirror, 7), 0.0f);
  EXPECT_EQ(at(AddressMode::Mirror, 8), 0.0f);
  EXPECT_EQ(at(AddressMode::Clamp, -5), 0.0f);
  EXPECT_EQ(at(AddressMode::Clamp, 12), 3.0f);
  EXPECT_EQ(at(AddressMode::Border, -1), 77.0f);
  EXPECT_EQ(at(AddressMode::Border, 4), 77.0f);
  EXPECT_EQ(at(AddressMode::Border, 2), 2.0f);
  EXPECT_EQ(at(AddressMode::MirrorOnce, -2), 1.0f);
  EXPECT_EQ(at(AddressMode::MirrorOnce, -9), 3.0f);
  s.address(AddressMode::Wrap);
  EXPECT_EQ(sampleAt(t, s, 0.5f / 4, v, -8), 0.0f);
  EXPECT_EQ(sampleAt(t, s, 0.5f / 4, v, 7), 3.0f);
  s.filter(FilterMode::Linear);
  s.address(AddressMode::Wrap);
  EXPECT_EQ(sampleAt(t, s, 0.0f, v), 1.5f); // half of texel 3, half of texel 0
  s.address(AddressMode::Border);
  EXPECT_EQ(sampleAt(t, s, 0.0f, v), 38.5f);
}

TEST(SamplerReference, HostileCoordinatesStayInside)
{
  const TestTexture t = ramp();
  const float wild[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                        -std::numeric_limits<float>::infinity(), 3e38f, -3e38f, 1e-40f};
  for (AddressMode m : {AddressMode::Wrap, AddressMode::Mirror, AddressMode::Clamp, AddressMode::Border, AddressMode::MirrorOnce})
    for (FilterMode f : {FilterMode::Point, FilterMode::Linear})
      for (float u : wild)
        for (float v : wild) {
          Sampler s;
          s.filter(f);
          s.address(m);
          const float r = sampleAt(t, s, u, v);
          EXPECT_TRUE(r >= 0.0f && r <= 33.0f);
        }
}

TEST(SamplerReference, ConstantTexturesStayConstant)
{
  for (Format format : {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM_SRGB, Format::R16G16B16A16_UNORM, Format::R16G16B16A16_FLOAT}) {
    TestTexture t(format, ViewDimension::Texture2D, 16, 16, 1, 1, 5);
    Texel color{{0.3f, 0.7f, 0.011f, 0.9f}}, want;
    uint8_t packed[16];
    formats::pack(format, color, packed);
    formats::unpack(format, packed, want);
    for (uint32_t m = 0; m < 5; m++)
      for (uint32_t y = 0; y < 16u >> m; y++)
        for (uint32_t x = 0; x < 16u >> m; x++)
          std::memcpy(t.texel(x, y, 0, 0, m), packed, formats::info(format).bytesPerBlock);
    Sampler s;
    s.fixed.anisotropic = 1;
    s.fixed.maxAnisotropy = 16;
    s.address(AddressMode::Wrap);
    for (int k = 0; k < 200; k++) {
      SampleInput in;
      in.coord[0] = float(k) * 0.0371f;
      in.coord[1] = float(k) * 0.0913f;
      in.ddx[0] = float(k % 17) * 0.03f;
      in.ddy[1] = float(k % 5) * 0.02f;
      in.ddy[0] = 0.01f;
      Texel out;
      sampleTexture(t.view, s.pair(), in, out);
      for (int c = 0; c < 4; c++)
        ASSERT_EQ(out.f[c], want.f[c]) << formats::info(format).name;
    }
  }
}

TEST(SamplerReference, LevelOfDetail)
{
  EXPECT_EQ(lodLog2(8.0f), 3.0f);
  EXPECT_EQ(lodLog2(0.25f), -2.0f);
  for (float x = 0.01f; x < 1000.0f; x *= 1.01f)
    EXPECT_NEAR(lodLog2(x), std::log2(x), 6e-5f);
  TestTexture t(Format::R32_FLOAT, ViewDimension::Texture2D, 64, 64, 1, 1, 7);
  for (uint32_t m = 0; m < 7; m++)
    for (uint32_t y = 0; y < 64u >> m; y++)
      for (uint32_t x = 0; x < 64u >> m; x++) {
        const float v = float(m);
        std::memcpy(t.texel(x, y, 0, 0, m), &v, 4);
      }
  Sampler s;
  SampleInput in;
  in.ddx[0] = 4.0f / 64;
  Texel out;
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 2.0f);
  in.ddx[0] = std::exp2(2.5f) / 64;
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 2.5f);
  s.fixed.mip = FilterMode::Point;
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 3.0f); // nearest: 0.5 is added
  s.dynamic.maxLod = 1.0f;
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 1.0f);
  s.dynamic.minLod = 4.0f; // the minimum wins over the maximum
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 4.0f);
  s.dynamic.minLod = 0.0f;
  s.dynamic.maxLod = 100.0f;
  in.source = LodSource::Level;
  in.level = 50.0f;
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 6.0f);
  in.level = std::numeric_limits<float>::quiet_NaN();
  sampleTexture(t.view, s.pair(), in, out);
  // Anisotropy: the LOD follows the minor axis.
  s.fixed.mip = FilterMode::Linear;
  s.fixed.anisotropic = 1;
  s.fixed.maxAnisotropy = 16;
  in = SampleInput();
  in.ddx[0] = 16.0f / 64;
  in.ddy[1] = 2.0f / 64;
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 1.0f);
  s.fixed.maxAnisotropy = 2; // clamped ratio: 16 / 2
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 3.0f);
  float lod[2];
  s.fixed.anisotropic = 0;
  in.ddx[0] = 1.0f / 256;
  in.ddy[1] = 0;
  queryLod(t.view, s.pair(), in, lod);
  EXPECT_EQ(lod[0], 0.0f);
  EXPECT_EQ(lod[1], -2.0f);
}

TEST(SamplerReference, ComparisonQuantisesTheReference)
{
  TestTexture t(Format::R16_UNORM, ViewDimension::Texture2D, 2, 2, 1, 1, 1);
  const uint16_t v = 30000;
  for (uint32_t k = 0; k < 4; k++)
    std::memcpy(t.texel(k & 1, k >> 1), &v, 2);
  Sampler s;
  s.fixed.reduction = mstate::Reduction::Comparison;
  s.fixed.func = mstate::Comparison::Equal;
  SampleInput in;
  in.source = LodSource::Zero;
  in.compares = true;
  in.reference = 30000.3f / 65535.0f;
  Texel out;
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 1.0f);
  in.reference = 30000.7f / 65535.0f;
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 0.0f);
  s.fixed.func = mstate::Comparison::LessEqual;
  in.reference = -5.0f; // clamped to the format's range
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 1.0f);
  EXPECT_EQ(out.f[3], 1.0f);
}

TEST(SamplerReference, GatherOrder)
{
  const TestTexture t = ramp();
  Sampler s;
  SampleInput in;
  in.coord[0] = in.coord[1] = 0.5f; // between texels 1 and 2
  Texel out;
  gatherTexture(t.view, s.pair(), in, out);
  EXPECT_EQ(out.f[0], 21.0f);
  EXPECT_EQ(out.f[1], 22.0f);
  EXPECT_EQ(out.f[2], 12.0f);
  EXPECT_EQ(out.f[3], 11.0f);
}

TEST(SamplerReference, CubeFacesAndEdges)
{
  // Crossing an edge lands on the texel whose direction is nearest, for every face and edge texel.
  const int n = 8;
  const auto direction = [&](int face, double x, double y, double out[3]) {
    const auto add = [&](int axis, double a) { out[axis / 2] += axis & 1 ? -a : a; };
    out[0] = out[1] = out[2] = 0;
    add(face, 1);
    add(kCubeFaceAxes[face].s, (2 * x + 1) / n - 1);
    add(kCubeFaceAxes[face].t, (2 * y + 1) / n - 1);
  };
  for (int face = 0; face < 6; face++)
    for (int k = 0; k < n; k++)
      for (int edge = 0; edge < 4; edge++) {
        const CubeTexel in = {face, edge == 0 ? -1 : edge == 1 ? n : k, edge == 2 ? -1 : edge == 3 ? n : k};
        const CubeTexel out = acrossCubeEdge(in, n);
        ASSERT_NE(out.face, face);
        ASSERT_NE(out.face, face ^ 1);
        ASSERT_TRUE(out.x >= 0 && out.x < n && out.y >= 0 && out.y < n);
        double a[3], b[3];
        direction(in.face, in.x, in.y, a);
        direction(out.face, out.x, out.y, b);
        const double la = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), lb = std::sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
        ASSERT_GT((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (la * lb), 0.97) << face << ' ' << edge << ' ' << k;
      }
  TestTexture t(Format::R32_FLOAT, ViewDimension::TextureCube, 4, 4, 1, 6, 1);
  for (uint32_t face = 0; face < 6; face++)
    for (uint32_t k = 0; k < 16; k++) {
      const float v = float(face);
      std::memcpy(t.texel(k & 3, k >> 2, 0, face), &v, 4);
    }
  Sampler s;
  const float axes[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  SampleInput in;
  in.source = LodSource::Zero;
  Texel out;
  for (int face = 0; face < 6; face++) {
    for (int k = 0; k < 3; k++)
      in.coord[k] = axes[face][k] * 7.5f;
    sampleTexture(t.view, s.pair(), in, out);
    EXPECT_EQ(out.f[0], float(face));
  }
  in.coord[0] = in.coord[1] = in.coord[2] = 1.0f; // the corner of +x, +y, +z; ties go to z
  sampleTexture(t.view, s.pair(), in, out);
  EXPECT_NEAR(out.f[0], (0 + 2 + 4) / 3.0f, 0.05f);
}

TEST(SamplerReference, LoadsOutOfRange)
{
  TestTexture t(Format::R16G16_UNORM, ViewDimension::Texture2DArray, 8, 8, 1, 3, 2);
  t.randomise(1);
  Texel out;
  loadTexture(t.view, 8, 0, 0, 0, 0, 0, out);
  EXPECT_EQ(out.f[0], 0.0f);
  EXPECT_EQ(out.f[3], 1.0f); // missing components get their defaults
  loadTexture(t.view, -1, 0, 0, 0, 0, 0, out);
  EXPECT_EQ(out.f[0], 0.0f);
  loadTexture(t.view, 0, 0, 0, 3, 0, 0, out);
  EXPECT_EQ(out.f[0], 0.0f);
  loadTexture(t.view, 0, 0, 0, 0, 2, 0, out);
  EXPECT_EQ(out.f[0], 0.0f);
  loadTexture(t.view, 3, 2, 0, 2, 1, 0, out);
  uint16_t raw;
  std::memcpy(&raw, t.texel(3, 2, 0, 2, 1), 2);
  EXPECT_EQ(out.f[0], float(raw) / 65535.0f);
  const mabi::TextureView null;
  loadTexture(null, 0, 0, 0, 0, 0, 0, out);
  EXPECT_EQ(out.u[3], 0u);
  Sampler s;
  sampleTexture(null, s.pair(), SampleInput(), out);
  EXPECT_EQ(out.u[3], 0u);
}
