// SPDX-License-Identifier: MIT
#include "codegen/attribute_source.h"

#include "ir/function.h"

#include <cstring>

namespace monolith::codegen {

AttributeSource attributeSource(const ir::Function& function, const PixelLinkage& linkage, uint32_t reg, uint32_t component)
{
  using Kind = AttributeSource::Kind;
  AttributeSource a;
  if (reg >= 32 || component >= 4)
    return a;
  const ir::InputDecl* decl = function.findInput(reg, component);
  const ir::Interpolation mode = decl ? decl->interpolation : ir::Interpolation::Undefined;
  switch (mode) {
  case ir::Interpolation::Constant: a.kind = Kind::Constant; break;
  case ir::Interpolation::LinearNoPerspective: a.kind = Kind::Linear; break;
  case ir::Interpolation::LinearNoPerspectiveCentroid: a.kind = Kind::Linear, a.place = Place::Centroid; break;
  case ir::Interpolation::LinearNoPerspectiveSample: a.kind = Kind::Linear, a.place = Place::Sample; break;
  case ir::Interpolation::Undefined:
  case ir::Interpolation::Linear: a.kind = Kind::Perspective; break;
  case ir::Interpolation::LinearCentroid: a.kind = Kind::Perspective, a.place = Place::Centroid; break;
  case ir::Interpolation::LinearSample: a.kind = Kind::Perspective, a.place = Place::Sample; break;
  }
  if (decl && decl->system == ir::SystemValue::Position) {
    a.kind = Kind::Position;
    return a;
  }
  a.slot = linkage.slot[reg][component];
  if (a.slot == 255)
    a = AttributeSource();
  return a;
}

Place positionPlace(const ir::Function& function)
{
  PixelLinkage none;
  std::memset(&none, 255, sizeof none);
  for (const ir::InputDecl& in : function.inputs)
    for (uint32_t c = 0; c < 4; c++)
      if (in.system == ir::SystemValue::Position && (in.mask >> c & 1))
        return attributeSource(function, none, in.reg, c).place;
  return Place::Centre;
}

} // namespace monolith::codegen
