// SPDX-License-Identifier: MIT
/// @file
/// One operation on unordered access or group shared memory as plain data, and its execution for eight lanes. Atomic
/// operations are atomic between groups on different threads, too.
#pragma once

#include "abi/compute_args.h"

#include <vector>

namespace monolith::ir {
class Function;
struct Instruction;
} // namespace monolith::ir

namespace monolith::codegen {

/// Plain data, so that generated code carries a copy.
struct MemoryOp {
  uint8_t op = 0;       ///< ir::Op
  uint8_t shared = 0;   ///< group shared memory; else unordered access
  uint8_t dim = 0;      ///< ir::ResourceDim
  uint8_t component = 0; ///< ResInfo: what is returned
  uint8_t operandCount = 0, resultCount = 0;
  uint8_t status = 0;   ///< the last result is a status
  uint8_t reserved = 0;
  uint32_t slot = 0;    ///< of the view
  uint32_t offset = 0, bytes = 0, stride = 0; ///< group shared memory: place, size, element
};

inline constexpr unsigned kMaxMemoryOperands = 10, kMaxMemoryResults = 5;

/// Bytes of group shared memory of a function.
uint32_t sharedBytes(const ir::Function& function);
MemoryOp makeMemoryOp(const ir::Function& function, const ir::Instruction& instruction);
/// operands[k] and results[k] are arrays of eight words; lanes without a bit in `mask` have no effect.
void runMemoryOp(const MemoryOp& op, const abi::ComputeArgs& args, const uint32_t* const* operands, uint32_t* const* results, uint32_t mask);

} // namespace monolith::codegen
