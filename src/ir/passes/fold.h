// SPDX-License-Identifier: MIT
/// @file
/// Constant folding and exact identities. Needs: nothing. Gives: no foldable operation with only constant operands;
/// tests of masks against zero become masks. Leaves alone: every float identity that could change a bit (denormals,
/// NaN, signs of zero), and control flow.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

void foldConstants(Function& f);

} // namespace monolith::ir
