// SPDX-License-Identifier: MIT
#include "binning/triangle_setup.h"
#include "base/cpu.h"

namespace monolith::binning {

SetupFunction bestSetup() { return base::hasAvx2() ? setupAvx2 : setupScalar; }

} // namespace monolith::binning
