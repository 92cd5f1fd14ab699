// SPDX-License-Identifier: MIT
/// @file
/// Scalar twins of the output merger: blending, logic operations, depth and stencil tests of one pixel.
/// Where generated code and a twin differ, the twin is right.
#pragma once

#include "formats/reference.h"
#include "state/pipeline_state.h"

namespace monolith::codegen {

/// True if the target's colour passes through the blend equation (17.5: integer formats do not blend).
bool blendsWith(const state::TargetBlend& blend, formats::Format format);
/// True if the target's bits pass through a logic operation (UINT formats only).
bool logicWith(const state::TargetBlend& blend, formats::Format format);

/// True if the target blends in 8-bit codes: all channels are 8-bit UNORM without sRGB.
bool blendsInCodes(formats::Format format);

/// One channel of a blend in codes: `src` and `fs` are 0 to 1, `code` the target's code, `fd` its factor.
/// code = trunc(min(255.5, code * fd + (src * 255 * fs + 0.5))), with the first product fused.
uint32_t blendCode(state::BlendOp op, state::Blend sf, state::Blend df, float src, float fs, float code, float fd);

/// The colour that goes into the target (before packing), from source 0, source 1, the target's old value and the
/// blend factor. `format` decides the clamps.
void blendPixel(const state::TargetBlend& blend, formats::Format format, const float src[4], const float src1[4],
                const float dest[4], const float factor[4], float out[4]);

/// Writes one pixel of a target as the output merger does: blend or logic operation, write mask, packing.
void writePixel(const state::TargetBlend& blend, formats::Format format, const formats::Texel& src,
                const formats::Texel& src1, const float factor[4], void* pixel);

/// The depth value in the format's precision: the code of D16 and D24, the bits of D32.
uint32_t depthCode(formats::Format format, float z);

/// Depth and stencil test of one pixel. Returns true if the pixel passes; updates the stored texel.
/// `z` is already clamped to the viewport's depth range.
bool testPixel(const state::DepthStencilState& state, formats::Format format, bool frontFacing, uint8_t stencilRef, float z,
               void* pixel);

} // namespace monolith::codegen
