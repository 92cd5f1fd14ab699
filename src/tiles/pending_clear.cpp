// SPDX-License-Identifier: MIT
#include "tiles/pending_clear.h"

namespace monolith::tiles {

namespace {

void fillView(const resources::TargetView& view, uint32_t tileX, uint32_t tileY)
{
  resources::Texture* texture = view.texture.get();
  // Slices of a volume share one subresource; they are never cleared lazily.
  if (!texture || texture->desc().kind == resources::TextureKind::Texture3D || !texture->anyPending())
    return;
  for (uint32_t layer = view.firstLayer; layer < view.firstLayer + view.layers; ++layer) {
    const uint32_t subresource = view.mip + layer * texture->desc().mips;
    const resources::PendingClear* pending = texture->pendingClear(subresource);
    if (pending && pending->pendingCount != 0 && tileX < pending->tilesX && tileY < pending->tilesY)
      texture->fillPendingTile(subresource, tileY * pending->tilesX + tileX);
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
