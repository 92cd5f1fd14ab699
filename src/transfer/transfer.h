// SPDX-License-Identifier: MIT
/// @file
/// Work without shaders on memory of resources: clears, copies, updates, mip chains. Executing thread, with no scene
/// running on the resources; big work is spread over `parallel`. Arguments have been checked by d3d11/, and regions are
/// clamped once more so that nothing leaves its resource.
#pragma once

#include "base/parallel.h"
#include "resources/resource.h"
#include "state/pipeline_state.h"

#include <span>

namespace monolith::transfer {

/// Texels; block formats: multiples of the block or the edge. For 3D textures z counts slices, else layer counts.
struct Region {
  uint32_t mip = 0, layer = 0, x = 0, y = 0, z = 0, width = 0, height = 0, depth = 1;
};

/// The packed texel of a clear value: floats converted as the format demands (integers truncate and clamp).
void packClearColor(formats::Format format, const float color[4], uint8_t texel[16]);

/// No rectangles = the whole view, which only marks tiles (PendingClear) where it can.
void clearColor(const resources::TargetView& view, const float color[4], std::span<const state::Rect> rects,
                base::Parallel& parallel);
/// flags: 1 depth, 2 stencil. Aspects that the format lacks are ignored.
void clearDepthStencil(const resources::TargetView& view, uint32_t flags, float depth, uint8_t stencil,
                       std::span<const state::Rect> rects, base::Parallel& parallel);

void copyBuffer(uint8_t* dest, const uint8_t* source, uint64_t size, base::Parallel& parallel);
/// Formats of equal block size; block-compressed and uint formats may meet. Extents come from `sourceRegion`.
void copyTexture(resources::Texture& dest, const Region& destRegion, resources::Texture& source, const Region& sourceRegion,
                 base::Parallel& parallel);
void updateTexture(resources::Texture& dest, const Region& region, const uint8_t* source, uint64_t rowPitch, uint64_t slicePitch,
                   base::Parallel& parallel);

/// Mip 0 of a multisampled layer into a subresource of the same size: the mean of the samples in linear float for formats
/// that a shader sees as floats (`format` says which), sample 0 for integers.
void resolveTexture(resources::Texture& dest, uint32_t destMip, uint32_t destLayer, resources::Texture& source, uint32_t sourceLayer,
                    formats::Format format, base::Parallel& parallel);

/// Fills the view's mips below its first, for all its layers. Formats that cannot be filtered are left alone.
void generateMips(const resources::ShaderView& view, base::Parallel& parallel);

} // namespace monolith::transfer
