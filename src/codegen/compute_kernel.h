// SPDX-License-Identifier: MIT
/// @file
/// Compute kernels (abi/compute_args.h): eight threads of a group are the lanes of one call. `makeComputeRoutine` gives
/// generated code, or a stand-in that interprets the shader where generated code cannot run or is not wanted.
#pragma once

#include "abi/compute_args.h"
#include "codegen/view_key.h"
#include "state/pipeline_state.h"

#include <memory>
#include <string>
#include <vector>

namespace monolith::ir {
class Function;
}

namespace monolith::codegen {

/// Everything that is constant in one kernel's code.
struct ComputeDescription {
  const ir::Function* function = nullptr;    ///< outlives the routine
  std::string name = "compute";
  std::vector<ViewKey> views;                ///< By slot; empty: nothing is known.
  std::vector<state::SamplerState> samplers; ///< By slot.
};

/// Callers put the routine's address into ComputeArgs::routine.
struct ComputeRoutine {
  virtual ~ComputeRoutine() = default;
  abi::ComputeKernel entry = nullptr;
  uint32_t threads[3] = {1, 1, 1};
  uint32_t sharedBytes = 0;
  bool waits = false; ///< has barriers that threads wait at
  uint32_t threadCount() const { return threads[0] * threads[1] * threads[2]; }
};

/// Null if no code could be made.
std::shared_ptr<const ComputeRoutine> makeComputeRoutine(const ComputeDescription& description, bool interpret = false);

} // namespace monolith::codegen
