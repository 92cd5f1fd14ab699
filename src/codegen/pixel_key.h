// SPDX-License-Identifier: MIT
/// @file
/// What a pixel kernel is specialised for, normalised so that states that cannot differ in effect share code.
#pragma once

#include "codegen/program.h"
#include "codegen/routines.h"
#include "codegen/view_key.h"
#include "state/pipeline_state.h"

#include <cstdint>
#include <vector>

namespace monolith::codegen {

/// Everything that is constant in one kernel's code.
struct PixelDescription {
  const Program* program = nullptr; ///< Null: nothing to shade.
  PixelLinkage linkage;
  state::TargetBlend blend[8];
  state::DepthStencilState depthStencil;
  formats::Format color[8] = {};    ///< UNKNOWN: not bound, or nothing can be written.
  uint32_t colorCount = 0;
  formats::Format depth{};          ///< UNKNOWN: no test takes place.
  bool alphaToCoverage = false;
  bool countSamples = false;
  uint8_t sampleCount = 1;          ///< Samples of the targets.
  uint8_t rasterSamples = 1;        ///< Samples of the rasterizer: the same, or the forced count.
  bool forcedSamples = false;       ///< A count is forced (3.5.6).
  bool smoothLines = false;
  std::vector<ViewKey> views;                  ///< By slot.
  std::vector<state::SamplerState> samplers;   ///< By slot.

  bool writesColor() const;
  bool writesDepthStencil() const;
  bool testsDepthStencil() const;
};

/// True if the shader's own stencil reference value is used.
bool writesStencil(const PixelDescription& description);

/// Resolves and normalises a pipeline state.
PixelDescription describe(const PixelState& state);

/// The bytes that tell two descriptions apart (no padding in them).
void appendKey(const PixelDescription& description, std::vector<uint8_t>& out);

/// 64-bit hash of all bytes.
uint64_t hashBytes(const uint8_t* data, size_t size);

} // namespace monolith::codegen
