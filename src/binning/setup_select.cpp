// SPDX-License-Identifier: MIT
#include "binning/triangle_setup.h"
#include "tiles/cpu.h"

namespace monolith::binning {

SetupFunction bestSetup() { return tiles::hasAvx2() ? setupAvx2 : setupScalar; }

} // namespace monolith::binning
