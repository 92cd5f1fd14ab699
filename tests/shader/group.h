// SPDX-License-Identifier: MIT
/// @file
/// Compute shaders of tests: a dispatch as groups, a group as waves of eight lanes. Waves are coroutines: each runs to its
/// next barrier, then the next one does, so that barriers hold on every backend.
#pragma once

#include "backend.h"

namespace monolith::test {

/// Runs all groups, one after another; unordered access works on state.uavs. Empty, "skip..." or an error.
std::string runGroups(const ir::Function& f, Backend& backend, ShaderState& state, const std::array<uint32_t, 3>& groups);

} // namespace monolith::test
