// SPDX-License-Identifier: MIT
/// @file
/// Scalar pack and unpack of one texel of every uncompressed format: the specification that generated code is
/// compared with, and what clears, copies with conversion and the interpreter use.
#pragma once

#include "formats/format.h"

namespace monolith::formats {

/// Four 32-bit words as the shader sees them; which member counts follows from the channel's type.
union Texel {
    float f[4];
    uint32_t u[4];
    int32_t i[4];
};

/// Reads one texel at `src` (bytesPerBlock bytes, any alignment). Missing channels become 0, missing alpha 1 (1.0f or
/// integer 1, 19.1.3.3). Typeless channels read as unsigned integers. Depth in f[0], stencil in u[1].
/// Formats that are not plain (see FormatInfo::isPlain) give 0, 0, 0, 1.0f; pairs are read with unpackPair.
void unpack(Format format, const void* src, Texel& out);

/// Writes one texel. Channels that the format lacks are ignored, unused bits become 0.
/// Does nothing for formats that are not plain.
void pack(Format format, const Texel& in, void* dst);

/// Subsampled formats: reads texel `x` (0 or 1) of the pair at `src` (4 bytes).
void unpackPair(Format format, const void* src, unsigned x, Texel& out);

/// Reads texel (x, y) of a surface whose rows of blocks are `rowPitch` bytes apart: plain, subsampled and
/// block-compressed formats. The caller has checked the coordinates.
void readTexel(Format format, const void* surface, uint64_t rowPitch, uint32_t x, uint32_t y, Texel& out);

} // namespace monolith::formats
