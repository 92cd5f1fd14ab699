// SPDX-License-Identifier: MIT
/// @file
/// Decoding of block-compressed formats by section 19.5 of the functional specification.
///
/// Colours of BC1 to BC3 decode to 8-bit codes with the section's integer divisions, BC3's alpha rounds to the nearest
/// 8-bit code; BC4 and BC5 keep the exact rational values, rounded once to float. BC6H and BC7: bptc.h.
#pragma once

#include "formats/reference.h"

namespace monolith::formats {

/// True if decodeTexel knows the format.
bool canDecode(Format format);

/// Decodes texel (x, y), both 0 to 3, of one block. Formats without decoder give 0, 0, 0, 1.
void decodeTexel(Format format, const void* block, unsigned x, unsigned y, Texel& out);

/// Decodes a whole block, row by row.
void decodeBlock(Format format, const void* block, Texel out[16]);

/// BC1, BC2, BC3 as 8-bit R, G, B, A codes (not linearised), row by row.
void decodeBlockRgba8(Format format, const void* block, uint8_t out[64]);

} // namespace monolith::formats
