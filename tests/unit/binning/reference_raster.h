// SPDX-License-Identifier: MIT
/// @file
/// A rasterizer that follows the specification's text literally, in exact arithmetic, one pixel at a time.
#pragma once

#include "raster_fixture.h"

namespace monolith::test {

inline int64_t cross(Fixed a, Fixed b, Fixed p)
{
  return int64_t(b.x - a.x) * (p.y - a.y) - int64_t(b.y - a.y) * (p.x - a.x);
}

/// 3.4.2: inside, or on an edge that is a top or a left edge.
inline bool triangleCoversAt(const Fixed (&v)[3], Fixed sample)
{
  if (cross(v[0], v[1], v[2]) == 0)
    return false;
  for (int k = 0; k < 3; ++k) {
    const Fixed a = v[k], b = v[(k + 1) % 3], third = v[(k + 2) % 3];
    const int64_t side = cross(a, b, sample), inner = cross(a, b, third);
    if (side == 0) {
      bool topLeft;
      if (a.y == b.y) {
        topLeft = third.y > a.y; // horizontal and above the rest
      } else {
        // Point of the edge's line at the third vertex's height lies left of the third vertex.
        const Fixed upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;
        // x(third.y) = upper.x + (lower.x-upper.x)*(third.y-upper.y)/(lower.y-upper.y) < third.x
        topLeft = __int128(lower.x - upper.x) * (third.y - upper.y) <
                  __int128(third.x - upper.x) * (lower.y - upper.y);
      }
      if (!topLeft)
        return false;
    } else if ((side > 0) != (inner > 0)) {
      return false;
    }
  }
  return true;
}

inline bool triangleCovers(const Fixed (&v)[3], int px, int py)
{
  return triangleCoversAt(v, {px * 256 + 128, py * 256 + 128});
}

/// Membership of the diamond test area of the pixel with centre c; the point is (x, y) / d.
inline bool inDiamondArea(__int128 x, __int128 y, __int128 d, Fixed c, bool yMajor)
{
  const __int128 u = x - d * c.x, v = y - d * c.y, r = d * 128; // v grows downwards
  const __int128 au = u < 0 ? -u : u, av = v < 0 ? -v : v;
  if (au + av < r)
    return true;
  if (au + av > r)
    return false;
  if (v > 0)
    return true;                      // lower-left and lower-right edges, bottom corner
  return yMajor && v == 0 && u > 0;   // right corner
}

/// 3.4.3: the line leaves the diamond when travelling from start to end.
inline bool lineCovers(Fixed s, Fixed e, int px, int py)
{
  const Fixed c{px * 256 + 128, py * 256 + 128};
  const int64_t dx = e.x - s.x, dy = e.y - s.y;
  if (dx == 0 && dy == 0)
    return false;
  const bool yMajor = std::abs(dy) > std::abs(dx);
  if (inDiamondArea(e.x, e.y, 1, c, yMajor))
    return false;
  // Part of the segment within the closed diamond: t in [n0/d0, n1/d1].
  __int128 n0 = 0, d0 = 1, n1 = 1, d1 = 1;
  for (int q = 0; q < 4; ++q) {
    const int64_t su = q & 1 ? 1 : -1, sv = q & 2 ? 1 : -1;
    const int64_t at = su * (s.x - c.x) + sv * (s.y - c.y) - 128; // at + t*grow <= 0
    const int64_t grow = su * dx + sv * dy;
    if (grow == 0) {
      if (at > 0)
        return false;
    } else if (grow > 0) { // t <= -at/grow
      if (__int128(-at) * d1 < n1 * grow)
        n1 = -at, d1 = grow;
    } else { // t >= at/-grow
      if (__int128(at) * d0 > n0 * -grow)
        n0 = at, d0 = -grow;
    }
  }
  if (n0 * d1 > n1 * d0)
    return false;
  // The middle of that part decides: inside the diamond, or on an edge which belongs to it or not.
  const __int128 tn = n0 * d1 + n1 * d0, td = d0 * d1 * 2;
  return inDiamondArea(__int128(s.x) * td + tn * dx, __int128(s.y) * td + tn * dy, td, c, yMajor);
}

/// 3.4.6: a square of width 1 around the point, as triangles.
inline bool pointCovers(Fixed p, int px, int py)
{
  const Fixed a{p.x - 128, p.y - 128}, b{p.x + 128, p.y - 128}, c{p.x - 128, p.y + 128}, d{p.x + 128, p.y + 128};
  return triangleCovers({a, b, c}, px, py) || triangleCovers({b, d, c}, px, py);
}

} // namespace monolith::test
