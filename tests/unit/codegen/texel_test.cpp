// SPDX-License-Identifier: MIT
#include "codegen/texel.h"

#include "codegen/pixel_rows.h"
#include "formats/reference.h"
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
using simd::Int;
using simd::Pointer;

namespace {

/// in: 8 pixels as in memory; out: 4 channels x 8 lanes.
simd::Routine unpackRoutine(Format format, LaneOrder order)
{
  simd::Function f("unpack", {ArgumentKind::Pointer, ArgumentKind::Pointer});
  const unsigned bytes = formats::info(format).bytesPerBlock;
  const Pointer in = f.pointerArgument(0);
  const PixelAddress at = pixelAddress(in, in + int32_t(4 * bytes), bytes, order);
  const Channels c = unpackTexel(format, loadPixels(at, bytes, order));
  for (int k = 0; k < 4; k++)
    simd::store(f.pointerArgument(1) + 32 * k, c.c[k]);
  return f.finish();
}

simd::Routine packRoutine(Format format, LaneOrder order)
{
  simd::Function f("pack", {ArgumentKind::Pointer, ArgumentKind::Pointer});
  const unsigned bytes = formats::info(format).bytesPerBlock;
  const Pointer out = f.pointerArgument(1);
  Channels c;
  for (int k = 0; k < 4; k++)
    c.c[k] = simd::loadInt(f.pointerArgument(0) + 32 * k);
  storePixels(pixelAddress(out, out + int32_t(4 * bytes), bytes, order), bytes, order, packTexel(format, c));
  return f.finish();
}

using Fn = void (*)(const void*, void*);

bool sameBits(uint32_t a, uint32_t b)
{
  const auto isNan = [](uint32_t v) { return (v & 0x7fffffffu) > 0x7f800000u; };
  return a == b || (isNan(a) && isNan(b));
}

void checkUnpack(Format format, Fn fn, const uint8_t* memory)
{
  const unsigned bytes = formats::info(format).bytesPerBlock;
  uint32_t out[4][8];
  fn(memory, out);
  for (int lane = 0; lane < 8; lane++) {
    Texel want;
    formats::unpack(format, memory + lane * bytes, want);
    for (int k = 0; k < 4; k++)
      ASSERT_TRUE(sameBits(out[k][lane], want.u[k]))
          << formats::info(format).name << " channel " << k << ": " << std::hex << out[k][lane] << " want " << want.u[k];
  }
}

} // namespace

TEST(Texel, UnpackEqualsReference)
{
  std::mt19937 random(5);
  for (uint32_t v = 1; v < formats::kFormatCount; v++) {
    const Format format = Format(v);
    if (!canUnpack(format) || formats::info(format).bytesPerBlock == 12)
      continue;
    const unsigned bytes = formats::info(format).bytesPerBlock;
    for (LaneOrder order : {LaneOrder::Row, LaneOrder::Quad}) {
      const simd::Routine routine = unpackRoutine(format, order);
      ASSERT_TRUE(bool(routine));
      const Fn fn = routine.as<Fn>();
      alignas(32) uint8_t memory[128] = {};
      if (bytes <= 2) {
        for (uint32_t k = 0; k < 1u << (8 * bytes); k += 8) {
          for (uint32_t lane = 0; lane < 8; lane++) {
            const uint32_t value = k + lane;
            std::memcpy(memory + lane * bytes, &value, bytes);
          }
          checkUnpack(format, fn, memory);
          if (HasFatalFailure())
            return;
        }
      } else {
        for (int n = 0; n < 4000; n++) {
          for (uint8_t& b : memory)
            b = uint8_t(random());
          checkUnpack(format, fn, memory);
          if (HasFatalFailure())
            return;
        }
      }
    }
  }
}

TEST(Texel, DivisionIsCorrectlyRounded)
{
  for (unsigned n : {2u, 4u, 5u, 6u, 8u, 10u, 16u, 24u}) {
    simd::Function f("unorm", {ArgumentKind::Pointer, ArgumentKind::Pointer});
    simd::store(f.pointerArgument(1), unormToFloat(simd::loadInt(f.pointerArgument(0)), n));
    const simd::Routine routine = f.finish();
    for (uint32_t k = 0; k < 1u << n; k += n == 24 ? 3 * 8 : 8) {
      alignas(32) uint32_t in[8];
      alignas(32) float out[8];
      for (uint32_t lane = 0; lane < 8; lane++)
        in[lane] = (k + lane) & ((1u << n) - 1);
      routine.as<Fn>()(in, out);
      for (uint32_t lane = 0; lane < 8; lane++)
        ASSERT_EQ(out[lane], float(in[lane]) / float((1u << n) - 1)) << n << " " << in[lane];
    }
  }
}

TEST(Texel, PackEqualsReference)
{
  std::mt19937 random(6);
  const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 0.3f, 254.5f / 255, 2.0f, -3.0f, 1e9f, -1e9f, 65504.0f, 65536.0f, 1e-6f, 5e-8f,
                           3e38f, -3e38f, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(), 0.0031308f, 0.00015f};
  for (uint32_t v = 1; v < formats::kFormatCount; v++) {
    const Format format = Format(v);
    if (!canPack(format))
      continue;
    const unsigned bytes = formats::info(format).bytesPerBlock;
    const bool isFloat = formats::shaderType(format) == formats::ChannelType::Float;
    for (LaneOrder order : {LaneOrder::Row, LaneOrder::Quad}) {
      const simd::Routine routine = packRoutine(format, order);
      ASSERT_TRUE(bool(routine));
      for (int n = 0; n < 4000; n++) {
        alignas(32) Texel lanes[8];
        alignas(32) uint32_t soa[4][8];
        alignas(32) uint8_t out[128], want[16];
        for (int lane = 0; lane < 8; lane++)
          for (int k = 0; k < 4; k++) {
            Texel& t = lanes[lane];
            const uint32_t r = uint32_t(random());
            if (!isFloat || formats::info(format).channel[k].type == formats::ChannelType::Uint)
              t.u[k] = r >> (random() & 31);
            else if (r % 5 == 0)
              t.f[k] = special[(r >> 8) % (sizeof special / sizeof special[0])];
            else if (r % 5 == 1)
              t.u[k] = uint32_t(random());
            else
              t.f[k] = float(random() & 0xffffff) / 0xfffff0 * (r & 8 ? 1.1f : -1.1f);
            soa[k][lane] = t.u[k];
          }
        routine.as<Fn>()(soa, out);
        for (int lane = 0; lane < 8; lane++) {
          formats::pack(format, lanes[lane], want);
          // Depth is clamped before it is stored, stencil masked: other inputs do not occur.
          for (unsigned b = 0; b < bytes; b++)
            ASSERT_EQ(out[lane * bytes + b], want[b])
                << formats::info(format).name << " lane " << lane << " byte " << b << " from " << lanes[lane].f[0] << ' '
                << lanes[lane].f[1] << ' ' << lanes[lane].f[2] << ' ' << lanes[lane].f[3];
        }
      }
    }
  }
}

TEST(Texel, SrgbEncodesExactlyAtEveryThreshold)
{
  simd::Function f("srgb", {ArgumentKind::Pointer, ArgumentKind::Pointer});
  simd::store(f.pointerArgument(1), floatToSrgb(simd::loadFloat(f.pointerArgument(0))));
  const simd::Routine routine = f.finish();
  for (int k = 1; k < 256; k++) {
    alignas(32) float in[8];
    alignas(32) uint32_t out[8];
    Texel texel{};
    // The smallest float that encodes to k, found through the reference.
    uint32_t low = 0, high = 0x3f800000;
    while (high - low > 1) {
      const uint32_t mid = (low + high) / 2;
      texel.u[0] = mid;
      uint8_t b[4];
      formats::pack(Format::R8G8B8A8_UNORM_SRGB, texel, b);
      (b[0] >= k ? high : low) = mid;
    }
    for (int lane = 0; lane < 8; lane++) {
      const uint32_t bits = high - 4 + uint32_t(lane);
      std::memcpy(&in[lane], &bits, 4);
    }
    routine.as<Fn>()(in, out);
    for (int lane = 0; lane < 8; lane++)
      ASSERT_EQ(out[lane], uint32_t(lane < 4 ? k - 1 : k)) << k;
  }
}
