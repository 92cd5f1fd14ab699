// SPDX-License-Identifier: MIT
#include "resources/resource.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace monolith::resources {
namespace {
constexpr uint64_t kMaxBytes = (uint64_t(2) << 30) - 64 * 1024;
constexpr uint32_t kMaxDimension = 16384;

uint32_t mipExtent(uint32_t size, uint32_t mip) { return std::max(1u, size >> mip); }
uint64_t roundUp(uint64_t v, uint64_t to) { return (v + to - 1) / to * to; }
} // namespace

bool TextureLayout::compute(const TextureDesc& d, TextureLayout& out) {
  out = {};
  const formats::FormatInfo& f = formats::info(d.format);
  if (f.bytesPerBlock == 0 || !d.width || !d.height || !d.depth || !d.layers || !d.mips || !d.samples)
    return false;
  if (d.width > kMaxDimension || d.height > kMaxDimension || d.depth > kMaxDimension || d.layers > kMaxDimension ||
      d.mips > uint32_t(abi::kMaxMips) || d.samples > 32 || (d.samples > 1 && d.mips > 1))
    return false;
  uint64_t at = 0;
  for (uint32_t m = 0; m < d.mips; ++m) {
    const uint32_t w = mipExtent(d.width, m), h = mipExtent(d.height, m), z = mipExtent(d.depth, m);
    const uint64_t paddedWidth = roundUp(w, std::max<uint32_t>(8, f.blockWidth));
    uint64_t pitch = roundUp(formats::rowBytes(f, uint32_t(paddedWidth)), 64);
    // Rows a power of two apart would all fall into the same few cache sets of a 64x64 tile.
    if (pitch >= 2048 && pitch % 2048 == 0 && h > 8)
      pitch += 64;
    const uint64_t rows = f.isCompressed() ? formats::blockRows(f, h) : roundUp(h, 8);
    const uint64_t slice = pitch * rows;
    const uint64_t planes = f.planes > 1 ? f.planes : 1;
    out.mipOffset[m] = uint32_t(at);
    out.rowPitch[m] = uint32_t(pitch);
    out.slicePitch[m] = uint32_t(slice);
    at += slice * planes * z * d.samples;
    if (at > kMaxBytes)
      return false;
  }
  out.layerPitch = at;
  out.totalSize = at * d.layers;
  return out.totalSize <= kMaxBytes;
}

std::shared_ptr<Texture> Texture::create(const TextureDesc& desc) {
  TextureLayout layout;
  if (!TextureLayout::compute(desc, layout))
    return nullptr;
  Memory memory = Memory::allocate(layout.totalSize);
  if (!memory)
    return nullptr;
  auto texture = std::make_shared<Texture>();
  texture->m_desc = desc;
  texture->m_layout = layout;
  texture->m_memory = std::move(memory);
  return texture;
}

uint8_t* Texture::address(uint32_t mip, uint32_t layer, uint32_t z) const {
  return m_memory.data() + layer * m_layout.layerPitch + m_layout.mipOffset[mip] + uint64_t(z) * m_layout.slicePitch[mip];
}
uint32_t Texture::mipWidth(uint32_t mip) const { return mipExtent(m_desc.width, mip); }
uint32_t Texture::mipHeight(uint32_t mip) const { return mipExtent(m_desc.height, mip); }
uint32_t Texture::mipDepth(uint32_t mip) const { return mipExtent(m_desc.depth, mip); }

PendingClear& Texture::makePendingClear(uint32_t subresource) {
  if (m_pending.empty())
    m_pending.resize(subresourceCount());
  auto& slot = m_pending[subresource];
  if (!slot) {
    slot = std::make_unique<PendingClear>();
    const uint32_t mip = subresource % m_desc.mips;
    slot->tilesX = (mipWidth(mip) + kTileSize - 1) / kTileSize;
    slot->tilesY = (mipHeight(mip) + kTileSize - 1) / kTileSize;
    slot->pending.resize(size_t(slot->tilesX) * slot->tilesY);
  }
  m_anyPending = true;
  return *slot;
}

void fillTexels(uint8_t* dest, const uint8_t* texel, uint32_t bytesPerTexel, uint64_t count) {
  const uint64_t bytes = count * bytesPerTexel;
  if (std::all_of(texel + 1, texel + bytesPerTexel, [&](uint8_t b) { return b == texel[0]; })) {
    std::memset(dest, texel[0], bytes);
    return;
  }
  uint64_t filled = std::min<uint64_t>(bytes, bytesPerTexel);
  std::memcpy(dest, texel, filled);
  while (filled < bytes) { // doubling, but never from farther away than the cache holds
    const uint64_t step = std::min({filled, bytes - filled, uint64_t(4096) / bytesPerTexel * bytesPerTexel});
    std::memcpy(dest + filled, dest, step);
    filled += step;
  }
}

void Texture::fillPendingTile(uint32_t subresource, uint32_t tile) {
  PendingClear* p = pendingClear(subresource);
  if (!p || !p->pending[tile])
    return;
  p->pending[tile] = 0;
  const uint32_t mip = subresource % m_desc.mips, layer = subresource / m_desc.mips;
  const uint32_t bytes = formats::info(m_desc.format).bytesPerBlock;
  const uint32_t x = tile % p->tilesX * kTileSize, y = tile / p->tilesX * kTileSize;
  const uint32_t width = std::min(kTileSize, mipWidth(mip) - x), height = std::min(kTileSize, mipHeight(mip) - y);
  const uint64_t pitch = m_layout.rowPitch[mip];
  for (uint32_t s = 0; s < m_desc.samples; ++s) {
    uint8_t* first = address(mip, layer, s) + y * pitch + uint64_t(x) * bytes;
    fillTexels(first, p->texel, bytes, width);
    for (uint32_t r = 1; r < height; ++r)
      std::memcpy(first + r * pitch, first, uint64_t(width) * bytes);
  }
}

void Texture::materialize(uint32_t subresource) {
  const uint32_t mip = subresource % m_desc.mips;
  materialize(subresource, 0, 0, mipWidth(mip), mipHeight(mip));
}

void Texture::materialize(uint32_t subresource, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  PendingClear* p = pendingClear(subresource);
  if (!p || p->pendingCount == 0 || !width || !height)
    return;
  const uint32_t x1 = std::min((x + width - 1) / kTileSize + 1, p->tilesX);
  const uint32_t y1 = std::min((y + height - 1) / kTileSize + 1, p->tilesY);
  for (uint32_t ty = y / kTileSize; ty < y1; ++ty)
    for (uint32_t tx = x / kTileSize; tx < x1; ++tx)
      fillPendingTile(subresource, ty * p->tilesX + tx);
  recountPending(*p);
}

void Texture::recountPending(PendingClear& p) {
  uint32_t count = 0;
  for (uint8_t b : p.pending)
    count += b != 0;
  p.pendingCount = count;
}

void Texture::dropPending(uint32_t subresource) {
  if (PendingClear* p = pendingClear(subresource); p && p->pendingCount) {
    std::fill(p->pending.begin(), p->pending.end(), uint8_t(0));
    p->pendingCount = 0;
  }
}

void Texture::materializeAll() {
  if (!m_anyPending)
    return;
  for (uint32_t s = 0; s < subresourceCount(); ++s)
    materialize(s);
  m_anyPending = false;
}

} // namespace monolith::resources
