// SPDX-License-Identifier: MIT
/// @file
/// Interpolated values of eight pixels of a primitive (formulas: abi/pixel_args.h).
#pragma once

#include "codegen/pixel_rows.h"
#include "codegen/program.h"
#include "simd/value.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace monolith::ir {
class Function;
}

namespace monolith::codegen {

class Interpolator {
public:
  /// `function` may be null (depth only). Finds out what will be asked for.
  Interpolator(const ir::Function* function, const PixelLinkage& linkage, LaneOrder lanes);

  /// Once per kernel call: attribute differences go to the stack.
  void beginPrimitive(simd::Pointer primitive);
  /// Once per block: x and y of its first pixel.
  void beginBlock(simd::Word x, simd::Word y);
  /// Lanes' row: pixels of row `row` of the block (unrolled code; Row order).
  void setRow(unsigned row);
  /// For rolled loops: start at the block's first step, go to the next rows, or four pixels on (Quad).
  void beginSteps();
  void nextRows(unsigned rows);
  void nextPixels(unsigned pixels);
  void backToLeft();

  /// Attributes are taken off the pixel's centre from now on (sample-frequency shading).
  void setSampleOffset(simd::Float x, simd::Float y);

  /// Linear depth, before the clamp to the viewport.
  simd::Float depth();
  /// Weights for the attributes of this step, if any attribute needs them. Call before attribute().
  void beginAttributes();
  simd::Int attribute(uint32_t reg, uint32_t component);
  /// SV_Position.
  simd::Int position(uint32_t component);
  /// 0 or ~0.
  simd::Int frontFacing();
  simd::Int primitiveId();

  simd::Float primitiveFloat(size_t offset) const;

private:
  enum class Kind : uint8_t { Zero, Constant, Linear, Perspective, Position };
  struct Attribute {
    Kind kind = Kind::Zero;
    uint8_t slot = 255;
    int32_t stack = -1; ///< offset of the two differences
  };

  void pixelCentre(simd::Float& x, simd::Float& y) const;
  simd::Float rowCentre() const;

  LaneOrder m_lanes;
  Attribute m_attribute[32][4];
  bool m_needsPerspective = false, m_needsLinear = false, m_needsW = false;
  uint32_t m_stackBytes = 0;
  simd::Pointer m_primitive, m_stack, m_vertex0, m_flat;
  // Values of the block.
  simd::Float m_blockX, m_blockY, m_px, m_zx;
  // Values of the step.
  std::optional<simd::Var<simd::Float>> m_stepX, m_stepY;
  bool m_rolled = false;
  unsigned m_row = 0;
  simd::Float m_centreX, m_centreY, m_stepPx, m_stepPy;
  simd::Float m_sampleX, m_sampleY;
  simd::Float m_l1, m_l2, m_p1, m_p2, m_w;
};

} // namespace monolith::codegen
