// SPDX-License-Identifier: MIT
#include "compare.h"

#include <algorithm>
#include <cstdlib>

namespace monolith::image {

Difference compare(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, uint32_t width, uint32_t height,
                   uint32_t tolerance)
{
  Difference result;
  result.pixels = uint64_t(width) * height;
  uint64_t squares = 0;
  for (uint64_t p = 0; p < result.pixels; ++p) {
    uint32_t largest = 0;
    for (uint64_t c = p * 4; c < p * 4 + 4; ++c) {
      const uint32_t delta = uint32_t(std::abs(int(a[c]) - int(b[c])));
      largest = std::max(largest, delta);
      squares += uint64_t(delta) * delta;
    }
    result.largest = std::max(result.largest, largest);
    if (largest > tolerance && result.differing++ == 0) {
      result.firstX = uint32_t(p % width);
      result.firstY = uint32_t(p / width);
    }
  }
  result.meanSquare = result.pixels ? double(squares) / double(result.pixels * 4) : 0;
  return result;
}

std::vector<uint8_t> differencePicture(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, uint32_t width,
                                       uint32_t height, uint32_t tolerance)
{
  std::vector<uint8_t> out(uint64_t(width) * height * 4);
  for (uint64_t p = 0; p < uint64_t(width) * height; ++p) {
    int delta[4];
    int largest = 0;
    for (int c = 0; c < 4; ++c) {
      delta[c] = std::abs(int(a[p * 4 + uint64_t(c)]) - int(b[p * 4 + uint64_t(c)]));
      largest = std::max(largest, delta[c]);
    }
    for (int c = 0; c < 3; ++c) {
      // Differences of alpha alone show as white.
      const int shown = std::max(delta[c], std::max(delta[0], std::max(delta[1], delta[2])) ? 0 : delta[3]);
      out[p * 4 + uint64_t(c)] = uint32_t(largest) > tolerance ? uint8_t(std::min(255, 64 + shown * 8))
                                                              : uint8_t(a[p * 4 + uint64_t(c)] / 6);
    }
    out[p * 4 + 3] = 255;
  }
  return out;
}

} // namespace monolith::image
