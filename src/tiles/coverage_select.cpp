// SPDX-License-Identifier: MIT
#include "tiles/coverage.h"
#include "base/cpu.h"

namespace monolith::tiles {

WalkEdges bestWalk()
{
  static const WalkEdges walk = base::hasAvx2() ? walkEdgesAvx2 : walkEdgesScalar;
  return walk;
}

} // namespace monolith::tiles
