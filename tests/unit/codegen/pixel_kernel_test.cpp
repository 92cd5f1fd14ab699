// SPDX-License-Identifier: MIT
#include "codegen/pixel_routines.h"

#include "codegen/output_reference.h"
#include "formats/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace mabi = monolith::abi;
namespace formats = monolith::formats;
using namespace monolith::codegen;
using formats::Format;

namespace {

constexpr int kSize = 32;

struct Target {
  Format format;
  alignas(64) uint8_t memory[kSize * kSize * 16];
  mabi::Surface surface()
  {
    mabi::Surface s;
    s.base = memory;
    s.rowPitch = kSize * formats::info(format).bytesPerBlock;
    return s;
  }
  uint8_t* pixel(int x, int y) { return memory + (y * kSize + x) * formats::info(format).bytesPerBlock; }
};

mabi::PrimitiveRecord plane(float z0, float dzdx, float dzdy)
{
  static const float vertex[8 * 64] = {};
  mabi::PrimitiveRecord p{};
  p.z0 = z0;
  p.dzdx = dzdx;
  p.dzdy = dzdy;
  p.rw0 = p.rw1 = p.rw2 = 1;
  for (const float*& v : p.v)
    v = vertex;
  p.flat = vertex;
  p.maxDepth = 1;
  p.flags = mabi::kFrontFacing;
  return p;
}

} // namespace

TEST(PixelKernel, DepthOnlyEqualsReference)
{
  std::mt19937 random(3);
  PixelRoutines routines(1 << 20);
  for (Format format : {Format::D32_FLOAT, Format::D16_UNORM, Format::D24_UNORM_S8_UINT, Format::D32_FLOAT_S8X24_UINT, Format::D16_UNORM_S8_UINT})
    for (int stencil = 0; stencil < 2; stencil++) {
      monolith::state::DepthStencilState ds;
      ds.stencilEnable = uint8_t(stencil);
      ds.front.pass = monolith::state::StencilOp::Incr;
      ds.front.depthFail = monolith::state::StencilOp::Replace;
      ds.back.pass = monolith::state::StencilOp::Decr;
      PixelState state{};
      state.depthStencil = &ds;
      state.depth = format;
      state.countSamples = true;
      const auto routine = routines.get(state);
      ASSERT_TRUE(routine && routine->entry);
      EXPECT_TRUE(routine->earlyDepth && routine->writesDepth && !routine->noEffect);
      EXPECT_EQ(routines.get(state), routine);
      Target t{format, {}}, want{format, {}};
      for (int y = 0; y < kSize; y++)
        for (int x = 0; x < kSize; x++) {
          formats::Texel texel{};
          texel.f[0] = float(random() & 255) / 255.0f;
          texel.u[1] = random() & 255;
          formats::pack(format, texel, t.pixel(x, y));
        }
      std::memcpy(want.memory, t.memory, sizeof want.memory);
      uint64_t count = 0, expected = 0;
      mabi::ThreadContext thread;
      thread.occlusion = &count;
      mabi::DrawContext draw{};
      draw.depth = t.surface();
      draw.sampleMask = ~0u;
      draw.stencilRef = 77;
      for (int pass = 0; pass < 40; pass++) {
        mabi::PrimitiveRecord p = plane(float(random() & 1023) / 1024, 0.013f, -0.007f);
        p.x0 = 3.25f;
        p.y0 = 9.5f;
        p.minDepth = 0.1f;
        p.maxDepth = 0.9f;
        p.flags = pass & 1;
        mabi::Block blocks[3];
        for (int k = 0; k < 3; k++) {
          blocks[k].x = uint16_t(8 * (random() % 4));
          blocks[k].y = uint16_t(8 * k);
          blocks[k].mask = k == 0 ? ~uint64_t(0) : (uint64_t(random()) << 32 | random()) & (k == 1 ? ~uint64_t(0) : 0xff00ff0000ull);
        }
        mabi::PixelArgs args{&draw, &p, blocks, 3, 0, &thread};
        routine->entry(&args);
        for (const mabi::Block& b : blocks)
          for (int bit = 0; bit < 64; bit++) {
            if (!(b.mask >> bit & 1))
              continue;
            const int x = b.x + bit % 8, y = b.y + bit / 8;
            const float px = float(x) + 0.5f - p.x0, py = float(y) + 0.5f - p.y0;
            const float z = std::fma(p.dzdy, py, std::fma(p.dzdx, px, p.z0));
            expected += testPixel(ds, format, pass & 1, 77, std::min(std::max(z, p.minDepth), p.maxDepth), want.pixel(x, y));
          }
        ASSERT_EQ(std::memcmp(t.memory, want.memory, sizeof t.memory), 0) << formats::info(format).name << " pass " << pass;
        ASSERT_EQ(count, expected);
      }
    }
}

TEST(PixelKernel, SampleMaskAndNothingToDo)
{
  PixelRoutines routines(1 << 20);
  PixelState state{};
  EXPECT_TRUE(routines.get(state)->noEffect);
  state.depth = Format::D32_FLOAT;
  const auto routine = routines.get(state);
  Target t{Format::D32_FLOAT, {}};
  for (int k = 0; k < kSize * kSize; k++)
    reinterpret_cast<float*>(t.memory)[k] = 1.0f;
  mabi::ThreadContext thread;
  mabi::DrawContext draw{};
  draw.depth = t.surface();
  draw.sampleMask = 2; // the only sample is off
  mabi::PrimitiveRecord p = plane(0.5f, 0, 0);
  mabi::Block block{~uint64_t(0), 8, 8, 0};
  mabi::PixelArgs args{&draw, &p, &block, 1, 0, &thread};
  routine->entry(&args);
  EXPECT_EQ(reinterpret_cast<float*>(t.pixel(8, 8))[0], 1.0f);
  draw.sampleMask = 1;
  routine->entry(&args);
  EXPECT_EQ(reinterpret_cast<float*>(t.pixel(8, 8))[0], 0.5f);
  EXPECT_EQ(reinterpret_cast<float*>(t.pixel(7, 8))[0], 1.0f);
}
