// SPDX-License-Identifier: MIT
/// @file
/// Texture coordinates to texel addresses in generated code (7.18.5 to 7.18.9), and the memory of mips and slices.
/// Twin: sampler_reference.cpp.
#pragma once

#include "simd/value.h"
#include "state/pipeline_state.h"

#include <optional>

namespace monolith::codegen {

/// One axis of a footprint: two neighbouring texels and the weight of the second.
struct AxisTexels {
  simd::Int first, second;      ///< in range
  simd::Float weight;           ///< 0 for point sampling
  simd::Mask outFirst, outSecond; ///< only with AddressMode::Border: the border colour replaces the texel
};

/// Which lanes filter linearly.
struct FilterLanes {
  bool anyLinear = true;  ///< known while recording
  bool allLinear = true;
  simd::Mask linear;      ///< if both kinds occur
};

/// Fixed-point texel coordinates of one axis. `offset`: texels added, immediate or per lane.
struct AxisOffset {
  int immediate = 0;
  std::optional<simd::Int> lanes;
  bool none() const { return !immediate && !lanes; }
};

AxisTexels locateAxis(simd::Float coordinate, state::AddressMode mode, simd::Int size, const AxisOffset& offset,
                      const FilterLanes& filter);

/// Where the texels of one mip (possibly another one in each lane) lie.
struct MipMemory {
  simd::Int offset, rowPitch, slicePitch;
  simd::Int width, height, depth;
};

/// `view`: address of abi::TextureView. `needs`: which members to provide.
struct MipNeeds {
  bool height = true, depth = false, slicePitch = false;
};
MipMemory mipMemory(simd::Pointer view, simd::Int mip, const MipNeeds& needs);
/// The same for mip 0 in all lanes.
MipMemory firstMipMemory(simd::Pointer view, const MipNeeds& needs);

/// Members of abi::TextureView in all lanes.
simd::Int viewWord(simd::Pointer view, size_t offset);

/// Byte offset of the array slice: rounded to nearest even and clamped (22.4.15). `cube`: slices of six faces.
simd::Int sliceOffset(simd::Pointer view, simd::Float slice, bool cube);

} // namespace monolith::codegen
