// SPDX-License-Identifier: MIT
/// @file
/// Records the kernel for one pixel pipeline state (contract: abi/pixel_args.h).
///
/// A step is eight pixels: a row of a block, or 4x2 pixels if the shader needs derivatives. Order within a step:
/// interpolate depth, test it early if the shader allows, run the shader, test late otherwise, blend, store. The depth of
/// a pixel is computed by the same operations in every kernel, so that passes with different shaders agree.
#pragma once

#include "codegen/pixel_key.h"
#include "simd/function.h"

namespace monolith::codegen {

/// What callers of the kernel want to know (see PixelRoutine).
struct PixelTraits {
  bool earlyDepth = false, writesDepth = false, readsColor = false, opaqueFullCover = false, quads = false;
  bool noEffect = false, readsInnerCoverage = false;
};

/// When depth and stencil are tested relative to the shader, and when they are stored.
enum class DepthOrder : uint8_t { None, Early, EarlyTestLateStore, Late };

DepthOrder depthOrder(const PixelDescription& description);

PixelTraits traitsOf(const PixelDescription& description);

/// Empty on failure (out of memory).
simd::Routine recordPixelKernel(const PixelDescription& description);

} // namespace monolith::codegen
