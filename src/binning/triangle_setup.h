// SPDX-License-Identifier: MIT
/// @file
/// Setup of up to eight triangles: culling, bounds, plane equations, and the coverage itself of small triangles.
///
/// Two twins compute the same bits: setupScalar says what is meant, setupAvx2 does it eight at a time. All decisions
/// (facing, zero area, coverage) are taken in exact integer arithmetic; plane equations are computed in double from
/// exact differences and rounded once. Doubles hold a triangle's doubled area exactly: positions are limited to
/// +-2^24 (65536 pixels), so products stay below 2^51.
#pragma once

#include "abi/sample_positions.h"
#include "tiles/coverage.h"

#include <cstdint>

namespace monolith::binning {

struct VertexBatch;

/// Positions outside +-kMaxPosition (1/256 pixel) are not rasterized; clipping keeps them well inside.
inline constexpr int32_t kMaxPosition = 1 << 24;

/// Constants of a draw that setup needs.
struct SetupState {
  int32_t clipX0 = 0, clipY0 = 0, clipX1 = -1, clipY1 = -1; ///< Scissor, inclusive pixels; never negative.
  uint32_t cullClockwise = 0, cullCounterClockwise = 0;     ///< 0 or 1.
  uint32_t frontClockwise = 1;                              ///< 1: clockwise on screen (y down) is the front.
  uint32_t biasEnabled = 0;
  uint32_t biasFloat = 0;      ///< 1: biasConstant is scaled by the exponent of the largest |z|.
  float biasConstant = 0;      ///< UNORM: bias in depth units. Float: the integer bias.
  uint32_t biasExponent = 0;   ///< Mantissa bits of the depth format, << 23.
  float biasSlope = 0, biasClamp = 0;
  /// A pixel p may be covered when low <= 256*p + lowRound and 256*p + highRound < high (bounds in 1/256 pixel):
  /// set by the outermost sample offsets.
  int32_t lowRound = 128, highRound = 128;
  /// 1: every pixel is covered whose square, widened by 1/256 pixel, and the triangle have an area in common; triangles
  /// without area are lines or points, and face back. Only setupScalar, only with one sample.
  uint32_t conservative = 0;
  uint32_t samples = 1;                                     ///< 1 or what samplePositions() knows.
  const abi::SamplePosition* positions = abi::kSamplePositions1;
};

/// Results, one lane a triangle. Only lanes whose bit is set in `live` have meaning.
struct alignas(64) SetupResult {
  float plane[8][16];                             ///< First 12: the leading members of PrimitiveRecord, x0 to rw2.
  uint64_t mask[8];                               ///< For lanes in `small`: coverage at (minX, minY), bit j*8+i.
  uint64_t sampleMask[8][abi::kMaxSamples];       ///< Several samples: the same for each; mask is the union.
  uint32_t offset[3][8];                          ///< Bytes from the batch's packets to each vertex's lane.
  int32_t x[3][8], y[3][8];                       ///< Snapped positions, 1/256 pixel; for lanes not in `small`.
  int32_t minX[8], minY[8], maxX[8], maxY[8];     ///< Pixels that may be covered, inclusive, within the clip.
  uint32_t live = 0;                              ///< Triangles that may cover something.
  uint32_t small = 0;                             ///< Live triangles of at most 8x8 pixels; their mask is not 0.
  uint32_t clockwise = 0;                         ///< Positive area in y-down coordinates.
};

/// count is 1..8; indices has 3 * count entries.
using SetupFunction = void (*)(const SetupState& state, const VertexBatch& batch, const uint32_t* indices,
                               uint32_t count, SetupResult& out);
void setupScalar(const SetupState& state, const VertexBatch& batch, const uint32_t* indices, uint32_t count,
                 SetupResult& out);
void setupAvx2(const SetupState& state, const VertexBatch& batch, const uint32_t* indices, uint32_t count,
               SetupResult& out);
/// The fastest twin that this machine runs.
SetupFunction bestSetup();

/// Conservative rasterization: added to an edge function at a pixel's centre it gives the largest value within the
/// widened square; less one, since touching is not enough (unless the edge has no direction).
inline int64_t conservativeMargin(int32_t a, int32_t b)
{
  const int64_t reach = int64_t(a < 0 ? -a : a) + (b < 0 ? -b : b);
  return tiles::kConservativeReach * reach - (reach != 0);
}

/// Bias added to z (15.10): the same arithmetic for both twins and for wireframe edges.
float depthBias(const SetupState& state, float maxAbsZ, float dzdx, float dzdy);

} // namespace monolith::binning
