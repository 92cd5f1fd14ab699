// SPDX-License-Identifier: MIT
/// @file
/// One resource-reading instruction as plain data, and its execution by the scalar twin for eight lanes.
#pragma once

#include "abi/texture_view.h"
#include "state/pipeline_state.h"

#include <cstdint>

namespace monolith::ir {
class Function;
struct Instruction;
enum class ResourceDim : uint8_t;
} // namespace monolith::ir

namespace monolith::codegen {

/// Plain data, so that generated code carries a copy.
struct ResourceOp {
  uint8_t op = 0;             ///< ir::Op
  uint8_t dim = 0;            ///< ir::ResourceDim of the declaration
  uint8_t flags = 0;          ///< ir::InstructionFlags
  uint8_t component = 0;
  uint8_t operandCount = 0, resultCount = 0;
  uint8_t hasSampler = 0;
  uint8_t rasterizer = 0;     ///< asks about the render targets: their sample count
  int8_t offset[3] = {};
  uint8_t quadShape = 0;      ///< QuadShape
  uint32_t resourceSlot = 0, samplerSlot = 0;
  state::SamplerState sampler; ///< static half
};

/// Which lanes form a quad: top left, top right, bottom left, bottom right.
enum class QuadShape : uint8_t {
  None,    ///< no derivatives: they are 0
  Squares, ///< 0 1 2 3, 4 5 6 7
  Rows,    ///< 0 1 4 5, 2 3 6 7
};

/// True if a view of dimension `bound` may stand for a resource that is declared so (arrays and single ones may).
bool sameDimensionClass(ir::ResourceDim declared, abi::ViewDimension bound);

ResourceOp makeResourceOp(const ir::Function& function, const ir::Instruction& instruction);

/// operands[k] and results[k] are arrays of eight words. All lanes are computed.
void runResourceOp(const ResourceOp& op, const abi::StageBindings& bindings, const uint32_t* const* operands,
                   uint32_t* const* results);

} // namespace monolith::codegen
