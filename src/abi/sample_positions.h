// SPDX-License-Identifier: MIT
/// @file
/// The standard sample patterns (19.2.4): offsets from the pixel's centre in 1/16 pixel, y down.
#pragma once

#include <cstdint>

namespace monolith::abi {

inline constexpr uint32_t kMaxSamples = 16;

struct SamplePosition {
  int8_t x, y;
};

inline constexpr SamplePosition kSamplePositions1[1] = {{0, 0}};
inline constexpr SamplePosition kSamplePositions2[2] = {{4, 4}, {-4, -4}};
inline constexpr SamplePosition kSamplePositions4[4] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
inline constexpr SamplePosition kSamplePositions8[8] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5},
                                                        {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
inline constexpr SamplePosition kSamplePositions16[16] = {{1, 1},  {-1, -3}, {-3, 2},  {4, -1}, {-5, -2}, {2, 5},
                                                          {5, 3},  {3, -5},  {-2, 6},  {0, -7}, {-4, -6}, {-6, 4},
                                                          {-8, 0}, {7, -4},  {6, 7},   {-7, -8}};
inline constexpr SamplePosition kSamplePositionsCentre[kMaxSamples] = {};

/// Positions of a pattern of 1, 2, 4, 8 or 16 samples (other counts: null); `centred`: all at the pixel's centre.
inline constexpr const SamplePosition* samplePositions(uint32_t count, bool centred = false)
{
  switch (count) {
  case 1:
    return kSamplePositions1;
  case 2:
    return centred ? kSamplePositionsCentre : kSamplePositions2;
  case 4:
    return centred ? kSamplePositionsCentre : kSamplePositions4;
  case 8:
    return centred ? kSamplePositionsCentre : kSamplePositions8;
  case 16:
    return centred ? kSamplePositionsCentre : kSamplePositions16;
  default:
    return nullptr;
  }
}

} // namespace monolith::abi
