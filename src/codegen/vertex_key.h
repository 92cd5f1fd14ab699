// SPDX-License-Identifier: MIT
/// @file
/// What a vertex kernel is specialised for.
#pragma once

#include "codegen/routines.h"

#include <cstdint>
#include <vector>

namespace monolith::codegen {

/// The bytes that tell two vertex kernels apart: the program, the elements that it reads, whether positions are
/// transformed to the viewport. The output slots follow from the program.
std::vector<uint8_t> vertexKey(const VertexState& state);

/// Elements whose register the program reads, in the order of the layout.
std::vector<state::InputElement> usedElements(const VertexState& state);

} // namespace monolith::codegen
