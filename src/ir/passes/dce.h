// SPDX-License-Identifier: MIT
/// @file
/// Dead code. Needs: linked markers. Gives: no instruction without effect whose results are unused, no store to a
/// variable that cannot be loaded afterwards, no empty If, no Block that nothing leaves. Leaves alone: loops, and
/// everything with a side effect.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

void removeDead(Function& f);

} // namespace monolith::ir
