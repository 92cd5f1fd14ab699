// SPDX-License-Identifier: MIT
/// @file
/// Which values of a shader are the same in all lanes, and where all lanes run together. Uniform branches become plain
/// jumps, stores to variables under uniform control flow need no mask, constant buffers indexed by uniform values one
/// scalar load. Optimistic: everything is uniform until a reason to the contrary is found, repeated until nothing changes.
#pragma once

#include "ir/function.h"
#include <cstdint>
#include <vector>

namespace monolith::codegen {

struct Uniformity {
  std::vector<uint8_t> values;    ///< By value id: 1 = the same in all lanes.
  std::vector<uint8_t> variables; ///< By variable id.
  /// By instruction index of Block and Loop markers: 1 = lanes leave it one by one (Break or Continue that some lanes
  /// take and others do not). For If markers: 1 = the condition differs between lanes.
  std::vector<uint8_t> divergent;

  bool isUniform(ir::Value v) const { return v.isConstant() || values[v.id]; }
};

/// The function must be linked.
Uniformity analyzeUniformity(const ir::Function& function);

} // namespace monolith::codegen
