// SPDX-License-Identifier: MIT
/// @file
/// The passes by name and their order.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

struct Pass {
  const char* name;
  void (*run)(Function&);
};

/// In the order in which optimize() runs them.
extern const Pass kPasses[];
extern const unsigned kPassCount;

/// Cleans a freshly translated function: bytecode was optimised by its compiler, so one cheap round is enough.
/// The function is linked and valid before and afterwards.
void optimize(Function& f);

} // namespace monolith::ir
