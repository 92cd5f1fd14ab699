// SPDX-License-Identifier: MIT
/// @file
/// Eight neighbouring pixels of a linear surface, in memory order and as SoA words.
#pragma once

#include "codegen/texel.h"
#include "simd/value.h"

namespace monolith::codegen {

/// Which pixels the lanes are.
enum class LaneOrder : uint8_t {
  Row,  ///< 8x1: lane = x
  Quad, ///< 4x2: lane = (y & 1) * 4 + x; quads are lanes 0 1 4 5 and 2 3 6 7
};

/// Where the lanes of one step lie: four pixels from `first` on, four from `second` on.
struct PixelAddress {
  simd::Pointer first, second;
};

/// Address of the step whose first pixel is at `p`.
PixelAddress pixelAddress(simd::Pointer p, simd::Pointer nextRow, unsigned bytesPerPixel, LaneOrder order);

/// Loads eight pixels of 1, 2, 4, 8 or 16 bytes.
TexelWords loadPixels(const PixelAddress& at, unsigned bytesPerPixel, LaneOrder order);
void storePixels(const PixelAddress& at, unsigned bytesPerPixel, LaneOrder order, const TexelWords& words);

} // namespace monolith::codegen
