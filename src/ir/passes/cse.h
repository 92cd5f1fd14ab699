// SPDX-License-Identifier: MIT
/// @file
/// Common subexpressions. Needs: nothing. Gives: no two pure instructions with the same operation, attributes and
/// operands where the first is visible from the second. Leaves alone: reads of memory and variables.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

void eliminateCommon(Function& f);

} // namespace monolith::ir
