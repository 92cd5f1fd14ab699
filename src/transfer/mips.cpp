// SPDX-License-Identifier: MIT
/// @file
/// Mip chains by the box filter, in linear float. A level of odd size is sampled bilinearly at the centres of the new
/// texels, which for even sizes is the same box.
#include "transfer/transfer.h"

#include "formats/reference.h"
#include "formats/scalar.h"

#include <algorithm>
#include <cstring>

namespace monolith::transfer {
namespace {

using resources::Texture;

struct Level {
  uint8_t* base;
  uint64_t rowPitch, slicePitch;
  uint32_t width, height, depth;
};

/// The two source texels and the weight of the second for one new texel along one axis.
struct Tap {
  uint32_t a, b;
  float weight;
};

Tap tap(uint32_t x, uint32_t from, uint32_t to) {
  if (from == 1)
    return {0, 0, 0};
  if (from == to * 2)
    return {x * 2, x * 2 + 1, 0.5f};
  const float at = (float(x) + 0.5f) * float(from) / float(to) - 0.5f;
  const auto first = uint32_t(at);
  return {first, std::min(first + 1, from - 1), at - float(first)};
}

void readLinear(formats::Format format, const Level& l, uint32_t x, uint32_t y, uint32_t z, uint32_t bytes, float out[4]) {
  formats::Texel t;
  formats::unpack(format, l.base + z * l.slicePitch + y * l.rowPitch + uint64_t(x) * bytes, t);
  std::memcpy(out, t.f, 16);
}

void filterTexel(formats::Format format, uint32_t bytes, const Level& from, const Tap& tx, const Tap& ty, const Tap& tz, uint8_t* out) {
  float sum[4] = {};
  for (int corner = 0; corner < 8; ++corner) {
    const float wx = corner & 1 ? tx.weight : 1 - tx.weight, wy = corner & 2 ? ty.weight : 1 - ty.weight,
                wz = corner & 4 ? tz.weight : 1 - tz.weight;
    const float weight = wx * wy * wz;
    if (weight == 0)
      continue;
    float c[4];
    readLinear(format, from, corner & 1 ? tx.b : tx.a, corner & 2 ? ty.b : ty.a, corner & 4 ? tz.b : tz.a, bytes, c);
    for (int i = 0; i < 4; ++i)
      sum[i] += weight * c[i];
  }
  formats::Texel t;
  std::memcpy(t.f, sum, 16);
  formats::pack(format, t, out);
}

/// Four 8-bit channels, even sizes: integer average, which is the float result rounded.
void filterRow8(const uint8_t* r0, const uint8_t* r1, uint8_t* out, uint32_t width) {
  for (uint32_t x = 0; x < width; ++x)
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t at = x * 8 + c;
      out[x * 4 + c] = uint8_t((uint32_t(r0[at]) + r0[at + 4] + r1[at] + r1[at + 4] + 2) >> 2);
    }
}

/// The same with three sRGB channels; the fourth is linear.
void filterRowSrgb(const uint8_t* r0, const uint8_t* r1, uint8_t* out, uint32_t width) {
  const float* decode = formats::srgbDecodeTable();
  for (uint32_t x = 0; x < width; ++x) {
    for (uint32_t c = 0; c < 3; ++c) {
      const uint32_t at = x * 8 + c;
      const float sum = (decode[r0[at]] + decode[r0[at + 4]]) + (decode[r1[at]] + decode[r1[at + 4]]);
      out[x * 4 + c] = formats::floatToSrgb(sum * 0.25f);
    }
    const uint32_t at = x * 8 + 3;
    out[x * 4 + 3] = uint8_t((uint32_t(r0[at]) + r0[at + 4] + r1[at] + r1[at + 4] + 2) >> 2);
  }
}

bool isFilterable(const formats::FormatInfo& f) {
  return f.isPlain() && !f.isTypeless() && formats::shaderType(f.format) == formats::ChannelType::Float;
}

bool isFourUnorm8(const formats::FormatInfo& f) {
  for (const formats::Channel& c : f.channel)
    if (c.bits != 8 || c.type != formats::ChannelType::Unorm)
      return false;
  return f.bytesPerBlock == 4;
}

void filterLevel(const formats::FormatInfo& f, const Level& from, const Level& to, base::Parallel& parallel) {
  const bool fast = isFourUnorm8(f) && from.width == to.width * 2 && from.height == to.height * 2 && from.depth == 1;
  const uint32_t rowsPerUnit = std::max(1u, 16384u / std::max(1u, to.width));
  const uint32_t unitsPerSlice = (to.height + rowsPerUnit - 1) / rowsPerUnit;
  parallel.run(unitsPerSlice * to.depth, uint64_t(to.width) * to.height * to.depth > 16384, [&](uint32_t unit, uint32_t) {
    const uint32_t z = unit / unitsPerSlice, first = unit % unitsPerSlice * rowsPerUnit;
    const uint32_t end = std::min(to.height, first + rowsPerUnit);
    const Tap tz = tap(z, from.depth, to.depth);
    for (uint32_t y = first; y < end; ++y) {
      uint8_t* out = to.base + z * to.slicePitch + y * to.rowPitch;
      if (fast) {
        const uint8_t* r0 = from.base + uint64_t(y) * 2 * from.rowPitch;
        (f.isSrgb() ? filterRowSrgb : filterRow8)(r0, r0 + from.rowPitch, out, to.width);
        continue;
      }
      const Tap ty = tap(y, from.height, to.height);
      for (uint32_t x = 0; x < to.width; ++x)
        filterTexel(f.format, f.bytesPerBlock, from, tap(x, from.width, to.width), ty, tz, out + uint64_t(x) * f.bytesPerBlock);
    }
  });
}

} // namespace

void generateMips(const resources::ShaderView& view, base::Parallel& parallel) {
  if (!view.texture || view.texture->desc().samples > 1)
    return;
  Texture& t = *view.texture;
  const formats::FormatInfo& f = formats::info(formats::Format(view.view.format));
  if (!isFilterable(f))
    return;
  const bool volume = t.desc().kind == resources::TextureKind::Texture3D;
  const uint32_t mips = std::min(view.view.mips, t.desc().mips - std::min(view.firstMip, t.desc().mips));
  const uint32_t layers = volume ? 1 : std::min(view.view.layers, t.desc().layers - std::min(view.firstLayer, t.desc().layers));
  const auto level = [&](uint32_t mip, uint32_t layer) {
    return Level{t.address(mip, layer), t.layout().rowPitch[mip], t.layout().slicePitch[mip],
                 t.mipWidth(mip), t.mipHeight(mip), t.mipDepth(mip)};
  };
  for (uint32_t l = 0; l < layers; ++l) {
    const uint32_t layer = volume ? 0 : view.firstLayer + l;
    for (uint32_t m = view.firstMip; m + 1 < view.firstMip + mips; ++m) {
      if (t.anyPending()) {
        t.materialize(m + layer * t.desc().mips);
        t.dropPending(m + 1 + layer * t.desc().mips);
      }
      filterLevel(f, level(m, layer), level(m + 1, layer), parallel);
    }
  }
}

} // namespace monolith::transfer
