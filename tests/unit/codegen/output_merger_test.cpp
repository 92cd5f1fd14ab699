// SPDX-License-Identifier: MIT
#include "codegen/output_merger.h"

#include "codegen/color_merger.h"
#include "codegen/logic_op.h"
#include "codegen/output_reference.h"
#include "simd/simd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace monolith;
using namespace monolith::codegen;
using formats::Format;
using formats::Texel;
using simd::ArgumentKind;
using simd::Float;
using simd::Int;
using simd::Mask;
using simd::Pointer;
using state::Blend;
using state::BlendOp;
using state::Comparison;
using state::StencilOp;

namespace {

/// Arguments of the blend routine.
struct BlendMemory {
  alignas(32) uint32_t src[4][8], src1[4][8];
  alignas(32) uint8_t pixels[128];
  float factor[4];
};

simd::Routine blendRoutine(const state::TargetBlend& blend, Format format)
{
  simd::Function f("blend", {ArgumentKind::Pointer});
  const Pointer p = f.pointerArgument(0);
  const unsigned bytes = formats::info(format).bytesPerBlock;
  Channels src, src1;
  Float factor[4];
  for (int k = 0; k < 4; k++) {
    src.c[k] = simd::loadInt(p + int32_t(offsetof(BlendMemory, src)) + 32 * k);
    src1.c[k] = simd::loadInt(p + int32_t(offsetof(BlendMemory, src1)) + 32 * k);
    factor[k] = simd::broadcastFloat(p + int32_t(offsetof(BlendMemory, factor)) + 4 * k);
  }
  const Pointer pixels = p + int32_t(offsetof(BlendMemory, pixels));
  const PixelAddress at = pixelAddress(pixels, pixels, bytes, LaneOrder::Row);
  TexelWords old;
  if (readsTarget(blend, format) || hasPartialWriteMask(blend, format))
    old = loadPixels(at, bytes, LaneOrder::Row);
  ColorMerger merger(blend, format);
  merger.prepare(src, src1, factor);
  storePixels(at, bytes, LaneOrder::Row, merger.merge(old));
  return f.finish();
}

std::mt19937 g_random(11);

float randomColor(bool wild)
{
  const uint32_t r = uint32_t(g_random());
  if (wild && r % 16 == 0)
    return std::numeric_limits<float>::quiet_NaN();
  if (wild && r % 16 == 1)
    return r & 256 ? std::numeric_limits<float>::infinity() : -2.5f;
  if (r % 16 < 4)
    return float(r >> 8 & 1);
  return float(g_random() & 0xffff) / 65535.0f;
}

bool isNanBits(uint32_t bits, unsigned size)
{
  if (size == 32)
    return (bits & 0x7fffffffu) > 0x7f800000u;
  return size == 16 ? (bits & 0x7fff) > 0x7c00 : false;
}

bool equalTexels(Format format, const uint8_t* a, const uint8_t* b)
{
  const formats::FormatInfo& f = formats::info(format);
  if (std::memcmp(a, b, f.bytesPerBlock) == 0)
    return true;
  if (f.channel[0].type != formats::ChannelType::Float)
    return false;
  for (unsigned k = 0; k < 4; k++) {
    const formats::Channel& c = f.channel[k];
    if (!c.bits)
      continue;
    uint64_t wa[3] = {}, wb[3] = {};
    std::memcpy(wa, a, f.bytesPerBlock);
    std::memcpy(wb, b, f.bytesPerBlock);
    const auto bits = [&](const uint64_t* w) {
      return uint32_t(w[c.shift / 64] >> (c.shift % 64)) & (c.bits == 32 ? ~0u : (1u << c.bits) - 1);
    };
    if (bits(wa) != bits(wb) && !(isNanBits(bits(wa), c.bits) && isNanBits(bits(wb), c.bits)))
      return false;
  }
  return true;
}

void checkBlend(const state::TargetBlend& blend, Format format, int rounds)
{
  const simd::Routine routine = blendRoutine(blend, format);
  ASSERT_TRUE(bool(routine));
  const unsigned bytes = formats::info(format).bytesPerBlock;
  const bool isFloat = formats::shaderType(format) == formats::ChannelType::Float;
  for (int n = 0; n < rounds; n++) {
    BlendMemory m;
    uint8_t want[128];
    for (float& v : m.factor)
      v = randomColor(false);
    Texel src[8], src1[8];
    for (int lane = 0; lane < 8; lane++) {
      Texel dest;
      for (int k = 0; k < 4; k++) {
        if (isFloat) {
          src[lane].f[k] = randomColor(true);
          src1[lane].f[k] = randomColor(true);
          dest.f[k] = randomColor(false);
        } else {
          src[lane].u[k] = uint32_t(g_random()) >> 20;
          src1[lane].u[k] = 0;
          dest.u[k] = uint32_t(g_random()) >> 26;
        }
        m.src[k][lane] = src[lane].u[k];
        m.src1[k][lane] = src1[lane].u[k];
      }
      formats::pack(format, dest, m.pixels + lane * bytes);
    }
    std::memcpy(want, m.pixels, sizeof want);
    for (int lane = 0; lane < 8; lane++)
      writePixel(blend, format, src[lane], src1[lane], m.factor, want + lane * bytes);
    routine.as<void (*)(BlendMemory*)>()(&m);
    for (int lane = 0; lane < 8; lane++)
      ASSERT_TRUE(equalTexels(format, m.pixels + lane * bytes, want + lane * bytes))
          << formats::info(format).name << " src " << int(blend.src) << " dest " << int(blend.dest) << " op " << int(blend.op)
          << " mask " << int(blend.writeMask) << " s " << src[lane].f[0] << ' ' << src[lane].f[3];
  }
}

const Blend kColorFactors[] = {Blend::Zero, Blend::One, Blend::SrcColor, Blend::InvSrcColor, Blend::SrcAlpha, Blend::InvSrcAlpha,
                               Blend::DestAlpha, Blend::InvDestAlpha, Blend::DestColor, Blend::InvDestColor, Blend::SrcAlphaSat,
                               Blend::BlendFactor, Blend::InvBlendFactor, Blend::Src1Color, Blend::InvSrc1Color, Blend::Src1Alpha,
                               Blend::InvSrc1Alpha};
const BlendOp kOps[] = {BlendOp::Add, BlendOp::Subtract, BlendOp::RevSubtract, BlendOp::Min, BlendOp::Max};

} // namespace

TEST(OutputMerger, AllBlendFactorsAndOperations)
{
  for (Format format : {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT})
    for (Blend s : kColorFactors)
      for (Blend d : kColorFactors)
        for (BlendOp op : kOps) {
          state::TargetBlend b;
          b.enable = 1;
          b.src = b.srcAlpha = s;
          b.dest = b.destAlpha = d;
          b.op = b.opAlpha = op;
          checkBlend(b, format, 2);
          if (HasFatalFailure())
            return;
        }
}

TEST(OutputMerger, AllTargetFormats)
{
  for (uint32_t v = 1; v < formats::kFormatCount; v++) {
    const Format format = Format(v);
    if (!canPack(format) || formats::info(format).isDepthStencil())
      continue;
    for (uint8_t mask : {15, 1, 6, 8, 0})
      for (int enable : {0, 1}) {
        state::TargetBlend b;
        b.enable = uint8_t(enable);
        b.src = Blend::SrcAlpha;
        b.dest = Blend::InvSrcAlpha;
        b.srcAlpha = Blend::One;
        b.destAlpha = Blend::InvDestAlpha;
        b.writeMask = mask;
        checkBlend(b, format, 20);
        if (HasFatalFailure())
          return;
      }
  }
}

TEST(OutputMerger, SourcesBehindTheirEncoding)
{
  state::TargetBlend b;
  b.enable = b.encoded = 1;
  b.src = b.srcAlpha = state::Blend::SrcAlpha;
  b.dest = b.destAlpha = state::Blend::InvSrcAlpha;
  checkBlend(b, Format::R8G8B8A8_UNORM, 20);
  b.dest = b.destAlpha = state::Blend::Zero;
  checkBlend(b, Format::B8G8R8A8_UNORM, 20);
  // Half of the code of 0.5, which is 188, and three quarters of 64; alpha is never encoded.
  b.dest = state::Blend::InvSrcAlpha;
  b.srcAlpha = state::Blend::One;
  uint8_t pixel[4] = {64, 64, 64, 0};
  const float factor[4] = {};
  Texel src = {}, none = {};
  src.f[0] = src.f[1] = src.f[2] = 0.5f;
  src.f[3] = 0.25f;
  writePixel(b, Format::R8G8B8A8_UNORM, src, none, factor, pixel);
  EXPECT_EQ(pixel[0], 188 / 4 + 64 * 3 / 4);
  EXPECT_EQ(pixel[3], 64);
}

TEST(OutputMerger, LogicOperations)
{
  EXPECT_EQ(logicBits<uint32_t>(state::LogicOp::AndReverse, 0b1100, 0b1010), 0b0100u);
  EXPECT_EQ(logicBits<uint32_t>(state::LogicOp::OrInverted, 0b1100, 0b1010) & 15u, 0b1011u);
  for (int op = 0; op < 16; op++)
    for (Format format : {Format::R8G8B8A8_UINT, Format::R32_UINT, Format::R10G10B10A2_UINT, Format::R16G16_UINT}) {
      state::TargetBlend b;
      b.logicEnable = 1;
      b.logicOp = state::LogicOp(op);
      checkBlend(b, format, 20);
      if (HasFatalFailure())
        return;
    }
}

// ---- depth and stencil

namespace {

struct DepthMemory {
  alignas(32) float z[8];
  alignas(32) uint8_t pixels[64];
  alignas(32) uint32_t pass[8];
  uint32_t reference;
};

simd::Routine depthRoutine(const state::DepthStencilState& s, Format format, bool front)
{
  simd::Function f("depth", {ArgumentKind::Pointer});
  const Pointer p = f.pointerArgument(0);
  const unsigned bytes = formats::info(format).bytesPerBlock;
  const Pointer pixels = p + int32_t(offsetof(DepthMemory, pixels));
  const PixelAddress at = pixelAddress(pixels, pixels, bytes, LaneOrder::Row);
  StencilInputs in;
  in.frontFacing = front;
  in.reference = simd::broadcastInt(p + int32_t(offsetof(DepthMemory, reference)));
  const TexelWords old = loadPixels(at, bytes, LaneOrder::Row);
  DepthTest t = testDepthStencil(s, format, in, simd::loadFloat(p + int32_t(offsetof(DepthMemory, z))), old);
  simd::store(p + int32_t(offsetof(DepthMemory, pass)), t.pass);
  if (t.writes) {
    if (!t.writesFailed)
      for (unsigned n = 0; n < texelWordCount(format); n++)
        t.words.w[n] = simd::select(t.pass, t.words.w[n], old.w[n]);
    storePixels(at, bytes, LaneOrder::Row, t.words);
  }
  return f.finish();
}

void checkDepth(const state::DepthStencilState& s, Format format, bool front, int rounds)
{
  const simd::Routine routine = depthRoutine(s, format, front);
  ASSERT_TRUE(bool(routine));
  const unsigned bytes = formats::info(format).bytesPerBlock;
  for (int n = 0; n < rounds; n++) {
    DepthMemory m;
    m.reference = g_random() & 255;
    for (int lane = 0; lane < 8; lane++) {
      Texel t{};
      t.f[0] = float(g_random() & 3) / 3.0f + float(g_random() & 1) * 1e-3f;
      if (t.f[0] > 1.0f)
        t.f[0] = 1.0f;
      t.u[1] = g_random() & 1 ? m.reference : g_random() & 255;
      formats::pack(format, t, m.pixels + lane * bytes);
      m.z[lane] = g_random() & 1 ? t.f[0] : float(g_random() & 0xffff) / 65535.0f;
    }
    uint8_t want[64];
    std::memcpy(want, m.pixels, sizeof want);
    bool pass[8];
    for (int lane = 0; lane < 8; lane++)
      pass[lane] = testPixel(s, format, front, uint8_t(m.reference), m.z[lane], want + lane * bytes);
    routine.as<void (*)(DepthMemory*)>()(&m);
    for (int lane = 0; lane < 8; lane++) {
      ASSERT_EQ(m.pass[lane] != 0, pass[lane]) << formats::info(format).name;
      ASSERT_EQ(std::memcmp(m.pixels + lane * bytes, want + lane * bytes, bytes), 0)
          << formats::info(format).name << " func " << int(s.depthFunc) << " write " << int(s.depthWrite) << " stencil "
          << int(s.stencilEnable);
    }
  }
}

const Format kDepthFormats[] = {Format::D16_UNORM, Format::D24_UNORM_S8_UINT, Format::D32_FLOAT, Format::D32_FLOAT_S8X24_UINT,
                                Format::D16_UNORM_S8_UINT};

} // namespace

TEST(OutputMerger, DepthComparisons)
{
  // REQ: M0063 M0064
  for (Format format : kDepthFormats)
    for (int func = 1; func <= 8; func++)
      for (uint8_t write : {0, 1}) {
        state::DepthStencilState s;
        s.depthFunc = Comparison(func);
        s.depthWrite = write;
        checkDepth(s, format, true, 30);
        if (HasFatalFailure())
          return;
      }
}

TEST(OutputMerger, StencilOperations)
{
  // REQ: D0049
  for (Format format : kDepthFormats)
    for (int func = 1; func <= 8; func++)
      for (int op = 1; op <= 8; op++)
        for (uint8_t depth : {0, 1}) {
          state::DepthStencilState s;
          s.depthEnable = depth;
          s.stencilEnable = 1;
          s.stencilReadMask = op & 1 ? 255 : 0x3c;
          s.stencilWriteMask = op & 2 ? 255 : 0xf1;
          s.front.func = s.back.func = Comparison(func);
          s.front.fail = StencilOp(op);
          s.front.depthFail = StencilOp(op % 8 + 1);
          s.front.pass = StencilOp((op + 1) % 8 + 1);
          s.back.pass = StencilOp(op);
          checkDepth(s, format, true, 6);
          checkDepth(s, format, false, 6);
          if (HasFatalFailure())
            return;
        }
}
