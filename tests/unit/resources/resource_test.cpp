// SPDX-License-Identifier: MIT
#include "resources/resource.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>

namespace monolith::resources {
namespace {
using formats::Format;

TEST(Memory, IsZeroedAlignedAndReadableBehind) {
  for (uint64_t size : {1ull, 63ull, 64ull, 4096ull, 131072ull, 5000000ull}) {
    Memory m = Memory::allocate(size);
    ASSERT_TRUE(m);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(m.data()) % 64, 0u);
    EXPECT_EQ(m.size(), size);
    uint32_t sum = 0;
    for (uint64_t i = 0; i < size + 64; ++i)
      sum |= m.data()[i];
    EXPECT_EQ(sum, 0u);
    Memory moved = std::move(m);
    EXPECT_FALSE(m);
    EXPECT_EQ(moved.size(), size);
  }
}

TEST(Memory, AbsurdSizeIsEmpty) { EXPECT_FALSE(Memory::allocate(uint64_t(1) << 60)); }

TEST(Layout, PadsRowsAndHeights) {
  TextureLayout l;
  ASSERT_TRUE(TextureLayout::compute({TextureKind::Texture2D, Format::R8G8B8A8_UNORM, 100, 50, 1, 7, 2, 1}, l));
  EXPECT_EQ(l.rowPitch[0], 448u); // 104 texels, 416 bytes, to 64
  EXPECT_EQ(l.slicePitch[0], 448u * 56);
  EXPECT_EQ(l.mipOffset[1], 448u * 56);
  EXPECT_EQ(l.rowPitch[6], 64u);
  EXPECT_EQ(l.slicePitch[6], 512u);
  EXPECT_EQ(l.totalSize, l.layerPitch * 2);
}

TEST(Layout, BlockFormats) {
  TextureLayout l;
  ASSERT_TRUE(TextureLayout::compute({TextureKind::Texture2D, Format::BC1_UNORM, 16, 16, 1, 5, 1, 1}, l));
  EXPECT_EQ(l.rowPitch[0], 64u);
  EXPECT_EQ(l.slicePitch[0], 256u);
  EXPECT_EQ(l.slicePitch[4], 64u);
}

TEST(Layout, AvoidsCacheSetAliasing) {
  TextureLayout l;
  ASSERT_TRUE(TextureLayout::compute({TextureKind::Texture2D, Format::R8G8B8A8_UNORM, 1024, 1024, 1, 1, 1, 1}, l));
  EXPECT_EQ(l.rowPitch[0], 4096u + 64);
}

TEST(Layout, RefusesHostileSizes) {
  TextureLayout l;
  EXPECT_FALSE(TextureLayout::compute({TextureKind::Texture2D, Format::R8_UNORM, 0, 1, 1, 1, 1, 1}, l));
  EXPECT_FALSE(TextureLayout::compute({TextureKind::Texture2D, Format::R32G32B32A32_FLOAT, 16384, 16384, 1, 1, 1, 1}, l));
  EXPECT_FALSE(TextureLayout::compute({TextureKind::Texture2D, Format::R8_UNORM, 0xffffffffu, 0xffffffffu, 1, 1, 1, 1}, l));
  EXPECT_FALSE(TextureLayout::compute({TextureKind::Texture2D, Format::R8_UNORM, 4, 4, 1, 16, 1, 1}, l));
  EXPECT_FALSE(TextureLayout::compute({TextureKind::Texture2D, Format::UNKNOWN, 4, 4, 1, 1, 1, 1}, l));
  EXPECT_EQ(Texture::create({TextureKind::Texture3D, Format::R8_UNORM, 16384, 16384, 16384, 1, 1, 1}), nullptr);
}

TEST(PendingClear, MaterializeWritesOnlyPendingTilesOfTheRectangle) {
  auto t = Texture::create({TextureKind::Texture2D, Format::R8G8B8A8_UNORM, 200, 130, 1, 1, 1, 1});
  ASSERT_TRUE(t);
  PendingClear& p = t->makePendingClear(0);
  ASSERT_EQ(p.tilesX, 4u);
  ASSERT_EQ(p.tilesY, 3u);
  const uint8_t texel[4] = {1, 2, 3, 4};
  std::memcpy(p.texel, texel, 4);
  std::fill(p.pending.begin(), p.pending.end(), uint8_t(1));
  p.pending[0] = 0;
  p.pendingCount = 11;
  EXPECT_TRUE(t->anyPending());
  t->materialize(0, 70, 0, 1, 1);
  EXPECT_EQ(p.pendingCount, 10u);
  EXPECT_EQ(t->address(0, 0)[64 * 4], 1);
  EXPECT_EQ(t->address(0, 0)[63 * 4], 0);
  EXPECT_EQ(t->address(0, 0)[128 * 4], 0);
  t->materializeAll();
  EXPECT_FALSE(t->anyPending());
  EXPECT_EQ(p.pendingCount, 0u);
  EXPECT_EQ(std::memcmp(t->address(0, 0) + 129 * t->layout().rowPitch[0] + 199 * 4, texel, 4), 0);
  EXPECT_EQ(t->address(0, 0)[0], 0);
}

TEST(FillTexels, AllSizes) {
  for (uint32_t bytes = 1; bytes <= 16; ++bytes) {
    uint8_t texel[16];
    for (uint32_t i = 0; i < 16; ++i)
      texel[i] = uint8_t(i * 7 + 1);
    std::vector<uint8_t> out(bytes * 1031 + 1, 0xcd);
    fillTexels(out.data(), texel, bytes, 1031);
    for (uint32_t i = 0; i < bytes * 1031; ++i)
      ASSERT_EQ(out[i], texel[i % bytes]);
    EXPECT_EQ(out.back(), 0xcd);
  }
}

TEST(Buffer, RenameReusesCompletedVersionsInOrder) {
  auto b = Buffer::create(80, true);
  ASSERT_TRUE(b);
  std::set<uint8_t*> seen = {b->current()};
  uint8_t* const first = b->current();
  for (int i = 0; i < 100; ++i) { // nothing completes: all different
    uint8_t* p = b->rename(0, 1);
    ASSERT_TRUE(p);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
    EXPECT_TRUE(seen.insert(p).second);
    std::memset(p, 1, 80);
  }
  const uint32_t versions = b->versionCount();
  EXPECT_EQ(versions, 101u);
  EXPECT_EQ(b->rename(1, 2), first);
  for (uint64_t frame = 2; frame < 50; ++frame)
    for (int i = 0; i < 50; ++i)
      b->rename(frame - 1, frame);
  EXPECT_EQ(b->versionCount(), versions);
}

TEST(Buffer, WithoutRenamingThereIsOneVersion) {
  auto b = Buffer::create(100, false);
  ASSERT_TRUE(b);
  EXPECT_EQ(b->rename(5, 6), nullptr);
  EXPECT_EQ(b->versionCount(), 1u);
  EXPECT_EQ(Buffer::create(0, true), nullptr);
  EXPECT_EQ(Buffer::create(uint64_t(1) << 40, true), nullptr);
}

TEST(Views, TextureArrayRange) {
  auto t = Texture::create({TextureKind::Texture2D, Format::R8G8B8A8_TYPELESS, 64, 32, 1, 4, 6, 1});
  ASSERT_TRUE(t);
  abi::TextureView v;
  makeTextureView(*t, abi::ViewDimension::Texture2DArray, Format::R8G8B8A8_UNORM_SRGB, 1, 2, 3, 2, v);
  EXPECT_EQ(v.width, 32u);
  EXPECT_EQ(v.height, 16u);
  EXPECT_EQ(v.layers, 2u);
  EXPECT_EQ(v.mips, 2u);
  EXPECT_EQ(v.base + v.mipOffset[0], t->address(1, 3));
  EXPECT_EQ(v.base + v.mipOffset[1] + v.layerPitch, t->address(2, 4));
  EXPECT_EQ(v.mipOffset[5], v.mipOffset[1]);
  EXPECT_EQ(v.format, uint8_t(Format::R8G8B8A8_UNORM_SRGB));
}

TEST(Views, VolumeAndTargets) {
  auto t = Texture::create({TextureKind::Texture3D, Format::R16_FLOAT, 20, 12, 8, 3, 1, 1});
  ASSERT_TRUE(t);
  abi::TextureView v;
  makeTextureView(*t, abi::ViewDimension::Texture3D, Format::R16_FLOAT, 1, 2, 0, 1, v);
  EXPECT_EQ(v.depth, 4u);
  EXPECT_EQ(v.base + v.mipOffset[0] + 2 * v.slicePitch[0], t->address(1, 0, 2));
  TargetView target;
  ASSERT_TRUE(makeTargetView(t, Format::R16_FLOAT, 1, 1, 99, target));
  EXPECT_EQ(target.layers, 3u);
  EXPECT_EQ(target.base, t->address(1, 0, 1));
  EXPECT_FALSE(makeTargetView(t, Format::R16_FLOAT, 1, 4, 1, target));
  EXPECT_FALSE(makeTargetView(t, Format::R16_FLOAT, 3, 0, 1, target));
}

TEST(Views, NullObjects) {
  EXPECT_EQ(nullView().width, 0u);
  ASSERT_NE(nullView().base, nullptr);
  EXPECT_EQ(nullView().base[63], 0);
  EXPECT_EQ(nullConstantBuffer().size, 0u);
  EXPECT_NE(nullConstantBuffer().data, nullptr);
  EXPECT_EQ(defaultSampler().maxAnisotropy, 1u);
}

} // namespace
} // namespace monolith::resources
