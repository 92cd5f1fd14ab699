// SPDX-License-Identifier: MIT
/// @file
/// Where a pixel shader's input component comes from: how it is interpolated and at which place in the pixel.
#pragma once

#include "codegen/program.h"

#include <cstdint>

namespace monolith::codegen {

/// The place in a pixel at which a value is interpolated (3.5.4, 3.5.5).
enum class Place : uint8_t { Centre, Centroid, Sample };
inline constexpr unsigned kPlaces = 3;

struct AttributeSource {
  enum class Kind : uint8_t { Zero, Constant, Linear, Perspective, Position };
  Kind kind = Kind::Zero;
  Place place = Place::Centre;
  uint8_t slot = 255; ///< packet slot
};

AttributeSource attributeSource(const ir::Function& function, const PixelLinkage& linkage, uint32_t reg, uint32_t component);

/// The place of SV_Position; the centre if the shader does not read it.
Place positionPlace(const ir::Function& function);

/// Clips an offset in sixteenths of a pixel to its low four bits, signed (22.4.25).
constexpr int32_t snappedOffset(uint32_t offset) { return int32_t(offset << 28) >> 28; }

} // namespace monolith::codegen
