// SPDX-License-Identifier: MIT
#include "binning/line_setup.h"

namespace monolith::binning {

namespace {

int32_t absolute(int32_t v) { return v < 0 ? -v : v; }

/// True when p lies in the diamond of the pixel row or column that holds it, p being off the centre line.
/// u is along the major axis, v along the minor axis, relative to the pixel's corner, both 0..255.
/// Lower edges (v below the centre for x-major, u for y-major) belong to the diamond.
bool inDiamond(int32_t x, int32_t y)
{
  const int32_t dx = absolute((x & 255) - 128);
  const int32_t dy = (y & 255) - 128;
  return dy > 0 ? dx + dy <= 128 : dx - dy < 128;
}

/// The first major coordinate whose diamond p, travelling in direction `forward`, has not left yet.
int32_t notLeft(FixedPoint2 p, bool yMajor, bool forward)
{
  const int32_t major = yMajor ? p.y : p.x;
  const int32_t pixel = major >> 8, fraction = major & 255;
  if (forward) {
    // The bottom corner of the pixel above belongs to that pixel's diamond.
    if (yMajor && fraction == 0 && (p.x & 255) == 128)
      return pixel - 1;
    return fraction > 128 && !inDiamond(p.x, p.y) ? pixel + 1 : pixel;
  }
  return fraction < 128 && !inDiamond(p.x, p.y) ? pixel - 1 : pixel;
}

} // namespace

bool setupLine(FixedPoint2 start, FixedPoint2 end, tiles::LineShape& shape)
{
  const int32_t dx = end.x - start.x, dy = end.y - start.y;
  const bool yMajor = absolute(dy) > absolute(dx);
  const int32_t along = yMajor ? dy : dx;
  if (along == 0)
    return false;
  const bool forward = along > 0;
  const int32_t from = notLeft(start, yMajor, forward), to = notLeft(end, yMajor, forward);
  // Covered: left by the end, not yet left at the start.
  if (forward) {
    shape.first = from;
    shape.last = to - 1;
  } else {
    shape.first = to + 1;
    shape.last = from;
  }
  if (shape.first > shape.last)
    return false;
  const int64_t divisor = absolute(along);
  const int64_t slope = forward ? (yMajor ? dx : dy) : -(yMajor ? dx : dy);
  const int64_t majorStart = yMajor ? start.y : start.x, minorStart = yMajor ? start.x : start.y;
  // minor position at the centre of major pixel m: minorStart + slope * (256 m + 128 - majorStart) / divisor; the pixel
  // is the one with 256 q < position <= 256 q + 256.
  shape.n0 = minorStart * divisor + slope * (128 - majorStart) - 1;
  shape.step = slope * 256;
  shape.divisor = divisor * 256;
  shape.yMajor = yMajor;
  shape.reserved = 0;
  return true;
}

} // namespace monolith::binning
