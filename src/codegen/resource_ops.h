// SPDX-License-Identifier: MIT
/// @file
/// Recording of everything that reads a shader resource view: sampling, gathers, loads, queries.
///
/// What is known while recording (view formats, sampler states) selects generated code; everything else calls the scalar
/// twin (sampler_reference.h) lane by lane, so that each operation works for every format from the start.
#pragma once

#include "codegen/pixel_rows.h"
#include "codegen/view_key.h"
#include "state/pipeline_state.h"

#include <cstddef>

namespace monolith::ir {
class Function;
struct Instruction;
} // namespace monolith::ir

namespace monolith::codegen {

/// What a stage knows of its bindings. With viewCount (samplerCount) 0 nothing is known while recording; samplers then
/// filter linearly and clamp.
struct ResourceContext {
  simd::Pointer bindings; ///< address of abi::StageBindings
  const ViewKey* views = nullptr;
  size_t viewCount = 0;
  const state::SamplerState* samplers = nullptr;
  size_t samplerCount = 0;
  unsigned targetSamples = 1; ///< of the render targets
  LaneOrder lanes = LaneOrder::Row; ///< Quad where derivatives are defined
};

/// `operands` in the order of ir/ops.def; `results` gets instruction.resultCount words. Any lane may hold any bits:
/// addresses are always brought into range. `exec`: lanes whose results count.
void emitResourceOp(const ResourceContext& context, const ir::Function& function, const ir::Instruction& instruction,
                    const simd::Int* operands, simd::Int* results, simd::Mask exec);

} // namespace monolith::codegen
