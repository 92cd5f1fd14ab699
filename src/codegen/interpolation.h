// SPDX-License-Identifier: MIT
/// @file
/// Interpolated values of eight pixels of a primitive (formulas: abi/pixel_args.h).
#pragma once

#include "codegen/attribute_source.h"
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
  /// `smoothLines`: primitives are alpha-antialiased lines, whose pixels may lie beyond the ends.
  Interpolator(const ir::Function* function, const PixelLinkage& linkage, LaneOrder lanes, bool smoothLines = false);

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

  /// Where a place lies, from the pixel's centre, until it is set again; invalid values: at the centre.
  void setOffset(Place place, simd::Float x, simd::Float y);
  /// True if anything is interpolated at the place.
  bool asksFor(Place place) const { return m_needs[unsigned(place)].any; }

  /// Linear depth, before the clamp to the viewport.
  simd::Float depth();
  /// Weights for the attributes of this step, if any attribute needs them. Call before attribute().
  void beginAttributes();
  simd::Int attribute(uint32_t reg, uint32_t component);
  /// Weights at an offset from the pixel's centre, and an attribute by them wherever its declaration places it.
  struct Weights {
    simd::Float x, y, l1, l2, p1, p2, w;
  };
  Weights weightsAt(simd::Float offsetX, simd::Float offsetY);
  simd::Int evaluate(uint32_t reg, uint32_t component, const Weights& weights);
  simd::Int evaluateAt(Place place, uint32_t reg, uint32_t component);
  /// SV_Position.
  simd::Int position(uint32_t component);
  /// 0 or ~0.
  simd::Int frontFacing();
  simd::Int primitiveId();
  /// Part of the pixel that an alpha-antialiased line covers, 0 to 1. After beginAttributes().
  simd::Float lineCoverage();

  simd::Float primitiveFloat(size_t offset) const;

private:
  struct Attribute : AttributeSource {
    int32_t stack = -1; ///< offset of the two differences
  };
  struct Needs {
    bool any = false, weights = false, perspective = false;
  };

  void pixelCentre(simd::Float& x, simd::Float& y) const;
  /// The place whose offset counts: the centre where none is set.
  unsigned placeIndex(Place place) const { return m_offset[unsigned(place)].x.valid() ? unsigned(place) : 0; }
  /// `columns`: x are the centres of the block's columns, whose part has been computed.
  Weights weights(simd::Float x, simd::Float y, bool perspective, bool columns = false) const;

  /// Position along the line at an offset from its start, 0 to 1.
  simd::Float alongLine(simd::Float px, simd::Float py) const;
  simd::Float squaredLength() const;

  LaneOrder m_lanes;
  bool m_smoothLines;
  Attribute m_attribute[32][4];
  Needs m_needs[kPlaces];
  Place m_positionPlace = Place::Centre;
  bool m_evaluatesPerspective = false;
  uint32_t m_stackBytes = 0;
  simd::Pointer m_primitive, m_stack, m_vertex0, m_flat;
  // Values of the block.
  simd::Float m_blockX, m_blockY, m_px, m_zx, m_l1x, m_l2x;
  // Values of the step.
  std::optional<simd::Var<simd::Float>> m_stepX, m_stepY;
  bool m_rolled = false;
  unsigned m_row = 0;
  struct Offset {
    simd::Float x, y;
  };
  Offset m_offset[kPlaces]; ///< Centre: never set.
  simd::Float m_centreX, m_centreY;
  Weights m_weights[kPlaces];
};

} // namespace monolith::codegen
