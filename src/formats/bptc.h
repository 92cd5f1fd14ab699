// SPDX-License-Identifier: MIT
/// @file
/// Blocks of BC6H and BC7 (19.5.13, 19.5.14), bit-exact.
#pragma once

#include <cstdint>

namespace monolith::formats {

/// 16 texels, row by row: 8-bit R, G, B, A.
void decodeBc7(const uint8_t block[16], uint8_t out[64]);

/// 16 texels, row by row: R, G, B as bits of 16-bit floats.
void decodeBc6h(const uint8_t block[16], bool isSigned, uint16_t out[48]);

/// A decoded block that the calling thread keeps for a while: `bc6h` picks the member. Found by the block's contents.
struct BptcTexels {
    union {
        uint8_t rgba[64];
        uint16_t rgb[48];
    };
};
enum class BptcKind : uint8_t { Bc7, Bc6hUnsigned, Bc6hSigned };
/// Valid until the thread's next call.
const BptcTexels& bptcTexels(BptcKind kind, const uint8_t block[16]);

} // namespace monolith::formats
