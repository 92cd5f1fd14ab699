// SPDX-License-Identifier: MIT
/// @file
/// What does not change in loops. Needs: nothing. Gives: inputs, system values and constant buffer rows with a constant
/// index are read before the outermost loop round them. Leaves alone: everything computed from them, since moving more
/// than reads costs registers throughout the loop.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

void hoistReads(Function& f);

} // namespace monolith::ir
