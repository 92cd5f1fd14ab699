// SPDX-License-Identifier: MIT
/// @file
/// A dispatch of a test on the real compute kernel: generated code, or its interpreted twin, with views of memory.
#pragma once

#include "backend.h"

namespace monolith::test {

/// Like runGroups, without a backend. Empty, "skip..." or an error.
std::string runKernelGroups(const ir::Function& f, ShaderState& state, const std::array<uint32_t, 3>& groups, bool interpret);

} // namespace monolith::test
