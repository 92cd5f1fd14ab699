// SPDX-License-Identifier: MIT
/// @file
/// Texels of eight lanes from memory at computed offsets, in the domain in which they are filtered.
#pragma once

#include "codegen/texel.h"
#include "simd/value.h"

namespace monolith::codegen {

/// Addressing of one texel in whole-block terms; x and y are in range.
struct TexelPosition {
  simd::Int row;  ///< byte offset of the texel's row of blocks (slice, mip and layer included)
  simd::Int x;    ///< texel in its row
  simd::Int y;    ///< texel row (block formats need its low bits)
};

/// Reads texels of one format. `base` is the view's memory; offsets are below 2^31.
class TexelFetcher {
public:
  TexelFetcher(formats::Format format, simd::Pointer base);

  /// True if generated code exists for the format.
  static bool knows(formats::Format format);
  /// Divisor of formats that are filtered as codes, else 0 (filterScale).
  float scale() const { return m_scale; }
  formats::Format format() const { return m_format; }
  bool isBlock() const { return m_block; }
  /// log2 of the texel rows that share an offset: y >> shift gives the row of blocks.
  int rowShift() const { return m_block ? 2 : 0; }

  /// Only channels of `used` are computed; values are in the filter's domain (codes for scaled formats).
  Channels fetch(const TexelPosition& at, uint8_t used) const;
  /// Two neighbours: (x, y) and (x + 1, y), both inside the row. Not for block formats.
  void fetchPair(const TexelPosition& at, uint8_t used, Channels& left, Channels& right) const;
  /// From the filter's domain to the shader's values.
  void finish(Channels& value, uint8_t used) const;
  /// Values exactly as `unpackTexel` gives them (loads).
  Channels load(const TexelPosition& at) const;

private:
  TexelWords loadWords(simd::Int offset) const;
  void loadPairWords(simd::Int offset, TexelWords& left, TexelWords& right) const;
  Channels toDomain(const TexelWords& words, uint8_t used) const;
  Channels fetchBlock(const TexelPosition& at, uint8_t used) const;
  simd::Int texelOffset(const TexelPosition& at) const;

  formats::Format m_format;
  simd::Pointer m_base;
  unsigned m_bytes;
  float m_scale;
  bool m_block;
};

/// Block decoding (block_texel.cpp): channels of the texel with index y * 4 + x in the block at `offset`; codes for BC1 to
/// BC3, floats for BC4 and BC5.
Channels decodeBlockTexel(formats::Format format, simd::Pointer base, simd::Int offset, simd::Int index, uint8_t used);

} // namespace monolith::codegen
