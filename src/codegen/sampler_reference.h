// SPDX-License-Identifier: MIT
/// @file
/// Scalar twin of all texture reading: one lane at a time, by sections 7.18 and 22.4 of the functional specification.
/// Generated code must give the same bits; the interpreter and paths without generated code call it.
///
/// Choices where the specification leaves room:
/// - coordinates are fixed point with 8 fraction bits after scaling (round to nearest even);
/// - filters are nested linear interpolations a + w * (b - a) with one fused rounding: u first, then v, w, mips;
/// - formats whose channels are 8- or 16-bit UNORM are filtered as codes and divided once at the end;
/// - derivatives are used as they are (no orthogonalisation); LOD is quantised to 1/256 for filtering;
/// - anisotropic filtering averages up to 16 taps along the major axis.
#pragma once

#include "abi/texture_view.h"
#include "formats/reference.h"
#include "state/pipeline_state.h"

#include <cstdint>

namespace monolith::codegen {

/// A sampler as both halves.
struct SamplerPair {
  const state::SamplerState* fixed;
  const abi::Sampler* dynamic;
};

/// Where the LOD comes from.
enum class LodSource : uint8_t { Gradient, Level, Zero };

/// One lane's request.
struct SampleInput {
  float coord[3] = {};        ///< u, v, w (cubes: direction)
  float slice = 0;            ///< array index, unrounded (cube arrays: cube number)
  float ddx[3] = {}, ddy[3] = {};
  LodSource source = LodSource::Gradient;
  float bias = 0;             ///< added to the computed LOD
  float level = 0;            ///< for LodSource::Level
  float lodClamp = 0;         ///< minimum LOD of the instruction
  bool compares = false;
  float reference = 0;
  int offset[3] = {};         ///< texels
  unsigned component = 0;     ///< gathers
};

/// Filtered sample. A null view (width 0) gives zeros.
void sampleTexture(const abi::TextureView& view, const SamplerPair& sampler, const SampleInput& in, formats::Texel& out);

/// The four texels of the bilinear footprint on mip 0: (-,+), (+,+), (+,-), (-,-).
void gatherTexture(const abi::TextureView& view, const SamplerPair& sampler, const SampleInput& in, formats::Texel& out);

/// LOD as the lod instruction returns it: clamped, and without any clamp.
void queryLod(const abi::TextureView& view, const SamplerPair& sampler, const SampleInput& in, float out[2]);

/// Unfiltered texel (x, y, z) of a mip; slice and sample apart. Out of range: 0, missing components get their defaults.
void loadTexture(const abi::TextureView& view, int32_t x, int32_t y, int32_t z, uint32_t slice, uint32_t mip, uint32_t sample,
                 formats::Texel& out);

/// Element of a typed buffer.
void loadBuffer(const abi::TextureView& view, uint32_t index, formats::Texel& out);

/// One word of a raw buffer (byte address) or structured buffer.
uint32_t loadRawWord(const abi::TextureView& view, uint32_t address);
uint32_t loadStructuredWord(const abi::TextureView& view, uint32_t element, uint32_t offset);

/// The polynomial behind LODs: log2 of a positive number, absolute error below 2^-14, exact at powers of two.
float lodLog2(float x);

/// Formats that are filtered as codes: the divisor (255 or 65535), else 0.
float filterScale(formats::Format format);

} // namespace monolith::codegen
