// SPDX-License-Identifier: MIT
/// @file
/// Which values and branches are the same in all running lanes. Needs: linked markers. Changes nothing.
///
/// A value is uniform if it is made by a uniform operation from uniform operands. A variable is uniform if every store
/// to it stores a uniform value while no lane of its function can be elsewhere. Conservative: a loop that lanes leave
/// at different times makes everything stored in it varying.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

struct Uniformity {
  std::vector<uint8_t> values;       ///< by value id: 1 = uniform
  std::vector<uint8_t> instructions; ///< by index: 1 = all lanes that entered the function run it together; for If,
                                     ///< Break and Continue also: all lanes take the same way
  bool isUniform(Value v) const { return v.isConstant() || values[v.id] != 0; }
};

Uniformity analyzeUniformity(const Function& f);

} // namespace monolith::ir
