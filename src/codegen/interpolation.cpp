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

Interpolator::Interpolator(const ir::Function* function, const PixelLinkage& linkage, LaneOrder lanes) : m_lanes(lanes)
{
  if (!function)
    return;
  for (const ir::Instruction& i : function->instructions) {
    if (i.op == ir::Op::LoadSystem && ir::SystemValue(i.attr) == ir::SystemValue::Position && i.attr2 == 3)
      m_needsW = true;
    if (i.op != ir::Op::LoadInput || i.attr >= 32 || i.attr2 >= 4)
      continue;
    Attribute& a = m_attribute[i.attr][i.attr2];
    const ir::InputDecl* decl = function->findInput(i.attr, i.attr2);
    if (decl && decl->system == ir::SystemValue::Position) {
      a.kind = Kind::Position;
      m_needsW |= i.attr2 == 3;
      continue;
    }
    a.slot = linkage.slot[i.attr][i.attr2];
    if (a.slot == 255)
      continue;
    switch (decl ? decl->interpolation : ir::Interpolation::Undefined) {
    case ir::Interpolation::Constant: a.kind = Kind::Constant; continue;
    case ir::Interpolation::LinearNoPerspective:
    case ir::Interpolation::LinearNoPerspectiveCentroid:
    case ir::Interpolation::LinearNoPerspectiveSample: a.kind = Kind::Linear; break;
    case ir::Interpolation::Undefined:
    case ir::Interpolation::Linear:
    case ir::Interpolation::LinearCentroid:
    case ir::Interpolation::LinearSample: a.kind = Kind::Perspective; break;
    }
    (a.kind == Kind::Linear ? m_needsLinear : m_needsPerspective) = true;
    if (a.stack < 0) {
      a.stack = int32_t(m_stackBytes);
      m_stackBytes += 64;
    }
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
  Float zx = m_zx;
  if (m_rolled && m_lanes == LaneOrder::Quad)
    zx = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, dzdx)), x - primitiveFloat(offsetof(PrimitiveRecord, x0)),
                   primitiveFloat(offsetof(PrimitiveRecord, z0)));
  return simd::fma(primitiveFloat(offsetof(PrimitiveRecord, dzdy)), py, zx);
}

void Interpolator::setSampleOffset(Float x, Float y)
{
  m_sampleX = x;
  m_sampleY = y;
}

void Interpolator::beginAttributes()
{
  pixelCentre(m_centreX, m_centreY);
  if (m_sampleX.valid()) {
    m_centreX = m_centreX + m_sampleX;
    m_centreY = m_centreY + m_sampleY;
  }
  if (!m_needsLinear && !m_needsPerspective && !m_needsW)
    return;
  const Float px = m_centreX - primitiveFloat(offsetof(PrimitiveRecord, x0));
  const Float py = m_centreY - primitiveFloat(offsetof(PrimitiveRecord, y0));
  m_l1 = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, l1dy)), py, primitiveFloat(offsetof(PrimitiveRecord, l1dx)) * px);
  m_l2 = simd::fma(primitiveFloat(offsetof(PrimitiveRecord, l2dy)), py, primitiveFloat(offsetof(PrimitiveRecord, l2dx)) * px);
  if (!m_needsPerspective && !m_needsW)
    return;
  const Float rw0 = primitiveFloat(offsetof(PrimitiveRecord, rw0));
  const Float rw1 = primitiveFloat(offsetof(PrimitiveRecord, rw1));
  const Float rw2 = primitiveFloat(offsetof(PrimitiveRecord, rw2));
  const Float rw = simd::fma(m_l2, rw2 - rw0, simd::fma(m_l1, rw1 - rw0, rw0));
  m_w = Float(1.0f) / rw;
  m_p1 = m_l1 * rw1 * m_w;
  m_p2 = m_l2 * rw2 * m_w;
}

Int Interpolator::attribute(uint32_t reg, uint32_t component)
{
  if (reg >= 32 || component >= 4)
    return Int(0);
  const Attribute& a = m_attribute[reg][component];
  if (a.kind == Kind::Zero)
    return Int(0);
  if (a.kind == Kind::Position)
    return position(component);
  const int32_t at = a.slot * kSlotBytes;
  if (a.kind == Kind::Constant)
    return simd::broadcastInt(m_flat + at);
  const Float d1 = simd::loadFloat(m_stack + a.stack), d2 = simd::loadFloat(m_stack + (a.stack + 32));
  const bool linear = a.kind == Kind::Linear;
  const Float v = simd::fma(linear ? m_l1 : m_p1, d1, simd::broadcastFloat(m_vertex0 + at));
  return asInt(simd::fma(linear ? m_l2 : m_p2, d2, v));
}

Int Interpolator::position(uint32_t component)
{
  switch (component) {
  case 0: return asInt(m_centreX);
  case 1: return asInt(m_centreY);
  case 2: return asInt(depth());
  default: return asInt(m_w);
  }
}

Int Interpolator::frontFacing()
{
  const Int flags = simd::broadcastInt(m_primitive + int32_t(offsetof(PrimitiveRecord, flags)));
  return asInt(simd::nonZero(flags & Int(int32_t(abi::kFrontFacing))));
}

Int Interpolator::primitiveId() { return simd::broadcastInt(m_primitive + int32_t(offsetof(PrimitiveRecord, primitiveId))); }

} // namespace monolith::codegen
