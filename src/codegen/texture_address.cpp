// SPDX-License-Identifier: MIT
#include "codegen/texture_address.h"

#include "abi/texture_view.h"
#include "simd/simd.h"

#include <cstddef>

namespace monolith::codegen {

using abi::TextureView;
using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::If;
using simd::Int;
using simd::Mask;
using simd::Pointer;
using simd::Var;
using simd::Word;
using state::AddressMode;

namespace {

Float reduceRange(Float u, AddressMode mode)
{
  switch (mode) {
  case AddressMode::Wrap: return simd::maxSecond(u - simd::floor(u), Float(0.0f)); // NaN becomes 0
  case AddressMode::Mirror: {
    const Float h = u * Float(0.5f);
    const Float r = (h - simd::trunc(h)) * Float(2.0f);
    return r & simd::ordered(r, r);
  }
  default: {
    const Float r = simd::minSecond(simd::maxSecond(u, Float(-10.0f)), Float(10.0f));
    return r & simd::ordered(u, u);
  }
  }
}

/// a mod n for |a| below 2^22; the quotient in floats is off by one at most.
Int floorMod(Int a, Int n)
{
  const Float q = simd::floor(simd::toFloat(a) / simd::toFloat(n));
  Int r = a - simd::toIntTruncate(q) * n;
  r = r + (n & asInt(r < Int(0)));
  return r - (n & asInt(r >= n));
}

Int clampIndex(Int t, Int last) { return simd::maxSigned(simd::minSigned(t, last), Int(0)); }

/// -t - 1 for negative t.
Int reflectNegative(Int t) { return t ^ simd::sar(t, 31); }

Int mirrorIndex(Int t, Int size, bool offset)
{
  const Int twice = simd::shl(size, 1);
  Int r = reflectNegative(t);
  if (offset)
    r = floorMod(r, twice);
  else
    r = r - (twice & asInt(r >= twice)); // at most 2 * size
  return simd::minSigned(r, twice - Int(1) - r);
}

} // namespace

AxisTexels locateAxis(Float coordinate, AddressMode mode, Int size, const AxisOffset& offset, const FilterLanes& filter)
{
  const Float scaled = reduceRange(coordinate, mode) * (simd::toFloat(size) * Float(256.0f));
  Int fixed = simd::toIntRound(scaled);
  int shift = offset.immediate * 256;
  if (filter.allLinear)
    shift -= 128;
  if (shift)
    fixed = fixed + Int(shift);
  if (offset.lanes)
    fixed = fixed + simd::shl(*offset.lanes, 8);
  if (filter.anyLinear && !filter.allLinear)
    fixed = fixed - (Int(128) & filter.linear);
  AxisTexels a;
  const Int t = simd::sar(fixed, 8);
  if (filter.anyLinear) {
    a.weight = simd::toFloat(fixed & Int(255)) * Float(1.0f / 256.0f);
    if (!filter.allLinear)
      a.weight = a.weight & filter.linear;
  } else {
    a.weight = Float(0.0f);
  }
  const Int last = size - Int(1);
  switch (mode) {
  case AddressMode::Wrap:
    if (offset.none()) {
      a.first = t + (size & asInt(t < Int(0)));
      a.first = simd::andNot(a.first, asInt(a.first >= size)); // at most `size`
    } else {
      a.first = floorMod(t, size);
    }
    if (filter.anyLinear)
      a.second = (a.first + Int(1)) & asInt(a.first < last);
    break;
  case AddressMode::Mirror:
    a.first = mirrorIndex(t, size, !offset.none());
    if (filter.anyLinear)
      a.second = mirrorIndex(t + Int(1), size, !offset.none());
    break;
  case AddressMode::MirrorOnce:
    a.first = simd::minSigned(reflectNegative(t), last);
    if (filter.anyLinear)
      a.second = simd::minSigned(reflectNegative(t + Int(1)), last);
    break;
  case AddressMode::Border:
    a.outFirst = ~simd::belowUnsigned(t, size);
    if (filter.anyLinear)
      a.outSecond = ~simd::belowUnsigned(t + Int(1), size);
    [[fallthrough]];
  case AddressMode::Clamp:
    a.first = clampIndex(t, last);
    if (filter.anyLinear)
      a.second = clampIndex(t + Int(1), last);
    break;
  }
  return a;
}

Int viewWord(Pointer view, size_t offset) { return simd::broadcastInt(view + int32_t(offset)); }

namespace {

Int mipSize(Pointer view, size_t offset, Int mip) { return simd::maxSigned(simd::shr(viewWord(view, offset), mip), Int(1)); }

} // namespace

MipMemory firstMipMemory(Pointer view, const MipNeeds& needs)
{
  MipMemory m;
  m.offset = viewWord(view, offsetof(TextureView, mipOffset));
  m.rowPitch = viewWord(view, offsetof(TextureView, rowPitch));
  if (needs.slicePitch)
    m.slicePitch = viewWord(view, offsetof(TextureView, slicePitch));
  m.width = viewWord(view, offsetof(TextureView, width));
  if (needs.height)
    m.height = viewWord(view, offsetof(TextureView, height));
  if (needs.depth)
    m.depth = viewWord(view, offsetof(TextureView, depth));
  return m;
}

MipMemory mipMemory(Pointer view, Int mip, const MipNeeds& needs)
{
  MipMemory m;
  m.width = mipSize(view, offsetof(TextureView, width), mip);
  if (needs.height)
    m.height = mipSize(view, offsetof(TextureView, height), mip);
  if (needs.depth)
    m.depth = mipSize(view, offsetof(TextureView, depth), mip);
  Var<Int> offset{Int(0)}, pitch{Int(0)}, slice{Int(0)};
  const Int first = simd::broadcastLane(mip, 0);
  If(simd::all(mip == first),
     [&] {
       // One mip for all lanes: scalar loads.
       const Pointer at = simd::indexed(view, simd::toLongUnsigned(simd::extract(mip, 0)), 4);
       offset = viewWord(at, offsetof(TextureView, mipOffset));
       pitch = viewWord(at, offsetof(TextureView, rowPitch));
       if (needs.slicePitch)
         slice = viewWord(at, offsetof(TextureView, slicePitch));
     },
     [&] {
       offset = simd::gather(view + int32_t(offsetof(TextureView, mipOffset)), mip, 4);
       pitch = simd::gather(view + int32_t(offsetof(TextureView, rowPitch)), mip, 4);
       if (needs.slicePitch)
         slice = simd::gather(view + int32_t(offsetof(TextureView, slicePitch)), mip, 4);
     });
  m.offset = offset;
  m.rowPitch = pitch;
  if (needs.slicePitch)
    m.slicePitch = slice;
  return m;
}

Int sliceOffset(Pointer view, Float slice, bool cube)
{
  Float last;
  if (cube) {
    // Whole cubes: layers / 6 - 1, at least 0 (exact in floats: at most 2048 layers).
    const Float cubes = simd::floor((simd::toFloat(viewWord(view, offsetof(TextureView, layers))) + Float(0.5f)) / Float(6.0f));
    last = simd::maxSecond(cubes - Float(1.0f), Float(0.0f));
  } else {
    last = simd::toFloat(simd::maxSigned(viewWord(view, offsetof(TextureView, layers)) - Int(1), Int(0)));
  }
  const Float r = simd::minSecond(simd::maxSecond(simd::roundEven(slice), Float(0.0f)), last);
  Int index = simd::toIntTruncate(r);
  if (cube)
    index = index * Int(6);
  return index * viewWord(view, offsetof(TextureView, layerPitch));
}

} // namespace monolith::codegen
