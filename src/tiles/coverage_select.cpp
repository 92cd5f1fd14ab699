// SPDX-License-Identifier: MIT
#include "tiles/coverage.h"

namespace monolith::tiles {

WalkEdges bestWalk() { return walkEdgesScalar; }

} // namespace monolith::tiles
