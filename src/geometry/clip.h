// SPDX-License-Identifier: MIT
/// @file
/// Clipping of one primitive in homogeneous space (Sutherland-Hodgman, plane after plane, only planes that a vertex
/// violates). New vertices are always computed from the inner towards the outer vertex, so that two primitives which share
/// an edge get the same point. Constant attributes are copied from the leading vertex to every vertex of the result,
/// whose vertex 0 thus leads as well.
#pragma once

#include "geometry/draw.h"

namespace monolith::geometry {

inline constexpr uint32_t kMaxClipPlanes = 1 + 2 + 4 + 8;
inline constexpr uint32_t kMaxPolygon = 3 + kMaxClipPlanes;

struct ClipVertex {
  float v[kMaxSlots];
};

/// A polygon (or line) being clipped. Edge k runs from vertex k to k + 1.
struct ClipPolygon {
  const ClipVertex* vertex[kMaxPolygon + 1];
  bool drawnEdge[kMaxPolygon + 1];
  uint32_t count;
};

/// Working space of one thread.
struct ClipSpace {
  ClipVertex pool[3 + 2 * kMaxClipPlanes];
  ClipPolygon polygon[2];
  uint32_t used = 0;
};

/// Clips the polygon of `vertexCount` (2 or 3) vertices that lie in packets at lanes `indices`; `codes` is the OR of their
/// clip codes, restricted to the planes that matter. Null when nothing is left.
const ClipPolygon* clip(const VertexSetup& setup, const abi::ViewportTransform& viewport, const float* packets, uint32_t packetStride,
                        const uint32_t* indices, uint32_t vertexCount, uint32_t codes, ClipSpace& space);

/// Fills slots 4 to 7 from the clip position, by the formula of abi/vertex_args.h.
void project(ClipVertex& vertex, const abi::ViewportTransform& viewport);

} // namespace monolith::geometry
