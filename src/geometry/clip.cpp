// SPDX-License-Identifier: MIT
#include "geometry/clip.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace monolith::geometry {
namespace {

bool testBit(const uint64_t* bits, uint32_t slot) { return bits[slot >> 6] >> (slot & 63) & 1; }

struct Plane {
  uint32_t bit;
  uint32_t slot; ///< Clip distances.
};

float distance(const ClipVertex& p, const Plane& plane, const abi::ViewportTransform& vp) {
  const float x = p.v[0], y = p.v[1], z = p.v[2], w = p.v[3];
  switch (plane.bit) {
  case abi::kClipW: return w - abi::kMinClipW;
  case abi::kClipNear: return z;
  case abi::kClipFar: return w - z;
  case abi::kClipGuardLeft: return x + vp.guardX * w;
  case abi::kClipGuardRight: return vp.guardX * w - x;
  case abi::kClipGuardBottom: return y + vp.guardY * w;
  case abi::kClipGuardTop: return vp.guardY * w - y;
  default: return p.v[plane.slot];
  }
}

class Clipper {
public:
  Clipper(const VertexSetup& setup, const abi::ViewportTransform& viewport, ClipSpace& space)
      : m_setup(setup), m_viewport(viewport), m_space(space) {}

  /// One plane; returns whether anything is left. Closed polygons of 3 and more vertices, open lines of 2.
  bool against(const Plane& plane, const ClipPolygon& in, ClipPolygon& out, bool line) {
    float d[kMaxPolygon + 1];
    for (uint32_t i = 0; i < in.count; ++i)
      d[i] = distance(*in.vertex[i], plane, m_viewport);
    out.count = 0;
    const uint32_t edges = line ? 1 : in.count;
    if (line && d[0] >= 0)
      push(out, in.vertex[0], true);
    for (uint32_t i = 0; i < edges; ++i) {
      const uint32_t j = i + 1 == in.count ? 0 : i + 1;
      const bool inI = d[i] >= 0, inJ = d[j] >= 0;
      if (inI && !line)
        push(out, in.vertex[i], in.drawnEdge[i]);
      if (inI != inJ) {
        const ClipVertex* v = inI ? cross(*in.vertex[i], *in.vertex[j], d[i], d[j]) : cross(*in.vertex[j], *in.vertex[i], d[j], d[i]);
        // Leaving: the next edge runs along the plane. Entering: the rest of this edge.
        push(out, v, inI ? false : in.drawnEdge[i]);
      }
      if (line && inJ)
        push(out, in.vertex[j], true);
    }
    return out.count >= (line ? 2u : 3u);
  }

private:
  void push(ClipPolygon& out, const ClipVertex* v, bool drawn) {
    if (out.count >= kMaxPolygon)
      return;
    out.vertex[out.count] = v;
    out.drawnEdge[out.count++] = drawn;
  }

  const ClipVertex* cross(const ClipVertex& in, const ClipVertex& outer, float dIn, float dOut) {
    if (m_space.used >= std::size(m_space.pool))
      return &in; // cannot happen for finite positions: each plane cuts a convex polygon at most twice
    ClipVertex& v = m_space.pool[m_space.used++];
    const float t = dIn / (dIn - dOut);
    for (uint32_t s = 0; s < 4; ++s)
      v.v[s] = in.v[s] + t * (outer.v[s] - in.v[s]);
    // Along the edge, screen distance runs as t * w(outer) / w(new); behind the eye there is no such thing.
    const float ts = outer.v[3] > 0 && v.v[3] > 0 ? t * outer.v[3] / v.v[3] : t;
    for (uint32_t s = abi::kFirstOutputSlot; s < m_setup.slotCount; ++s) {
      if (testBit(m_setup.classes.constant, s))
        v.v[s] = in.v[s];
      else
        v.v[s] = in.v[s] + (testBit(m_setup.classes.screenLinear, s) ? ts : t) * (outer.v[s] - in.v[s]);
    }
    project(v, m_viewport);
    return &v;
  }

  const VertexSetup& m_setup;
  const abi::ViewportTransform& m_viewport;
  ClipSpace& m_space;
};

float fixedPoint(float v) {
  const float scaled = v * 256.0f;
  const float limited = scaled < -0x1p30f ? -0x1p30f : scaled > 0x1p30f ? 0x1p30f : scaled;
  const auto fixed = limited == limited ? int32_t(std::nearbyintf(limited)) : 0;
  return std::bit_cast<float>(fixed);
}

} // namespace

void project(ClipVertex& p, const abi::ViewportTransform& vp) {
  const float rw = 1.0f / p.v[3];
  p.v[4] = fixedPoint(std::fma(p.v[0] * rw, vp.scaleX, vp.offsetX));
  p.v[5] = fixedPoint(std::fma(p.v[1] * rw, vp.scaleY, vp.offsetY));
  p.v[6] = std::fma(p.v[2] * rw, vp.scaleZ, vp.offsetZ);
  p.v[7] = rw;
}

const ClipPolygon* clip(const VertexSetup& setup, const abi::ViewportTransform& viewport, const float* packets, uint32_t packetStride,
                        const uint32_t* indices, uint32_t vertexCount, uint32_t codes, ClipSpace& space) {
  space.used = 0;
  ClipPolygon* in = &space.polygon[0];
  ClipPolygon* out = &space.polygon[1];
  in->count = vertexCount;
  for (uint32_t i = 0; i < vertexCount; ++i) {
    const auto* packet = reinterpret_cast<const float*>(reinterpret_cast<const uint8_t*>(packets) + size_t(indices[i] >> 3) * packetStride);
    ClipVertex& v = space.pool[space.used++];
    const uint32_t lane = indices[i] & 7;
    for (uint32_t s = 0; s < setup.slotCount; ++s)
      v.v[s] = packet[s * 8 + lane];
    in->vertex[i] = &v;
    in->drawnEdge[i] = true;
  }
  // The leading vertex's constants everywhere.
  for (uint32_t word = 0; word < 3; ++word)
    for (uint64_t bits = setup.classes.constant[word]; bits; bits &= bits - 1) {
      const uint32_t s = word * 64 + uint32_t(std::countr_zero(bits));
      for (uint32_t i = 1; i < vertexCount && s < setup.slotCount; ++i)
        space.pool[i].v[s] = space.pool[0].v[s];
    }
  Clipper clipper(setup, viewport, space);
  constexpr uint32_t kPlanes[] = {abi::kClipW,         abi::kClipNear,        abi::kClipFar,    abi::kClipGuardLeft,
                                  abi::kClipGuardRight, abi::kClipGuardBottom, abi::kClipGuardTop};
  const bool line = vertexCount == 2;
  for (uint32_t bit : kPlanes) {
    if (!(codes & bit))
      continue;
    if (!clipper.against({bit, 0}, *in, *out, line))
      return nullptr;
    std::swap(in, out);
  }
  for (uint32_t i = 0; i < setup.clipDistances; ++i) {
    if (!(codes & abi::kClipDistance0 << i))
      continue;
    if (!clipper.against({abi::kClipDistance0 << i, setup.clipDistanceSlot[i]}, *in, *out, line))
      return nullptr;
    std::swap(in, out);
  }
  for (uint32_t i = 0; i < in->count; ++i) {
    const float* v = in->vertex[i]->v;
    if (!(v[0] == v[0] && v[1] == v[1] && v[2] == v[2] && v[7] == v[7]))
      return nullptr; // infinities met: "may or may not result in a discarded primitive"
  }
  return in;
}

} // namespace monolith::geometry
