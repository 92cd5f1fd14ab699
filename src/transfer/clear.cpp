// SPDX-License-Identifier: MIT
#include "transfer/transfer.h"

#include "formats/reference.h"

#include <algorithm>
#include <cstring>

namespace monolith::transfer {
namespace {

using resources::PendingClear;
using resources::TargetView;
using resources::Texture;

constexpr uint64_t kParallelBytes = 512 * 1024;

/// A packed texel and the bits of it that a clear replaces.
struct Fill {
  uint8_t texel[16] = {};
  uint8_t mask[16] = {};
  uint32_t bytes = 0;
  bool whole = true; ///< mask is all ones.
};

void blend(uint8_t* at, const Fill& fill) {
  for (uint32_t i = 0; i < fill.bytes; ++i)
    at[i] = uint8_t((at[i] & ~fill.mask[i]) | (fill.texel[i] & fill.mask[i]));
}

void fillRow(uint8_t* at, const Fill& fill, uint32_t width) {
  if (fill.whole) {
    resources::fillTexels(at, fill.texel, fill.bytes, width);
    return;
  }
  if (fill.bytes == 4) {
    uint32_t texel, mask;
    std::memcpy(&texel, fill.texel, 4);
    std::memcpy(&mask, fill.mask, 4);
    texel &= mask;
    for (uint32_t x = 0; x < width; ++x, at += 4) {
      uint32_t v;
      std::memcpy(&v, at, 4);
      v = (v & ~mask) | texel;
      std::memcpy(at, &v, 4);
    }
    return;
  }
  for (uint32_t x = 0; x < width; ++x, at += fill.bytes)
    blend(at, fill);
}

void fillRect(uint8_t* base, uint64_t pitch, const Fill& fill, const state::Rect& r, base::Parallel& parallel) {
  const auto width = uint32_t(r.right - r.left), height = uint32_t(r.bottom - r.top);
  uint8_t* first = base + uint64_t(r.top) * pitch + uint64_t(r.left) * fill.bytes;
  const uint64_t rowBytes = uint64_t(width) * fill.bytes;
  const auto rows = uint32_t(std::clamp<uint64_t>(kParallelBytes / 2 / std::max<uint64_t>(rowBytes, 1), 1, height));
  parallel.run((height + rows - 1) / rows, rowBytes * height >= kParallelBytes, [&](uint32_t unit, uint32_t) {
    const uint32_t end = std::min(height, (unit + 1) * rows);
    for (uint32_t y = unit * rows; y < end; ++y)
      fillRow(first + y * pitch, fill, width);
  });
}

bool clampRect(const state::Rect& in, uint32_t width, uint32_t height, state::Rect& out) {
  out.left = std::max(in.left, 0);
  out.top = std::max(in.top, 0);
  out.right = std::min(in.right, int32_t(width));
  out.bottom = std::min(in.bottom, int32_t(height));
  return out.left < out.right && out.top < out.bottom;
}

/// The whole subresource, by marking tiles.
void clearPending(Texture& texture, uint32_t subresource, uint8_t* base, uint64_t pitch, const Fill& fill, base::Parallel& parallel) {
  PendingClear& p = texture.makePendingClear(subresource);
  if (fill.whole) {
    std::memcpy(p.texel, fill.texel, sizeof p.texel);
    std::fill(p.pending.begin(), p.pending.end(), uint8_t(1));
    p.pendingCount = uint32_t(p.pending.size());
    return;
  }
  // One of two aspects: pending tiles share the texel, the others are changed in memory.
  const uint32_t mip = subresource % texture.desc().mips;
  const uint32_t width = texture.mipWidth(mip), height = texture.mipHeight(mip);
  blend(p.texel, fill);
  parallel.run(p.tilesY, uint64_t(width) * height * fill.bytes >= kParallelBytes, [&](uint32_t ty, uint32_t) {
    for (uint32_t tx = 0; tx < p.tilesX; ++tx) {
      if (p.pending[ty * p.tilesX + tx])
        continue;
      const uint32_t x = tx * resources::kTileSize, y = ty * resources::kTileSize;
      const uint32_t x1 = std::min(width, x + resources::kTileSize), y1 = std::min(height, y + resources::kTileSize);
      for (uint32_t row = y; row < y1; ++row)
        fillRow(base + row * pitch + uint64_t(x) * fill.bytes, fill, x1 - x);
    }
  });
}

void clear(const TargetView& view, const Fill& fill, std::span<const state::Rect> rects, base::Parallel& parallel) {
  const state::Rect all = {0, 0, int32_t(view.width), int32_t(view.height)};
  if (!view.texture) { // a buffer: one row
    for (const state::Rect& r : rects.empty() ? std::span(&all, 1) : rects)
      if (state::Rect c; clampRect(r, view.width, 1, c))
        fillRow(view.base + uint64_t(c.left) * fill.bytes, fill, uint32_t(c.right - c.left));
    return;
  }
  Texture& texture = *view.texture;
  const resources::TextureDesc& d = texture.desc();
  const bool volume = d.kind == resources::TextureKind::Texture3D;
  for (uint32_t l = 0; l < view.layers; ++l) {
    const uint32_t layer = view.firstLayer + l;
    uint8_t* base = volume ? texture.address(view.mip, 0, layer) : texture.address(view.mip, layer);
    const uint32_t subresource = volume ? view.mip : view.mip + layer * d.mips;
    const bool multisampled = d.samples > 1;
    if (rects.empty() && !volume && !(multisampled && !fill.whole)) {
      clearPending(texture, subresource, base, view.rowPitch, fill, parallel);
      continue;
    }
    for (const state::Rect& r : rects.empty() ? std::span(&all, 1) : rects) {
      state::Rect c;
      if (!clampRect(r, view.width, view.height, c))
        continue;
      texture.materialize(subresource, uint32_t(c.left), uint32_t(c.top), uint32_t(c.right - c.left), uint32_t(c.bottom - c.top));
      for (uint32_t s = 0; s < (multisampled ? d.samples : 1); ++s)
        fillRect(base + uint64_t(s) * texture.layout().slicePitch[view.mip], view.rowPitch, fill, c, parallel);
    }
  }
}

uint32_t truncateToUint(float f) { return !(f > 0) ? 0 : f >= 4294967296.0f ? 0xffffffffu : uint32_t(f); }
int32_t truncateToSint(float f) {
  return !(f == f) ? 0 : f >= 2147483648.0f ? INT32_MAX : f <= -2147483648.0f ? INT32_MIN : int32_t(f);
}

} // namespace

void packClearColor(formats::Format format, const float color[4], uint8_t texel[16]) {
  formats::Texel t{};
  const formats::ChannelType type = formats::shaderType(format);
  for (int c = 0; c < 4; ++c) {
    if (type == formats::ChannelType::Uint)
      t.u[c] = truncateToUint(color[c]);
    else if (type == formats::ChannelType::Sint)
      t.i[c] = truncateToSint(color[c]);
    else
      t.f[c] = color[c];
  }
  std::memset(texel, 0, 16);
  formats::pack(format, t, texel);
}

void clearColor(const TargetView& view, const float color[4], std::span<const state::Rect> rects, base::Parallel& parallel) {
  Fill fill;
  fill.bytes = formats::info(view.format).bytesPerBlock;
  if (fill.bytes == 0 || !view.base)
    return;
  packClearColor(view.format, color, fill.texel);
  clear(view, fill, rects, parallel);
}

void clearDepthStencil(const TargetView& view, uint32_t flags, float depth, uint8_t stencil, std::span<const state::Rect> rects,
                       base::Parallel& parallel) {
  const formats::FormatInfo& info = formats::info(view.format);
  if (!info.hasDepth())
    flags &= ~1u;
  if (!info.hasStencil())
    flags &= ~2u;
  if ((flags & 3) == 0 || !view.base)
    return;
  Fill fill;
  fill.bytes = info.bytesPerBlock;
  formats::Texel t{};
  t.f[0] = depth > 0 ? std::min(depth, 1.0f) : 0.0f;
  t.u[1] = stencil;
  formats::pack(view.format, t, fill.texel);
  const bool both = !info.hasStencil() || !info.hasDepth() || (flags & 3) == 3;
  if (!both) {
    uint8_t stencilBits[16] = {};
    formats::Texel ones{};
    ones.u[1] = 0xff;
    formats::pack(view.format, ones, stencilBits);
    for (int i = 0; i < 16; ++i)
      fill.mask[i] = flags & 1 ? uint8_t(~stencilBits[i]) : stencilBits[i];
    fill.whole = false;
  }
  clear(view, fill, rects, parallel);
}

} // namespace monolith::transfer
