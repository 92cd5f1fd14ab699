// SPDX-License-Identifier: MIT
/// @file
/// Checks that a function obeys the rules of function.h and ops.def.
#pragma once

#include "ir/function.h"

#include <string>

namespace monolith::ir {

/// Operands that an instruction must have; attributes must be in range (checked by verify).
unsigned expectedOperands(const Function& f, const Instruction& i);

/// Empty if the function is well formed, else the first fault ("instruction N (Op): ..."). Includes: operand and
/// result counts, definition before use and within scope, unique results, attributes in range, nesting and links.
std::string verify(const Function& f);

} // namespace monolith::ir
