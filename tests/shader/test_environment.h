// SPDX-License-Identifier: MIT
/// @file
/// The world that a shader test describes, for any executor that asks an ir::Environment.
#pragma once

#include "backend.h"
#include "ir/interpreter.h"

namespace monolith::test {

/// Reads and changes `state`, writes `out`; all three must outlive it.
std::unique_ptr<ir::Environment> makeTestEnvironment(const ir::Function& f, ShaderState& state, ShaderOutputs& out);

} // namespace monolith::test
