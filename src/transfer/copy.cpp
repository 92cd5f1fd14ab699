// SPDX-License-Identifier: MIT
#include "transfer/transfer.h"

#include <algorithm>
#include <cstring>

namespace monolith::transfer {
namespace {

using resources::Texture;
using resources::TextureKind;

constexpr uint64_t kUnitBytes = 256 * 1024;
constexpr uint64_t kWakeBytes = 1024 * 1024;

/// Rows of blocks in a box of memory.
struct Rows {
  uint64_t rowBytes;
  uint32_t rows, slices;
};

void copyRows(uint8_t* dest, uint64_t destRow, uint64_t destSlice, const uint8_t* source, uint64_t sourceRow, uint64_t sourceSlice,
              const Rows& r, base::Parallel& parallel) {
  if (r.rowBytes == 0 || r.rows == 0 || r.slices == 0)
    return;
  const uint64_t total = r.rowBytes * r.rows * r.slices;
  const auto rowsPerUnit = uint32_t(std::clamp<uint64_t>(kUnitBytes / r.rowBytes, 1, r.rows));
  const uint32_t unitsPerSlice = (r.rows + rowsPerUnit - 1) / rowsPerUnit;
  parallel.run(unitsPerSlice * r.slices, total >= kWakeBytes, [&](uint32_t unit, uint32_t) {
    const uint32_t slice = unit / unitsPerSlice, first = unit % unitsPerSlice * rowsPerUnit;
    const uint32_t end = std::min(r.rows, first + rowsPerUnit);
    uint8_t* d = dest + slice * destSlice + first * destRow;
    const uint8_t* s = source + slice * sourceSlice + first * sourceRow;
    for (uint32_t y = first; y < end; ++y, d += destRow, s += sourceRow)
      std::memmove(d, s, r.rowBytes);
  });
}

/// A region in blocks, clamped to its subresource.
struct Place {
  uint8_t* at;
  uint64_t rowPitch, slicePitch;
  uint32_t maxWidth, maxHeight, maxDepth; ///< Blocks and slices from here to the edge.
  uint32_t subresource;
};

bool locate(const Texture& t, const Region& r, Place& out) {
  const resources::TextureDesc& d = t.desc();
  const formats::FormatInfo& f = formats::info(d.format);
  if (r.mip >= d.mips || r.layer >= d.layers)
    return false;
  const uint32_t x = r.x / f.blockWidth, y = r.y / f.blockHeight;
  const uint32_t width = (t.mipWidth(r.mip) + f.blockWidth - 1) / f.blockWidth;
  const uint32_t height = formats::blockRows(f, t.mipHeight(r.mip));
  const uint32_t depth = t.mipDepth(r.mip) * d.samples; // samples lie like slices
  if (x >= width || y >= height || r.z >= depth)
    return false;
  out.rowPitch = t.layout().rowPitch[r.mip];
  out.slicePitch = t.layout().slicePitch[r.mip];
  out.at = t.address(r.mip, r.layer, r.z) + y * out.rowPitch + uint64_t(x) * f.bytesPerBlock;
  out.maxWidth = width - x;
  out.maxHeight = height - y;
  out.maxDepth = depth - r.z;
  out.subresource = r.mip + r.layer * d.mips;
  return true;
}

/// Pending clears under a region that is about to be written.
void prepareWrite(Texture& t, const Region& r, uint32_t subresource, uint32_t width, uint32_t height) {
  if (!t.anyPending())
    return;
  if (r.x == 0 && r.y == 0 && width >= t.mipWidth(r.mip) && height >= t.mipHeight(r.mip) && t.desc().kind != TextureKind::Texture3D)
    t.dropPending(subresource);
  else
    t.materialize(subresource, r.x, r.y, width, height);
}

} // namespace

void copyBuffer(uint8_t* dest, const uint8_t* source, uint64_t size, base::Parallel& parallel) {
  if (size < kWakeBytes || (dest < source + size && source < dest + size)) {
    std::memmove(dest, source, size);
    return;
  }
  parallel.run(uint32_t((size + kUnitBytes - 1) / kUnitBytes), true, [&](uint32_t unit, uint32_t) {
    const uint64_t at = unit * kUnitBytes;
    std::memcpy(dest + at, source + at, std::min(kUnitBytes, size - at));
  });
}

void copyTexture(Texture& dest, const Region& destRegion, Texture& source, const Region& sourceRegion, base::Parallel& parallel) {
  const formats::FormatInfo& df = formats::info(dest.desc().format);
  const formats::FormatInfo& sf = formats::info(source.desc().format);
  Place d, s;
  if (df.bytesPerBlock != sf.bytesPerBlock || dest.desc().samples != source.desc().samples || !locate(dest, destRegion, d) ||
      !locate(source, sourceRegion, s))
    return;
  const uint32_t width = std::min({(sourceRegion.width + sf.blockWidth - 1) / sf.blockWidth, s.maxWidth, d.maxWidth});
  const uint32_t height = std::min({formats::blockRows(sf, sourceRegion.height), s.maxHeight, d.maxHeight});
  const uint32_t depth = std::min({sourceRegion.depth * source.desc().samples, s.maxDepth, d.maxDepth});
  if (width == 0 || height == 0 || depth == 0)
    return;
  if (source.anyPending())
    source.materialize(s.subresource, sourceRegion.x, sourceRegion.y, width * sf.blockWidth, height * sf.blockHeight);
  prepareWrite(dest, destRegion, d.subresource, width * df.blockWidth, height * df.blockHeight);
  const bool overlap = &dest == &source && d.subresource == s.subresource;
  base::Serial serial;
  copyRows(d.at, d.rowPitch, d.slicePitch, s.at, s.rowPitch, s.slicePitch, {uint64_t(width) * sf.bytesPerBlock, height, depth},
           overlap ? static_cast<base::Parallel&>(serial) : parallel);
}

void updateTexture(Texture& dest, const Region& region, const uint8_t* source, uint64_t rowPitch, uint64_t slicePitch,
                   base::Parallel& parallel) {
  const formats::FormatInfo& f = formats::info(dest.desc().format);
  Place d;
  if (!locate(dest, region, d))
    return;
  const uint32_t width = std::min((region.width + f.blockWidth - 1) / f.blockWidth, d.maxWidth);
  const uint32_t height = std::min(formats::blockRows(f, region.height), d.maxHeight);
  const uint32_t depth = std::min(region.depth, d.maxDepth);
  prepareWrite(dest, region, d.subresource, width * f.blockWidth, height * f.blockHeight);
  copyRows(d.at, d.rowPitch, d.slicePitch, source, rowPitch, slicePitch, {uint64_t(width) * f.bytesPerBlock, height, depth}, parallel);
}

} // namespace monolith::transfer
