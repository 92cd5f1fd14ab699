// SPDX-License-Identifier: MIT
/// @file
/// Fast clears: a tile that is about to be drawn receives the clear value that its surfaces still owe.
#pragma once

#include "tiles/scene.h"

namespace monolith::tiles {

/// Writes owed clear values of all bound surfaces for the tile at (tileX, tileY), in tiles. The caller owns the tile.
void fillPendingClears(const TargetSet& targets, uint32_t tileX, uint32_t tileY);

} // namespace monolith::tiles
