// SPDX-License-Identifier: MIT
/// @file
/// The order of the passes.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

/// Cleans a freshly translated function. The function must be linked; it is linked afterwards.
void optimize(Function& f);

} // namespace monolith::ir
