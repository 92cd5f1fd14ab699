// SPDX-License-Identifier: MIT
/// @file
/// Recorded depth and stencil tests of eight pixels. Twin: output_reference.h.
#pragma once

#include "codegen/pixel_rows.h"
#include "state/pipeline_state.h"

namespace monolith::codegen {

/// Result of a depth-stencil test. `words` is what goes to memory in lanes that are tested.
struct DepthTest {
  simd::Mask pass;
  TexelWords words;
  bool allPass = false;     ///< known while recording: every lane passes
  bool writes = false;      ///< words may differ from memory
  bool writesFailed = false; ///< also where the test fails (stencil operations)
};

/// What the depth-stencil test needs besides the state.
struct StencilInputs {
  bool frontFacing = true; ///< which face's operations to record
  simd::Int reference;     ///< the reference value in all lanes (only if stencil is enabled)
};

/// True if memory is needed at all.
bool testsDepthStencil(const state::DepthStencilState& state, formats::Format format);

/// Tests eight pixels: `z` is clamped already, `old` are the words in memory.
DepthTest testDepthStencil(const state::DepthStencilState& state, formats::Format format, const StencilInputs& in,
                           simd::Float z, const TexelWords& old);

/// Depth in the format's own precision (code, or bits of a float).
simd::Int depthToCode(formats::Format format, simd::Float z);

} // namespace monolith::codegen
