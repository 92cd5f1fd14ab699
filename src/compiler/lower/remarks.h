// SPDX-License-Identifier: MIT
/// @file
/// Remarks on expressions that need no state of the lowering. Without diagnostics they are not said.
#pragma once

#include "compiler/lower/lowering.h"

namespace monolith::compiler {

/// Operators that compute all their operands, whatever the first one is: sides that write (X3580). A side may be null.
void warnOfBothSides(Diagnostics* diagnostics, const char* op, const Expr* left, const Expr* right);

/// A constant bias that the instruction cannot hold becomes the nearest one that it can (X4713).
ValueId biasInRange(Diagnostics* diagnostics, Builder& b, const Location& at, ValueId bias);

} // namespace monolith::compiler
