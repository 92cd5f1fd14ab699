// SPDX-License-Identifier: MIT
#include "tiles/coverage.h"
#include "tiles/cpu.h"

namespace monolith::tiles {

WalkEdges bestWalk()
{
  static const WalkEdges walk = hasAvx2() ? walkEdgesAvx2 : walkEdgesScalar;
  return walk;
}

} // namespace monolith::tiles
