// SPDX-License-Identifier: MIT
/// @file
/// Store-to-load forwarding of variables. Needs: linked markers. Gives: a LoadVar remains only where the value depends
/// on control flow (after a branch or block that stores, at the head of a loop that stores). A variable never stored
/// is 0. Leaves stores to the dead-code pass.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

void forwardVariables(Function& f);

} // namespace monolith::ir
