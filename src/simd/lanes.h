// SPDX-License-Identifier: MIT
/// @file
/// The width of generated code, in one place. Everything that records code asks here; nothing assumes 8.
#pragma once

namespace monolith::simd {

/// Lanes of a Float, Int or Mask.
inline constexpr int kLanes = 8;
/// Bytes of such a value in memory.
inline constexpr int kVectorBytes = kLanes * 4;

} // namespace monolith::simd
