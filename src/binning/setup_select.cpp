// SPDX-License-Identifier: MIT
#include "binning/triangle_setup.h"

namespace monolith::binning {

SetupFunction bestSetup() { return setupScalar; }

} // namespace monolith::binning
