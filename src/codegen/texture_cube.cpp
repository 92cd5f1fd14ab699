// SPDX-License-Identifier: MIT
// Footprints that cross the edges of cube faces. Twin: sampler_reference.cpp.
#include "codegen/cube_face.h"
#include "codegen/texture_sampler.h"

#include "abi/texture_view.h"
#include "simd/simd.h"

#include <array>
#include <cstddef>

namespace monolith::codegen {

using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::If;
using simd::Int;
using simd::Mask;
using simd::Var;

namespace {

/// A coordinate behind an edge: 0, the last texel, as far along as before, or as far from the other end.
enum Along : uint32_t { kFirst, kLast, kSame, kReversed };

/// By face * 4 + edge (left, right, top, bottom): face | Along of x << 3 | Along of y << 5.
constexpr std::array<uint32_t, 24> makeEdges()
{
  std::array<uint32_t, 24> table = {};
  constexpr int kSize = 8, kAlong = 2;
  for (int face = 0; face < 6; face++)
    for (int edge = 0; edge < 4; edge++) {
      const int outside = edge & 1 ? kSize : -1;
      const CubeTexel to = edge < 2 ? acrossCubeEdge({face, outside, kAlong}, kSize) : acrossCubeEdge({face, kAlong, outside}, kSize);
      const auto kind = [](int v) {
        return v == 0 ? kFirst : v == kSize - 1 ? kLast : v == kAlong ? kSame : kReversed;
      };
      table[size_t(face * 4 + edge)] = uint32_t(to.face) | kind(to.x) << 3 | kind(to.y) << 5;
    }
  return table;
}
constexpr std::array<uint32_t, 24> kEdges = makeEdges();

Int placed(Int kind, Int along, Int last)
{
  const Int far = simd::select(simd::nonZero(kind & Int(1)), last - along, along);
  const Int end = simd::select(simd::nonZero(kind & Int(1)), last, Int(0));
  return simd::select(simd::nonZero(kind & Int(2)), far, end);
}

} // namespace

/// Directions that no number describes may lie far outside the face; the footprint then begins one texel before its first or
/// ends one behind its last.
void TextureSampler::keepOneOutside(AxisTexels& axis, Float coordinate)
{
  axis.outFirst = simd::andNot(axis.outFirst, coordinate >= Float(0.5f));
  axis.outSecond = simd::andNot(axis.outSecond, axis.outFirst);
}

/// The four texels of a footprint, wherever they are.
TextureSampler::CubeTaps TextureSampler::cubeTaps(const MipMemory& mip, const AxisTexels& x, const AxisTexels& y)
{
  CubeTaps taps;
  const Int last = mip.width - Int(1);
  const Int layerPitch = viewWord(m_viewPointer, offsetof(abi::TextureView, layerPitch));
  for (unsigned k = 0; k < 4; k++) {
    const Int tx = k & 1 ? x.second : x.first, ty = k & 2 ? y.second : y.first; // clamped to the face
    const Mask outX = k & 1 ? x.outSecond : x.outFirst, outY = k & 2 ? y.outSecond : y.outFirst;
    // Only the first texel can be outside at the low end, only the second at the high end.
    const Int edge = simd::select(outX, Int(int32_t(k & 1)), Int(int32_t(2 + (k >> 1 & 1))));
    const Int entry = simd::gather(simd::constantTable(kEdges.data(), sizeof kEdges), simd::shl(m_cube.face, 2) + edge, 4);
    const Int along = simd::select(outX, ty, tx);
    const Mask out = outX | outY;
    const Int face = simd::select(out, entry & Int(7), m_cube.face);
    const Int px = simd::select(out, placed(simd::shr(entry, 3) & Int(3), along, last), tx);
    const Int py = simd::select(out, placed(simd::shr(entry, 5) & Int(3), along, last), ty);
    Int base = mip.offset + face * layerPitch;
    if (m_hasLayers)
      base = base + m_layerOffset;
    taps.texel[k] = m_fetch->fetch({rowBase(base, py, mip.rowPitch), px, py}, m_used);
    compareTexel(taps.texel[k]);
    taps.corner[k] = outX & outY;
  }
  return taps;
}

Channels TextureSampler::filterAcross(const MipMemory& mip, const AxisTexels& x, const AxisTexels& y, const Channels& inside, Mask crossed)
{
  std::optional<Var<Int>> result[4];
  for (unsigned c = 0; c < 4; c++)
    if (m_used >> c & 1)
      result[c].emplace(inside.c[c]);
  If(simd::any(crossed), [&] {
    const CubeTaps taps = cubeTaps(mip, x, y);
    Channels t[4];
    for (unsigned k = 0; k < 4; k++)
      for (unsigned c = 0; c < 4; c++) {
        if (!(m_used >> c & 1))
          continue;
        // The missing texel is the average of the three that meet at the corner.
        const Float sum = asFloat(taps.texel[k ^ 1].c[c]) + asFloat(taps.texel[k ^ 2].c[c]) + asFloat(taps.texel[k ^ 3].c[c]);
        t[k].c[c] = asInt(simd::select(taps.corner[k], sum * Float(1.0f / 3.0f), asFloat(taps.texel[k].c[c])));
      }
    mix(t[0], t[1], x.weight);
    mix(t[2], t[3], x.weight);
    mix(t[0], t[2], y.weight);
    for (unsigned c = 0; c < 4; c++)
      if (m_used >> c & 1)
        *result[c] = simd::select(crossed, t[0].c[c], inside.c[c]);
  });
  Channels out;
  for (unsigned c = 0; c < 4; c++)
    if (m_used >> c & 1)
      out.c[c] = result[c]->get();
  return out;
}

Channels TextureSampler::gatherCube()
{
  locateOnCube();
  const unsigned component = m_compares ? 0 : m_op.component & 3u;
  const MipMemory mip = firstMipMemory(m_viewPointer, MipNeeds());
  const FilterLanes filter;
  AxisTexels x = locateAxis(m_cube.u, state::AddressMode::Border, mip.width, AxisOffset(), filter);
  AxisTexels y = locateAxis(m_cube.v, state::AddressMode::Border, mip.width, AxisOffset(), filter);
  keepOneOutside(x, m_cube.u);
  keepOneOutside(y, m_cube.v);
  CubeTaps taps = cubeTaps(mip, x, y);
  Int t[4];
  for (unsigned k = 0; k < 4; k++) {
    if (!m_compares)
      m_fetch->finish(taps.texel[k], m_used);
    t[k] = taps.texel[k].c[component];
  }
  const bool integer = formats::shaderType(m_view.format) != formats::ChannelType::Float;
  Int r[4];
  for (unsigned k = 0; k < 4; k++) {
    unsigned others[3], n = 0;
    for (unsigned o = 0; o < 4; o++)
      if (o != k)
        others[n++] = o;
    const Float sum = asFloat(t[others[0]]) + asFloat(t[others[1]]) + asFloat(t[others[2]]);
    r[k] = simd::select(taps.corner[k], integer ? t[others[0]] : asInt(sum * Float(1.0f / 3.0f)), t[k]);
  }
  Channels out;
  out.c[0] = r[2];
  out.c[1] = r[3];
  out.c[2] = r[1];
  out.c[3] = r[0];
  return out;
}

} // namespace monolith::codegen
