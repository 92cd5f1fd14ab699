// SPDX-License-Identifier: MIT
#include "codegen/interpolation.h"

#include "abi/pixel_args.h"
#include "ir/function.h"
#include "simd/simd.h"

#include <cstddef>

namespace monolith::codegen {

using abi::PrimitiveRecord;
using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::Int;
using simd::Pointer;
using simd::Word;

namespace {
constexpr int32_t kSlotBytes = 32; // a packet slot: 8 lanes
}

Interpolator::Interpolator(const ir::Function* function, const PixelLinkage& linkage, LaneOrder lanes, bool smoothLines)
    : m_lanes(lanes), m_smoothLines(smoothLines)
{
  if (!function)
    return;
  using Kind = AttributeSource::Kind;
  m_positionPlace = positionPlace(*function);
  const auto need = [&](Place place, bool weights, bool perspective) {
    Needs& n = m_needs[unsigned(place)];
    n.any = true;
    n.weights |= weights;
    n.perspective |= perspective;
  };
  for (const ir::Instruction& i : function->instructions) {
    if (i.op == ir::Op::LoadSystem && ir::SystemValue(i.attr) == ir::SystemValue::Position)
      need(m_positionPlace, i.attr2 == 3, i.attr2 == 3);
    const bool evaluates = i.op == ir::Op::EvalCentroid || i.op == ir::Op::EvalSample || i.op == ir::Op::EvalSnapped;
    if ((i.op != ir::Op::LoadInput && !evaluates) || i.attr >= 32 || i.attr2 >= 4)
      continue;
    Attribute& a = m_attribute[i.attr][i.attr2];
    static_cast<AttributeSource&>(a) = attributeSource(*function, linkage, i.attr, i.attr2);
    if (a.kind == Kind::Position)
      need(m_positionPlace, i.attr2 == 3, i.attr2 == 3);
    if (a.kind != Kind::Linear && a.kind != Kind::Perspective)
      continue;
    if (evaluates)
      m_evaluatesPerspective |= a.kind == Kind::Perspective;
    if (i.op == ir::Op::EvalCentroid)
      need(Place::Centroid, true, a.kind == Kind::Perspective);
    else if (!evaluates)
      need(a.place, true, a.kind == Kind::Perspective);
    if (a.stack < 0) {
      a.stack = int32_t(m_stackBytes);
      m_stackBytes += 64;
    }
  }
  // A place may turn out to be the centre.
  for (unsigned k = 1; k < kPlaces; k++) {
    m_needs[0].weights |= m_needs[k].weights;
    m_needs[0].perspective |= m_needs[k].perspective;
  }
}

Float Interpolator::primitiveFloat(size_t offset) const { return simd::broadcastFloat(m_primitive + int32_t(offset)); }

void Interpolator::beginPrimitive(Pointer primitive)
{
  m_primitive = primitive;
  m_vertex0 = simd::loadPointer(primitive + int32_t(offsetof(PrimitiveRecord, v)));
  m_flat = simd::loadPointer(primitive + int32_t(offsetof(PrimitiveRecord, flat)));
  if (!m_stackBytes)
    return;
  m_stack = simd::Function::currentStack(m_stackBytes);
  const Pointer v1 = simd::loadPointer(primitive + int32_t(offsetof(PrimitiveRecord, v) + sizeof(void*)));
  const Pointer v2 = simd::loadPointer(primitive + int32_t(offsetof(PrimitiveRecord, v) + 2 * sizeof(void*)));
  for (const auto& reg : m_attribute)
    for (const Attribute& a : reg) {
      if (a.stack < 0)
        continue;
      const int32_t at = a.slot * kSlotBytes;
      const Float a0 = simd::broadcastFloat(m_vertex0 + at);
      simd::store(m_stack + a.stack, simd::broadcastFloat(v1 + at) - a0);
      simd::store(m_stack + (a.stack + 32), simd::broadcastFloat(v2 + at) - a0);
    }
}

void Interpolator::beginBlock(Word x, Word y)
{
  static constexpr std::array<float, 8> kRowX = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};
  static constexpr std::array<float, 8> kQuadX = {0.5f, 1.5f, 2.5f, 3.5f, 0.5f, 1.5f, 2.5f, 3.5f};
  m_blockX = simd::toFloat(simd::broadcast(x)) + Float(m_lanes == LaneOrder::Row ? kRowX : kQuadX);
  m_blockY = simd::toFloat(simd::broadcast(y));
  m_px = m_blockX - primitiveFloat(offsetof(PrimitiveRecord, x0));
  m_zx = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, dzdx)), m_px, primitiveFloat(offsetof(PrimitiveRecord, z0)));
  if (m_lanes == LaneOrder::Row && m_needs[0].weights) {
    m_l1x = primitiveFloat(offsetof(PrimitiveRecord, l1dx)) * m_px;
    m_l2x = primitiveFloat(offsetof(PrimitiveRecord, l2dx)) * m_px;
  }
  m_rolled = false;
}

void Interpolator::setRow(unsigned row)
{
  m_rolled = false;
  m_row = row;
}

void Interpolator::beginSteps()
{
  static constexpr std::array<float, 8> kQuadY = {0.5f, 0.5f, 0.5f, 0.5f, 1.5f, 1.5f, 1.5f, 1.5f};
  m_rolled = true;
  m_stepY.emplace(m_blockY + (m_lanes == LaneOrder::Row ? Float(0.5f) : Float(kQuadY)));
  if (m_lanes == LaneOrder::Quad)
    m_stepX.emplace(m_blockX);
}

void Interpolator::nextRows(unsigned rows) { *m_stepY = m_stepY->peek() + Float(float(rows)); }
void Interpolator::nextPixels(unsigned pixels) { *m_stepX = m_stepX->peek() + Float(float(pixels)); }
void Interpolator::backToLeft() { *m_stepX = m_blockX; }

void Interpolator::pixelCentre(Float& x, Float& y) const
{
  x = m_rolled && m_lanes == LaneOrder::Quad ? m_stepX->get() : m_blockX;
  y = m_rolled ? m_stepY->get() : m_blockY + Float(float(m_row) + 0.5f);
}

Float Interpolator::depth()
{
  Float x, y;
  pixelCentre(x, y);
  const Float py = y - primitiveFloat(offsetof(PrimitiveRecord, y0));
  if (m_smoothLines) {
    const Float l1dx = primitiveFloat(offsetof(PrimitiveRecord, l1dx)), l1dy = primitiveFloat(offsetof(PrimitiveRecord, l1dy));
    const Float slope = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, dzdx)), l1dx,
                                  primitiveFloat(offsetof(PrimitiveRecord, dzdy)) * l1dy);
    const Float along = alongLine(x - primitiveFloat(offsetof(PrimitiveRecord, x0)), py);
    return simd::fma(simd::saturate(along), slope * squaredLength(), primitiveFloat(offsetof(PrimitiveRecord, z0)));
  }
  Float zx = m_zx;
  if (m_rolled && m_lanes == LaneOrder::Quad)
    zx = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, dzdx)), x - primitiveFloat(offsetof(PrimitiveRecord, x0)),
                   primitiveFloat(offsetof(PrimitiveRecord, z0)));
  return simd::fma(primitiveFloat(offsetof(PrimitiveRecord, dzdy)), py, zx);
}

void Interpolator::setOffset(Place place, Float x, Float y) { m_offset[unsigned(place)] = {x, y}; }

Interpolator::Weights Interpolator::weights(Float x, Float y, bool perspective, bool columns) const
{
  Weights r;
  r.x = x;
  r.y = y;
  Float l1x = m_l1x, l2x = m_l2x;
  if (!columns) {
    const Float px = x - primitiveFloat(offsetof(PrimitiveRecord, x0));
    l1x = primitiveFloat(offsetof(PrimitiveRecord, l1dx)) * px;
    l2x = primitiveFloat(offsetof(PrimitiveRecord, l2dx)) * px;
  }
  const Float py = y - primitiveFloat(offsetof(PrimitiveRecord, y0));
  r.l1 = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, l1dy)), py, l1x);
  r.l2 = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, l2dy)), py, l2x);
  if (m_smoothLines) {
    r.l1 = simd::saturate(r.l1);
    r.l2 = Float(0.0f);
  }
  if (!perspective)
    return r;
  const Float rw0 = primitiveFloat(offsetof(PrimitiveRecord, rw0));
  const Float rw1 = primitiveFloat(offsetof(PrimitiveRecord, rw1));
  const Float rw2 = primitiveFloat(offsetof(PrimitiveRecord, rw2));
  const Float rw = simd::fma(r.l2, rw2 - rw0, simd::fma(r.l1, rw1 - rw0, rw0));
  r.w = Float(1.0f) / rw;
  r.p1 = r.l1 * rw1 * r.w;
  r.p2 = r.l2 * rw2 * r.w;
  return r;
}

void Interpolator::beginAttributes()
{
  pixelCentre(m_centreX, m_centreY);
  bool anyAtCentre = m_needs[0].any;
  for (unsigned k = 1; k < kPlaces; k++)
    anyAtCentre |= m_needs[k].any && !m_offset[k].x.valid();
  for (unsigned k = 0; k < kPlaces; k++) {
    Weights& at = m_weights[k];
    at = Weights();
    const bool used = k ? m_needs[k].any && m_offset[k].x.valid() : anyAtCentre;
    if (!used)
      continue;
    at.x = k ? m_centreX + m_offset[k].x : m_centreX;
    at.y = k ? m_centreY + m_offset[k].y : m_centreY;
    if (m_needs[k].weights)
      at = weights(at.x, at.y, m_needs[k].perspective, k == 0 && m_lanes == LaneOrder::Row);
  }
}

Interpolator::Weights Interpolator::weightsAt(Float offsetX, Float offsetY)
{
  return weights(m_centreX + offsetX, m_centreY + offsetY, m_evaluatesPerspective);
}

Float Interpolator::alongLine(Float px, Float py) const
{
  return simd::fma(primitiveFloat(offsetof(PrimitiveRecord, l1dy)), py, primitiveFloat(offsetof(PrimitiveRecord, l1dx)) * px);
}

/// The gradient of the position along a line is one by its length.
Float Interpolator::squaredLength() const
{
  const Float l1dx = primitiveFloat(offsetof(PrimitiveRecord, l1dx)), l1dy = primitiveFloat(offsetof(PrimitiveRecord, l1dy));
  return Float(1.0f) / simd::fma(l1dx, l1dx, l1dy * l1dy);
}

/// A filter of one pixel, oriented like the line, over a rectangle of width 1: the line's whole contribution is its
/// length whatever its direction, and segments that join end to end add up to one (3.4.4).
Float Interpolator::lineCoverage()
{
  const Float px = m_centreX - primitiveFloat(offsetof(PrimitiveRecord, x0));
  const Float py = m_centreY - primitiveFloat(offsetof(PrimitiveRecord, y0));
  const Float length = simd::sqrt(squaredLength());
  const Float along = alongLine(px, py) * length;
  const Float across = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, l2dy)), py, primitiveFloat(offsetof(PrimitiveRecord, l2dx)) * px);
  const Float half(0.5f);
  const Float ends = simd::saturate(along + half) - simd::saturate(along - length + half);
  return simd::saturate(Float(1.0f) - simd::abs(across)) * ends;
}

Int Interpolator::attribute(uint32_t reg, uint32_t component)
{
  if (reg >= 32 || component >= 4)
    return Int(0);
  const Attribute& a = m_attribute[reg][component];
  if (a.kind == AttributeSource::Kind::Position)
    return position(component);
  return evaluate(reg, component, m_weights[placeIndex(a.place)]);
}

Int Interpolator::evaluate(uint32_t reg, uint32_t component, const Weights& weights)
{
  using Kind = AttributeSource::Kind;
  if (reg >= 32 || component >= 4)
    return Int(0);
  const Attribute& a = m_attribute[reg][component];
  if (a.kind == Kind::Zero || a.kind == Kind::Position)
    return Int(0);
  const int32_t at = a.slot * kSlotBytes;
  if (a.kind == Kind::Constant)
    return simd::broadcastInt(m_flat + at);
  const Float d1 = simd::loadFloat(m_stack + a.stack), d2 = simd::loadFloat(m_stack + (a.stack + 32));
  const bool linear = a.kind == Kind::Linear;
  const Float v = simd::fma(linear ? weights.l1 : weights.p1, d1, simd::broadcastFloat(m_vertex0 + at));
  return asInt(simd::fma(linear ? weights.l2 : weights.p2, d2, v));
}

Int Interpolator::evaluateAt(Place place, uint32_t reg, uint32_t component)
{
  return evaluate(reg, component, m_weights[placeIndex(place)]);
}

Int Interpolator::position(uint32_t component)
{
  const unsigned place = placeIndex(m_positionPlace);
  switch (component) {
  case 0: return asInt(m_weights[place].x);
  case 1: return asInt(m_weights[place].y);
  case 2: {
    const Float z = depth();
    if (!place)
      return asInt(z);
    // The same operations as for the depth of a sample, so that they agree.
    return asInt(z + simd::fma(primitiveFloat(offsetof(PrimitiveRecord, dzdy)), m_offset[place].y,
                               primitiveFloat(offsetof(PrimitiveRecord, dzdx)) * m_offset[place].x));
  }
  default: return asInt(m_weights[place].w);
  }
}

Int Interpolator::frontFacing()
{
  const Int flags = simd::broadcastInt(m_primitive + int32_t(offsetof(PrimitiveRecord, flags)));
  return asInt(simd::nonZero(flags & Int(int32_t(abi::kFrontFacing))));
}

Int Interpolator::primitiveId() { return simd::broadcastInt(m_primitive + int32_t(offsetof(PrimitiveRecord, primitiveId))); }

} // namespace monolith::codegen
