// SPDX-License-Identifier: MIT
/// @file
/// The geometry of cube faces: which axes a face's texel rows and columns follow, and which texel of which face lies
/// across an edge.
#pragma once

#include <cstdint>

namespace monolith::codegen {

/// Axis numbers 0 to 5: +x, -x, +y, -y, +z, -z; face f looks along axis f.
struct CubeFaceAxes {
  uint8_t s, t; ///< axes along which u and v grow
};
inline constexpr CubeFaceAxes kCubeFaceAxes[6] = {{5, 3}, {4, 3}, {0, 4}, {0, 5}, {0, 3}, {1, 3}};

struct CubeTexel {
  int face, x, y;
};

/// Brings a texel that lies one step outside its face (in x or in y, not both) to the neighbouring face.
/// `size`: texels along an edge.
constexpr CubeTexel acrossCubeEdge(CubeTexel in, int size)
{
  if (in.x >= 0 && in.x < size && in.y >= 0 && in.y < size)
    return in;
  // Texel centres on a cube of half-edge `size`, in half-texel units: odd or even numbers of one parity per axis.
  int v[3] = {};
  const auto add = [&](int axis, int amount) { v[axis / 2] += axis & 1 ? -amount : amount; };
  int s = 2 * in.x + 1 - size, t = 2 * in.y + 1 - size;
  int major = size;
  // Beyond an edge: the next face's first row, where the old major axis has become a coordinate.
  const bool overS = s < -size || s > size;
  int& over = overS ? s : t;
  const int outward = over < 0 ? -size : size;
  over = outward;
  major = size - 1;
  add(in.face, major);
  add(kCubeFaceAxes[in.face].s, s);
  add(kCubeFaceAxes[in.face].t, t);
  const int axis = overS ? kCubeFaceAxes[in.face].s : kCubeFaceAxes[in.face].t;
  const int face = outward < 0 ? axis ^ 1 : axis;
  const auto along = [&](int a) { return a & 1 ? -v[a / 2] : v[a / 2]; };
  CubeTexel out;
  out.face = face;
  out.x = (along(kCubeFaceAxes[face].s) + size - 1) / 2;
  out.y = (along(kCubeFaceAxes[face].t) + size - 1) / 2;
  return out;
}

} // namespace monolith::codegen
