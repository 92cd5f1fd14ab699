// SPDX-License-Identifier: MIT
/// @file
/// Aliased lines by the diamond rule (3.4.3): a pixel is covered when the line leaves its diamond on the way from start
/// to end. Per column of an x-major line exactly one diamond can be met, that of the pixel whose vertical diagonal
/// (top corner excluded, bottom corner included) the infinite line crosses; it is covered unless the start lies beyond
/// it or the end lies in or before it. So a line is a range of columns and an exact quotient for the row; y-major
/// lines likewise with the right corner included and the left one excluded. Directed: no symmetry is assumed.
#pragma once

#include "tiles/chunk_bins.h"

namespace monolith::binning {

struct FixedPoint2 {
  int32_t x, y; ///< 1/256 pixel.
};

/// False when no pixel is covered. first and last are not clipped. Coordinates within +-kMaxPosition.
bool setupLine(FixedPoint2 start, FixedPoint2 end, tiles::LineShape& shape);

/// Minor coordinate of a covered pixel.
inline int64_t lineMinor(const tiles::LineShape& shape, int32_t major)
{
  const int64_t n = shape.n0 + major * shape.step;
  int64_t q = n / shape.divisor;
  if (n % shape.divisor < 0)
    --q;
  return q;
}

} // namespace monolith::binning
