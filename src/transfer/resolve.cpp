// SPDX-License-Identifier: MIT
#include "transfer/transfer.h"

#include "formats/reference.h"

#include <algorithm>
#include <cstring>

namespace monolith::transfer {
namespace {

constexpr uint32_t kMaxSamples = 32;

bool isFourUnorm8(const formats::FormatInfo& f) {
  for (const formats::Channel& c : f.channel)
    if (c.bits != 8 || c.type != formats::ChannelType::Unorm)
      return false;
  return f.bytesPerBlock == 4 && !f.isSrgb();
}

struct Planes {
  const uint8_t* first;
  uint64_t pitch; ///< Between samples.
  uint32_t count;
};

/// 8-bit channels: the rounded mean of integers is the float mean rounded.
void averageRow8(const Planes& p, uint8_t* out, uint32_t bytes) {
  uint16_t sums[256];
  for (uint32_t at = 0; at < bytes; at += 256) {
    const uint32_t n = std::min(256u, bytes - at);
    std::fill_n(sums, n, uint16_t(p.count / 2));
    for (uint32_t s = 0; s < p.count; ++s) {
      const uint8_t* from = p.first + s * p.pitch + at;
      for (uint32_t i = 0; i < n; ++i)
        sums[i] = uint16_t(sums[i] + from[i]);
    }
    for (uint32_t i = 0; i < n; ++i)
      out[at + i] = uint8_t(sums[i] / p.count);
  }
}

void averageTexel(const formats::FormatInfo& f, const Planes& p, uint8_t* out) {
  formats::Texel sum{};
  for (uint32_t s = 0; s < p.count; ++s) {
    formats::Texel t;
    formats::unpack(f.format, p.first + s * p.pitch, t);
    for (int c = 0; c < 4; ++c)
      sum.f[c] += t.f[c];
  }
  const float scale = 1.0f / float(p.count);
  for (float& c : sum.f)
    c *= scale;
  formats::pack(f.format, sum, out);
}

} // namespace

void resolveTexture(resources::Texture& dest, uint32_t destMip, uint32_t destLayer, resources::Texture& source, uint32_t sourceLayer,
                    formats::Format format, base::Parallel& parallel) {
  const formats::FormatInfo& f = formats::info(format);
  const uint32_t bytes = formats::info(source.desc().format).bytesPerBlock;
  if (destMip >= dest.desc().mips || destLayer >= dest.desc().layers || sourceLayer >= source.desc().layers ||
      bytes != formats::info(dest.desc().format).bytesPerBlock || f.bytesPerBlock != bytes || !f.isPlain() || dest.desc().samples != 1)
    return;
  const uint32_t width = std::min(dest.mipWidth(destMip), source.desc().width);
  const uint32_t height = std::min(dest.mipHeight(destMip), source.desc().height);
  const uint32_t samples = std::min(source.desc().samples, kMaxSamples);
  source.materialize(sourceLayer * source.desc().mips);
  const uint32_t destSubresource = destMip + destLayer * dest.desc().mips;
  if (width == dest.mipWidth(destMip) && height == dest.mipHeight(destMip))
    dest.dropPending(destSubresource);
  else
    dest.materialize(destSubresource);
  const bool average = formats::shaderType(format) == formats::ChannelType::Float && samples > 1 && !f.isTypeless();
  const bool fast = isFourUnorm8(f);
  const uint64_t fromPitch = source.layout().rowPitch[0], toPitch = dest.layout().rowPitch[destMip];
  const uint8_t* from = source.address(0, sourceLayer);
  uint8_t* to = dest.address(destMip, destLayer);
  constexpr uint32_t kRows = 16;
  parallel.run((height + kRows - 1) / kRows, uint64_t(width) * height >= 64 * 1024, [&](uint32_t unit, uint32_t) {
    for (uint32_t y = unit * kRows; y < std::min(height, (unit + 1) * kRows); ++y) {
      const Planes row = {from + y * fromPitch, source.layout().slicePitch[0], samples};
      uint8_t* out = to + y * toPitch;
      if (!average)
        std::memcpy(out, row.first, uint64_t(width) * bytes);
      else if (fast)
        averageRow8(row, out, width * bytes);
      else
        for (uint32_t x = 0; x < width; ++x)
          averageTexel(f, {row.first + uint64_t(x) * bytes, row.pitch, samples}, out + uint64_t(x) * bytes);
    }
  });
}

} // namespace monolith::transfer
