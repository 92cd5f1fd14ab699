// SPDX-License-Identifier: MIT
/// @file
/// Comparison of two pictures of 8-bit RGBA, used by the tool and by the golden-image tests.
#pragma once

#include <cstdint>
#include <vector>

namespace monolith::image {

struct Difference {
  uint64_t pixels = 0;    ///< Of the picture.
  uint64_t differing = 0; ///< Pixels with a channel that differs by more than the tolerance.
  uint32_t largest = 0;   ///< Largest difference of a channel.
  double meanSquare = 0;  ///< Of all channels.
  uint32_t firstX = 0, firstY = 0; ///< The first differing pixel.
};

/// Both have width * height * 4 bytes.
Difference compare(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, uint32_t width, uint32_t height,
                   uint32_t tolerance);

/// What to look at: the first picture darkened, differing pixels in the colour of their difference, amplified.
std::vector<uint8_t> differencePicture(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, uint32_t width,
                                       uint32_t height, uint32_t tolerance);

} // namespace monolith::image
