// SPDX-License-Identifier: MIT
/// @file
/// Recorded output merger steps for eight pixels: depth and stencil test, blending, stores.
/// Twin: output_reference.h.
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

/// True if the target's old contents take part in blending or logic operations.
bool readsTarget(const state::TargetBlend& blend, formats::Format format);

/// Blends, packs, merges with the old contents where the write mask demands and gives the words to store.
/// `old` is only looked at if readsTarget() or the write mask is partial. `factor`: blend factor, not clamped.
TexelWords mergeColor(const state::TargetBlend& blend, formats::Format format, const Channels& src, const Channels& src1,
                      const TexelWords& old, const simd::Float factor[4]);

/// True if the write mask leaves some of the format's channels alone (but not all).
bool hasPartialWriteMask(const state::TargetBlend& blend, formats::Format format);

} // namespace monolith::codegen
