// SPDX-License-Identifier: MIT
/// @file
/// What a vertex kernel is specialised for.
#pragma once

#include "codegen/routines.h"
#include "codegen/view_key.h"

#include <cstdint>
#include <vector>

namespace monolith::codegen {

/// Everything that is constant in one kernel's code.
struct VertexDescription {
  const Program* program = nullptr;
  const VertexOutputs* outputs = nullptr; ///< follows from the program
  bool viewportTransform = true;
  std::vector<state::InputElement> elements;  ///< Those whose register the program reads.
  std::vector<ViewKey> views;                 ///< By slot.
  std::vector<state::SamplerState> samplers;  ///< By slot.
};

VertexDescription describe(const VertexState& state);

/// The bytes that tell two descriptions apart.
std::vector<uint8_t> keyOf(const VertexDescription& description);

} // namespace monolith::codegen
