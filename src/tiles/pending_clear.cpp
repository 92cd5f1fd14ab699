// SPDX-License-Identifier: MIT
#include "tiles/pending_clear.h"

#include <cstring>

namespace monolith::tiles {

namespace {

void fillRows(uint8_t* first, uint32_t rowPitch, uint32_t width, uint32_t height, const uint8_t* texel, uint32_t size)
{
  alignas(32) uint8_t row[resources::kTileSize * 16];
  for (uint32_t x = 0; x < width; ++x)
    memcpy(row + size_t(x) * size, texel, size);
  const size_t bytes = size_t(width) * size;
  for (uint32_t y = 0; y < height; ++y)
    memcpy(first + size_t(y) * rowPitch, row, bytes);
}

void fillView(const resources::TargetView& view, uint32_t tileX, uint32_t tileY)
{
  resources::Texture* texture = view.texture.get();
  // Slices of a volume share one subresource; they are never cleared lazily.
  if (!texture || texture->desc().kind == resources::TextureKind::Texture3D || !texture->anyPending())
    return;
  const uint32_t size = formats::info(view.format).bytesPerBlock;
  if (size == 0 || size > 16)
    return;
  for (uint32_t layer = view.firstLayer; layer < view.firstLayer + view.layers; ++layer) {
    resources::PendingClear* pending = texture->pendingClear(view.mip + layer * texture->desc().mips);
    if (!pending || pending->pendingCount == 0 || tileX >= pending->tilesX || tileY >= pending->tilesY)
      continue;
    uint8_t& owed = pending->pending[size_t(tileY) * pending->tilesX + tileX];
    if (!owed)
      continue;
    const uint32_t x = tileX * resources::kTileSize, y = tileY * resources::kTileSize;
    const uint32_t width = view.width - x < resources::kTileSize ? view.width - x : resources::kTileSize;
    const uint32_t height = view.height - y < resources::kTileSize ? view.height - y : resources::kTileSize;
    uint8_t* base = view.base + uint64_t(layer - view.firstLayer) * texture->layout().layerPitch;
    if (x < view.width && y < view.height)
      fillRows(base + uint64_t(y) * view.rowPitch + uint64_t(x) * size, view.rowPitch, width, height, pending->texel, size);
    owed = 0;
  }
}

} // namespace

void fillPendingClears(const TargetSet& targets, uint32_t tileX, uint32_t tileY)
{
  for (uint32_t i = 0; i < targets.colorCount && i < 8; ++i)
    if (targets.color[i])
      fillView(*targets.color[i], tileX, tileY);
  if (targets.depth)
    fillView(*targets.depth, tileX, tileY);
}

} // namespace monolith::tiles
