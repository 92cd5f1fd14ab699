// SPDX-License-Identifier: MIT
#include "transfer/transfer.h"

#include "formats/reference.h"
#include "formats/scalar.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace monolith::transfer {
namespace {

using formats::Format;
using resources::TargetView;
using resources::Texture;
using resources::TextureKind;

base::Serial g_serial;

std::shared_ptr<Texture> texture2D(Format f, uint32_t w, uint32_t h, uint32_t mips = 1, uint32_t layers = 1) {
  return Texture::create({TextureKind::Texture2D, f, w, h, 1, mips, layers, 1});
}
TargetView target(const std::shared_ptr<Texture>& t, Format f, uint32_t mip = 0, uint32_t layer = 0, uint32_t layers = 1) {
  TargetView v;
  EXPECT_TRUE(makeTargetView(t, f, mip, layer, layers, v));
  return v;
}
template <class T> T texel(const Texture& t, uint32_t x, uint32_t y, uint32_t mip = 0, uint32_t layer = 0, uint32_t z = 0) {
  T v;
  std::memcpy(&v, t.address(mip, layer, z) + y * t.layout().rowPitch[mip] + x * sizeof(T), sizeof(T));
  return v;
}

TEST(ClearColor, WholeViewStaysPendingUntilTouched) {
  auto t = texture2D(Format::R8G8B8A8_UNORM, 100, 70, 2, 2);
  const float red[4] = {1, 0, 0, 0.5f};
  clearColor(target(t, Format::R8G8B8A8_UNORM, 0, 1), red, {}, g_serial);
  EXPECT_EQ(texel<uint32_t>(*t, 5, 5, 0, 1), 0u);
  EXPECT_EQ(t->pendingClear(0), nullptr);
  ASSERT_NE(t->pendingClear(2), nullptr);
  EXPECT_EQ(t->pendingClear(2)->pendingCount, 4u);
  t->materializeAll();
  EXPECT_EQ(texel<uint32_t>(*t, 99, 69, 0, 1), 0x800000ffu);
  EXPECT_EQ(texel<uint32_t>(*t, 99, 69, 0, 0), 0u);
}

TEST(ClearColor, RectanglesAreImmediateAndClamped) {
  auto t = texture2D(Format::R8_UNORM, 16, 16);
  const float one[4] = {1, 1, 1, 1}, half[4] = {0.5f, 0, 0, 0};
  clearColor(target(t, Format::R8_UNORM), half, {}, g_serial);
  const state::Rect rects[] = {{-5, 2, 3, 4}, {14, 14, 99, 99}, {8, 8, 8, 9}, {9, 9, 2, 2}};
  clearColor(target(t, Format::R8_UNORM), one, rects, g_serial);
  EXPECT_EQ(texel<uint8_t>(*t, 2, 3), 255);
  EXPECT_EQ(texel<uint8_t>(*t, 3, 3), 128);
  EXPECT_EQ(texel<uint8_t>(*t, 15, 15), 255);
  EXPECT_EQ(texel<uint8_t>(*t, 8, 8), 128);
}

TEST(ClearColor, ConvertsToEveryKindOfFormat) {
  const float c[4] = {300.7f, -3.9f, NAN, 1e20f};
  uint8_t out[16];
  packClearColor(Format::R32G32B32A32_UINT, c, out);
  uint32_t u[4];
  std::memcpy(u, out, 16);
  EXPECT_EQ(u[0], 300u);
  EXPECT_EQ(u[1], 0u);
  EXPECT_EQ(u[2], 0u);
  EXPECT_EQ(u[3], 0xffffffffu);
  packClearColor(Format::R32G32B32A32_SINT, c, out);
  int32_t i[4];
  std::memcpy(i, out, 16);
  EXPECT_EQ(i[1], -3);
  EXPECT_EQ(i[3], INT32_MAX);
  packClearColor(Format::R32G32_FLOAT, c, out);
  EXPECT_EQ(std::memcmp(out, c, 8), 0);
  const float g[4] = {0.5f, 0.25f, 1, 1};
  packClearColor(Format::R8G8B8A8_UNORM_SRGB, g, out);
  EXPECT_EQ(out[0], formats::floatToSrgb(0.5f));
  EXPECT_EQ(out[3], 255);
}

TEST(ClearColor, VolumeSlicesAndBuffers) {
  auto t = Texture::create({TextureKind::Texture3D, Format::R32_UINT, 8, 8, 4, 1, 1, 1});
  const float c[4] = {7, 0, 0, 0};
  clearColor(target(t, Format::R32_UINT, 0, 1, 2), c, {}, g_serial);
  EXPECT_EQ(texel<uint32_t>(*t, 3, 3, 0, 0, 0), 0u);
  EXPECT_EQ(texel<uint32_t>(*t, 3, 3, 0, 0, 1), 7u);
  EXPECT_EQ(texel<uint32_t>(*t, 7, 7, 0, 0, 2), 7u);
  EXPECT_EQ(texel<uint32_t>(*t, 0, 0, 0, 0, 3), 0u);
  uint32_t buffer[10] = {};
  TargetView v;
  v.format = Format::R32_UINT;
  v.base = reinterpret_cast<uint8_t*>(buffer);
  v.width = 9;
  v.height = 1;
  clearColor(v, c, {}, g_serial);
  EXPECT_EQ(buffer[8], 7u);
  EXPECT_EQ(buffer[9], 0u);
}

TEST(ClearDepthStencil, OneAspectKeepsTheOther) {
  for (bool pending : {false, true}) {
    auto t = texture2D(Format::R24G8_TYPELESS, 70, 70);
    const TargetView v = target(t, Format::D24_UNORM_S8_UINT);
    clearDepthStencil(v, 3, 1.0f, 0x55, {}, g_serial);
    if (!pending)
      t->materialize(0, 0, 0, 1, 1); // one tile of four is in memory
    clearDepthStencil(v, 2, 0.0f, 0xaa, {}, g_serial);
    clearDepthStencil(v, 1, 0.0f, 0x11, {}, g_serial);
    EXPECT_GT(t->pendingClear(0)->pendingCount, 0u);
    t->materializeAll();
    EXPECT_EQ(texel<uint32_t>(*t, 0, 0), 0xaa000000u);
    EXPECT_EQ(texel<uint32_t>(*t, 69, 69), 0xaa000000u);
  }
  auto t = texture2D(Format::R32G8X24_TYPELESS, 4, 4);
  const TargetView v = target(t, Format::D32_FLOAT_S8X24_UINT);
  const state::Rect rect = {1, 1, 2, 2};
  clearDepthStencil(v, 3, 0.5f, 9, {}, g_serial);
  clearDepthStencil(v, 1, 7.0f, 0, {&rect, 1}, g_serial);
  float depth;
  std::memcpy(&depth, t->address(0, 0) + t->layout().rowPitch[0] + 8, 4);
  EXPECT_EQ(depth, 1.0f);
  EXPECT_EQ(t->address(0, 0)[t->layout().rowPitch[0] + 12], 9);
}

TEST(Copy, RegionsWithPendingSourceAndDest) {
  auto a = texture2D(Format::R8G8B8A8_UNORM, 130, 130), b = texture2D(Format::R8G8B8A8_UINT, 130, 130);
  const float red[4] = {1, 0, 0, 0}, blue[4] = {0, 0, 255, 0};
  clearColor(target(a, Format::R8G8B8A8_UNORM), red, {}, g_serial);
  clearColor(target(b, Format::R8G8B8A8_UINT), blue, {}, g_serial);
  copyTexture(*b, {0, 0, 60, 60, 0, 0, 0, 1}, *a, {0, 0, 0, 0, 0, 10, 10, 1}, g_serial); // REQ: D0212
  EXPECT_EQ(a->pendingClear(0)->pendingCount, 8u); // one tile of nine was read
  EXPECT_EQ(b->pendingClear(0)->pendingCount, 5u);
  b->materializeAll();
  EXPECT_EQ(texel<uint32_t>(*b, 60, 60), 0xffu);
  EXPECT_EQ(texel<uint32_t>(*b, 69, 69), 0xffu);
  EXPECT_EQ(texel<uint32_t>(*b, 70, 69), 0xff0000u);
  EXPECT_EQ(texel<uint32_t>(*b, 59, 60), 0xff0000u);
  copyTexture(*b, {0, 0, 125, 0, 0, 0, 0, 1}, *a, {0, 0, 0, 0, 0, 130, 130, 1}, g_serial); // REQ: D0213
  EXPECT_EQ(texel<uint32_t>(*b, 129, 129), 0xffu);
}

TEST(Copy, BlocksMeetUintTexels) { // REQ: D0221
  auto bc = texture2D(Format::BC1_UNORM, 16, 16), u = texture2D(Format::R32G32_UINT, 4, 4);
  for (uint32_t i = 0; i < 16; ++i)
    std::memset(u->address(0, 0) + i / 4 * u->layout().rowPitch[0] + i % 4 * 8, int(i + 1), 8);
  copyTexture(*bc, {0, 0, 4, 8, 0, 0, 0, 1}, *u, {0, 0, 1, 1, 0, 2, 2, 1}, g_serial);
  EXPECT_EQ(bc->address(0, 0)[2 * bc->layout().rowPitch[0] + 8], 6);
  EXPECT_EQ(bc->address(0, 0)[3 * bc->layout().rowPitch[0] + 16], 11);
  auto back = texture2D(Format::R32G32_UINT, 4, 4);
  copyTexture(*back, {0, 0, 0, 0, 0, 0, 0, 1}, *bc, {0, 0, 0, 0, 0, 16, 16, 1}, g_serial);
  EXPECT_EQ(texel<uint8_t>(*back, 8, 2), 6);
}

TEST(Copy, UpdateWithPitchesAndVolumes) { // REQ: D0233
  auto t = Texture::create({TextureKind::Texture3D, Format::R32G32B32A32_UINT, 2, 3, 4, 1, 1, 1});
  uint32_t data[24][4];
  for (uint32_t i = 0; i < 24; ++i)
    std::fill_n(data[i], 4, i);
  updateTexture(*t, {0, 0, 0, 0, 0, 2, 3, 4}, reinterpret_cast<uint8_t*>(data), 32, 96, g_serial);
  for (uint32_t z = 0; z < 4; ++z)
    for (uint32_t y = 0; y < 3; ++y)
      for (uint32_t x = 0; x < 2; ++x) {
        uint32_t v;
        std::memcpy(&v, t->address(0, 0, z) + y * t->layout().rowPitch[0] + x * 16, 4);
        EXPECT_EQ(v, z * 6 + y * 2 + x);
      }
}

TEST(Copy, UpdateBoxTouchesNothingElse) { // REQ: D0234
  auto t = texture2D(Format::R8_UINT, 512, 512);
  std::vector<uint8_t> data(80 * 120, 9);
  updateTexture(*t, {0, 0, 120, 100, 0, 80, 120, 1}, data.data(), 80, 0, g_serial);
  EXPECT_EQ(texel<uint8_t>(*t, 119, 100), 0);
  EXPECT_EQ(texel<uint8_t>(*t, 120, 100), 9);
  EXPECT_EQ(texel<uint8_t>(*t, 199, 219), 9);
  EXPECT_EQ(texel<uint8_t>(*t, 200, 219), 0);
  EXPECT_EQ(texel<uint8_t>(*t, 199, 220), 0);
}

TEST(Resolve, AveragesFloatsAndTakesSampleZeroOfIntegers) {
  for (Format f : {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM_SRGB, Format::R16G16_FLOAT, Format::R8G8B8A8_UINT}) {
    auto ms = Texture::create({TextureKind::Texture2D, f, 40, 20, 1, 1, 2, 4});
    auto out = texture2D(f, 40, 20);
    for (uint32_t s = 0; s < 4; ++s) {
      formats::Texel t{{s == 3 ? 1.0f : 0.0f, 0.5f, 0, 1}};
      if (f == Format::R8G8B8A8_UINT)
        t = {.u = {s + 5, 0, 0, 0}};
      const uint32_t bytes = formats::info(f).bytesPerBlock;
      for (uint32_t i = 0; i < 20 * 40; ++i)
        formats::pack(f, t, ms->address(0, 1, s) + i / 40 * ms->layout().rowPitch[0] + i % 40 * bytes);
    }
    resolveTexture(*out, 0, 0, *ms, 1, f, g_serial);
    formats::Texel t;
    formats::readTexel(f, out->address(0, 0), out->layout().rowPitch[0], 39, 19, t);
    if (f == Format::R8G8B8A8_UINT)
      EXPECT_EQ(t.u[0], 5u);
    else
      EXPECT_NEAR(t.f[0], 0.25f, 0.01f);
  }
}

TEST(Resolve, SeesPendingClears) {
  auto ms = Texture::create({TextureKind::Texture2D, Format::R8G8B8A8_UNORM, 100, 100, 1, 1, 1, 8});
  auto out = texture2D(Format::R8G8B8A8_UNORM, 100, 100);
  const float red[4] = {1, 0, 0, 1};
  clearColor(target(ms, Format::R8G8B8A8_UNORM), red, {}, g_serial);
  resolveTexture(*out, 0, 0, *ms, 0, Format::R8G8B8A8_UNORM, g_serial);
  EXPECT_EQ(texel<uint32_t>(*out, 99, 99), 0xff0000ffu);
}

TEST(Mips, BoxFilterOfEveryPath) {
  for (Format f : {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT, Format::R8G8B8A8_UNORM_SRGB}) {
    auto t = texture2D(f, 8, 8, 4, 2);
    const uint32_t bytes = formats::info(f).bytesPerBlock;
    for (uint32_t y = 0; y < 8; ++y)
      for (uint32_t x = 0; x < 8; ++x) {
        formats::Texel v{{(x & 1) ? 1.0f : 0.0f, float(y) / 8, 0.25f, 1}};
        formats::pack(f, v, t->address(0, 1) + y * t->layout().rowPitch[0] + x * bytes);
      }
    resources::ShaderView view;
    view.texture = t;
    view.firstLayer = 1;
    makeTextureView(*t, abi::ViewDimension::Texture2DArray, f, 0, 3, 1, 1, view.view);
    generateMips(view, g_serial);
    formats::Texel out;
    formats::readTexel(f, t->address(2, 1), t->layout().rowPitch[2], 1, 1, out);
    EXPECT_NEAR(out.f[0], 0.5f, 0.005f);
    EXPECT_NEAR(out.f[1], 5.5f / 8, 0.01f);
    EXPECT_NEAR(out.f[2], 0.25f, 0.005f);
    EXPECT_EQ(out.f[3], 1.0f);
    formats::readTexel(f, t->address(3, 1), t->layout().rowPitch[3], 0, 0, out); // outside the view: REQ: D0242
    EXPECT_EQ(out.f[1], 0.0f);
    formats::readTexel(f, t->address(1, 0), t->layout().rowPitch[1], 0, 0, out);
    EXPECT_EQ(out.f[2], 0.0f);
  }
}

TEST(Mips, OddSizesKeepTheMean) {
  auto t = Texture::create({TextureKind::Texture3D, Format::R32_FLOAT, 5, 3, 3, 3, 1, 1});
  for (uint32_t z = 0; z < 3; ++z)
    for (uint32_t y = 0; y < 3; ++y)
      for (uint32_t x = 0; x < 5; ++x) {
        const float v = float(x) + 10 * float(y) + 100 * float(z);
        std::memcpy(t->address(0, 0, z) + y * t->layout().rowPitch[0] + x * 4, &v, 4);
      }
  resources::ShaderView view;
  view.texture = t;
  makeTextureView(*t, abi::ViewDimension::Texture3D, Format::R32_FLOAT, 0, 3, 0, 1, view.view);
  generateMips(view, g_serial);
  EXPECT_FLOAT_EQ(texel<float>(*t, 0, 0, 2), 2 + 10 + 100);
}

TEST(Mips, IntegersAreLeftAlone) { // REQ: D0249
  auto t = texture2D(Format::R8G8B8A8_UINT, 4, 4, 2);
  std::memset(t->address(0, 0), 9, 64);
  resources::ShaderView view;
  view.texture = t;
  makeTextureView(*t, abi::ViewDimension::Texture2D, Format::R8G8B8A8_UINT, 0, 2, 0, 1, view.view);
  generateMips(view, g_serial);
  EXPECT_EQ(texel<uint32_t>(*t, 0, 0, 1), 0u);
}

} // namespace
} // namespace monolith::transfer
